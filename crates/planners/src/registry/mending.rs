//! Planners for worlds that change and for those who are against others.

use super::entries::{AGITATION, COOPERATES, REPAIR_SUPPORT};
use super::{Built, Entry, Parameter, Range};
use crate::blocking::{Blocker, Settings as BlockerSettings};
use crate::mending::Mending;
use crate::repair::{LocalRepair, Settings};
use throng_core::{Guarantee, Support};

pub(super) const DLITE: Entry = Entry {
    name: "dlite",
    about: "D* Lite: everybody keeps its way and mends it where the world changes or turns out otherwise; local repair",
    source: "Koenig and Likhachev, D* Lite (2002)",
    parameters: &[AGITATION],
    support: Support { speeds: true, ..REPAIR_SUPPORT },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: Guarantee { collision_free: false, ..COOPERATES },
    build: |values, context| {
        let agitation = values.whole("agitation").unwrap_or_default() as u32;
        let settings = Settings { agitation, seed: context.seed, ..Settings::default() };
        Built::Controller(Box::new(LocalRepair::new(settings, Mending::default())))
    },
};

pub(super) const BLOCKER: Entry = Entry {
    name: "blocker",
    about: "stands in the way of other teams: foresees the way of the nearest, and is there first where it is narrow",
    source: "antagonist pathfinding in Astengo-Noguez and Calzada Gómez, Collective Pathfinding in Dynamic Environments (2009)",
    parameters: &[
        Parameter {
            name: "patience",
            about: "ticks for which somebody is barred before it is let go, or has to stand still to be left alone",
            default: "64",
            range: Range::Whole(1, 1_000_000),
        },
        AGITATION,
    ],
    support: Support { errands: false, ..REPAIR_SUPPORT },
    narrow: |_, support| support,
    fits: |_, _, _| Ok(()),
    guarantee: Guarantee { collision_free: false, ..COOPERATES },
    build: |values, context| {
        let number = |name| values.whole(name).unwrap_or_default() as u32;
        let walk = Settings { agitation: number("agitation"), seed: context.seed, ..Settings::default() };
        let settings = BlockerSettings { patience: number("patience"), walk };
        Built::Controller(Box::new(Blocker::new(settings)))
    },
};
