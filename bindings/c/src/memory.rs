//! The memory that callers lend: everything that goes through a pointer does so here.

use crate::status::{Fault, Status};
use std::ffi::{CStr, c_char};

/// A text that ends in 0.
///
/// # Safety
///
/// As the header asks: `text` is null or leads to a text that ends in 0, and nobody changes it meanwhile.
// SAFETY: the caller promises what is written above.
pub(crate) unsafe fn text<'a>(what: &'static str, text: *const c_char) -> Result<&'a str, Fault> {
    // SAFETY: as above.
    unsafe { maybe_text(what, text) }?.ok_or_else(|| Fault::null(what))
}

/// The same, or nothing where there is none.
///
/// # Safety
///
/// As [`text`].
// SAFETY: the caller promises what is written above.
pub(crate) unsafe fn maybe_text<'a>(
    what: &'static str,
    text: *const c_char,
) -> Result<Option<&'a str>, Fault> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not null, and the caller promises the rest.
    let text = unsafe { CStr::from_ptr(text) }.to_str();
    text.map(Some).map_err(|why| Fault::new(Status::BadText, format!("{what} is not UTF-8: {why}")))
}

/// So many things in a row.
///
/// # Safety
///
/// As the header asks: `items` is null, or `count` things lie there, and nobody changes them meanwhile.
// SAFETY: the caller promises what is written above.
pub(crate) unsafe fn list<'a, T>(
    what: &'static str,
    items: *const T,
    count: usize,
) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    if items.is_null() {
        return Err(Fault::null(what));
    }
    if !items.is_aligned() || count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Fault::new(Status::BadInput, format!("{what} leads nowhere, or is too long")));
    }
    // SAFETY: neither null nor askew nor longer than anything can be, and the caller promises the rest.
    Ok(unsafe { std::slice::from_raw_parts(items, count) })
}

/// One thing.
///
/// # Safety
///
/// As [`list`] with a count of one.
// SAFETY: the caller promises what is written above.
pub(crate) unsafe fn one<'a, T>(what: &'static str, item: *const T) -> Result<&'a T, Fault> {
    // SAFETY: as above.
    Ok(&unsafe { list(what, item, 1) }?[0])
}

/// Tells something.
///
/// # Safety
///
/// As the header asks: `out` is null, or one such thing may be written there.
// SAFETY: the caller promises what is written above.
pub(crate) unsafe fn put<T>(what: &'static str, out: *mut T, value: T) -> Result<(), Fault> {
    if out.is_null() {
        return Err(Fault::null(what));
    }
    // SAFETY: it is not null, the caller promises the rest, and nothing asks how it lies.
    unsafe { out.write_unaligned(value) };
    Ok(())
}

/// Tells as much of a list as there is room for, and how much there is.
///
/// # Safety
///
/// As the header asks: `buffer` is null, or `room` such things may be written there; `count` as [`put`].
// SAFETY: the caller promises what is written above.
pub(crate) unsafe fn fill<T: Copy>(
    buffer: *mut T,
    room: usize,
    count: *mut usize,
    items: &[T],
) -> Result<(), Fault> {
    // SAFETY: as above.
    unsafe { put("count", count, items.len()) }?;
    if buffer.is_null() && room > 0 {
        return Err(Fault::null("the list"));
    }
    for (place, item) in items.iter().take(room).enumerate() {
        // SAFETY: within the room that the caller promises.
        unsafe { buffer.add(place).write_unaligned(*item) };
    }
    if room < items.len() && room > 0 {
        let message = format!("room for {room}, but there are {}", items.len());
        return Err(Fault::new(Status::TooSmall, message));
    }
    Ok(())
}
