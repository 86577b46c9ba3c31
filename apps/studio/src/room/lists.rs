//! Events and sources of a document, and what it has learned.

use super::bounds;
use super::document::{Document, no_such};
use super::draft::{Draft, EventDraft, Letters, SourceDraft};
use super::merge::merge;
use crate::{Refusal, limits};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// What is to become of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit<T> {
    Add(T),
    Set(usize, Map<String, Value>),
    Remove(usize),
}

impl<T> Edit<T> {
    /// Of the keys of a command.
    pub(crate) fn of(
        name: &str,
        add: Option<T>,
        index: Option<usize>,
        set: Option<Map<String, Value>>,
        remove: bool,
    ) -> Result<Self, Refusal> {
        match (add, index, set, remove) {
            (Some(entry), None, None, false) => Ok(Self::Add(entry)),
            (None, Some(index), Some(keys), false) => Ok(Self::Set(index, keys)),
            (None, Some(index), None, true) => Ok(Self::Remove(index)),
            _ => Err(Refusal::new(format!(
                "{name}: expected `add`, `index` and `set`, or `index` and `remove`"
            ))),
        }
    }
}

/// Does it; answers where what is new is. What is new or changed is looked at first.
fn edit<T: Clone + Serialize + DeserializeOwned>(
    what: &str,
    list: &mut Arc<Vec<T>>,
    how: Edit<T>,
    check: impl Fn(&T) -> Result<(), Refusal>,
) -> Result<Option<usize>, Refusal> {
    let count = list.len();
    match how {
        Edit::Add(entry) => {
            limits::at_most(&format!("{what}s"), count + 1, limits::UNITS)?;
            check(&entry)?;
            Arc::make_mut(list).push(entry);
            Ok(Some(count))
        }
        Edit::Set(index, _) | Edit::Remove(index) if index >= count => Err(no_such(what, index, count)),
        Edit::Set(index, keys) => {
            let entry: T = merge(json!(list[index]), &keys)?;
            check(&entry)?;
            Arc::make_mut(list)[index] = entry;
            Ok(None)
        }
        Edit::Remove(index) => {
            Arc::make_mut(list).remove(index);
            Ok(None)
        }
    }
}

impl Document {
    pub(crate) fn edit_event(&mut self, how: Edit<EventDraft>) -> Result<Option<usize>, Refusal> {
        self.change(|Draft { letters, events, .. }| {
            edit("event", events, how, |event| on_map(letters, event))
        })
    }

    pub(crate) fn edit_source(&mut self, how: Edit<SourceDraft>) -> Result<Option<usize>, Refusal> {
        self.change(|Draft { letters, sources, .. }| {
            edit("source", sources, how, |source: &SourceDraft| {
                bounds::check_source(source)?;
                letters.place(source.at).map(|_| ())
            })
        })
    }

    /// A direction map that was learned before, as text, or none.
    pub(crate) fn set_directions(&mut self, text: Option<String>) -> Result<(), Refusal> {
        if let Some(text) = &text {
            throng::formats::directions::parse(text.trim_ascii_start().as_bytes())?;
        }
        self.change(|draft| {
            draft.directions = text.map(Into::into);
            Ok(())
        })
    }
}

fn on_map(letters: &Letters, event: &EventDraft) -> Result<(), Refusal> {
    let most = limits::TICKS as i64;
    if !(0..=most).contains(&event.at) {
        return Err(Refusal::new(format!("an event at tick {}, expected 0 to {most}", event.at)));
    }
    limits::at_most("cells of an event", event.close.len() + event.open.len(), limits::PAINTED)?;
    event.close.iter().chain(&event.open).try_for_each(|&at| letters.place(at).map(|_| ()))
}
