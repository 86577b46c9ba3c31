//! Maps of Tiled as XML.

use super::data;
use super::model::{Content, Layer, Map, Object, Property, TERRAIN, Tileset, Value};
use crate::FormatError;
use crate::maps::{Resolve, named, of_file};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeMap;

/// So many elements a map may have; each takes several times what it takes in the file.
const MOST_NODES: u32 = 1 << 24;
/// So deep elements may lie in each other. Tiled needs no more than groups of groups.
const DEEPEST: usize = 200;

type Xml<'a> = Node<'a, 'a>;

fn document(text: &str) -> Result<Document<'_>, FormatError> {
    if is_deep(text) {
        return Err(FormatError::in_map("this map", format!("more than {DEEPEST} elements in each other")));
    }
    let options = ParsingOptions { nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|why| {
        let (line, column) = (why.pos().row as usize, why.pos().col as usize);
        let place = format!(" at {line}:{column}");
        FormatError::Xml { line, column, message: why.to_string().replace(&place, "") }
    })
}

/// Whether more elements lie in each other than anybody needs. Counts roughly, and rather too many: whoever reads XML does so
/// by calling itself, and must not be led too deep.
fn is_deep(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut depth, mut deepest) = (0usize, 0);
    for (at, _) in text.match_indices('<') {
        match bytes.get(at + 1) {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) => {
                let end = text[at..].find('>').map_or(text.len(), |end| at + end);
                depth += usize::from(bytes[end - 1] != b'/');
            }
        }
        deepest = deepest.max(depth);
        if deepest > DEEPEST {
            return true;
        }
    }
    false
}

pub(super) fn parse(bytes: &[u8], resolve: Resolve<'_>) -> Result<Map, FormatError> {
    let text = text(bytes)?;
    let document = document(text)?;
    let root = document.root_element();
    if root.tag_name().name() != "map" {
        return Err(expected(root, "an element `map`"));
    }
    let mut map = Map {
        width: number(root, "width")?,
        height: number(root, "height")?,
        tile: (number(root, "tilewidth")?, number(root, "tileheight")?),
        orientation: root.attribute("orientation").unwrap_or("orthogonal").to_owned(),
        infinite: root.attribute("infinite") == Some("1"),
        properties: properties(root)?,
        ..Map::default()
    };
    for node in root.children().filter(|node| node.has_tag_name("tileset")) {
        map.tilesets.push(tileset(node, resolve)?);
    }
    if map.infinite {
        // Its layers are in pieces; it is told what is wrong before anybody looks at them.
        return Ok(map);
    }
    // Groups are gone through in the order in which they are drawn.
    for node in root.descendants() {
        let content = match node.tag_name().name() {
            "layer" => Content::Tiles(tiles(node)?),
            "objectgroup" if node.parent().is_none_or(|parent| !parent.has_tag_name("tile")) => {
                let objects = node.children().filter(|node| node.has_tag_name("object"));
                Content::Objects(objects.map(object).collect::<Result<_, _>>()?)
            }
            _ => continue,
        };
        let moved = |node: Xml<'_>| {
            ["offsetx", "offsety"].iter().any(|key| node.attribute(*key).is_some_and(|by| by != "0"))
        };
        map.layers.push(Layer {
            name: node.attribute("name").unwrap_or_default().to_owned(),
            properties: properties(node)?,
            shifted: node.ancestors().any(moved),
            content,
        });
    }
    Ok(map)
}

fn text(bytes: &[u8]) -> Result<&str, FormatError> {
    std::str::from_utf8(bytes).map_err(|why| {
        let before = &bytes[..why.valid_up_to()];
        FormatError::NotUtf8 { line: 1 + before.iter().filter(|&&byte| byte == b'\n').count() }
    })
}

fn line(node: Xml<'_>) -> usize {
    node.document().text_pos_at(node.range().start).row as usize
}

fn expected(node: Xml<'_>, expected: impl Into<std::borrow::Cow<'static, str>>) -> FormatError {
    FormatError::Expected {
        line: line(node),
        expected: expected.into(),
        found: format!("`{}`", node.tag_name().name()),
    }
}

/// A number that an element has to have.
fn number<T: std::str::FromStr>(node: Xml<'_>, key: &'static str) -> Result<T, FormatError> {
    let value = node.attribute(key).unwrap_or_default();
    value.parse().map_err(|_| {
        let wanted = format!("a number as `{key}` of `{}`", node.tag_name().name());
        FormatError::expected(line(node), wanted, value.as_bytes())
    })
}

