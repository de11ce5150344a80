//! How the file is opened.

/// How the file is opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The name of a registered SQLite VFS; absent means the operating system's.
    pub vfs: Option<String>,
    /// Memory for cached pages, per connection.
    pub cache_kib: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config { vfs: None, cache_kib: 4_096 }
    }
}
