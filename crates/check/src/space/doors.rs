//! Doors as the judge knows them: what a scene has in store for them, and what has become of that.

use super::Solid;
use throng_core::space::{DoorEvent, Scene};

/// A wall that is there only while it is closed.
#[derive(Clone, Debug)]
pub(super) struct Door {
    pub(super) solid: Solid,
    pub(super) closed: bool,
    /// Whether it is to be closed.
    pub(super) wanted: bool,
}

/// All doors of a scene.
#[derive(Clone, Debug, Default)]
pub(super) struct Doors {
    pub(super) list: Vec<Door>,
    events: Vec<DoorEvent>,
    /// How many of them have happened.
    happened: usize,
}

impl Doors {
    pub(super) fn of(scene: &Scene) -> Self {
        let door = |door: &throng_core::space::Door| {
            let solid = Solid::wall(&door.wall);
            Door { solid, closed: door.closed, wanted: door.closed }
        };
        let mut events = scene.events.clone();
        events.sort_by_key(|event| event.at);
        Self { list: scene.doors.iter().map(door).collect(), events, happened: 0 }
    }

    /// What was in store up to a step is wanted from now on.
    pub(super) fn happen(&mut self, step: u64) {
        while let Some(event) = self.events.get(self.happened).filter(|event| event.at <= step) {
            let wishes = [(&event.open, false), (&event.close, true)];
            for (door, closed) in
                wishes.iter().flat_map(|(doors, closed)| doors.iter().map(move |&door| (door, *closed)))
            {
                if let Some(door) = self.list.get_mut(door as usize) {
                    door.wanted = closed;
                }
            }
            self.happened += 1;
        }
    }
}
