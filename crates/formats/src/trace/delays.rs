//! The part of a head that only worlds have in which units slip: what the scenario has in store, and who was late.

use super::TraceFile;
use super::bytes::{Input, Output};
use crate::FormatError;
use throng_core::{AgentId, Delay, Delays, Scenario, Tick};

pub(super) fn write(file: &TraceFile, out: &mut Output) {
    let Delays { rate, shortest, longest, seed, listed } = file.scenario.delays();
    for number in [rate, shortest, longest] {
        out.number(u64::from(*number));
    }
    out.byte(u8::from(seed.is_some()));
    seed.iter().for_each(|&seed| out.number(seed));
    write_list(listed, out);
    write_list(&file.trace.delays, out);
}

fn write_list(delays: &[Delay], out: &mut Output) {
    out.number(delays.len() as u64);
    let mut last = 0;
    for Delay { tick, agent, ticks } in delays {
        out.number(tick.saturating_sub(last));
        out.number(u64::from(agent.0));
        out.number(u64::from(*ticks));
        last = *tick;
    }
}

pub(super) fn read(scenario: Scenario, input: &mut Input<'_>) -> Result<(Scenario, Vec<Delay>), FormatError> {
    const HOW: &str = "how units slip: how often, for how long";
    let wrong = input.corrupt(HOW);
    let mut number = || input.fit::<u32>(HOW);
    let (rate, shortest, longest) = (number()?, number()?, number()?);
    let seed = match input.byte(HOW)? {
        0 => None,
        _ => Some(input.number(HOW)?),
    };
    let listed = read_list(input)?;
    let delays = read_list(input)?;
    let scenario = scenario.with_delays(Delays { rate, shortest, longest, seed, listed });
    Ok((scenario.map_err(|_| wrong)?, delays))
}

fn read_list(input: &mut Input<'_>) -> Result<Vec<Delay>, FormatError> {
    const LAST: Tick = 1 << 60;
    let (mut delays, mut tick): (_, Tick) = (Vec::new(), 0);
    for _ in 0..input.count(3, "the number of delays")? {
        let wrong = input.corrupt("a delay, by tick");
        tick = tick.saturating_add(input.number("when a unit is late")?);
        let agent = AgentId(input.fit("who is late")?);
        let ticks = input.fit("for how long a unit is late")?;
        if tick > LAST {
            return Err(wrong);
        }
        delays.push(Delay { tick, agent, ticks });
    }
    Ok(delays)
}
