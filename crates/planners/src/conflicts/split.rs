//! How a conflict is taken apart: two sets of demands, at least one of which every plan keeps to.

use super::demands::{Demand, Demands, EVER, Time};
use super::field::Field;
use super::layers::Layers;
use super::meter::Meter;
use super::traffic::Meeting;
use super::world::{Tools, World};
use super::{Reasoning, corridor, rectangle};
use std::rc::Rc;

/// Whether both, one or none of two units are delayed, whichever way a conflict is taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    Cardinal,
    Semi,
    Non,
}

impl Class {
    pub(super) const fn of(cut: [bool; 2]) -> Self {
        match cut {
            [true, true] => Self::Cardinal,
            [false, false] => Self::Non,
            _ => Self::Semi,
        }
    }
}

/// What a conflict is about, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Target,
    Corridor,
    Rectangle,
    Spot,
}

/// Two sets of demands on one unit each.
#[derive(Clone, Debug)]
pub(super) struct Split {
    pub(super) class: Class,
    pub(super) kind: Kind,
    /// Units by their places in the team.
    pub(super) sides: [(u32, Vec<Demand>); 2],
}

/// What has to be known of one of two units that meet.
pub(super) struct Party<'a> {
    /// Place in the team.
    pub(super) unit: u32,
    pub(super) walker: u32,
    pub(super) way: &'a [u32],
    pub(super) demands: Rc<Demands>,
    /// All its shortest ways.
    pub(super) layers: Rc<Layers>,
}

impl Party<'_> {
    /// Whether its shortest ways all break one of the demands.
    pub(super) fn is_cut(&self, field: &Field, demands: &[Demand]) -> bool {
        self.layers.is_cut(field, demands)
    }

    pub(super) fn breaks(&self, field: &Field, demands: &[Demand]) -> bool {
        demands.iter().any(|demand| demand.is_broken(field, self.way))
    }

    /// Whether it has come to rest by a tick.
    fn rests(&self, tick: Time) -> bool {
        tick + 1 >= self.way.len() as Time
    }
}

/// The best way to take a meeting apart; nothing if the budget is over.
pub(super) fn split(
    world: &World,
    tools: &mut Tools,
    reasoning: Reasoning,
    meeting: Meeting,
    parties: &[Party<'_>; 2],
    meter: &mut Meter<'_>,
) -> Option<Split> {
    let Meeting { spot, tick, .. } = meeting;
    let is_cell = (spot as usize) < world.field.len();
    if is_cell && reasoning.targets {
        let rests = |&who: &usize| {
            parties[who].rests(tick) && world.walkers[parties[who].walker as usize].goal == spot
        };
        if let Some(who) = [0, 1].into_iter().find(rests) {
            return Some(target(world, parties, who, (spot, tick)));
        }
    }
    if reasoning.corridors
        && let Some(split) = corridor::split(world, tools, meeting, parties, meter)
    {
        return Some(split);
    }
    let [one, other] = parties;
    let demand = vec![Demand::off(spot, tick)];
    let class = Class::of([one.is_cut(&world.field, &demand), other.is_cut(&world.field, &demand)]);
    // Four moves only: on the diagonal, ways that cross need not share a cell, and being early is not a matter of steps alone.
    if class != Class::Cardinal && is_cell && reasoning.rectangles && world.field.is_four() {
        let found = rectangle::split(&world.field, (spot, tick), parties);
        if let Some(split) = found.filter(|found| found.class <= class) {
            return Some(split);
        }
    }
    if meter.is_over() {
        return None;
    }
    Some(Split { class, kind: Kind::Spot, sides: [(one.unit, demand.clone()), (other.unit, demand)] })
}

/// One rests where the other passes: either it comes to rest later than that, or nobody passes from then on.
fn target(world: &World, parties: &[Party<'_>; 2], who: usize, (goal, tick): (u32, Time)) -> Split {
    let (one, other) = (&parties[who], &parties[1 - who]);
    let passes = [Demand::Off { spot: goal, from: tick, until: EVER }];
    let (late, soon) = (vec![Demand::Late(tick + 1)], vec![Demand::Soon(tick)]);
    let class = Class::of([one.is_cut(&world.field, &late), other.is_cut(&world.field, &passes)]);
    Split { class, kind: Kind::Target, sides: [(one.unit, late), (one.unit, soon)] }
}
