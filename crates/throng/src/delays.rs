//! Units that are late: as the scenario says, by lot, and as somebody wishes.

use crate::{OrderError, Session, UnitId};
use throng_core::{Delay, Delays, Event, Observer, Tick};

impl Session {
    /// Keeps a unit where it is: from the next tick on, once a move in progress is over, it begins nothing until `ticks` ticks
    /// have passed. [`Event::Slipped`] tells of it then. Also under planners that plan everything in advance: their units go on
    /// in the order of the plan.
    ///
    /// ```
    /// use throng::core::{AgentId, Event, Unlimited, Unobserved};
    /// use throng::{Options, Session, worlds};
    ///
    /// let mut session = Session::new(worlds::builtin("bridge", 0)?, &Options::planner("lacam"))?;
    /// let unit = session.unit_id(AgentId(0)).unwrap();
    /// session.delay(unit, 5)?;
    /// let told = session.tick(&Unlimited, &mut Unobserved);
    /// assert!(told.contains(&Event::Slipped { agent: AgentId(0), ticks: 5 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn delay(&mut self, unit: UnitId, ticks: u32) -> Result<(), OrderError> {
        let agent = self.present(unit)?;
        self.setup.scenario.add_delay(Delay { tick: self.state.tick, agent, ticks })?;
        Ok(())
    }

    /// From now on units slip otherwise: by lot, and as listed. What was in store before is forgotten, whoever is late by now
    /// stays so for as long as it was to be.
    pub fn set_delays(&mut self, delays: Delays) -> Result<(), OrderError> {
        Ok(self.setup.scenario.set_delays(delays)?)
    }

    /// Whoever is to be late, or draws that lot, begins nothing from now on for a while. Who slips while it slips already
    /// loses no more than the longer of both.
    pub(crate) fn slip(&mut self, observer: &mut dyn Observer) {
        let (scenario, now) = (&self.setup.scenario, self.state.tick);
        let delays = scenario.delays();
        if delays.is_none() {
            return;
        }
        let mut listed: Vec<&Delay> = delays.in_store(now).collect();
        listed.sort_unstable_by_key(|delay| (delay.agent, delay.end()));
        for (agent, unit) in scenario.agents().iter().zip(&mut self.state.units) {
            if unit.gone || !unit.stands(now) {
                continue;
            }
            let until = listed.partition_point(|delay| delay.agent <= agent.id);
            let last = until.checked_sub(1).map(|place| listed[place]).filter(|last| last.agent == agent.id);
            let stays = last.map(|last| (last.end() - now) as u32);
            let Some(ticks) = stays.or_else(|| delays.drawn(self.options.seed, agent.id, now)) else {
                continue;
            };
            (unit.from, unit.since, unit.until) = (unit.at, now, now + Tick::from(ticks));
            unit.pose = agent.motion.rested(unit.pose);
            let event = Event::Slipped { agent: agent.id, ticks };
            observer.event(now, &event);
            self.events.push(event);
        }
    }
}
