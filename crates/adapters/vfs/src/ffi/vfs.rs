//! The VFS: opens, deletes and finds files, and passes everything else to the one beneath.

use std::ffi::{CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;
use std::sync::{Mutex, PoisonError};

use rusqlite::ffi::{
    SQLITE_ACCESS_EXISTS, SQLITE_IOERR, SQLITE_OK, sqlite3_file, sqlite3_filename, sqlite3_int64,
    sqlite3_vfs, sqlite3_vfs_find, sqlite3_vfs_register,
};

use super::file::{self, RawFile};
use super::guard::guard;
use super::name::{Name, as_path};
use super::pages::keep_pages;
use crate::beneath::{Beneath, Folder};
use crate::code::Code;
use crate::layer::{Layer, Wanted};

/// Registers a VFS called `name` that puts `layer` around the one called `around`, or around the operating
/// system's. It stays for as long as the process lives, because SQLite may hold its address.
///
/// # Errors
/// If there is one of that name, none to put it around, or SQLite does not take it.
pub fn register(name: &str, around: Option<&str>, layer: impl Layer) -> Result<(), String> {
    /// SQLite takes two VFSs of one name without a word, so the look and the registration are one.
    static REGISTRATION: Mutex<()> = Mutex::new(());
    let _one_at_a_time = REGISTRATION.lock().unwrap_or_else(PoisonError::into_inner);

    // To look for a VFS is to use SQLite: whoever comes later is too late for this.
    keep_pages();
    let c_name = c_string(name)?;
    if !find(Some(&c_name)).is_null() {
        return Err(format!("a VFS called {name:?} is already registered"));
    }
    let beneath = find(around.map(c_string).transpose()?.as_ref());
    if beneath.is_null() {
        return Err(format!("there is no VFS {around:?} to put {name:?} around"));
    }
    let carried = Box::new(Carried { layer: Box::new(layer), beneath });
    // Leaked, as is the name: see above.
    let made = Box::into_raw(Box::new(sqlite3_vfs {
        zName: c_name.into_raw(),
        pAppData: Box::into_raw(carried).cast(),
        // SAFETY: SQLite gave us a VFS, and a registered one stays.
        ..unsafe { around_of(&*beneath) }
    }));
    // SAFETY: `made` is complete and never freed.
    match unsafe { sqlite3_vfs_register(made, 0) } {
        SQLITE_OK => Ok(()),
        code => Err(format!("SQLite refused the VFS {name:?} with code {code}")),
    }
}

fn c_string(name: &str) -> Result<CString, String> {
    CString::new(name).map_err(|_| format!("the name {name:?} holds a NUL"))
}

/// The VFS of a name, or the default one.
fn find(name: Option<&CString>) -> *mut sqlite3_vfs {
    // SAFETY: the name is a C string that outlives the call; null asks for the default.
    unsafe { sqlite3_vfs_find(name.map_or(ptr::null(), |name| name.as_ptr())) }
}

/// What the registered VFS carries in `pAppData`.
struct Carried {
    layer: Box<dyn Layer>,
    beneath: *mut sqlite3_vfs,
}

/// # Safety
///
/// `vfs` is one that [`register`] made.
unsafe fn carried<'a>(vfs: *mut sqlite3_vfs) -> &'a Carried {
    // SAFETY: `register` put a leaked `Carried` there.
    unsafe { &*(*vfs).pAppData.cast::<Carried>() }
}

/// Our methods over the measures of the VFS beneath, still without name and layer.
fn around_of(beneath: &sqlite3_vfs) -> sqlite3_vfs {
    let head = c_int::try_from(size_of::<file::Head>()).expect("the head is a few bytes long");
    sqlite3_vfs {
        iVersion: 2,
        szOsFile: head + beneath.szOsFile,
        mxPathname: beneath.mxPathname,
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

/// Calls a method of a VFS; `$missing` is the answer when it has none.
/// Unsafe: it must be one that SQLite knows.
macro_rules! call {
    ($vfs:expr, $method:ident($($argument:expr),*), $missing:expr) => {{
        let vfs: *mut sqlite3_vfs = $vfs;
        match (*vfs).$method {
            Some(call) => call(vfs $(, $argument)*),
            None => $missing,
        }
    }};
}

/// Methods that the VFS beneath answers alone.
macro_rules! pass_on {
    ($($name:ident = $method:ident($($argument:ident: $kind:ty),*) -> $answer:ty,
       else $missing:expr;)*) => {$(
        unsafe extern "C" fn $name(vfs: *mut sqlite3_vfs $(, $argument: $kind)*) -> $answer {
            // SAFETY: SQLite calls this on a VFS of ours, and passes on arguments that are as good for
            // the one beneath as for ours.
            unsafe { call!(carried(vfs).beneath, $method($($argument),*), $missing) }
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

/// The way to open the file beneath, once.
pub struct Door<'a> {
    vfs: *mut sqlite3_vfs,
    block: *mut sqlite3_file,
    name: sqlite3_filename,
    flags: c_int,
    out_flags: *mut c_int,
    /// The name that it was opened under, if not the one that SQLite knows.
    another: &'a mut Option<Name>,
}

impl<'a> Door<'a> {
    /// Opens it where SQLite wants it.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer.
    pub fn open(self) -> Result<Beneath<'a>, Code> {
        // SAFETY: whoever made the door holds a block and a name of SQLite's, and the block is not open.
        unsafe {
            let file = file::beneath(self.block);
            Code::check(call!(
                self.vfs,
                xOpen(self.name, file, self.flags, self.out_flags),
                SQLITE_IOERR
            ))?;
            Ok(Beneath::new(RawFile::open(file)))
        }
    }

    /// Opens it under another name.
    ///
    /// # Errors
    /// What SQLite's own VFS would answer.
    pub fn open_at(self, path: &Path) -> Result<Beneath<'a>, Code> {
        // It is kept with the file: the VFS beneath keeps its address.
        let name = self.another.insert(Name::of(path)).as_ptr();
        Door { name, ..self }.open()
    }
}

unsafe extern "C" fn open(
    vfs: *mut sqlite3_vfs,
    name: sqlite3_filename,
    block: *mut sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite calls this on a VFS of ours with a block of `szOsFile` bytes. Until a file is open it has
    // no methods, so that nobody closes what was not opened.
    let carried = unsafe {
        (*block).pMethods = ptr::null();
        (*file::beneath(block)).pMethods = ptr::null();
        carried(vfs)
    };
    let mut another = None;
    let code = guard(Code::OPEN, || {
        // SAFETY: a name that is not null is a C string that outlives the file.
        let path = (!name.is_null()).then(|| unsafe { as_path(name) });
        let (vfs, another) = (carried.beneath, &mut another);
        let door = Door { vfs, block, name, flags, out_flags, another };
        let opened = carried.layer.open(&Wanted { path, flags }, door)?;
        // SAFETY: this is the block of this `xOpen`; with methods the file beneath is open, under the name
        // that is handed over.
        unsafe {
            if (*file::beneath(block)).pMethods.is_null() {
                return Err(Code::OPEN);
            }
            file::install(block, opened, another.take());
        }
        Ok(())
    });
    if code != SQLITE_OK {
        // SAFETY: the file beneath is open or has no methods, and the block is not ours.
        unsafe { file::abandon(block) };
    }
    code
}

/// The names that a VFS knows, and what SQLite wants to know of them. Whoever makes one promises that the VFS
/// is registered.
pub(crate) struct RawFolder {
    vfs: *mut sqlite3_vfs,
    flags: c_int,
}

impl RawFolder {
    pub(crate) fn delete(&self, path: &Path, and_folder: bool) -> Result<(), Code> {
        let name = Name::of(path);
        // SAFETY: the VFS is registered, and the name outlives the call.
        Code::check(unsafe {
            call!(self.vfs, xDelete(name.as_ptr(), c_int::from(and_folder)), SQLITE_IOERR)
        })
    }

    pub(crate) fn access(&self, path: &Path) -> Result<bool, Code> {
        let (name, mut answer) = (Name::of(path), 0);
        // SAFETY: the VFS is registered, and the name and the place for the answer outlive the call.
        Code::check(unsafe {
            call!(self.vfs, xAccess(name.as_ptr(), self.flags, &raw mut answer), SQLITE_IOERR)
        })?;
        Ok(answer != 0)
    }
}

unsafe extern "C" fn delete(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    sync_folder: c_int,
) -> c_int {
    // SAFETY: SQLite calls this on a VFS of ours, with a C string that stays still during the call.
    let (carried, path) = unsafe { (carried(vfs), as_path(name)) };
    let folder = Folder::new(RawFolder { vfs: carried.beneath, flags: SQLITE_ACCESS_EXISTS });
    guard(Code::DELETE, || carried.layer.delete(path, sync_folder != 0, &folder))
}

unsafe extern "C" fn access(
    vfs: *mut sqlite3_vfs,
    name: *const c_char,
    flags: c_int,
    answer: *mut c_int,
) -> c_int {
    // SAFETY: SQLite calls this on a VFS of ours, with a C string that stays still during the call.
    let (carried, path) = unsafe { (carried(vfs), as_path(name)) };
    let folder = Folder::new(RawFolder { vfs: carried.beneath, flags });
    guard(Code::ACCESS, || {
        let found = carried.layer.access(path, &folder)?;
        // SAFETY: `answer` is SQLite's place for it.
        unsafe { answer.write(c_int::from(found)) };
        Ok(())
    })
}
