//! Some keys of something that has more.

use crate::Refusal;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use throng::formats::plain;

/// `whole` with `keys` set; `null` takes a key away, and tables are set key by key.
pub(crate) fn merge<T: DeserializeOwned>(mut whole: Value, keys: &Map<String, Value>) -> Result<T, Refusal> {
    set(&mut whole, keys);
    serde_json::from_value(whole).map_err(|why| Refusal::new(plain(&why.to_string())))
}

fn set(whole: &mut Value, keys: &Map<String, Value>) {
    let Some(whole) = whole.as_object_mut() else { return };
    for (key, value) in keys {
        match (whole.get_mut(key), value) {
            (_, Value::Null) => {
                whole.remove(key);
            }
            (Some(table @ Value::Object(_)), Value::Object(keys)) => set(table, keys),
            (_, value) => {
                whole.insert(key.clone(), value.clone());
            }
        }
    }
}
