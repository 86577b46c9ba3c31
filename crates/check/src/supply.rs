//! Errands that a scenario has in store, held against those that a trace tells of.

use crate::store::ByHand;
use crate::{Judge, Violation};
use throng_core::{Brings, Cell, ErrandNote, Grid, News, Places, Scenario, Stream, Supply as Rate, Tick};

/// What has come so far.
#[derive(Debug, Default)]
pub(crate) struct Supply {
    streamed: u64,
}

impl Supply {
    /// Takes up what a trace tells of errands in a tick, and finds what the scenario had in store for it and did not appear.
    pub(crate) fn happen(
        &mut self,
        judge: &mut Judge<'_>,
        scenario: &Scenario,
        notes: &[ErrandNote],
        tick: Tick,
        by_hand: ByHand,
    ) {
        let mut due: Vec<&[Cell]> =
            scenario.errands_at(tick).iter().map(|errand| &errand.stops[..]).collect();
        for note in notes {
            judge.errand(note);
            let News::Appeared(stops) = &note.news else { continue };
            if let Some(place) = due.iter().position(|due| due == stops) {
                due.remove(place);
                continue;
            }
            let streamed = scenario
                .stream()
                .is_some_and(|stream| self.brings(stream, judge.grid(), tick, stops, judge.open_errands()));
            self.streamed += u64::from(streamed);
            if !streamed && by_hand == ByHand::Refused {
                judge.found(Violation::ErrandNotInStore { tick, errand: note.errand });
            }
        }
        if !due.is_empty() {
            judge.found(Violation::ErrandMissed { tick, count: due.len() });
        }
    }

    /// Whether a stream may bring an errand with these stops now, so that so many are open.
    fn brings(&self, stream: &Stream, grid: &Grid, tick: Tick, stops: &[Cell], open: usize) -> bool {
        let in_time = match stream.supply {
            Rate::Open(most) => open as u64 <= u64::from(most),
            Rate::Rate(rate) => u128::from(self.streamed) < (u128::from(tick) + 1) * u128::from(rate) / 1000,
        };
        let place = |places: &Places, cell: Cell| match places {
            Places::Anywhere => grid.contains(cell),
            Places::Letter(letter) => grid.id(cell).is_some_and(|id| grid.letter(id) == *letter),
            Places::Cells(cells) => cells.contains(&cell),
        };
        let one_of_its = match &stream.brings {
            Brings::Listed(list) => list
                .get((self.streamed % list.len().max(1) as u64) as usize)
                .is_some_and(|next| next == stops),
            Brings::Drawn(all) => {
                all.len() == stops.len() && all.iter().zip(stops).all(|(places, &cell)| place(places, cell))
            }
        };
        in_time && one_of_its && stream.goes_on(self.streamed)
    }
}
