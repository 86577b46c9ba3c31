use super::*;
use crate::{Claim, Silent};

/// Two small crowds, one of several sizes, under few budgets.
fn small() -> Budgets {
    let text = "
        ticks = 400
        windows = [8]
        budgets = [0, 200]
        promise = { budget = 200, times = 8.0 }
        world = [
            { name = 'plain', kind = 'random', width = 16, height = 16, percent = 10 },
            { name = 'mixed', kind = 'empty', width = 20, height = 20, units = 'mixed' },
        ]
        full = { units = [12], seeds = 2 }
        quick = { units = [12], seeds = 1 }
    ";
    let request = Request { quick: true, originals: None, data: None, shard: None, out: "unused".into() };
    Budgets(Settings::open(Budgets::NAME, text, &request, &Silent).unwrap())
}

fn rows(budgets: &Budgets) -> Vec<Row> {
    budgets.cases().iter().map(|case| budgets.run(&case.what).unwrap()).collect()
}

fn claim<'a>(claims: &'a [Claim], text: &str) -> &'a Claim {
    claims.iter().find(|claim| claim.text.contains(text)).unwrap()
}

#[test]
fn crowds_arrive_within_their_budgets() {
    let budgets = small();
    let rows = rows(&budgets);
    let limits: Vec<_> = rows.iter().map(|row| row.budget).collect();
    assert_eq!(limits, [None, Some(0), Some(200), None, Some(0), Some(200)]);
    for row in &rows {
        assert_eq!((row.counts.collisions, row.counts.failed_moves), (0, 0), "{row:?}");
        assert_eq!(row.arrivals.iter().flatten().count(), row.counts.arrived, "{row:?}");
        match row.budget {
            Some(0) => assert_eq!((row.work(), row.counts.arrived, row.makespan), (0, 0, None)),
            Some(most) => assert!(row.largest_tick <= most && row.largest_tick > most / 2, "{row:?}"),
            None => assert!(row.largest_tick > 200, "a budget of 200 is no limit: {row:?}"),
        }
        if row.budget != Some(0) {
            assert_eq!(row.makespan, Some(row.counts.ticks), "{row:?}");
        }
    }
    let Conclusion { tables, plots, claims } = budgets.conclude(&rows);
    assert_eq!((tables.len(), plots.len()), (2, 3));
    let table = tables[0].markdown();
    assert!(table.starts_with("plain, window 8") && table.contains("| unlimited | 100.0 %"), "{table}");
    for plot in &plots {
        assert!(plot.svg().unwrap().contains("plain, 8"), "{}", plot.title());
    }
    assert!(claims.iter().all(|claim| claim.holds), "{claims:?}");
    let late = claim(&claims, "at most 8 times later").figure.unwrap();
    assert!(late > 1.0, "a limit costs time: {late}");
}

#[test]
fn a_row_as_json_has_what_programs_need() {
    let budgets = small();
    let rows = rows(&budgets);
    let json = serde_json::to_value(&rows[2]).unwrap();
    for key in ["world", "window", "seed", "agents", "arrived", "arrival", "makespan", "collisions"] {
        assert!(!json[key].is_null(), "{key}: {json}");
    }
    for key in ["failed_moves", "main", "backwards", "largest_tick", "ticks"] {
        assert!(json[key].is_u64(), "{key}: {json}");
    }
    assert_eq!((&json["budget"], json["arrivals"].as_array().unwrap().len()), (&200.into(), 12));
    assert!(serde_json::to_value(&rows[0]).unwrap()["budget"].is_null(), "no limit");
    let back: Row = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(serde_json::to_value(back).unwrap(), json);
}

/// Whatever goes wrong in one run, some claim tells.
#[test]
fn claims_can_fail() {
    let budgets = small();
    let good = rows(&budgets);
    let fails = |text: &str, spoil: &dyn Fn(&mut [Row])| {
        let mut rows = good.clone();
        spoil(&mut rows);
        let claims = budgets.conclude(&rows).claims;
        assert!(!claim(&claims, text).holds, "{text}: {claims:?}");
    };
    fails("never above the budget", &|rows| rows[2].largest_tick = 201);
    fails("never above the budget", &|rows| rows[4].largest_tick = 1);
    fails("ever collides", &|rows| rows[5].counts.collisions = 1);
    fails("No move ever fails", &|rows| rows[0].counts.failed_moves = 1);
    fails("of 200 all arrive", &|rows| rows[5].counts.arrived -= 1);
    fails("as long as there is one", &|rows| rows[2].counts.arrived -= 1);
    fails("times later", &|rows| {
        rows[2].arrivals.iter_mut().flatten().for_each(|tick| *tick *= 20);
    });
}
