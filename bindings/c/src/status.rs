//! What became of a call.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What became of a call; 0 is good.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// A pointer is NULL where something has to be.
    Null = 1,
    /// A text is not UTF-8.
    BadText = 2,
    /// There is no such world, or not any more.
    NoWorld = 3,
    /// There is no such unit in this world, or not any more.
    NoUnit = 4,
    /// A file, a planner or a number is wrong.
    BadInput = 5,
    /// The world does not allow it: a cell is taken, a goal cannot be reached, …
    Refused = 6,
    /// There is more than there is room for; as much as fits was told.
    TooSmall = 7,
    /// A fault of the engine. The world that it befell takes no more calls but throng_world_free.
    Broken = 8,
}

/// What is wrong, for the caller and for people.
#[derive(Debug)]
pub(crate) struct Fault {
    status: Status,
    message: String,
}

impl Fault {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub(crate) fn null(what: &str) -> Self {
        Self::new(Status::Null, format!("{what} is NULL"))
    }

    pub(crate) fn input(why: &dyn std::fmt::Display) -> Self {
        Self::new(Status::BadInput, why.to_string())
    }
}

impl From<throng::OrderError> for Fault {
    fn from(why: throng::OrderError) -> Self {
        let status = match why {
            throng::OrderError::NoSuchUnit { .. } => Status::NoUnit,
            _ => Status::Refused,
        };
        Self::new(status, why.to_string())
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs what a function does; whatever happens, the caller gets a status.
pub(crate) fn guard(act: impl FnOnce() -> Result<(), Fault>) -> Status {
    let done = catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|why| Err(broken(&*why)));
    let Err(Fault { status, message }) = done else { return Status::Ok };
    let message: Vec<u8> = message.into_bytes().into_iter().filter(|&byte| byte != 0).collect();
    // A thread that is about to end has no place for words any more.
    let _ = LAST.try_with(|last| *last.borrow_mut() = CString::new(message).unwrap_or_default());
    status
}

fn broken(why: &(dyn Any + Send)) -> Fault {
    let words = why.downcast_ref::<&str>().map(|words| (*words).to_owned());
    let words = words.or_else(|| why.downcast_ref::<String>().cloned()).unwrap_or_default();
    Fault::new(Status::Broken, format!("a fault of the engine: {words}"))
}

/// What was wrong with the last call of this thread that was not good, in words; empty before the first. Valid until the
/// next call of this thread.
// SAFETY: nothing else in the program is called like this.
#[unsafe(no_mangle)]
pub extern "C" fn throng_last_error() -> *const c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// The version of this library, as 1.2.3.
// SAFETY: nothing else in the program is called like this.
#[unsafe(no_mangle)]
pub extern "C" fn throng_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn last() -> String {
        // SAFETY: the text is this thread's own, and there until the next call.
        unsafe { CStr::from_ptr(throng_last_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn nothing_unwinds() {
        assert_eq!(guard(|| panic!("no {}", "way")), Status::Broken);
        assert_eq!(last(), "a fault of the engine: no way");
        assert_eq!(guard(|| Ok(())), Status::Ok);
        assert_eq!(guard(|| Err(Fault::null("a\0b"))), Status::Null);
        assert_eq!(last(), "ab is NULL");
    }
}
