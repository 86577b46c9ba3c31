//! What has kept one unit, for who looks at it.

use super::acts::Act;
use super::run::Run;
use crate::Refusal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use throng::core::{AgentId, Expansions, Tick, Unlimited, Unobserved};
use throng::{History, Session};

/// So many ticks before now are looked at again when somebody begins to look at a unit.
const BACK: Tick = 64;

/// The history of the unit that was inspected last.
pub(crate) struct Watch {
    pub(crate) unit: u32,
    /// Since somebody looks.
    pub(crate) history: History,
    earlier: Earlier,
}

/// What was before somebody looked. To find it out takes as long as the ticks themselves did, and on large maps a session takes
/// seconds to be taken up again: that is done beside the run, and nobody has to wait for it.
enum Earlier {
    /// Nobody has begun, with the ticks before this one.
    Asked(Tick),
    Going(JoinHandle<Result<History, Refusal>>, Arc<AtomicBool>),
    Known,
}

impl Watch {
    /// Looks at the tick that is just over.
    pub(super) fn note(&mut self, session: &Session) {
        self.history.note(session);
    }

    /// Whether all is known that there is to know.
    pub(crate) const fn is_complete(&self) -> bool {
        matches!(self.earlier, Earlier::Known)
    }
}

impl Drop for Watch {
    /// Nobody wants to know any more.
    fn drop(&mut self) {
        if let Earlier::Going(_, stop) = &self.earlier {
            stop.store(true, Ordering::Relaxed);
        }
    }
}

/// What it takes to go through some ticks once more.
pub(super) struct Again {
    /// A session of an earlier tick.
    pub(super) saved: Vec<u8>,
    /// What was done to it, by tick.
    pub(super) log: Vec<(Tick, Act)>,
    pub(super) budget: Option<u64>,
}

impl Again {
    /// What kept a unit before the tick `until`.
    fn history(&self, unit: u32, until: Tick, stop: &AtomicBool) -> Result<History, Refusal> {
        let mut history = History::new(AgentId(unit));
        let mut session = Session::resume(&self.saved, 1).map_err(|why| Refusal::new(why.to_string()))?;
        self.acts_on(&mut session);
        history.note(&session);
        while session.state().tick + 1 < until && !stop.load(Ordering::Relaxed) {
            match self.budget {
                Some(expansions) => session.tick(&Expansions(expansions), &mut Unobserved),
                None => session.tick(&Unlimited, &mut Unobserved),
            };
            self.acts_on(&mut session);
            history.note(&session);
        }
        Ok(history)
    }

    /// Does to a session what was done at its tick.
    fn acts_on(&self, session: &mut Session) {
        let now = session.state().tick;
        for (_, act) in self.log.iter().filter(|(tick, _)| *tick == now) {
            // It was possible then, and everything is as it was then.
            let _ = act.apply(session);
        }
    }
}

impl Run {
    /// What has kept a unit lately. The first look begins it; [`Self::look_back`] adds what was before.
    pub(crate) fn history(&mut self, unit: u32) -> &Watch {
        let watch = self.watch.take().filter(|watch| watch.unit == unit).unwrap_or_else(|| {
            let mut history = History::new(AgentId(unit));
            history.note(self.session());
            Watch { unit, history, earlier: Earlier::Asked(self.tick()) }
        });
        self.watch.insert(watch)
    }

    /// Whether something is to be found out about what was before somebody looked.
    pub(crate) fn looks_back(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| !watch.is_complete())
    }

    /// Sees to it that what was before is found out, and takes it over when it is.
    pub(crate) fn look_back(&mut self) -> Result<(), Refusal> {
        let Some(mut watch) = self.watch.take() else { return Ok(()) };
        let unit = watch.unit;
        let mut trouble = None;
        watch.earlier = match std::mem::replace(&mut watch.earlier, Earlier::Known) {
            Earlier::Known | Earlier::Asked(0) => Earlier::Known,
            // One at a time: whoever is looked at no longer is done with soon.
            Earlier::Asked(until) if Arc::strong_count(&self.back) > 1 => Earlier::Asked(until),
            Earlier::Asked(until) => {
                let (again, busy) = (self.again(until.saturating_sub(BACK)), Arc::clone(&self.back));
                let stop = Arc::new(AtomicBool::new(false));
                let stopped = Arc::clone(&stop);
                let going = thread::spawn(move || {
                    let history = again.history(unit, until, &stopped);
                    drop(busy);
                    history
                });
                Earlier::Going(going, stop)
            }
            Earlier::Going(going, stop) if !going.is_finished() => Earlier::Going(going, stop),
            Earlier::Going(going, _) => {
                // If it cannot be found out, the rest will have to do.
                match going.join() {
                    Ok(Ok(mut earlier)) => {
                        earlier.go_on(std::mem::replace(&mut watch.history, History::new(AgentId(unit))));
                        watch.history = earlier;
                    }
                    Ok(Err(why)) => trouble = Some(why),
                    Err(_) => trouble = Some(Refusal::new(format!("what kept unit {unit} before is lost"))),
                }
                Earlier::Known
            }
        };
        self.watch = Some(watch);
        trouble.map_or(Ok(()), Err)
    }
}
