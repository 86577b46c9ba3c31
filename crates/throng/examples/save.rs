//! Save in the middle, load, and go on as if nothing had happened.

use throng::core::{AgentId, Unlimited, Unobserved};
use throng::worlds::builtin;
use throng::{Options, Session};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let setup = builtin("bridge", 0)?;
    let mut session = Session::new(setup, &Options::planner("whca"))?;
    for _ in 0..20 {
        session.tick(&Unlimited, &mut Unobserved);
    }
    let saved = session.save();
    let mut loaded = Session::resume(&saved, 1)?;
    while !session.is_done() && session.state().tick < 500 {
        session.tick(&Unlimited, &mut Unobserved);
        loaded.tick(&Unlimited, &mut Unobserved);
        assert_eq!(session.state().hash(), loaded.state().hash());
    }
    assert!(session.rests(AgentId(0)));
    println!("{} bytes saved; the same to tick {}", saved.len(), session.state().tick);
    Ok(())
}
