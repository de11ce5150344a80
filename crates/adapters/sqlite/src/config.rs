//! How the files are opened.

/// How hard SQLite waits for the disk. Anything but `Full` exists to prove that the power-cut test
/// would notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Synchronous {
    /// Every commit is on the disk before it is answered.
    Full,
    /// Nothing ever waits for the disk: a planted fault.
    Off,
}

/// Who moves the writer. Reads happen where they are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drive {
    /// Whoever comes alone, and a thread of its own for all others.
    Threads,
    /// The caller: commits happen when `SqliteStore::drain` is called. For the simulator, which owns
    /// the order of everything.
    Caller,
}

/// How the files are opened.
#[derive(Debug, Clone)]
pub struct Config {
    /// The name of a registered SQLite VFS; absent means the operating system's.
    pub vfs: Option<String>,
    /// How hard to wait for the disk.
    pub synchronous: Synchronous,
    /// Who moves the writer.
    pub drive: Drive,
    /// Reads at once, per file; more have to wait.
    pub readers: usize,
    /// Pages in the WAL after which they are copied into the file though nobody rests. More is
    /// faster on average and slower at worst.
    pub checkpoint_pages: u32,
    /// Commits after which the writer does so when nobody wants anything of it.
    pub commits_until_rest: usize,
    /// Pages in the WAL after which it does so too, however few commits wrote them.
    pub pages_until_rest: u32,
    /// Memory for cached pages of the writer. Small, because it is what a sleeping million costs.
    pub cache_kib: u32,
    /// The same for each reader, which keeps what nobody has written meanwhile.
    pub reader_cache_kib: u32,
    /// What a writer's thread does last before it sleeps for long: here whoever opens the files may have the
    /// thread give back memory that only work needs.
    pub tidy: fn(),
}

impl Default for Config {
    fn default() -> Config {
        Config {
            vfs: None,
            synchronous: Synchronous::Full,
            drive: Drive::Threads,
            readers: 4,
            checkpoint_pages: 16_000,
            commits_until_rest: 16,
            // As many as the room that a log keeps in any case.
            pages_until_rest: 1_024,
            cache_kib: 4_096,
            reader_cache_kib: 1_024,
            tidy: || {},
        }
    }
}
