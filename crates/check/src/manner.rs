//! Whether what an agent does is in the manner of its motion: walking, running, driving.

use crate::{Violation, mover::Mover};
use throng_core::{Action, Cell, Motion, Tick};

/// What an agent's motion has against an action that it is about to begin.
#[inline]
pub(crate) fn fault(mover: &Mover<'_>, tick: Tick, action: Action) -> Option<Violation> {
    match (mover.agent().motion, action) {
        (Motion::Steps, Action::Go(_)) => None, // the usual case, and all there is to it
        _ => unusual(mover, tick, action),
    }
}

fn unusual(mover: &Mover<'_>, tick: Tick, action: Action) -> Option<Violation> {
    let (agent, from, to): (_, Cell, Cell) = (mover.agent().id, mover.at, mover.at.after(action));
    let foreign = Some(Violation::NotItsMotion { tick, agent, action });
    match (mover.agent().motion, action) {
        (_, Action::Wait) | (Motion::Steps | Motion::Gaits { .. }, Action::Go(_)) => None,
        (Motion::Gaits { .. }, Action::Accelerate(_)) => match mover.running(tick) {
            // Whoever is at a run already has nothing to accelerate to.
            Some(_) => foreign,
            None => None,
        },
        (Motion::Gaits { .. }, Action::Run(dir)) => match mover.running(tick) {
            None => Some(Violation::RunFromStand { tick, agent, from, to }),
            Some(last) if last.eighths(dir) > 1 => Some(Violation::TooSharp { tick, agent, from, to, last }),
            Some(_) => None,
        },
        (Motion::Car { radius: own, .. }, Action::Curve(_, radius)) if radius != own => foreign,
        (Motion::Car { .. }, Action::Go(_) | Action::Curve(..)) => {
            let heading = mover.facing;
            let sets_out = match action {
                Action::Curve(bend, _) => Some(bend.first()),
                _ => action.dir(),
            };
            let along = sets_out == Some(heading) || sets_out == Some(heading.opposite());
            (!along).then_some(Violation::AcrossHeading { tick, agent, from, to, heading })
        }
        (Motion::Turns { .. }, Action::TurnLeft | Action::TurnRight) => None,
        (Motion::Turns { .. }, Action::Go(dir)) => {
            let heading = mover.facing;
            (dir != heading).then_some(Violation::AcrossHeading { tick, agent, from, to, heading })
        }
        (Motion::Steps | Motion::Turns { .. }, _) | (Motion::Gaits { .. } | Motion::Car { .. }, _) => foreign,
    }
}
