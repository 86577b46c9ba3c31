//! Maps of Tiled as JSON.

use super::model::{Content, Layer, Map, Object, Property, TERRAIN, Tileset, Value, property};
use super::{data, tmx};
use crate::FormatError;
use crate::maps::{Resolve, named, of_file};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// Whether it is JSON of Tiled and of nobody else.
pub(in super::super) fn is_json(bytes: &[u8]) -> bool {
    let has = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
    bytes.trim_ascii_start().first() == Some(&b'{')
        && (has(b"\"tiledversion\"") || has(b"\"tilewidth\"") || has(b"\"tilesets\""))
}

#[derive(Deserialize)]
struct MapWire {
    width: usize,
    height: usize,
    tilewidth: f64,
    tileheight: f64,
    #[serde(default = "orthogonal")]
    orientation: String,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    properties: Vec<PropertyWire>,
    #[serde(default)]
    tilesets: Vec<TilesetWire>,
    #[serde(default)]
    layers: Vec<LayerWire>,
}

fn orthogonal() -> String {
    "orthogonal".into()
}

#[derive(Deserialize)]
struct PropertyWire {
    name: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    value: serde_json::Value,
}

#[derive(Deserialize)]
struct TilesetWire {
    #[serde(default)]
    firstgid: u32,
    #[serde(default)]
    name: String,
    source: Option<String>,
    #[serde(default)]
    tiles: Vec<TileWire>,
}

#[derive(Deserialize)]
struct TileWire {
    id: u32,
    #[serde(default)]
    properties: Vec<PropertyWire>,
}

#[derive(Deserialize)]
struct LayerWire {
    #[serde(default)]
    name: String,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    properties: Vec<PropertyWire>,
    #[serde(default)]
    offsetx: f64,
    #[serde(default)]
    offsety: f64,
    data: Option<DataWire>,
    #[serde(default)]
    compression: String,
    #[serde(default)]
    objects: Vec<ObjectWire>,
    /// Of a group.
    #[serde(default)]
    layers: Vec<LayerWire>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum DataWire {
    Numbers(Vec<u32>),
    Packed(String),
}

#[derive(Deserialize)]
struct ObjectWire {
    id: u32,
    #[serde(default)]
    name: String,
    #[serde(default, alias = "type")]
    class: String,
    x: f64,
    y: f64,
    #[serde(default)]
    height: f64,
    gid: Option<u32>,
    #[serde(default)]
    properties: Vec<PropertyWire>,
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormatError> {
    serde_json::from_slice(bytes).map_err(|why| {
        let place = format!(" at line {} column {}", why.line(), why.column());
        let message = crate::plain(&why.to_string().replace(&place, ""));
        FormatError::Json { line: why.line().max(1), column: why.column(), message }
    })
}

pub(super) fn parse(bytes: &[u8], resolve: Resolve<'_>) -> Result<Map, FormatError> {
    let wire: MapWire = read(bytes)?;
    let mut map = Map {
        width: wire.width,
        height: wire.height,
        tile: (wire.tilewidth, wire.tileheight),
        orientation: wire.orientation,
        infinite: wire.infinite,
        properties: properties(wire.properties),
        ..Map::default()
    };
    for mut tileset in wire.tilesets {
        let first = tileset.firstgid;
        let known = match tileset.source.take() {
            None => tileset.known(),
            Some(source) => {
                let bytes = named(resolve, "tileset", &source)?;
                tileset_file(&bytes).map_err(of_file("tileset", &source))?
            }
        };
        map.tilesets.push(Tileset { first, ..known });
    }
    if map.infinite {
        // Its layers are in pieces; it is told what is wrong before anybody looks at them.
        return Ok(map);
    }
    // Groups are gone through in the order in which they are drawn: what comes next is on top.
    let mut open: Vec<(LayerWire, bool)> = wire.layers.into_iter().map(|layer| (layer, false)).collect();
    open.reverse();
    while let Some((mut layer, shifted)) = open.pop() {
        let shifted = shifted || layer.offsetx != 0.0 || layer.offsety != 0.0;
        let inner = std::mem::take(&mut layer.layers);
        open.extend(inner.into_iter().rev().map(|inner| (inner, shifted)));
        if let Some(content) = layer.content()? {
            let LayerWire { name, properties, .. } = layer;
            map.layers.push(Layer { name, properties: self::properties(properties), shifted, content });
        }
    }
    Ok(map)
}

/// A tileset in a file of its own, of either kind.
pub(super) fn tileset_file(bytes: &[u8]) -> Result<Tileset, FormatError> {
    match bytes.trim_ascii_start().first() {
        Some(b'{') => Ok(read::<TilesetWire>(bytes)?.known()),
        _ => tmx::tileset_file(bytes),
    }
}

impl TilesetWire {
    fn known(self) -> Tileset {
        let terrain =
            self.tiles.into_iter().filter_map(|tile| match property(&properties(tile.properties), TERRAIN) {
                Some(Value::Text(word)) => Some((tile.id, word.clone())),
                _ => None,
            });
        Tileset { terrain: terrain.collect(), name: self.name, first: 0 }
    }
}

impl LayerWire {
    fn content(&mut self) -> Result<Option<Content>, FormatError> {
        let wrong = |why: String| FormatError::in_map(format!("layer {:?}", self.name), why);
        match self.kind.as_str() {
            "tilelayer" => match self.data.take() {
                Some(DataWire::Numbers(numbers)) => {
                    Ok(Some(Content::Tiles(numbers.into_iter().map(data::tile).collect())))
                }
                Some(DataWire::Packed(text)) => data::base64(&text, &self.compression)
                    .map(|tiles| Some(Content::Tiles(tiles)))
                    .map_err(wrong),
                None => Err(wrong("it has no `data`".into())),
            },
            "objectgroup" => {
                let objects = std::mem::take(&mut self.objects);
                Ok(Some(Content::Objects(objects.into_iter().map(ObjectWire::known).collect())))
            }
            _ => Ok(None),
        }
    }
}

impl ObjectWire {
    fn known(self) -> Object {
        // Tiles lie on their lower left corner, everything else hangs on its upper left one.
        let top = if self.gid.is_some() { self.y - self.height } else { self.y };
        Object {
            id: self.id,
            name: self.name,
            class: self.class,
            at: (self.x, top),
            properties: properties(self.properties),
        }
    }
}

fn properties(wire: Vec<PropertyWire>) -> Vec<Property> {
    let known = |PropertyWire { name, kind, value }| {
        use serde_json::Value as Json;
        let value = match (kind.as_str(), value) {
            ("object", Json::Number(id)) => {
                Value::Object(id.as_u64().and_then(|id| u32::try_from(id).ok()).unwrap_or(0))
            }
            (_, Json::Bool(value)) => Value::Bool(value),
            (_, Json::String(text)) => Value::Text(text),
            (kind, Json::Number(number)) => match number.as_i64() {
                Some(whole) if kind != "float" => Value::Int(whole),
                _ => number.as_f64().map_or(Value::Other, Value::Float),
            },
            _ => Value::Other,
        };
        Property { name, value }
    };
    wire.into_iter().map(known).collect()
}
