use crate::kit::Folder;

#[test]
fn every_kind_of_map_is_made_and_used() {
    let folder = Folder::new();
    let kinds = [
        "empty --width 9 --height 7",
        "random --width 20 --height 20 --percent 10",
        "maze --width 21 --height 15",
        "room --width 20 --height 20 --room 5 --doors 80",
        "warehouse --columns 2 --rows 2 --margin 3 --shelf_width 4",
        "s1 --scale 2",
        "s2",
        "tunnels --width 20 --height 20 --noise 4 --max_connections 2",
        "cave --width 20 --height 20",
    ];
    for kind in kinds {
        let said = folder.throng(&format!("gen map {kind} --seed 5 -o a.map")).expect(0);
        assert!(said.out.starts_with("a.map: "), "{}", said.out);
        let map = folder.text("a.map");
        folder.throng(&format!("gen map {kind} --seed 5 -o b.map")).expect(0);
        assert_eq!(map, folder.text("b.map"), "{kind}");
        folder.throng("gen scen --map a.map --agents 4 --seed 1 -o a.scen").expect(0);
        folder.throng("solve --map a.map --scen a.scen --agents 4 --planner hca").expect(0);
    }
    folder.throng("gen map random --seed 1 -o a.map").expect(0);
    folder.throng("gen map random --seed 2 -o b.map").expect(0);
    assert_ne!(folder.text("a.map"), folder.text("b.map"));
}

#[test]
fn rows_tell_the_length_of_a_shortest_path() {
    let folder = Folder::new();
    // From one open cell to the other two corners lead around the wall; no corner is cut.
    folder.write("wall.map", "type octile\nheight 3\nwidth 3\nmap\n.@.\n.@.\n...\n");
    folder.throng("gen scen --map wall.map --agents 7 -o wall.scen").expect(0);
    let text = folder.text("wall.scen");
    for row in text.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        assert_eq!((fields[1], fields[2], fields[3]), ("wall.map", "3", "3"));
        let numbers: Vec<i32> = fields[4..8].iter().map(|n| n.parse().unwrap()).collect();
        // Unrolled, the seven open cells are a path without a single legal diagonal.
        let place = |x: i32, y: i32| {
            if x == 0 {
                y
            } else if x == 1 {
                3
            } else {
                6 - y
            }
        };
        let length = (place(numbers[0], numbers[1]) - place(numbers[2], numbers[3])).abs();
        assert_eq!(fields[8].parse::<f64>().unwrap(), f64::from(length), "{row}");
        assert_eq!(fields[0].parse::<i32>().unwrap(), length / 4);
    }
    folder.throng("gen map empty --width 30 --height 30 -o open.map").expect(0);
    folder.throng("gen scen --map open.map --agents 50 --seed 9 -o open.scen").expect(0);
    for row in folder.text("open.scen").lines().skip(1) {
        let n: Vec<f64> = row.split('\t').skip(4).map(|n| n.parse().unwrap()).collect();
        let (dx, dy) = ((n[0] - n[2]).abs(), (n[1] - n[3]).abs());
        let length = dx.max(dy) - dx.min(dy) + dx.min(dy) * 2f64.sqrt();
        assert!((n[4] - length).abs() < 1e-7, "{row}");
    }
}

#[test]
fn goals_may_be_near() {
    let folder = Folder::new();
    folder.throng("gen map empty --width 40 --height 40 -o a.map").expect(0);
    folder.throng("gen scen --map a.map --agents 60 --within 3 -o a.scen").expect(0);
    for row in folder.text("a.scen").lines().skip(1) {
        let n: Vec<i32> = row.split('\t').skip(4).take(4).map(|n| n.parse().unwrap()).collect();
        assert!((n[0] - n[2]).abs() + (n[1] - n[3]).abs() <= 3, "{row}");
    }
}

