//! An open file: ours in front, the wrapped VFS's file in the same block of memory behind it.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::ffi::{
    SQLITE_FCNTL_BEGIN_ATOMIC_WRITE, SQLITE_FCNTL_CHUNK_SIZE, SQLITE_FCNTL_COMMIT_ATOMIC_WRITE,
    SQLITE_FCNTL_MMAP_SIZE, SQLITE_FCNTL_ROLLBACK_ATOMIC_WRITE, SQLITE_FCNTL_SIZE_HINT,
    SQLITE_FULL, SQLITE_IOCAP_ATOMIC, SQLITE_IOCAP_ATOMIC1K, SQLITE_IOCAP_ATOMIC2K,
    SQLITE_IOCAP_ATOMIC4K, SQLITE_IOCAP_ATOMIC8K, SQLITE_IOCAP_ATOMIC16K, SQLITE_IOCAP_ATOMIC32K,
    SQLITE_IOCAP_ATOMIC64K, SQLITE_IOCAP_ATOMIC512, SQLITE_IOCAP_BATCH_ATOMIC,
    SQLITE_IOCAP_SAFE_APPEND, SQLITE_IOCAP_SEQUENTIAL, SQLITE_IOERR, SQLITE_IOERR_FSTAT,
    SQLITE_IOERR_FSYNC, SQLITE_IOERR_READ, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE,
    SQLITE_NOTFOUND, SQLITE_OK, sqlite3_file, sqlite3_int64, sqlite3_io_methods,
};

use super::guard::guard;
use crate::powercut::control::Shared;
use crate::powercut::world::{FileId, Operation, Refusal};

/// Calls a method of the wrapped file; `$missing` is the answer when it has none.
/// Unsafe: the wrapped file must be open.
macro_rules! forward {
    ($file:expr, $method:ident($($argument:expr),*), $missing:expr) => {{
        let inner = wrapped($file);
        match (*(*inner).pMethods).$method {
            Some(call) => call(inner $(, $argument)*),
            None => $missing,
        }
    }};
}
/// The head of the block that SQLite allocates for a file. The wrapped file follows at once, so
/// this struct's size must keep it aligned.
#[repr(C)]
pub(super) struct Head {
    base: sqlite3_file,
    /// Owned: made by [`install`], freed by `close`.
    handle: *mut Handle,
}

const _: () = assert!(size_of::<Head>().is_multiple_of(8), "SQLite aligns its files to 8 bytes");

/// What an open file needs of this side.
pub(super) struct Handle {
    pub(super) shared: Arc<Shared>,
    pub(super) file: FileId,
    /// Whether the next sync reaches the directory too, as the default VFS does it.
    pub(super) sync_directory: AtomicBool,
}

impl Handle {
    /// Performs a counted operation; one that comes after the cut answers `broken`.
    fn perform(
        &self,
        broken: c_int,
        operation: Operation<'_>,
        real: impl FnOnce() -> c_int,
    ) -> c_int {
        self.shared.perform(operation, real).unwrap_or_else(|refusal| match refusal {
            Refusal::Cut | Refusal::Lost => broken,
            Refusal::Full => SQLITE_FULL,
        })
    }

    fn is_cut(&self) -> bool {
        self.shared.lock().is_cut()
    }
}

/// Makes an opened block ours.
///
/// # Safety
///
/// `file` is the block that SQLite passed to `xOpen`, and the wrapped file in it is open.
pub(super) unsafe fn install(file: *mut sqlite3_file, handle: Handle) {
    let head =
        Head { base: sqlite3_file { pMethods: &METHODS }, handle: Box::into_raw(Box::new(handle)) };
    // SAFETY: the block is at least a `Head` long and aligned for one, says the caller.
    unsafe { file.cast::<Head>().write(head) };
}

/// The wrapped file behind ours.
///
/// # Safety
///
/// `file` is a block of `szOsFile` bytes of our VFS.
pub(super) unsafe fn wrapped(file: *mut sqlite3_file) -> *mut sqlite3_file {
    // SAFETY: the block is longer than a `Head`, so the end of the head is inside it.
    unsafe { file.cast::<Head>().add(1).cast() }
}

