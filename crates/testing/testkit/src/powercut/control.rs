//! The test's hand on the disc: arms the cut, waits for it, collects what is left.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use vfs::Code;

use super::layer::Disc;
use super::world::{Operation, Refusal, World};
use crate::Random;

/// A disc that can lose its power, registered with SQLite as a VFS.
///
/// Clones are handles on the same disc. When the last handle is gone and the last connection is
/// closed, the model is freed; the VFS itself stays registered (a few hundred bytes) because SQLite
/// may hold its address, and opens nothing more.
#[derive(Clone, Debug)]
pub struct PowerCut {
    name: Arc<str>,
    shared: Arc<Shared>,
}

/// A planted fault, to prove that a checker finds what it is there to find.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Plant {
    /// A sync of a write-ahead log answers well and makes nothing durable.
    SkipWalSync,
    /// A sync of any file answers well and makes nothing durable.
    SkipEverySync,
}

impl Plant {
    pub(super) fn skips(self, path: Option<&Path>) -> bool {
        match self {
            Plant::SkipEverySync => true,
            Plant::SkipWalSync => {
                let name = path.map(|path| path.as_os_str().as_encoded_bytes());
                name.is_some_and(|name| name.ends_with(b"-log") || name.ends_with(b"-wal"))
            }
        }
    }
}

impl PowerCut {
    /// Registers a VFS called `name` around the default one, with an empty disc of its own.
    ///
    /// A database that is already in the directory when SQLite first opens it here is taken as
    /// durable, with its logs.
    ///
    /// # Panics
    ///
    /// When a VFS of that name exists in this process, or SQLite does not take it.
    #[must_use]
    pub fn install(name: &str) -> PowerCut {
        let shared = Arc::new(Shared::default());
        let disc = Disc(Arc::downgrade(&shared));
        vfs::register(name, None, disc).expect("a power-cut VFS has a name of its own");
        PowerCut { name: name.into(), shared }
    }

    /// The name to open connections with.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many writes, truncates, syncs and deletes have been performed.
    #[must_use]
    pub fn operations(&self) -> u64 {
        self.shared.lock().operations()
    }

    /// How many of them were syncs.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        self.shared.lock().syncs()
    }

    /// Arms the cut: `operation` operations in all are performed, and when the next one is tried
    /// the world ends instead. With a number already passed it ends at the next one tried.
    pub fn cut_at(&self, operation: u64) {
        self.shared.lock().cut_at(operation);
    }

    /// Ends the world between two operations.
    pub fn cut_now(&self) {
        self.shared.lock().cut();
        self.shared.ended.notify_all();
    }

    /// Whether the power is gone. From then on every read, write, truncate, sync, delete and open
    /// fails with an I/O error, and nothing more becomes durable.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.shared.lock().is_cut()
    }

    /// Waits until the power is gone, at most for `timeout`; answers whether it is.
    #[must_use]
    pub fn wait_until_cut(&self, timeout: Duration) -> bool {
        let world = self.shared.lock();
        let (world, _) = self
            .shared
            .ended
            .wait_timeout_while(world, timeout, |world| !world.is_cut())
            .expect(UNBROKEN);
        world.is_cut()
    }

    /// Writes the files that the cut leaves into the empty directory `into`, by their file names.
    ///
    /// It may be called again with other chances and another directory: one cut has many ends.
    ///
    /// # Errors
    ///
    /// When the power is not cut, when `into` is not empty, when two surviving files of different
    /// directories have one name, or when writing fails.
    pub fn survivors(&self, random: &mut Random, into: &Path) -> io::Result<()> {
        let world = self.shared.lock();
        if !world.is_cut() {
            return Err(io::Error::other("nothing has survived yet: the power is not cut"));
        }
        if fs::read_dir(into)?.next().is_some() {
            return Err(io::Error::new(
                io::ErrorKind::DirectoryNotEmpty,
                "survivors go into an empty directory",
            ));
        }
        for (path, bytes) in world.survive(random) {
            let name = path.file_name().expect("SQLite opens files, not directories");
            File::create_new(into.join(name))?.write_all(&bytes)?;
        }
        Ok(())
    }

    /// Plants a fault, in place of one planted before.
    pub fn plant(&self, fault: Plant) {
        self.shared.lock().plant(fault);
    }

    /// Lets `bytes` more bytes be written, overwriting included. The first write that does not fit
    /// and every one after it fails with `SQLITE_FULL` and writes nothing, until
    /// [`PowerCut::free_space`]. A refused write is not a counted operation.
    pub fn fill_after(&self, bytes: u64) {
        self.shared.lock().set_space(Some(bytes));
    }

    /// Lets the next sync fail, once. What it was to make durable is not, as after an error of a real disc.
    pub fn fail_next_sync(&self) {
        self.shared.lock().fail_next_sync();
    }

    /// Whether the sync that was to fail is still to come.
    #[must_use]
    pub fn will_fail(&self) -> bool {
        self.shared.lock().will_fail()
    }

    /// Ends the limit of [`PowerCut::fill_after`].
    pub fn free_space(&self) {
        self.shared.lock().set_space(None);
    }
}

/// The world and its one mutex, shared by the handles and every open file.
#[derive(Debug, Default)]
pub(super) struct Shared {
    world: Mutex<World>,
    ended: Condvar,
}

impl Shared {
    /// A panic under this mutex leaves a world that proves nothing, so it must end the test: the
    /// VFS answers with an I/O error, and the test's own next call panics here.
    pub(super) fn lock(&self) -> MutexGuard<'_, World> {
        self.world.lock().expect(UNBROKEN)
    }

    /// Performs a counted operation: admits it, runs `real` on the real file, and takes it down
    /// when `real` could do it.
    ///
    /// The mutex is held over all three, so that a cut on another thread falls before or after
    /// the operation and never between the real file and the model.
    pub(super) fn perform(
        &self,
        operation: Operation<'_>,
        real: impl FnOnce() -> Result<(), Code>,
    ) -> Result<Result<(), Code>, Refusal> {
        let mut world = self.lock();
        if let Err(refusal) = world.admit(operation) {
            // This may be the very operation that the cut was armed for.
            self.ended.notify_all();
            return Err(refusal);
        }
        let done = real();
        if done.is_ok() {
            world.record(operation);
        }
        Ok(done)
    }
}

const UNBROKEN: &str = "no call panicked while it held the world";
