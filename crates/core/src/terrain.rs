//! Which terrain letters a unit may stand on.

/// Says which letters of a map are passable. The letters themselves are fixed by the map format;
/// whether one may walk on them is a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainPolicy {
    /// Whether swamp (`S`) is passable. Default: yes.
    pub swamp: bool,
    /// Whether water (`W`) is passable. Default: no.
    pub water: bool,
    /// Whether trees (`T`) are passable. Default: no.
    pub trees: bool,
}

impl Default for TerrainPolicy {
    fn default() -> Self {
        Self { swamp: true, water: false, trees: false }
    }
}

impl TerrainPolicy {
    /// Letters that a map may contain.
    pub const LETTERS: &'static str = ".GS@OTW";

    /// Whether `letter` is passable; `None` if no map may contain it.
    #[must_use]
    #[inline]
    pub const fn passable(&self, letter: u8) -> Option<bool> {
        match letter {
            b'.' | b'G' => Some(true),
            b'S' => Some(self.swamp),
            b'W' => Some(self.water),
            b'T' => Some(self.trees),
            b'@' | b'O' => Some(false),
            _ => None,
        }
    }
}
