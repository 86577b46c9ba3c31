//! The map of the town.

/// West: a grid of streets around the market, and a walled quarter in the south with two gates one cell wide.
/// In the middle the river, with a bridge of two cells and, far south, a swampy ford. East: a park between
/// trees with two entrances one cell wide, and more streets.
///
/// | mark | is |
/// |---|---|
/// | `a`, `b` | where the two groups stand that exchange sides: the market and the park |
/// | `0` to `7` | the two ends of a patrol's beat |
/// | `h` | where a courier lives |
/// | `k` | a stop for couriers |
/// | `s` | a sentry's post, in a narrow place |
pub(super) const MAP: [&str; 40] = [
    "1.......k.............WWWW......................",
    ".......0..............WWWW3.k.............6.....",
    "..@@@@@..@@@@@..@@@...WWWW..........k.......@@@.",
    "..@@@@@..@@@@@..@@@..hWWWW....TTTTTTTTTTTT..@@@.",
    "..@@@@@..@@@@@..@@@...WWWW....TbbbbbbbbbbT..@@@.",
    "..@@@@@..@@@@@..@@@...WWWW....TbbbbbbbbbbT..@@@.",
    "...............h......WWWW....TbbTbbbTbbbT.k....",
    ".h....................WWWW....TbbbbbbbbbbT......",
    "..@@@@@..aaaaa..@@@...WWWW....TbbbbbbbbbbT..@@@.",
    "..@@@@@..a@a@a..@@@...WWWW....TbbbbTbbbbbT..@@@.",
    "..@@@@@..aaaaa..@@@...WWWW....sbbbbbbbbbbT..@@@.",
    "..@@@@@..aaaaa..@@@...WWWW....TbbbbbbbTbbT..@@@.",
    ".........a@a@a........WWWW....TbbTbbbbTbbT.....h",
    ".2.......aaaaa.....2..WWWW....TbbbbbbbbbbT......",
    "..@@@@@..aaaaa..@@@...WWWW....TbbbbbbbbbbT..@@@.",
    "..@@@@@..a@a@a..@@@...WWWW....TTTTTT.TTTTT..@@@.",
    "..@@@@@..aaaaa..@@@...WWWW..................@@@.",
    "..@@@@@..aaaaa..@@@...WWWW................6.....",
    "......................WWWW...k..................",
    ".k.....................s........................",
    "...............k................................",
    "....7.................WWWW..................7...",
    "..@@@@@..@@@@@..@@@...WWWW...@@@@@5.@@@@@..@@@@.",
    "..@@@@@..@@@@@..@@@...WWWW...@@@@@..@@@@@..@@@@.",
    "1.@@@@@0.@@@@@..@@@...WWWW...@@@@@..@@@@@..@@@@.",
    "..............h.......WWWW...@@@@@..@@@@@..@@@@.",
    "@@@@@@@@s@@@@@@@@@@@..WWWW..4..................4",
    "...................@..WWWW.........k............",
    "..@@@@@..@@@@@..@@.@..WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@@.@..WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@@.@k.WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@@.@..WWWW...@@@@@..@@@@@..@@@@.",
    ".h.................@..WWWW......................",
    ".......k...........s..WWWW..h...................",
    "..@@@@@..@@@@@..@..@..WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@..@..WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@..@..SSSS...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@..@..SSSS...@@@@@..@@@@@..@@@@.",
    "..................k@..WWWW3.......5......h.....k",
    "...................@..WWWW......................",
];
