//! An open file: ours in front, that of the VFS beneath in the same block of memory behind it.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::slice;
use std::sync::Arc;

use rusqlite::ffi::{
    SQLITE_IOERR, SQLITE_NOTFOUND, SQLITE_OK, SQLITE_SHM_EXCLUSIVE, SQLITE_SHM_UNLOCK,
    SQLITE_SYNC_NORMAL, sqlite3_file, sqlite3_int64, sqlite3_io_methods,
};

use super::guard::guard;
use super::name::Name;
use crate::beneath::Beneath;
use crate::code::Code;
use crate::index::View;
use crate::layer::File;

/// Calls a method of a file; `$missing` is the answer when it has none.
/// Unsafe: the file must be open.
macro_rules! call {
    ($file:expr, $method:ident($($argument:expr),*), $missing:expr) => {{
        let file: *mut sqlite3_file = $file;
        match (*(*file).pMethods).$method {
            Some(call) => call(file $(, $argument)*),
            None => $missing,
        }
    }};
}

/// The head of the block that SQLite allocates for a file. The file beneath follows at once, so this struct's
/// size must keep it aligned.
#[repr(C)]
pub(super) struct Head {
    base: sqlite3_file,
    /// Owned: made by [`install`], freed by `close`.
    handle: *mut Handle,
}

const _: () = assert!(size_of::<Head>().is_multiple_of(8), "SQLite aligns its files to 8 bytes");

struct Handle {
    file: Box<dyn File>,
    /// The file beneath keeps the address of its name.
    _name: Option<Name>,
}

/// Makes an opened block ours.
///
/// # Safety
///
/// `block` is the one that SQLite passed to `xOpen`, and the file beneath in it is open, under `name` if there
/// is one.
pub(super) unsafe fn install(block: *mut sqlite3_file, file: Box<dyn File>, name: Option<Name>) {
    let handle = Box::into_raw(Box::new(Handle { file, _name: name }));
    let head = Head { base: sqlite3_file { pMethods: &METHODS }, handle };
    // SAFETY: the block is at least a `Head` long and aligned for one, says the caller.
    unsafe { block.cast::<Head>().write(head) };
}

/// The file beneath, behind ours.
///
/// # Safety
///
/// `block` is one of `szOsFile` bytes of a VFS of ours.
pub(super) unsafe fn beneath(block: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: the block is longer than a `Head`, so the end of the head is inside it.
    unsafe { block.cast::<Head>().add(1).cast() }
}

/// Closes the file beneath, if it was opened.
///
/// # Safety
///
/// `block` is one of a VFS of ours whose file beneath is open or has no methods, and it is not ours yet.
pub(super) unsafe fn abandon(block: *mut sqlite3_file) {
    // SAFETY: `xOpen` sets `pMethods` even when it fails; null means that there is nothing open.
    unsafe {
        let file = beneath(block);
        if !(*file).pMethods.is_null() {
            call!(file, xClose(), SQLITE_IOERR);
        }
    }
}

/// An open file of the VFS beneath. Whoever makes one promises that it is open for as long as this lives.
#[derive(Clone, Copy)]
pub(crate) struct RawFile {
    file: *mut sqlite3_file,
    /// How hard SQLite asked to wait for the disc.
    flags: c_int,
}

impl RawFile {
    /// # Safety
    ///
    /// The file is open, and stays so for as long as what is made here.
    pub(super) unsafe fn open(file: *mut sqlite3_file) -> RawFile {
        RawFile { file, flags: SQLITE_SYNC_NORMAL }
    }

    /// The same file, to be synced as hard as SQLite asks for.
    pub(crate) fn as_hard_as(self, flags: c_int) -> RawFile {
        RawFile { flags, ..self }
    }

    pub(crate) fn read(&self, into: &mut [u8], at: u64) -> Result<(), Code> {
        let (amount, at) = measures(into.len(), at, Code::READ)?;
        let into = into.as_mut_ptr().cast();
        // SAFETY: the file is open, and `into` has room for `amount` bytes.
        Code::check(unsafe { call!(self.file, xRead(into, amount, at), SQLITE_IOERR) })
    }

    pub(crate) fn write(&self, bytes: &[u8], at: u64) -> Result<(), Code> {
        let (amount, at) = measures(bytes.len(), at, Code::WRITE)?;
        let bytes = bytes.as_ptr().cast();
        // SAFETY: the file is open, and there are `amount` bytes.
        Code::check(unsafe { call!(self.file, xWrite(bytes, amount, at), SQLITE_IOERR) })
    }

    pub(crate) fn truncate(&self, size: u64) -> Result<(), Code> {
        let size = size.try_into().map_err(|_| Code::TRUNCATE)?;
        // SAFETY: the file is open.
        Code::check(unsafe { call!(self.file, xTruncate(size), SQLITE_IOERR) })
    }

    pub(crate) fn sync(&self) -> Result<(), Code> {
        // SAFETY: the file is open.
        Code::check(unsafe { call!(self.file, xSync(self.flags), SQLITE_IOERR) })
    }

