//! Which line of a scenario file is to blame for what shows only when all of it is looked at.

use crate::document::line_of;
use throng_core::{AgentId, ScenarioError, StopsOf};

/// The keys that say where a unit goes.
const GOALS: &[&str] = &["goal", "goals", "patrol", "find"];

/// The line of the value that is wrong; nothing if it is none that the file has.
pub(super) fn line(text: &str, why: &ScenarioError) -> Option<usize> {
    let unit = |agent: AgentId, keys: &[&str]| line_of(text, "unit", agent.index(), keys);
    let place = |agent, role: &str| unit(agent, if role == "start" { &["start"] } else { GOALS });
    match *why {
        ScenarioError::OffMap { agent, role, .. }
        | ScenarioError::Blocked { agent, role, .. }
        | ScenarioError::DoesNotFit { agent, role, .. } => place(agent, role),
        ScenarioError::SharedStart { agent, .. } => unit(agent, &["start"]),
        ScenarioError::SharedGoal { agent, .. } | ScenarioError::NoGoals { agent } => unit(agent, GOALS),
        ScenarioError::PeriodUnderUniform { agent, .. } | ScenarioError::BadPeriod { agent, .. } => {
            unit(agent, &["period"])
        }
        ScenarioError::BadBody { agent, .. } => unit(agent, &["body"]),
        ScenarioError::MotionUnderUniform { agent, .. } => unit(agent, &["run", "turning"]),
        ScenarioError::TurnsUnderMetric { agent } => unit(agent, &["turns"]),
        ScenarioError::BadRun { agent, .. } => unit(agent, &["run"]),
        ScenarioError::BadRadius { agent, .. } => unit(agent, &["turning"]),
        ScenarioError::BadHeading { agent, .. } => unit(agent, &["heading"]),
        ScenarioError::NoRounds { agent } => unit(agent, &["rounds"]),
        ScenarioError::NoSight { agent } => unit(agent, &["explore", "find"]),
        ScenarioError::UnseenErrands { agent } => unit(agent, &["errands"]),
        ScenarioError::BadStops { of, .. } => match of {
            StopsOf::Errand(place) => line_of(text, "errand", place, &["stops"]),
            StopsOf::Listed(_) => line_of(text, "stream", 0, &["list"]),
            StopsOf::Drawn(_) => line_of(text, "stream", 0, &["stops"]),
        },
        ScenarioError::EmptyStream => line_of(text, "stream", 0, &["list", "stops", "count"]),
        ScenarioError::StreamTooFast { .. } => line_of(text, "stream", 0, &["open", "rate"]),
        ScenarioError::BadDelayRate { .. } => line_of(text, "delays", 0, &["rate"]),
        ScenarioError::BadDelayLength { .. } => line_of(text, "delays", 0, &["length"]),
        ScenarioError::DelayOfNobody { place, .. } => line_of(text, "delay", place, &["unit"]),
        ScenarioError::BadDelay { place, .. } => line_of(text, "delay", place, &["for"]),
        ScenarioError::HoldBothUnderMetric => line_of(text, "rules", 0, &["hold_both"]),
        ScenarioError::FollowUnderGraphRules => line_of(text, "rules", 0, &["follow"]),
        ScenarioError::SourceOffMap { place, .. } => line_of(text, "source", place, &["at"]),
        ScenarioError::BadSourceRadius { place, .. } => line_of(text, "source", place, &["radius"]),
        ScenarioError::BadStrength { place, .. } => line_of(text, "source", place, &["strength"]),
        ScenarioError::BadSight { .. } => line_of(text, "sight", 0, &["radius"]),
        ScenarioError::BadAngle { .. } => line_of(text, "sight", 0, &["angle"]),
        ScenarioError::BadInnerCircle { .. } => line_of(text, "sight", 0, &["inner"]),
        ScenarioError::NoMemory => line_of(text, "sight", 0, &["fading"]),
        ScenarioError::EventOffMap { event, .. } => {
            let [close, open] = ["close", "open"].map(|key| line_of(text, "event", event, &[key]));
            // Either of two lists may be wrong.
            close.xor(open)
        }
        // Both lists are wrong, or the numbers of units, which a file does not have.
        ScenarioError::EventBothWays { .. } | ScenarioError::WrongNumber { .. } => None,
    }
}
