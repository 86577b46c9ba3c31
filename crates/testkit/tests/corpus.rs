//! What the corpus says about its cases is true.

use std::collections::BTreeSet;
use throng_check::check_plan;
use throng_core::Rules;
use throng_testkit::{corpus, expected, optimal, witness};

#[test]
fn nothing_is_out_of_date() {
    for case in corpus() {
        for connectivity in case.connectivities() {
            let scenario = case.scenario(Rules { connectivity, ..Rules::default() });
            let stated = case.expected(connectivity);
            assert!(stated.is_some(), "{}: nothing is known with {connectivity:?}", case.name);
            assert_eq!(stated, expected(&scenario), "{} {connectivity:?}", case.name);
        }
    }
}

#[test]
fn feasible_cases_have_a_plan_that_the_judge_accepts() {
    for case in corpus() {
        for connectivity in case.connectivities() {
            let scenario = case.scenario(Rules { connectivity, ..Rules::default() });
            let Some(stated) = case.expected(connectivity).filter(|e| e.feasible) else { continue };
            let exact = stated.soc.is_some();
            let plan = if exact { optimal(&scenario).map(|o| o.plan) } else { witness(&scenario, 0) };
            let report = check_plan(&scenario, &plan.unwrap_or_default());
            assert!(report.is_valid(), "{} {connectivity:?}: {report}", case.name);
            assert!(report.soc >= stated.least_soc() && report.makespan >= stated.least_makespan());
            assert!(!exact || Some(report.soc) == stated.soc, "{} {connectivity:?}", case.name);
        }
    }
}

#[test]
fn it_is_rich_enough() {
    let cases = corpus();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "names are unique");
    assert!(cases.len() >= 40);
    let known: Vec<_> =
        cases.iter().flat_map(|case| case.connectivities().filter_map(|c| case.expected(c))).collect();
    assert!(known.iter().filter(|e| !e.feasible).count() >= 10);
    assert!(known.iter().filter(|e| e.soc.is_some()).count() >= 60);
    assert!(known.iter().filter(|e| e.soc_lb.is_some()).count() >= 10);
}
