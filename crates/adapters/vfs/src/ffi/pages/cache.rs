//! The C functions by which SQLite keeps pages in memory.
//!
//! A cache belongs to one connection, and whoever uses that is alone with it. A panic in here is a broken
//! invariant of the shelf; it ends the process, as every panic does that would leave Rust for C.

use std::cell::RefCell;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::sync::{Arc, OnceLock};

use rusqlite::ffi::{
    SQLITE_CONFIG_PCACHE2, SQLITE_OK, sqlite3_config, sqlite3_pcache, sqlite3_pcache_methods2,
    sqlite3_pcache_page,
};

use super::lines::{Line, Lines};
use crate::index::View;
use crate::pages::Shelf;

/// Has SQLite keep its pages by us from now on. It has to be told before it is first used; says whether it was.
/// To be told again does nothing.
pub fn keep_pages() -> bool {
    static TAKEN: OnceLock<bool> = OnceLock::new();
    // SAFETY: SQLite copies the methods. It refuses, and changes nothing, once it has been used.
    *TAKEN.get_or_init(|| unsafe {
        sqlite3_config(SQLITE_CONFIG_PCACHE2, &raw const METHODS) == SQLITE_OK
    })
}

static METHODS: Methods = Methods(sqlite3_pcache_methods2 {
    iVersion: 1,
    pArg: ptr::null_mut(),
    xInit: Some(init),
    xShutdown: None,
    xCreate: Some(create),
    xCachesize: Some(cache_size),
    xPagecount: Some(page_count),
    xFetch: Some(fetch),
    xUnpin: Some(unpin),
    xRekey: Some(rekey),
    xTruncate: Some(truncate),
    xDestroy: Some(destroy),
    xShrink: Some(shrink),
});

#[repr(transparent)]
struct Methods(sqlite3_pcache_methods2);

// SAFETY: it is never written, and its one pointer is null.
unsafe impl Sync for Methods {}

/// The pages of one file that a connection has in memory.
struct Cache {
    shelf: Shelf,
    lines: Lines,
    /// Whether pages that nobody holds may go: those of a file. What is in memory alone is never let go of.
    may_go: bool,
    /// Where somebody knows which pages were written meanwhile.
    sight: Sight,
}

/// The view that a connection has of what was written, once it is known. Most have none.
pub(crate) type Sight = Arc<OnceLock<Arc<View>>>;

thread_local! {
    /// Whose caches are made on this thread.
    static MADE_FOR: RefCell<Sight> = RefCell::default();
}

/// Calls something that has SQLite make a cache for the pages of a file, for a connection that only reads. When SQLite
/// has such a cache forget all pages, because somebody has written, it keeps those that were not written: SQLite
/// does not know which, and whoever keeps the log does.
pub(crate) fn made_for<T>(sight: Sight, make: impl FnOnce() -> T) -> T {
    /// What is made later is for nobody, also if something panics.
    struct UntilMade;
    impl Drop for UntilMade {
        fn drop(&mut self) {
            MADE_FOR.take();
        }
    }
    MADE_FOR.set(sight);
    let _until_made = UntilMade;
    make()
}

/// # Safety
///
/// `cache` is one that [`create`] made, and nobody else uses it meanwhile.
unsafe fn ours<'a>(cache: *mut sqlite3_pcache) -> &'a mut Cache {
    // SAFETY: the caller's promise.
    unsafe { &mut *cache.cast::<Cache>() }
}

/// # Safety
///
/// `page` is one that [`fetch`] answered, and has not been forgotten since.
unsafe fn place_of(page: *mut sqlite3_pcache_page) -> usize {
    // SAFETY: what SQLite is shown is the beginning of a line.
    unsafe { (*page.cast::<Line>()).place }
}

unsafe extern "C" fn init(_: *mut c_void) -> c_int {
    SQLITE_OK
}

