//! One-shot problems: a plan that the judge has seen, or the reason why there is none.

use crate::bounds::Counter;
use crate::groups::context;
use crate::rollout::RolledOut;
use crate::{Error, LowerBounds, Options};
use std::sync::Arc;
use throng_check::{Report, check_plan, check_prefix};
use throng_core::{Budget, Observer, Outcome, Plan, Reason, Rest, Scenario, Unlimited};
use throng_planners::registry::{self, Built, Context};

/// The answer to a one-shot problem.
#[derive(Clone, Debug)]
pub struct Solution {
    /// How it ended. `Solved` only if the judge found nothing wrong; nor with the best that there is when the budget has ended.
    pub outcome: Outcome,
    /// What the judge said of the plan, if there is one that brings everybody there or was said to.
    pub report: Option<Report>,
    /// What no plan can beat; `None` if somebody cannot get there at all, or the budget ended before that was known.
    pub bounds: Option<LowerBounds>,
    /// Expansions of all searches.
    pub expanded: u64,
}

impl Solution {
    /// A plan that brings everybody there, and that the judge has seen: the solution, or the best when the budget ended.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        match &self.outcome {
            Outcome::Solved(plan) | Outcome::OutOfBudget { best: Some(plan), .. } => {
                self.report.as_ref().filter(|report| report.is_valid()).map(|_| plan)
            }
            _ => None,
        }
    }

    /// Whether everybody gets there.
    #[must_use]
    pub const fn is_solved(&self) -> bool {
        matches!(self.outcome, Outcome::Solved(_))
    }
}

/// Solves a one-shot problem: everybody rests at its goal at the same time.
///
/// ```
/// use throng::core::{Expansions, Unobserved};
/// use throng::{Options, solve, worlds};
///
/// let bridge = worlds::builtin("bridge", 0)?.scenario;
/// let solution = solve(&bridge, &Options::planner("hca"), &Expansions(10_000_000), &mut Unobserved)?;
/// assert!(solution.is_solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    scenario: &Scenario,
    options: &Options,
    budget: &dyn Budget,
    observer: &mut dyn Observer,
) -> Result<Solution, Error> {
    solve_from(scenario, None, options, budget, observer)
}

/// The same, beginning with a plan: for planners that make plans better (`lns`). Units may collide in it or not arrive;
/// whoever it does not lead along the map stays where it is at first.
///
/// ```
/// use throng::core::{Outcome, Unlimited, Unobserved};
/// use throng::{Options, solve, solve_from, worlds};
///
/// let bridge = worlds::builtin("bridge", 0)?.scenario;
/// let first = solve(&bridge, &Options::planner("pibt"), &Unlimited, &mut Unobserved)?;
/// let Outcome::Solved(plan) = first.outcome else { panic!("{:?}", first.outcome) };
/// let better = solve_from(&bridge, Some(plan), &Options::planner("lns"), &Unlimited, &mut Unobserved)?;
/// assert!(better.report.unwrap().soc < first.report.unwrap().soc);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_from(
    scenario: &Scenario,
    plan: Option<Plan>,
    options: &Options,
    budget: &dyn Budget,
    observer: &mut dyn Observer,
) -> Result<Solution, Error> {
    scenario.require_distinct_goals()?;
    if !scenario.events().is_empty() {
        return Err(Error::Changing);
    }
    let spec = options.planner.as_deref().ok_or(Error::NoPlanner)?;
    if plan.is_some() && !registry::find(spec)?.takes_plans() {
        return Err(Error::NoUseForPlan { planner: spec.to_owned() });
    }
    let context = Context { plan: plan.map(Arc::new), ..context(options) };
    let mut counter = Counter::new(scenario, observer);
    let outcome = match registry::build(spec, &context)? {
        Built::Planner(mut planner) => {
            if let Some(need) = registry::support(spec)?.gap(scenario) {
                return Err(Error::Unsupported { planner: spec.to_owned(), need });
            }
            registry::fits(spec, scenario, &context)?;
            planner.plan(scenario, budget, &mut counter)
        }
        Built::Controller(_) => RolledOut { options: options.clone() }.of(scenario, budget, &mut counter)?,
    };
    let expanded = counter.expanded;
    // A plan is worth knowing how good it is.
    let bounds = match &outcome {
        Outcome::Solved(_) => counter.bounds(scenario, &Unlimited),
        _ => counter.bounds(scenario, &Rest { whole: budget, before: expanded }),
    };
    Ok(judged(scenario, outcome, bounds, expanded))
}

/// A plan that the judge rejects is not a solution, whoever made it; and no best so far.
fn judged(scenario: &Scenario, mut outcome: Outcome, bounds: Option<LowerBounds>, expanded: u64) -> Solution {
    let report = match &mut outcome {
        Outcome::Solved(plan) => Some(check_plan(scenario, plan)),
        Outcome::OutOfBudget { best, .. } => {
            *best = best.take().filter(|plan| check_prefix(scenario, plan).is_valid());
            best.as_ref().map(|plan| check_plan(scenario, plan)).filter(Report::is_valid)
        }
        Outcome::Partial { .. } | Outcome::Infeasible { .. } => None,
    };
    let outcome = match (outcome, &report) {
        (Outcome::Solved(plan), Some(report)) if !report.is_valid() => {
            let why = report.violations.first().map(ToString::to_string).unwrap_or_default();
            Outcome::Partial { plan, until: 0, why: Reason::Rejected { why } }
        }
        (outcome, _) => outcome,
    };
    Solution { outcome, report, bounds, expanded }
}
