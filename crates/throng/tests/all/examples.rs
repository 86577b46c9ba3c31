//! The examples run, and what they assert holds.

macro_rules! examples {
    ($($name:ident $path:literal)*) => {$(
        #[path = $path]
        mod $name;

        #[test]
        fn $name() {
            $name::main().unwrap();
        }
    )*};
}

examples! {
    continuous "../../examples/continuous.rs"
    directions "../../examples/directions.rs"
    embed "../../examples/embed.rs"
    errands "../../examples/errands.rs"
    expedition "../../examples/expedition.rs"
    fog "../../examples/fog.rs"
    groups "../../examples/groups.rs"
    lockstep "../../examples/lockstep.rs"
    mixed "../../examples/mixed.rs"
    obstacles "../../examples/obstacles.rs"
    roguelike "../../examples/roguelike.rs"
    save "../../examples/save.rs"
    why "../../examples/why.rs"
}