fn properties(node: Xml<'_>) -> Result<Vec<Property>, FormatError> {
    let list = node.children().filter(|child| child.has_tag_name("properties"));
    let all = list.flat_map(|list| list.children()).filter(|child| child.has_tag_name("property"));
    all.map(|node| {
        let text = node.attribute("value").or_else(|| node.text()).unwrap_or_default();
        let wrong = |kind| FormatError::expected(line(node), kind, text.as_bytes());
        let value = match node.attribute("type").unwrap_or("string") {
            "bool" => Value::Bool(text.parse().map_err(|_| wrong("`true` or `false`"))?),
            "int" => Value::Int(text.parse().map_err(|_| wrong("a whole number"))?),
            "float" => Value::Float(text.parse().map_err(|_| wrong("a number"))?),
            "object" => Value::Object(text.parse().map_err(|_| wrong("the number of an object"))?),
            "class" | "list" => Value::Other,
            _ => Value::Text(text.to_owned()),
        };
        let name = node.attribute("name").ok_or_else(|| expected(node, "a property with a `name`"))?;
        Ok(Property { name: name.to_owned(), value })
    })
    .collect()
}

/// A tileset, which may be in a file of its own.
fn tileset(node: Xml<'_>, resolve: Resolve<'_>) -> Result<Tileset, FormatError> {
    let first = number(node, "firstgid")?;
    let Some(source) = node.attribute("source") else { return Ok(Tileset { first, ..tiles_of(node)? }) };
    let bytes = named(resolve, "tileset", source)?;
    let read = super::json::tileset_file(&bytes);
    Ok(Tileset { first, ..read.map_err(of_file("tileset", source))? })
}

/// A tileset in a file of its own.
pub(super) fn tileset_file(bytes: &[u8]) -> Result<Tileset, FormatError> {
    let document = document(text(bytes)?)?;
    match document.root_element() {
        root if root.has_tag_name("tileset") => tiles_of(root),
        root => Err(expected(root, "an element `tileset`")),
    }
}

fn tiles_of(node: Xml<'_>) -> Result<Tileset, FormatError> {
    let mut terrain = BTreeMap::new();
    for tile in node.children().filter(|child| child.has_tag_name("tile")) {
        let id: u32 = number(tile, "id")?;
        if let Some(Value::Text(word)) = super::model::property(&properties(tile)?, TERRAIN) {
            terrain.insert(id, word.clone());
        }
    }
    Ok(Tileset { name: node.attribute("name").unwrap_or_default().to_owned(), first: 0, terrain })
}

fn tiles(layer: Xml<'_>) -> Result<Vec<u32>, FormatError> {
    let data = layer.children().find(|child| child.has_tag_name("data"));
    let data = data.ok_or_else(|| expected(layer, "a layer with `data`"))?;
    let text = data.text().unwrap_or_default();
    let numbers = match data.attribute("encoding") {
        Some("csv") => data::csv(text),
        Some("base64") => data::base64(text, data.attribute("compression").unwrap_or_default()),
        Some(other) => Err(format!("its encoding is {other:?}, expected csv or base64")),
        None => {
            let tiles = data.children().filter(|child| child.has_tag_name("tile"));
            return tiles
                .map(|tile| match tile.attribute("gid") {
                    None => Ok(0),
                    Some(_) => number(tile, "gid").map(data::tile),
                })
                .collect();
        }
    };
    let name = layer.attribute("name").unwrap_or_default();
    numbers.map_err(|why| FormatError::in_map(format!("layer {name:?}"), why))
}

fn object(node: Xml<'_>) -> Result<Object, FormatError> {
    let number = |key| if node.has_attribute(key) { number(node, key) } else { Ok(0.0) };
    let (x, y, high): (f64, f64, f64) = (number("x")?, number("y")?, number("height")?);
    // Tiles lie on their lower left corner, everything else hangs on its upper left one.
    let top = if node.has_attribute("gid") { y - high } else { y };
    let class = node.attribute("class").or_else(|| node.attribute("type")).unwrap_or_default();
    Ok(Object {
        id: self::number(node, "id")?,
        name: node.attribute("name").unwrap_or_default().to_owned(),
        class: class.to_owned(),
        at: (x, top),
        properties: properties(node)?,
    })
}