unsafe extern "C" fn create(page: c_int, beside: c_int, may_go: c_int) -> *mut sqlite3_pcache {
    let Some(lines) = Lines::new(page, beside) else { return ptr::null_mut() };
    let shelf = Shelf::new(usize::MAX);
    let sight = MADE_FOR.with_borrow(Arc::clone);
    Box::into_raw(Box::new(Cache { shelf, lines, may_go: may_go != 0, sight })).cast()
}

unsafe extern "C" fn cache_size(cache: *mut sqlite3_pcache, most: c_int) {
    // SAFETY: SQLite calls this on a cache of ours.
    let cache = unsafe { ours(cache) };
    if cache.may_go {
        cache.shelf.allow(usize::try_from(most).unwrap_or(0));
    }
}

unsafe extern "C" fn page_count(cache: *mut sqlite3_pcache) -> c_int {
    // SAFETY: SQLite calls this on a cache of ours.
    c_int::try_from(unsafe { ours(cache) }.shelf.pages()).unwrap_or(c_int::MAX)
}

unsafe extern "C" fn fetch(
    cache: *mut sqlite3_pcache,
    page: c_uint,
    create: c_int,
) -> *mut sqlite3_pcache_page {
    // SAFETY: SQLite calls this on a cache of ours.
    let cache = unsafe { ours(cache) };
    match cache.find(page) {
        Some(place) => cache.lines.at(place).cast(),
        None if create == 0 => ptr::null_mut(),
        None => cache.add(page, create > 1).unwrap_or(ptr::null_mut()).cast(),
    }
}

impl Cache {
    /// Finds a page, and holds it. One that is doubted is only found if it was not written meanwhile.
    fn find(&mut self, page: u32) -> Option<usize> {
        let place = self.shelf.hold(page)?;
        let Some(since) = self.shelf.doubted(place) else { return Some(place) };
        if self.sight.get().is_some_and(|view| view.is_untouched(page, since)) {
            self.shelf.trust(place);
            return Some(place);
        }
        self.shelf.forget(place);
        None
    }

    /// Forgets every page from one on.
    fn forget_from(&mut self, page: u32) {
        match self.sight.get() {
            Some(view) if page <= 1 && !self.shelf.is_held() => self.shelf.doubt_all(view.seen()),
            _ => self.shelf.forget_from(page),
        }
    }

    fn add(&mut self, page: u32, insists: bool) -> Option<*mut Line> {
        let place = self.shelf.add(page, insists)?;
        let line = self.lines.renew(place);
        if line.is_none() {
            self.shelf.forget(place);
        }
        line
    }
}

unsafe extern "C" fn unpin(
    cache: *mut sqlite3_pcache,
    page: *mut sqlite3_pcache_page,
    discard: c_int,
) {
    // SAFETY: SQLite calls this on a cache of ours, with a page of it that it holds.
    let (cache, place) = unsafe { (ours(cache), place_of(page)) };
    match discard {
        0 => cache.shelf.let_go(place),
        _ => cache.shelf.forget(place),
    }
}

unsafe extern "C" fn rekey(
    cache: *mut sqlite3_pcache,
    page: *mut sqlite3_pcache_page,
    _before: c_uint,
    number: c_uint,
) {
    // SAFETY: SQLite calls this on a cache of ours, with a page of it that it holds.
    let (cache, place) = unsafe { (ours(cache), place_of(page)) };
    cache.shelf.renumber(place, number);
}

unsafe extern "C" fn truncate(cache: *mut sqlite3_pcache, from: c_uint) {
    // SAFETY: SQLite calls this on a cache of ours.
    unsafe { ours(cache) }.forget_from(from);
}

unsafe extern "C" fn destroy(cache: *mut sqlite3_pcache) {
    // SAFETY: SQLite calls this once, on a cache that `create` made, and never uses it again.
    drop(unsafe { Box::from_raw(cache.cast::<Cache>()) });
}

unsafe extern "C" fn shrink(cache: *mut sqlite3_pcache) {
    // SAFETY: SQLite calls this on a cache of ours.
    let cache = unsafe { ours(cache) };
    if cache.shelf.forget_unheld() {
        cache.lines.give_back();
    }
}