/// Reads an open wrapped file whole.
///
/// It reads through the open file: a second descriptor, when closed, would drop every POSIX lock
/// that this process holds on it.
///
/// # Safety
///
/// `file` is a block of our VFS whose wrapped file is open.
pub(super) unsafe fn contents(file: *mut sqlite3_file) -> Result<Vec<u8>, c_int> {
    let mut size: sqlite3_int64 = 0;
    // SAFETY: the wrapped file is open, and `size` outlives the call.
    let code = unsafe { forward!(file, xFileSize(&raw mut size), SQLITE_IOERR_FSTAT) };
    if code != SQLITE_OK {
        return Err(code);
    }
    let amount = c_int::try_from(size).map_err(|_| SQLITE_IOERR_READ)?;
    let mut bytes = vec![0; usize::try_from(amount).map_err(|_| SQLITE_IOERR_READ)?];
    let into = bytes.as_mut_ptr().cast::<c_void>();
    // SAFETY: the wrapped file is open, and `into` has room for `amount` bytes.
    match unsafe { forward!(file, xRead(into, amount, 0), SQLITE_IOERR_READ) } {
        SQLITE_OK => Ok(bytes),
        code => Err(code),
    }
}

/// Closes the wrapped file, if its VFS left it open.
///
/// # Safety
///
/// `file` is a block of our VFS that went through the wrapped `xOpen` and is not ours yet.
pub(super) unsafe fn abandon(file: *mut sqlite3_file) {
    // SAFETY: `xOpen` sets `pMethods` even when it fails; null means that there is nothing open.
    unsafe {
        if !(*wrapped(file)).pMethods.is_null() {
            forward!(file, xClose(), SQLITE_IOERR);
        }
    }
}

/// Methods that the wrapped file answers alone. They work after the cut too: a connection must be
/// able to give up its locks and close.
macro_rules! pass_on {
    ($($name:ident = $method:ident($($argument:ident: $kind:ty),*) else $missing:expr;)*) => {$(
        unsafe extern "C" fn $name(file: *mut sqlite3_file $(, $argument: $kind)*) -> c_int {
            // SAFETY: SQLite calls this on a file that `install` made, and passes on arguments
            // that are as good for the wrapped file as for ours.
            unsafe { forward!(file, $method($($argument),*), $missing) }
        }
    )*};
}

