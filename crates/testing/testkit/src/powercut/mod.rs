//! A disc that can lose its power: a SQLite VFS that knows what would survive.
//!
//! [`PowerCut`] registers a VFS around the default one. Files, locks and shared memory are the real
//! ones, so several connections in WAL mode work as in production. Beside the real files it keeps a
//! model: which bytes of each file are durable, and which are pending since its last sync. A cut
//! freezes the model at one counted operation; [`PowerCut::survivors`] then writes a directory as
//! the machine might find it after the power returns.
//!
//! What survives:
//!
//! - every durable byte;
//! - of the pending writes of a file a seeded part: each whole, not at all, or torn at 512-byte
//!   sectors, a later one perhaps without an earlier; a pending truncate, or not;
//! - of the pending creations and deletions of one name a seeded prefix, in their order, because a
//!   journalled directory does not swap them;
//! - never a `-shm` file: the wrapped VFS maps it without passing here.
//!
//! What makes durable: a sync, the file's bytes and its name; a deletion with `syncDir`, every name
//! in that directory; the first sync of a created journal or WAL, likewise every name in its
//! directory, because there the default VFS syncs the directory too. No sync reaches the real disc.
//!
//! What it does not do: it does not see a file that is renamed, copied or changed around SQLite,
//! it does not bring bytes of other files into a hole (a hole reads as zeros), and it does not model
//! a disc that damages bytes nobody wrote (`SQLITE_IOCAP_POWERSAFE_OVERWRITE` holds).

mod control;
mod image;
mod layer;
mod world;

pub use control::{Plant, PowerCut};

/// What the names of logs end in: those that SQLite writes by itself, and the short one of the store.
pub const LOGS: [&str; 3] = ["-log", "-wal", "-journal"];
