//! The VFS: opens, deletes and finds files, and passes everything else to the default one.

use std::ffi::{CStr, CString, OsStr, OsString, c_char, c_int, c_void};
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rusqlite::ffi::{
    SQLITE_IOERR, SQLITE_IOERR_ACCESS, SQLITE_IOERR_DELETE, SQLITE_IOERR_READ, SQLITE_OK,
    SQLITE_OPEN_CREATE, SQLITE_OPEN_DELETEONCLOSE, SQLITE_OPEN_MAIN_DB, SQLITE_OPEN_MAIN_JOURNAL,
    SQLITE_OPEN_SUPER_JOURNAL, SQLITE_OPEN_WAL, sqlite3_file, sqlite3_filename, sqlite3_int64,
    sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};

use super::file::{self, Handle};
use super::guard::guard;
use crate::powercut::control::Shared;
use crate::powercut::world::{FileId, Operation, World};

/// Registers a VFS called `name` that wraps the default one and records into `shared`.
pub(in crate::powercut) fn register(name: &str, shared: &Arc<Shared>) -> Result<(), String> {
    /// SQLite takes two VFSs of one name without a word, so the look and the registration are one.
    static REGISTRATION: Mutex<()> = Mutex::new(());
    let _one_at_a_time = REGISTRATION.lock().unwrap_or_else(PoisonError::into_inner);

    let c_name = CString::new(name).map_err(|_| format!("the name {name:?} holds a NUL"))?;
    // SAFETY: the name is a C string that outlives the call.
    if !unsafe { sqlite3_vfs_find(c_name.as_ptr()) }.is_null() {
        return Err(format!("a VFS called {name:?} is already registered"));
    }
    // SAFETY: null asks for the default VFS.
    let wrapped = unsafe { sqlite3_vfs_find(ptr::null()) };
    if wrapped.is_null() {
        return Err("SQLite has no default VFS".to_owned());
    }
    // Leaked, as is the name: SQLite keeps the address for as long as the process lives.
    let made = Box::into_raw(Box::new(sqlite3_vfs {
        iVersion: 2,
        zName: c_name.into_raw(),
        pAppData: Box::into_raw(Box::new(Carried { shared: Arc::downgrade(shared), wrapped }))
            .cast(),
        // SAFETY: SQLite gave us a VFS, and a registered one stays.
        ..unsafe { wrapping(&*wrapped) }
    }));
    // SAFETY: `made` is complete and never freed.
    match unsafe { sqlite3_vfs_register(made, 0) } {
        SQLITE_OK => Ok(()),
        code => Err(format!("SQLite refused the VFS {name:?} with code {code}")),
    }
}

/// What the registered VFS carries in `pAppData`.
struct Carried {
    /// Weak, because the VFS is never freed: the model must end with its handles.
    shared: Weak<Shared>,
    wrapped: *mut sqlite3_vfs,
}

/// # Safety
///
/// `vfs` is one that [`register`] made.
unsafe fn carried<'a>(vfs: *mut sqlite3_vfs) -> &'a Carried {
    // SAFETY: `register` put a leaked `Carried` there.
    unsafe { &*(*vfs).pAppData.cast::<Carried>() }
}

/// Our methods over the measures of the wrapped VFS, still without name and model.
fn wrapping(wrapped: &sqlite3_vfs) -> sqlite3_vfs {
    let head = c_int::try_from(size_of::<file::Head>()).expect("the head is a few bytes long");
    sqlite3_vfs {
        iVersion: 2,
        szOsFile: head + wrapped.szOsFile,
        mxPathname: wrapped.mxPathname,
        pNext: ptr::null_mut(),
        zName: ptr::null(),
        pAppData: ptr::null_mut(),
        xOpen: Some(open),
        xDelete: Some(delete),
        xAccess: Some(access),
        xFullPathname: Some(full_pathname),
        xDlOpen: Some(dl_open),
        xDlError: Some(dl_error),
        xDlSym: Some(dl_sym),
        xDlClose: Some(dl_close),
        xRandomness: Some(randomness),
        xSleep: Some(sleep),
        xCurrentTime: Some(current_time),
        xGetLastError: Some(get_last_error),
        xCurrentTimeInt64: Some(current_time_int64),
        // Version 2 ends here.
        xSetSystemCall: None,
        xGetSystemCall: None,
        xNextSystemCall: None,
    }
}

