//! The part of a head that only worlds have in which somebody explores: what units see.

use super::bytes::{Input, Output};
use crate::FormatError;
use throng_core::{Scenario, Sight};

pub(super) fn write(scenario: &Scenario, out: &mut Output) {
    let Some(Sight { radius, angle, inner, line_of_sight, shared, map_known, fading, team }) =
        scenario.sight()
    else {
        return out.byte(0);
    };
    out.byte(1);
    let flags = [line_of_sight, shared, map_known, team.is_some()];
    out.byte(flags.iter().rev().fold(0, |flags, &flag| flags << 1 | u8::from(flag)));
    // 0 is none: neither may be that.
    let numbers = [radius, angle, inner.unwrap_or(0), fading.unwrap_or(0)];
    numbers.into_iter().chain(team.map(u32::from)).for_each(|number| out.number(u64::from(number)));
}

pub(super) fn read(scenario: Scenario, input: &mut Input<'_>) -> Result<Scenario, FormatError> {
    const EYES: &str = "what units see: whether they do, how, how far, how wide, how near, for how long, who";
    let wrong = input.corrupt(EYES);
    let scenario = match input.byte(EYES)? {
        0 => scenario,
        1 => {
            let flags = input.byte(EYES)?;
            let mut number = || input.fit::<u32>(EYES);
            let (radius, angle, inner, fading) = (number()?, number()?, number()?, number()?);
            let team = if flags & 8 == 0 { None } else { Some(input.fit::<u16>(EYES)?) };
            let some = |number: u32| (number > 0).then_some(number);
            let sight = Sight {
                radius,
                angle,
                inner: some(inner),
                line_of_sight: flags & 1 != 0,
                shared: flags & 2 != 0,
                map_known: flags & 4 != 0,
                fading: some(fading),
                team,
            };
            scenario.with_sight(sight).ok().filter(|_| flags < 16).ok_or(wrong)?
        }
        _ => return Err(wrong),
    };
    Ok(scenario)
}
