//! What a host of WebAssembly needs besides: room in the module's memory for what it lends.

use std::alloc::{Layout, alloc, dealloc};

/// So much memory, as everything in the header lies in it.
fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes.max(1), 8).ok()
}

/// Room for so many bytes; 0 if there is none.
// SAFETY: nothing else is called like this.
#[unsafe(no_mangle)]
pub extern "C" fn throng_lend(bytes: usize) -> *mut u8 {
    // SAFETY: no layout is empty.
    layout(bytes).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) })
}

/// Gives back what `throng_lend` gave for so many bytes.
///
/// # Safety
///
/// That it did, and that nobody uses it any more.
// SAFETY: the host promises what is written above; nothing else is called like this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn throng_give_back(room: *mut u8, bytes: usize) {
    if let Some(layout) = layout(bytes).filter(|_| !room.is_null()) {
        // SAFETY: it came from `throng_lend`, with this layout.
        unsafe { dealloc(room, layout) };
    }
}
