use crate::kit::{Folder, has_keys};

#[test]
fn the_demo_tells_and_draws() {
    let folder = Folder::new();
    let json = folder.throng("demo --out made/here --json").expect(0).json();
    let rows = json["rows"].as_array().unwrap();
    for row in rows {
        has_keys(
            row,
            &["scenario", "planner", "arrived", "ticks", "makespan", "soc", "failed_moves", "expanded"],
        );
        assert_eq!(row["collisions"], 0);
        assert!(folder.read(row["gif"].as_str().unwrap()).starts_with(b"GIF89a"));
    }
    let arrived = |planner: &str| {
        let row = rows.iter().find(|row| row["scenario"] == "bridge" && row["planner"] == planner).unwrap();
        row["arrived"].as_u64().unwrap()
    };
    assert_eq!((arrived("hca"), arrived("whca(window=16)")), (40, 40));
    assert!(arrived("lra") < 40);
}

#[test]
fn a_file_in_the_way_is_refused() {
    let folder = Folder::small();
    folder.throng("demo --out small.map").refused(&["small.map: cannot write it"]);
}