    pub(crate) fn size(&self) -> Result<u64, Code> {
        let mut size: sqlite3_int64 = 0;
        // SAFETY: the file is open, and `size` outlives the call.
        Code::check(unsafe { call!(self.file, xFileSize(&raw mut size), SQLITE_IOERR) })?;
        size.try_into().map_err(|_| Code::SIZE)
    }
}

fn measures(amount: usize, at: u64, broken: Code) -> Result<(c_int, sqlite3_int64), Code> {
    Ok((amount.try_into().map_err(|_| broken)?, at.try_into().map_err(|_| broken)?))
}

/// Runs what a layer does with an open file; a panic is answered with `broken`.
///
/// # Safety
///
/// `block` is an open file that [`install`] made.
unsafe fn ask(
    block: *mut sqlite3_file,
    broken: Code,
    ask: impl FnOnce(&dyn File, &Beneath<'_>) -> Result<(), Code>,
) -> c_int {
    // SAFETY: `install` put a boxed handle there, and only `close` takes it away; the file beneath is open
    // for as long as ours.
    let (handle, raw) =
        unsafe { (&*(*block.cast::<Head>()).handle, RawFile::open(beneath(block))) };
    guard(broken, || ask(handle.file.as_ref(), &Beneath::new(raw)))
}

/// Methods that the file beneath answers alone.
macro_rules! pass_on {
    ($($name:ident = $method:ident($($argument:ident: $kind:ty),*) else $missing:expr;)*) => {$(
        unsafe extern "C" fn $name(block: *mut sqlite3_file $(, $argument: $kind)*) -> c_int {
            // SAFETY: SQLite calls this on a file that `install` made, and passes on arguments
            // that are as good for the file beneath as for ours.
            unsafe { call!(beneath(block), $method($($argument),*), $missing) }
        }
    )*};
}

pass_on! {
    lock = xLock(level: c_int) else SQLITE_IOERR;
    unlock = xUnlock(level: c_int) else SQLITE_IOERR;
    check_reserved_lock = xCheckReservedLock(answer: *mut c_int) else SQLITE_IOERR;
    sector_size = xSectorSize() else 0;
}

static METHODS: sqlite3_io_methods = sqlite3_io_methods {
    iVersion: 3,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: Some(fetch),
    xUnfetch: Some(unfetch),
};

unsafe extern "C" fn close(block: *mut sqlite3_file) -> c_int {
    // SAFETY: SQLite closes a file once, and the one beneath is open until now. `install` made the box, and
    // SQLite does not use the file after this call.
    let (code, handle) = unsafe {
        let code = call!(beneath(block), xClose(), SQLITE_IOERR);
        (code, Box::from_raw((*block.cast::<Head>()).handle))
    };
    guard(Code::BROKEN, || {
        drop(handle);
        Code::check(code)
    })
}

unsafe extern "C" fn read(
    block: *mut sqlite3_file,
    into: *mut c_void,
    amount: c_int,
    at: sqlite3_int64,
) -> c_int {
    let (Ok(length), Ok(at)) = (usize::try_from(amount), u64::try_from(at)) else {
        return Code::answer(Err(Code::READ));
    };
    // SAFETY: SQLite gives room for `amount` bytes, at least one, that nobody else looks at.
    let into = unsafe { slice::from_raw_parts_mut(into.cast::<u8>(), length) };
    // SAFETY: SQLite reads from an open file of ours.
    unsafe { ask(block, Code::READ, |file, beneath| file.read(beneath, into, at)) }
}

unsafe extern "C" fn write(
    block: *mut sqlite3_file,
    from: *const c_void,
    amount: c_int,
    at: sqlite3_int64,
) -> c_int {
    let (Ok(length), Ok(at)) = (usize::try_from(amount), u64::try_from(at)) else {
        return Code::answer(Err(Code::WRITE));
    };
    // SAFETY: SQLite gives `amount` bytes, at least one, that stay still during the call.
    let bytes = unsafe { slice::from_raw_parts(from.cast::<u8>(), length) };
    // SAFETY: SQLite writes to an open file of ours.
    unsafe { ask(block, Code::WRITE, |file, beneath| file.write(beneath, bytes, at)) }
}

unsafe extern "C" fn truncate(block: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    let Ok(size) = u64::try_from(size) else { return Code::answer(Err(Code::TRUNCATE)) };
    // SAFETY: SQLite truncates an open file of ours.
    unsafe { ask(block, Code::TRUNCATE, |file, beneath| file.truncate(beneath, size)) }
}

unsafe extern "C" fn sync(block: *mut sqlite3_file, flags: c_int) -> c_int {
    // SAFETY: SQLite syncs an open file of ours.
    unsafe { ask(block, Code::SYNC, |file, beneath| file.sync(&beneath.as_hard_as(flags))) }
}

unsafe extern "C" fn file_size(block: *mut sqlite3_file, size: *mut sqlite3_int64) -> c_int {
    let found = |file: &dyn File, beneath: &Beneath| {
        let found = file.size(beneath)?.try_into().map_err(|_| Code::SIZE)?;
        // SAFETY: `size` is SQLite's place for the answer.
        unsafe { size.write(found) };
        Ok(())
    };
    // SAFETY: SQLite asks about an open file of ours.
    unsafe { ask(block, Code::SIZE, found) }
}

unsafe extern "C" fn file_control(
    block: *mut sqlite3_file,
    control: c_int,
    about: *mut c_void,
) -> c_int {
    let mut allowed = false;
    let allows = |file: &dyn File, _: &Beneath| {
        allowed = file.allows(control);
        Ok(())
    };
    // SAFETY: SQLite asks an open file of ours.
    if unsafe { ask(block, Code::BROKEN, allows) } != SQLITE_OK || !allowed {
        // This is how a VFS says that it has no such thing.
        return SQLITE_NOTFOUND;
    }
    // SAFETY: the file beneath is open, and the arguments are SQLite's own.
    unsafe { call!(beneath(block), xFileControl(control, about), SQLITE_NOTFOUND) }
}

unsafe extern "C" fn device_characteristics(block: *mut sqlite3_file) -> c_int {
    // SAFETY: SQLite asks about an open file of ours.
    let promised = unsafe { call!(beneath(block), xDeviceCharacteristics(), 0) };
    let mut kept = 0;
    let keeps = |file: &dyn File, _: &Beneath| {
        kept = file.promises(promised);
        Ok(())
    };
    // SAFETY: as above.
    unsafe { ask(block, Code::BROKEN, keeps) };
    kept
}

/// What the layer keeps in common for a file, if it does.
///
/// # Safety
///
/// `block` is an open file that [`install`] made, and stays so for as long as what is answered here is used.
unsafe fn view<'a>(block: *mut sqlite3_file) -> Option<&'a Arc<View>> {
    // SAFETY: `install` put a boxed handle there, and only `close` takes it away.
    unsafe { (*(*block.cast::<Head>()).handle).file.view() }
}

/// What the layer keeps in common for a file that SQLite gives out, if it is one of ours and the layer does.
///
/// # Safety
///
/// `block` is an open file.
pub(super) unsafe fn view_of(block: *mut sqlite3_file) -> Option<Arc<View>> {
    // SAFETY: the file is open, so its methods are there; those of ours are the files that `install` made.
    unsafe {
        ptr::eq((*block).pMethods, &raw const METHODS).then(|| view(block).cloned()).flatten()
    }
}

unsafe extern "C" fn shm_map(
    block: *mut sqlite3_file,
    region: c_int,
    bytes: c_int,
    make: c_int,
    at: *mut *mut c_void,
) -> c_int {
    // SAFETY: SQLite calls this on an open file of ours, and the arguments are its own.
    unsafe {
        let Some(view) = view(block) else {
            return call!(beneath(block), xShmMap(region, bytes, make, at), SQLITE_IOERR);
        };
        guard(Code::INDEX, || {
            at.write(view.region(region, bytes, make != 0).ok_or(Code::INDEX)?.cast());
            Ok(())
        })
    }
}

unsafe extern "C" fn shm_lock(
    block: *mut sqlite3_file,
    first: c_int,
    count: c_int,
    flags: c_int,
) -> c_int {
    // SAFETY: SQLite calls this on an open file of ours.
    unsafe {
        let Some(view) = view(block) else {
            return call!(beneath(block), xShmLock(first, count, flags), SQLITE_IOERR);
        };
        guard(Code::LOCK, || {
            if flags & SQLITE_SHM_UNLOCK != 0 {
                return view.unlock(first, count).ok_or(Code::LOCK);
            }
            let alone = flags & SQLITE_SHM_EXCLUSIVE != 0;
            let taken = view.lock(first, count, alone).ok_or(Code::LOCK)?;
            if taken { Ok(()) } else { Err(Code::BUSY) }
        })
    }
}

unsafe extern "C" fn shm_barrier(block: *mut sqlite3_file) {
    // SAFETY: SQLite calls this on an open file of ours.
    unsafe {
        match view(block) {
            Some(view) => view.barrier(),
            None => call!(beneath(block), xShmBarrier(), ()),
        }
    }
}

unsafe extern "C" fn shm_unmap(block: *mut sqlite3_file, delete: c_int) -> c_int {
    // SAFETY: SQLite calls this on an open file of ours.
    unsafe {
        let Some(view) = view(block) else {
            return call!(beneath(block), xShmUnmap(delete), SQLITE_IOERR);
        };
        guard(Code::INDEX, || {
            view.leave();
            Ok(())
        })
    }
}

unsafe extern "C" fn fetch(
    _block: *mut sqlite3_file,
    _at: sqlite3_int64,
    _amount: c_int,
    page: *mut *mut c_void,
) -> c_int {
    // No page: SQLite then reads by `xRead`, which a layer sees.
    // SAFETY: `page` is SQLite's place for the answer.
    unsafe { page.write(ptr::null_mut()) };
    SQLITE_OK
}

unsafe extern "C" fn unfetch(
    _block: *mut sqlite3_file,
    _at: sqlite3_int64,
    _page: *mut c_void,
) -> c_int {
    SQLITE_OK
}