/// Calls a method of the wrapped VFS; `$missing` is the answer when it has none.
/// Unsafe: `$vfs` must be one that [`register`] made.
macro_rules! forward {
    ($vfs:expr, $method:ident($($argument:expr),*), $missing:expr) => {{
        let inner = carried($vfs).wrapped;
        match (*inner).$method {
            Some(call) => call(inner $(, $argument)*),
            None => $missing,
        }
    }};
}

/// Methods that the wrapped VFS answers alone.
macro_rules! pass_on {
    ($($name:ident = $method:ident($($argument:ident: $kind:ty),*) -> $answer:ty,
       else $missing:expr;)*) => {$(
        unsafe extern "C" fn $name(vfs: *mut sqlite3_vfs $(, $argument: $kind)*) -> $answer {
            // SAFETY: SQLite calls this on our VFS, and passes on arguments that are as good for
            // the wrapped one as for ours.
            unsafe { forward!(vfs, $method($($argument),*), $missing) }
        }
    )*};
}

pass_on! {
    full_pathname = xFullPathname(name: *const c_char, room: c_int, out: *mut c_char) -> c_int,
        else SQLITE_IOERR;
    dl_open = xDlOpen(name: *const c_char) -> *mut c_void, else ptr::null_mut();
    dl_error = xDlError(room: c_int, message: *mut c_char) -> (), else ();
    dl_sym = xDlSym(library: *mut c_void, symbol: *const c_char) -> Option<Symbol>, else None;
    dl_close = xDlClose(library: *mut c_void) -> (), else ();
    randomness = xRandomness(room: c_int, out: *mut c_char) -> c_int, else 0;
    sleep = xSleep(microseconds: c_int) -> c_int, else 0;
    current_time = xCurrentTime(out: *mut f64) -> c_int, else SQLITE_IOERR;
    get_last_error = xGetLastError(room: c_int, message: *mut c_char) -> c_int, else 0;
    current_time_int64 = xCurrentTimeInt64(out: *mut sqlite3_int64) -> c_int, else SQLITE_IOERR;
}

/// What `xDlSym` finds.
type Symbol = unsafe extern "C" fn(*mut sqlite3_vfs, *mut c_void, *const c_char);

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: sqlite3_filename,
    file: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes a block of `szOsFile` bytes. Until it is open it has no methods, so
    // that SQLite does not close what was not opened.
    unsafe { (*file).pMethods = ptr::null() };
    guard(SQLITE_IOERR, || {
        // SAFETY: SQLite calls this on our VFS.
        let Some(shared) = (unsafe { carried(vfs) }).shared.upgrade() else { return SQLITE_IOERR };
        let temporary = name.is_null() || flags & SQLITE_OPEN_DELETEONCLOSE != 0;
        // SAFETY: a name that is not null is a C string that outlives the file.
        let path = (!temporary).then(|| unsafe { as_path(name) });

        let mut world = shared.lock();
        if world.is_cut() {
            return SQLITE_IOERR;
        }
        if let (Some(path), true) = (path, flags & SQLITE_OPEN_MAIN_DB != 0)
            && adopt_logs(&mut world, path).is_err()
        {
            return SQLITE_IOERR_READ;
        }
        let existed = path.is_some_and(Path::exists);
        // SAFETY: the wrapped VFS gets its own part of the block, zeroed or not as SQLite likes,
        // and SQLite's arguments.
        let code = unsafe {
            let inner = file::wrapped(file);
            (*inner).pMethods = ptr::null();
            forward!(vfs, xOpen(name, inner, flags, out_flags), SQLITE_IOERR)
        };
        let opened = match code {
            // SAFETY: the wrapped file is open.
            SQLITE_OK => unsafe { identify(&mut world, path, existed, file) },
            code => Err(code),
        };
        match opened {
            Ok(id) => {
                let sync_directory = AtomicBool::new(is_new_log(flags));
                let handle = Handle { shared: Arc::clone(&shared), file: id, sync_directory };
                // SAFETY: this is the block of this `xOpen`, and the wrapped file in it is open.
                unsafe { file::install(file, handle) };
                SQLITE_OK
            }
            Err(code) => {
                // SAFETY: the block went through the wrapped `xOpen` and is not ours yet.
                unsafe { file::abandon(file) };
                code
            }
        }
    })
}

