//! From layers and properties to letters.

use super::model::{Content, Layer, Map, TERRAIN, Value, property};
use crate::FormatError;
use crate::maps::spot;
use throng_core::TerrainPolicy;

/// Words for the letters of terrain.
pub(super) const WORDS: [(&str, u8); 7] = [
    ("open", b'.'),
    ("grass", b'G'),
    ("swamp", b'S'),
    ("wall", b'@'),
    ("outside", b'O'),
    ("water", b'W'),
    ("trees", b'T'),
];

/// The letter that a property means.
fn letter(place: &str, word: &str) -> Result<u8, FormatError> {
    let named = WORDS.iter().find(|(name, _)| *name == word).map(|&(_, letter)| letter);
    let known = named.or(match word.as_bytes() {
        &[letter] => TerrainPolicy::default().passable(letter).map(|_| letter),
        _ => None,
    });
    known.ok_or_else(|| {
        let words: Vec<_> = WORDS.iter().map(|(word, _)| *word).collect();
        let letters = TerrainPolicy::LETTERS;
        let message = format!("terrain {word:?}: expected one of {}, or of {letters}", words.join(", "));
        FormatError::in_map(place, message)
    })
}

/// The terrain of a property, if there is one.
fn told(place: &str, value: Option<&Value>) -> Result<Option<u8>, FormatError> {
    match value {
        None => Ok(None),
        Some(Value::Text(word)) => letter(place, word).map(Some),
        Some(_) => Err(FormatError::in_map(place, "its property `terrain` is no string")),
    }
}

/// What each tile means, by its number in layers.
struct Tiles {
    /// Where each tileset begins, in order, and its place in the map.
    order: Vec<(u32, usize)>,
    letters: Vec<Vec<(u32, u8)>>,
}

impl Tiles {
    fn of(map: &Map) -> Result<Self, FormatError> {
        let mut order: Vec<_> = map.tilesets.iter().enumerate().map(|(at, set)| (set.first, at)).collect();
        order.sort_unstable();
        let mut letters = Vec::new();
        for set in &map.tilesets {
            let place = |tile: u32| format!("tile {tile} of tileset {:?}", set.name);
            let each = set.terrain.iter().map(|(&tile, word)| Ok((tile, letter(&place(tile), word)?)));
            letters.push(each.collect::<Result<_, FormatError>>()?);
        }
        Ok(Self { order, letters })
    }

    /// The letter of a tile that has one.
    fn letter(&self, layer: &Layer, tile: u32) -> Result<Option<u8>, FormatError> {
        let after = self.order.partition_point(|&(first, _)| first <= tile);
        let Some(&(first, set)) = after.checked_sub(1).and_then(|at| self.order.get(at)) else {
            let message = format!("tile {tile} is of no tileset of this map");
            return Err(FormatError::in_map(layer.place(), message));
        };
        let known = &self.letters[set];
        Ok(known.binary_search_by_key(&(tile - first), |&(tile, _)| tile).ok().map(|at| known[at].1))
    }

    fn any(&self) -> bool {
        self.letters.iter().any(|set| !set.is_empty())
    }
}

/// Letters row by row.
pub(super) fn letters(map: &Map) -> Result<Vec<u8>, FormatError> {
    let below = told("this map", property(&map.properties, TERRAIN))?;
    let tiles = Tiles::of(map)?;
    let mut letters = vec![below; map.width * map.height];
    let mut says = below.is_some();
    for layer in &map.layers {
        let Content::Tiles(numbers) = &layer.content else { continue };
        let whole = told(&layer.place(), property(&layer.properties, TERRAIN))?;
        if whole.is_none() && !tiles.any() {
            continue;
        }
        let mut counts = false;
        // Most tiles are as the one before.
        let mut last = (0, None);
        for (slot, &tile) in letters.iter_mut().zip(numbers).filter(|(_, tile)| **tile != 0) {
            if last.0 != tile {
                last = (tile, if whole.is_some() { whole } else { tiles.letter(layer, tile)? });
            }
            counts |= last.1.is_some();
            *slot = last.1.or(*slot);
        }
        if counts && layer.shifted {
            return Err(FormatError::in_map(
                layer.place(),
                "it is shifted: expected terrain without offsets",
            ));
        }
        says |= counts || whole.is_some();
    }
    if !says {
        let message = "nothing in it is terrain: expected a property `terrain` of the map, of a layer of tiles or \
                       of tiles of a tileset";
        return Err(FormatError::in_map("this map", message));
    }
    let missing = |at: usize| {
        let message =
            "no terrain: expected a tile that has one, or the map's own property `terrain` for what is left";
        FormatError::in_map(spot("cell", at % map.width, at / map.width), message)
    };
    letters.into_iter().enumerate().map(|(at, letter)| letter.ok_or_else(|| missing(at))).collect()
}
