//! What a map of Tiled holds, whether it was XML or JSON.

use crate::FormatError;
use std::collections::BTreeMap;
use throng_core::MAX_CELLS;

#[derive(Debug, Default)]
pub(super) struct Map {
    pub(super) width: usize,
    pub(super) height: usize,
    /// Pixels of a cell.
    pub(super) tile: (f64, f64),
    pub(super) orientation: String,
    pub(super) infinite: bool,
    pub(super) properties: Vec<Property>,
    pub(super) tilesets: Vec<Tileset>,
    /// Those in groups too, lowest first.
    pub(super) layers: Vec<Layer>,
}

#[derive(Debug, Default)]
pub(super) struct Tileset {
    pub(super) name: String,
    /// The number of its first tile in layers.
    pub(super) first: u32,
    /// By tile: its property `terrain`.
    pub(super) terrain: BTreeMap<u32, String>,
}

#[derive(Debug)]
pub(super) struct Layer {
    pub(super) name: String,
    pub(super) properties: Vec<Property>,
    /// Whether it is drawn elsewhere than where its cells are.
    pub(super) shifted: bool,
    pub(super) content: Content,
}

#[derive(Debug)]
pub(super) enum Content {
    /// Numbers of tiles, row by row; 0 is none.
    Tiles(Vec<u32>),
    Objects(Vec<Object>),
}

#[derive(Debug, Default)]
pub(super) struct Object {
    pub(super) id: u32,
    pub(super) name: String,
    pub(super) class: String,
    /// The upper left corner, in pixels.
    pub(super) at: (f64, f64),
    pub(super) properties: Vec<Property>,
}

#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) value: Value,
}

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    Bool(bool),
    Int(i64),
    Float(f64),
    /// Another object; 0 is none.
    Object(u32),
    /// A class of its own, a list or whatever else.
    Other,
}

/// The property that makes terrain.
pub(super) const TERRAIN: &str = "terrain";

impl Map {
    /// What no part of the map can make up for.
    pub(super) fn check(&self) -> Result<(), FormatError> {
        let wrong = |message: String| Err(FormatError::in_map("this map", message));
        if self.orientation != "orthogonal" {
            return wrong(format!("its orientation is {:?}, expected \"orthogonal\"", self.orientation));
        }
        if self.infinite {
            return wrong("it is infinite: expected one of a fixed size (Map > Map Properties)".into());
        }
        if !self.width.checked_mul(self.height).is_some_and(|cells| (1..=MAX_CELLS).contains(&cells)) {
            return wrong(format!("it has {}×{} cells, expected 1 to {MAX_CELLS}", self.width, self.height));
        }
        if !(self.tile.0 >= 1.0 && self.tile.1 >= 1.0) {
            return wrong(format!("tiles of {}×{} pixels, expected at least 1", self.tile.0, self.tile.1));
        }
        let cells = self.width * self.height;
        for layer in &self.layers {
            if let Content::Tiles(tiles) = &layer.content
                && tiles.len() != cells
            {
                let message = format!("{} tiles, expected {}×{}", tiles.len(), self.width, self.height);
                return Err(FormatError::in_map(layer.place(), message));
            }
        }
        Ok(())
    }

    /// Objects of a class, those of lower layers first.
    pub(super) fn objects<'a>(&'a self, class: &'a str) -> impl Iterator<Item = &'a Object> {
        let objects = self.layers.iter().filter_map(|layer| match &layer.content {
            Content::Objects(objects) => Some(objects),
            Content::Tiles(_) => None,
        });
        objects.flatten().filter(move |object| object.class == class)
    }
}

impl Layer {
    pub(super) fn place(&self) -> String {
        format!("layer {:?}", self.name)
    }
}

impl Object {
    pub(super) fn place(&self) -> String {
        match self.name.as_str() {
            "" => format!("object {}", self.id),
            name => format!("object {} {name:?}", self.id),
        }
    }
}

/// The property of this name.
pub(super) fn property<'a>(properties: &'a [Property], name: &str) -> Option<&'a Value> {
    properties.iter().find(|property| property.name == name).map(|property| &property.value)
}