/// Which file of the model was opened.
///
/// # Safety
///
/// `file` is a block of our VFS whose wrapped file is open.
unsafe fn identify(
    world: &mut World,
    path: Option<&Path>,
    existed: bool,
    file: *mut sqlite3_file,
) -> Result<FileId, c_int> {
    let Some(path) = path else { return Ok(world.create_temporary()) };
    match (existed, world.current(path)) {
        (true, Some(known)) => Ok(known),
        // SAFETY: the caller's promise is passed on.
        (true, None) => Ok(world.adopt(path, unsafe { file::contents(file) }?)),
        (false, _) => Ok(world.create(path)),
    }
}

/// Takes the logs beside a database into the model before SQLite has looked at them: a cut between
/// the two must not lose what they hold.
///
/// They carry no POSIX locks, so opening them a second time drops none.
fn adopt_logs(world: &mut World, database: &Path) -> io::Result<()> {
    for suffix in ["-wal", "-journal"] {
        let mut log = OsString::from(database);
        log.push(suffix);
        let log = PathBuf::from(log);
        if world.current(&log).is_some() {
            continue;
        }
        match fs::read(&log) {
            Ok(bytes) => {
                world.adopt(&log, bytes);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Whether the default VFS syncs the directory with the first sync of a file opened so.
fn is_new_log(flags: c_int) -> bool {
    let log = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL | SQLITE_OPEN_WAL;
    flags & SQLITE_OPEN_CREATE != 0 && flags & log != 0
}

unsafe extern "C" fn delete(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    sync_directory: c_int,
) -> c_int {
    guard(SQLITE_IOERR_DELETE, || {
        // SAFETY: SQLite calls this on our VFS.
        let Some(shared) = (unsafe { carried(vfs) }).shared.upgrade() else {
            return SQLITE_IOERR_DELETE;
        };
        // SAFETY: SQLite passes a C string that stays still during the call.
        let path = unsafe { as_path(name) };
        let operation = Operation::Delete { path, directory: sync_directory != 0 };
        let performed = shared.perform(operation, || {
            // No real directory is synced: the model alone makes durable.
            // SAFETY: the arguments are SQLite's own.
            unsafe { forward!(vfs, xDelete(name, 0), SQLITE_IOERR_DELETE) }
        });
        performed.unwrap_or(SQLITE_IOERR_DELETE)
    })
}

unsafe extern "C" fn access(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    flags: c_int,
    answer: *mut c_int,
) -> c_int {
    guard(SQLITE_IOERR_ACCESS, || {
        // SAFETY: SQLite calls this on our VFS.
        let shared = unsafe { carried(vfs) }.shared.upgrade();
        if shared.is_none_or(|shared| shared.lock().is_cut()) {
            return SQLITE_IOERR_ACCESS;
        }
        // SAFETY: the arguments are SQLite's own.
        unsafe { forward!(vfs, xAccess(name, flags, answer), SQLITE_IOERR_ACCESS) }
    })
}

/// # Safety
///
/// `name` is a C string that lives for `'a`.
unsafe fn as_path<'a>(name: *const c_char) -> &'a Path {
    // SAFETY: the caller's promise is passed on.
    let name = unsafe { CStr::from_ptr(name) };
    Path::new(OsStr::from_bytes(name.to_bytes()))
}