#[test]
fn crowds_may_cross() {
    let folder = Folder::new();
    folder.throng("gen map s2 --scale 2 -o s2.map").expect(0);
    folder.throng("gen scen --map s2.map --agents 100 --across -o s2.scen").expect(0);
    for row in folder.text("s2.scen").lines().skip(1) {
        let n: Vec<i32> = row.split('\t').skip(4).take(4).map(|n| n.parse().unwrap()).collect();
        assert!((4..14).contains(&n[0]) && (50..60).contains(&n[2]), "{row}");
        assert!((26..38).contains(&n[1]) && (26..38).contains(&n[3]), "{row}");
    }
    folder.throng("gen scen --map s2.map --agents 121 --across -o a.scen").refused(&["120 fit"]);
}

#[test]
fn nonsense_is_refused() {
    let folder = Folder::small();
    let before = folder.names();
    folder.throng("gen map room --width 3 -o a.map").refused(&["width is 3, expected 9 to 16384"]);
    folder.throng("gen map maze --width 99999 -o a.map").refused(&["width is 99999"]);
    folder.throng("gen map swamp -o a.map").refused(&["swamp"]);
    folder.throng("gen map maze").refused(&["--output"]);
    folder.throng("gen scen --map small.map --agents 21 -o a.scen").refused(&[
        "small.map",
        "no room for 21",
        "20 fit",
    ]);
    folder.throng("gen scen --map none.map --agents 2 -o a.scen").refused(&["none.map"]);
    folder.throng("gen map maze -o nowhere/a.map").refused(&["nowhere/a.map", "no folder nowhere"]);
    assert_eq!(folder.names(), before);
}

#[test]
fn levels_are_drawn() {
    let folder = Folder::new();
    folder.throng("gen map s2 -o s2.map").expect(0);
    let said = folder.throng("gen levels --map s2.map -o s2.svg").expect(0);
    assert!(said.out.contains("821 cells, nodes by level: 268, 75,"), "{}", said.out);
    let svg = folder.text("s2.svg");
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("level 0: 821") && svg.contains("level 1: 268") && svg.contains("<circle"));
    folder.throng("gen levels --map s2.map --connectivity 4 -o four.svg").expect(0);
    folder.throng("gen levels --map none.map -o a.svg").refused(&["none.map"]);
    folder.throng("gen levels --map s2.map -o s2.png").refused(&["s2.png", ".svg"]);
}

#[test]
fn a_map_and_its_rows_become_a_scenario() {
    let folder = Folder::new();
    folder.throng("gen map s1 -o s1.map").expect(0);
    folder.throng("gen scen --map s1.map --agents 9 --across -o s1.scen").expect(0);
    folder
        .throng("gen scenario --map s1.map --scen s1.scen --agents 9 --connectivity 8 --period 5 -o s1.toml")
        .expect(0);
    let text = folder.text("s1.toml");
    assert_eq!(text.matches("period = 5").count(), 9);
    assert!(text.contains("connectivity = 8\ntiming = \"metric\""), "{text}");
    folder.throng("run s1.toml --planner cpra(k=8)").expect(0);
    let one = "gen scenario --map s1.map --scen s1.scen --agents 1 --planner whca -o one.toml";
    folder.throng(one).expect(0);
    assert!(folder.text("one.toml").contains("timing = \"uniform\""));
    folder.throng("run one.toml").expect(0);
    folder.throng("gen scenario --map s1.map --scen s1.scen --agents 10 -o a.toml").refused(&["only 9"]);
    folder.throng("gen scenario --map s1.map --scen s1.scen --agents 9 --period 0 -o a.toml").refused(&["0"]);
    let planner = "gen scenario --map s1.map --scen s1.scen --agents 9 -o a.toml --planner";
    folder.throng(&format!("{planner} cpra(k=0)")).refused(&["k=0"]);
    folder.throng(&format!("{planner} whca(abstraction=99)")).refused(&["abstraction"]);
}
