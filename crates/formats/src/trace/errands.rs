//! The part of a head that only worlds have where errands come: what the scenario has in store, and what became of them.

use super::TraceFile;
use super::bytes::{Input, Output};
use crate::FormatError;
use throng_core::{
    AgentId, Brings, Cell, Errand, ErrandId, ErrandNote, News, Places, Scenario, Stream, Supply, Tick,
};

pub(super) fn write(file: &TraceFile, out: &mut Output) {
    out.number(file.scenario.errands().len() as u64);
    for Errand { at, stops } in file.scenario.errands() {
        out.number(*at);
        cells(stops, out);
    }
    match file.scenario.stream() {
        None => out.byte(0),
        Some(stream) => {
            out.byte(1);
            write_stream(stream, out);
        }
    }
    out.number(file.trace.errands.len() as u64);
    let mut last = 0;
    for ErrandNote { tick, errand, news } in &file.trace.errands {
        out.number(tick.saturating_sub(last));
        out.number(errand.0);
        let (code, agent) = match news {
            News::Appeared(_) => (0, None),
            News::Assigned(agent) => (1, Some(agent)),
            News::Done(agent) => (2, Some(agent)),
            News::Returned => (3, None),
            News::Refused => (4, None),
        };
        out.byte(code);
        agent.into_iter().for_each(|agent| out.number(u64::from(agent.0)));
        if let News::Appeared(stops) = news {
            cells(stops, out);
        }
        last = *tick;
    }
}

fn cells(cells: &[Cell], out: &mut Output) {
    out.number(cells.len() as u64);
    cells.iter().for_each(|&cell| out.cell(cell));
}

fn write_stream(Stream { supply, brings, count, seed }: &Stream, out: &mut Output) {
    let (rate, number) = match *supply {
        Supply::Open(open) => (0, open),
        Supply::Rate(rate) => (1, rate),
    };
    out.byte(rate);
    out.number(u64::from(number));
    for number in [count, seed] {
        out.byte(u8::from(number.is_some()));
        number.iter().for_each(|&number| out.number(number));
    }
    match brings {
        Brings::Listed(list) => {
            out.byte(0);
            out.number(list.len() as u64);
            list.iter().for_each(|stops| cells(stops, out));
        }
        Brings::Drawn(stops) => {
            out.byte(1);
            out.number(stops.len() as u64);
            for places in stops {
                match places {
                    Places::Anywhere => out.byte(0),
                    Places::Letter(letter) => {
                        out.byte(1);
                        out.byte(*letter);
                    }
                    Places::Cells(all) => {
                        out.byte(2);
                        cells(all, out);
                    }
                }
            }
        }
    }
}

pub(super) fn read(
    scenario: Scenario,
    input: &mut Input<'_>,
) -> Result<(Scenario, Vec<ErrandNote>), FormatError> {
    const LAST: Tick = 1 << 60;
    let wrong = input.corrupt("errands with stops on open cells, by tick, and a stream of such");
    let mut store = Vec::new();
    for _ in 0..input.count(2, "the number of errands in store")? {
        let at = input.number("when an errand appears")?;
        store.push(Errand { at, stops: read_cells(input)? });
    }
    let sorted = store.is_sorted_by_key(|errand| errand.at);
    let stream = match input.byte("whether there is a stream of errands")? {
        0 => None,
        _ => Some(read_stream(input)?),
    };
    let scenario = scenario.with_errands(store).and_then(|scenario| scenario.with_stream(stream));
    let scenario = scenario.ok().filter(|_| sorted).ok_or(wrong)?;
    let (mut notes, mut tick): (_, Tick) = (Vec::new(), 0);
    for _ in 0..input.count(3, "what became of errands")? {
        let wrong = input.corrupt("what became of an errand, by tick, from 0 to 4");
        tick = tick.saturating_add(input.number("when something became of an errand")?);
        let errand = ErrandId(input.number("an errand")?);
        let code = input.byte("what became of an errand")?;
        let agent = match code {
            1 | 2 => AgentId(input.fit("who does an errand")?),
            _ => AgentId(0),
        };
        let news = match code {
            0 => News::Appeared(read_cells(input)?),
            1 => News::Assigned(agent),
            2 => News::Done(agent),
            3 => News::Returned,
            4 => News::Refused,
            _ => return Err(wrong),
        };
        if tick > LAST {
            return Err(wrong);
        }
        notes.push(ErrandNote { tick, errand, news });
    }
    Ok((scenario, notes))
}

fn read_cells(input: &mut Input<'_>) -> Result<Vec<Cell>, FormatError> {
    let count = input.count(2, "the number of an errand's stops")?;
    (0..count).map(|_| input.cell("a stop of an errand")).collect()
}

fn read_stream(input: &mut Input<'_>) -> Result<Stream, FormatError> {
    const KIND: &str = "a stream of errands: how fast, how many, which";
    let wrong = input.corrupt(KIND);
    let rate = input.byte(KIND)?;
    let number = input.fit(KIND)?;
    let supply = if rate == 0 { Supply::Open(number) } else { Supply::Rate(number) };
    let mut optional = || match input.byte(KIND)? {
        0 => Ok(None),
        _ => input.number(KIND).map(Some),
    };
    let (count, seed) = (optional()?, optional()?);
    let brings = match input.byte(KIND)? {
        0 => {
            let count = input.count(1, KIND)?;
            Brings::Listed((0..count).map(|_| read_cells(input)).collect::<Result<_, _>>()?)
        }
        1 => {
            let count = input.count(1, KIND)?;
            let places = (0..count).map(|_| match input.byte(KIND)? {
                0 => Ok(Places::Anywhere),
                1 => Ok(Places::Letter(input.byte(KIND)?)),
                2 => Ok(Places::Cells(read_cells(input)?)),
                _ => Err(wrong.clone()),
            });
            Brings::Drawn(places.collect::<Result<_, _>>()?)
        }
        _ => return Err(wrong),
    };
    Ok(Stream { supply, brings, count, seed })
}