pass_on! {
    lock = xLock(level: c_int) else SQLITE_IOERR;
    unlock = xUnlock(level: c_int) else SQLITE_IOERR;
    check_reserved_lock = xCheckReservedLock(answer: *mut c_int) else SQLITE_IOERR;
    sector_size = xSectorSize() else 0;
    shm_map = xShmMap(region: c_int, bytes: c_int, extend: c_int, at: *mut *mut c_void)
        else SQLITE_IOERR;
    shm_lock = xShmLock(offset: c_int, count: c_int, flags: c_int) else SQLITE_IOERR;
    shm_unmap = xShmUnmap(delete: c_int) else SQLITE_IOERR;
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

/// # Safety
///
/// `file` is an open file that [`install`] made; the reference ends before `close`.
unsafe fn handle<'a>(file: *mut sqlite3_file) -> &'a Handle {
    // SAFETY: `install` put a boxed handle there, and only `close` takes it away.
    unsafe { &*(*file.cast::<Head>()).handle }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: SQLite closes a file once, and the wrapped one is open until now.
    let code = unsafe { forward!(file, xClose(), SQLITE_IOERR) };
    guard(code, || {
        // SAFETY: `install` made the box, and SQLite does not use the file after this call.
        let handle = unsafe { Box::from_raw((*file.cast::<Head>()).handle) };
        handle.shared.lock().close(handle.file);
        code
    })
}

unsafe extern "C" fn read(
    file: *mut sqlite3_file,
    into: *mut c_void,
    amount: c_int,
    offset: sqlite3_int64,
) -> c_int {
    guard(SQLITE_IOERR_READ, || {
        // SAFETY: SQLite reads from an open file of ours.
        if unsafe { handle(file) }.is_cut() {
            return SQLITE_IOERR_READ;
        }
        // SAFETY: the wrapped file is open, and `into` has room for `amount` bytes.
        unsafe { forward!(file, xRead(into, amount, offset), SQLITE_IOERR_READ) }
    })
}

unsafe extern "C" fn write(
    file: *mut sqlite3_file,
    from: *const c_void,
    amount: c_int,
    offset: sqlite3_int64,
) -> c_int {
    guard(SQLITE_IOERR_WRITE, || {
        // SAFETY: SQLite writes to an open file of ours.
        let handle = unsafe { handle(file) };
        let (Ok(length), Ok(at)) = (usize::try_from(amount), usize::try_from(offset)) else {
            return SQLITE_IOERR_WRITE;
        };
        // SAFETY: SQLite gives `amount` bytes, at least one, that stay still during the call.
        let bytes = unsafe { slice::from_raw_parts(from.cast::<u8>(), length) };
        let operation = Operation::Write { file: handle.file, offset: at, bytes };
        handle.perform(SQLITE_IOERR_WRITE, operation, || {
            // SAFETY: the wrapped file is open, and the arguments are SQLite's own.
            unsafe { forward!(file, xWrite(from, amount, offset), SQLITE_IOERR_WRITE) }
        })
    })
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    guard(SQLITE_IOERR_TRUNCATE, || {
        // SAFETY: SQLite truncates an open file of ours.
        let handle = unsafe { handle(file) };
        let Ok(length) = usize::try_from(size) else { return SQLITE_IOERR_TRUNCATE };
        let operation = Operation::Truncate { file: handle.file, size: length };
        handle.perform(SQLITE_IOERR_TRUNCATE, operation, || {
            // SAFETY: the wrapped file is open.
            unsafe { forward!(file, xTruncate(size), SQLITE_IOERR_TRUNCATE) }
        })
    })
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, _flags: c_int) -> c_int {
    guard(SQLITE_IOERR_FSYNC, || {
        // SAFETY: SQLite syncs an open file of ours.
        let handle = unsafe { handle(file) };
        // One connection at a time uses a handle, so nothing is ordered by this flag.
        let directory = handle.sync_directory.swap(false, Ordering::Relaxed);
        let operation = Operation::Sync { file: handle.file, directory };
        // The model alone makes durable; waiting for the real disc would only make tests slow.
        handle.perform(SQLITE_IOERR_FSYNC, operation, || SQLITE_OK)
    })
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, size: *mut sqlite3_int64) -> c_int {
    guard(SQLITE_IOERR_FSTAT, || {
        // SAFETY: SQLite asks about an open file of ours.
        if unsafe { handle(file) }.is_cut() {
            return SQLITE_IOERR_FSTAT;
        }
        // SAFETY: the wrapped file is open, and `size` is SQLite's place for the answer.
        unsafe { forward!(file, xFileSize(size), SQLITE_IOERR_FSTAT) }
    })
}

unsafe extern "C" fn file_control(file: *mut sqlite3_file, op: c_int, arg: *mut c_void) -> c_int {
    match op {
        // These would let the wrapped file grow, round its length or be written to without
        // passing here. "Not found" is how a VFS says that it has no such thing.
        SQLITE_FCNTL_SIZE_HINT
        | SQLITE_FCNTL_CHUNK_SIZE
        | SQLITE_FCNTL_MMAP_SIZE
        | SQLITE_FCNTL_BEGIN_ATOMIC_WRITE
        | SQLITE_FCNTL_COMMIT_ATOMIC_WRITE
        | SQLITE_FCNTL_ROLLBACK_ATOMIC_WRITE => SQLITE_NOTFOUND,
        // SAFETY: the wrapped file is open, and the arguments are SQLite's own.
        _ => unsafe { forward!(file, xFileControl(op, arg), SQLITE_NOTFOUND) },
    }
}

unsafe extern "C" fn device_characteristics(file: *mut sqlite3_file) -> c_int {
    /// Promises that the model breaks: it tears writes and lets a later one pass an earlier.
    /// SQLite would leave out syncs on the strength of them.
    const BROKEN_PROMISES: c_int = SQLITE_IOCAP_ATOMIC
        | SQLITE_IOCAP_ATOMIC512
        | SQLITE_IOCAP_ATOMIC1K
        | SQLITE_IOCAP_ATOMIC2K
        | SQLITE_IOCAP_ATOMIC4K
        | SQLITE_IOCAP_ATOMIC8K
        | SQLITE_IOCAP_ATOMIC16K
        | SQLITE_IOCAP_ATOMIC32K
        | SQLITE_IOCAP_ATOMIC64K
        | SQLITE_IOCAP_BATCH_ATOMIC
        | SQLITE_IOCAP_SAFE_APPEND
        | SQLITE_IOCAP_SEQUENTIAL;
    // SAFETY: SQLite asks about an open file of ours.
    let promised = unsafe { forward!(file, xDeviceCharacteristics(), 0) };
    promised & !BROKEN_PROMISES
}

unsafe extern "C" fn shm_barrier(file: *mut sqlite3_file) {
    // SAFETY: SQLite calls this on an open file of ours.
    unsafe { forward!(file, xShmBarrier(), ()) }
}

unsafe extern "C" fn fetch(
    _file: *mut sqlite3_file,
    _offset: sqlite3_int64,
    _amount: c_int,
    page: *mut *mut c_void,
) -> c_int {
    // No page: SQLite then reads by `xRead`, which the cut can refuse.
    // SAFETY: `page` is SQLite's place for the answer.
    unsafe { page.write(ptr::null_mut()) };
    SQLITE_OK
}

unsafe extern "C" fn unfetch(
    _file: *mut sqlite3_file,
    _offset: sqlite3_int64,
    _page: *mut c_void,
) -> c_int {
    SQLITE_OK
}
