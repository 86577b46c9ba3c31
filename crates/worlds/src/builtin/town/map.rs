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
/// | `d` | a doorstep, where townsfolk come from and go to |
/// | `x`, `y` | where the hero sets out and where it goes |
/// | `m`, `n` | the smallest corner of a wagon: where it stands and where it goes, one of each per row from the top |
/// | `e` | the smallest corner of the elephant at the two ends of its walk |
/// | `v`, `w` | where the coach stands and where it goes |
/// | `g` | a guard, who lets nobody through his place |
/// | `p`, `q` | where travellers set out, and where they go |
/// | `z` | where those come in who see the town for the first time |
///
/// Where somebody rests there is always a way past: no two doorsteps face each other across a street, the
/// groups stand in a checker pattern, and the entrances of the park stay free.
pub(super) const MAP: [&str; 40] = [
    "1.......k.............WWWW......................",
    ".......0..............WWWW3.k.............6.....",
    "..@@@@@..@@@@@..@@@...WWWW..........k.......@@@.",
    "..@@@@@..@@@@@..@@@..hWWWWe...TTTTTTTTTTTT..@@@p",
    "..@@@@@..@@@@@..@@@...WWWW....TGGGGGGGGGGT..@@@.",
    "..@@@@@..@@@@@..@@@...WWWW....TGGbGbGbGbGT..@@@p",
    "....d......d...h.d....WWWW....TGbTbGbTbGGT.k.d..",
    ".h....................WWWW....TGGbGbGbGbGT......",
    "..@@@@@...a.a...@@@...WWWW....TGGGbGbGbGGT..@@@p",
    "..@@@@@..a@a@a..@@@.g.WWWW....TGGGGTGbGbGT..@@@.",
    "..@@@@@...a.a...@@@...WWWW.....GGGGGbGbGGT..@@@p",
    "..@@@@@..a.a.a..@@@...WWWW....TGGGGbGbTbGT..@@@.",
    "....d.....@.@....d....WWWW....TGGTbGGGTGGT..d..h",
    ".2.......a.a.a.....2..WWWW....TGGbGGGGGbGT......",
    "..@@@@@...a.a...@@@...WWWW....TGGGGGGGGGGT..@@@p",
    "..@@@@@..a@a@a..@@@...WWWW.e..TTTTTT.TTTTT..@@@.",
    "..@@@@@...a.a...@@@...WWWW..................@@@.",
    "..@@@@@..a.a.a..@@@...WWWW................6.d...",
    "....d............d....WWWW...k...........m......",
    ".k........n............s..............g.........",
    "x..............km..............n...............y",
    "....7.................WWWW..................7.w.",
    "..@@@@@..@@@@@..@@@...WWWW...@@@@@5.@@@@@..@@@@.",
    "..@@@@@..@@@@@..@@@.g.WWWW...@@@@@..@@@@@..@@@@.",
    "1.@@@@@0.@@@@@..@@@...WWWW...@@@@@..@@@@@..@@@@.",
    "....d......d..h..d....WWWW...@@@@@..@@@@@..@@@@.",
    "@@@@@@@@s@@@@@@@@@@@..WWWW..4..d......d.....d..4",
    "...................@..WWWW...v.....k............",
    "..@@@@@..@@@@@..@@.@..WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@@.@..WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@@.@k.WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@@.@..WWWW...@@@@@..@@@@@..@@@@.",
    ".h..d......d.....d.@..WWWW.....d......d.....d...",
    ".......k...........s..WWWW..h.......q....q......",
    "..@@@@@..@@@@@..@..@..WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@..@..WWWW...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@..@..SSSS...@@@@@..@@@@@..@@@@.",
    "..@@@@@..@@@@@..@..@..SsSS...@@@@@..@@@@@..@@@@.",
    "....d......d......k@..WWWW3....d..5...d..h..d..k",
    "...................@..WWWW..qq......q......z.z.z",
];
