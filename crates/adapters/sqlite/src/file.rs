//! One database file: its writer and its readers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rusqlite::{OptionalExtension, params};
use store::{Answer, StoreError};
use tokio::sync::oneshot;
use types::{Commit, Digest, Domain, Hashed, HostId, Outcome};
use vfs::Connection;

use crate::config::Config;
use crate::desk::Desk;
use crate::fault::Fault;
use crate::hand::Hand;
use crate::prepared::{Foreseen, Prepared};
use crate::readers::Readers;
use crate::rows::Cells;
use crate::schema;
use crate::signals::{Listening, signals};
use crate::writer::{Tail, Writer};
use crate::{connection, create, log};

/// An open file.
pub(crate) struct DatabaseFile {
    foreseen: Arc<Foreseen>,
    check_passed: Arc<AtomicBool>,
    /// What it tells.
    pub(crate) signals: Listening,
    // Dropped before the writer, so that the writer's connection is the last and can fold the WAL
    // into the file on its way out.
    readers: Option<Arc<Readers>>,
    hand: Hand,
    log_pages: Arc<AtomicU32>,
    /// The last process did not close this file: a full check is due.
    pub(crate) check_due: bool,
    /// This device's name in the file's stream.
    pub(crate) host: HostId,
}

impl DatabaseFile {
    /// Opens a file, creating and migrating it if need be. `host` is used if it has none yet. The
    /// caller has looked at it first; see [`crate::inspect`].
    pub(crate) fn open(
        path: &Path,
        domain: Domain,
        host: &HostId,
        boot: u32,
        config: &Config,
    ) -> Result<DatabaseFile, StoreError> {
        let unclean = log::left_behind(path).is_some();
        let named = |fault: Fault| fault.at(path, "opening");
        create::unless_there(path, domain, config)?;
        let mut connection = current(path, domain, config).map_err(named)?;
        let log_pages = connection::note_log(&mut connection).map_err(named)?;
        let opening = begin(&connection, host, boot, unclean).map_err(named)?;
        let tail = tail(&connection, domain, &opening.host, path)?;
        let (host, waits) = (opening.host.clone(), config.synchronous);
        let writer = Writer::new(connection, path.to_owned(), domain, host, tail, waits);
        let (teller, signals) = signals(writer.position());
        let teller = Arc::new(teller);
        let readers = Arc::new(Readers::open(path, config).map_err(named)?);
        let foreseen = Arc::new(Foreseen::default());
        let check_passed = Arc::new(AtomicBool::new(false));
        let passed = Arc::clone(&check_passed);
        let readers_of = Arc::downgrade(&readers);
        let noted = Arc::clone(&foreseen);
        let pages = Arc::clone(&log_pages);
        let desk = Desk::new(writer, Arc::clone(&teller), passed, readers_of, noted, pages, config);
        let hand = Hand::new(config.drive, desk, teller);
        Ok(DatabaseFile {
            foreseen,
            check_passed,
            signals,
            readers: Some(readers),
            hand,
            log_pages,
            check_due: opening.check_due,
            host: opening.host,
        })
    }

    /// Gets a content ready that will be handed in.
    pub(crate) fn foresee(&self, bytes: &Hashed) {
        self.foreseen.foresee(bytes);
    }

    /// Hands a commit to the writer.
    pub(crate) fn commit(&self, commit: Commit) -> Answer<Outcome> {
        let (reply, answer) = oneshot::channel();
        let taken = self.hand.take(Prepared::new(commit, &self.foreseen), reply);
        Box::pin(async move {
            taken?;
            match answer.await {
                Ok((reply, _commit)) => reply,
                Err(_) => Err(StoreError::Closed),
            }
        })
    }

    /// Runs a read.
    pub(crate) fn read<T, F>(&self, read: F) -> Answer<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, Fault> + Send + 'static,
    {
        self.readers.as_ref().expect("readers live as long as the file").read(read)
    }

    /// To be called by whoever has read the file through a connection of their own, and so held its log.
    pub(crate) fn let_go(&self) -> impl Fn() + Send + use<> {
        self.hand.let_go()
    }

    /// Set it when a full check found nothing wrong.
    pub(crate) fn check_passed_note(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.check_passed)
    }

    /// Pages in the log after the last commit.
    pub(crate) fn log_pages(&self) -> u32 {
        self.log_pages.load(Ordering::Relaxed)
    }

    /// Writes what is waiting, one group, if the caller moves the writer; says how many commits.
    pub(crate) fn drain(&self) -> usize {
        self.hand.drain()
    }
}

impl Drop for DatabaseFile {
    fn drop(&mut self) {
        self.readers = None;
        self.hand.finish();
    }
}

/// What the logs of a database are called after it. One that is left would be played into whatever file lies
/// there.
pub(crate) const LOGS: [&str; 3] = [log::SUFFIX, log::WHOLE_SUFFIX, "-journal"];

/// What the memory that its processes share is called after it. It says nothing without a log.
pub(crate) const SHARED_MEMORY: &str = "-shm";

/// The path of one of SQLite's companion files.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// A connection to a file that has the newest schema. One that has not is brought there with a log as SQLite
/// writes it: a migration may write all of a file, and a short log lies in memory as a whole.
fn current(path: &Path, domain: Domain, config: &Config) -> Result<Connection, Fault> {
    let open = || {
        let connection = connection::open_writer(path, config)?;
        connection::use_wal(&connection)?;
        Ok::<_, Fault>(connection)
    };
    let connection = open()?;
    if schema::version(&connection)? == schema::newest(domain) && !log::is_whole(path) {
        return Ok(connection);
    }
    connection::fold(&connection)?;
    drop(connection);
    let connection = connection::open_rewriter(path, config)?;
    schema::migrate(&connection, domain)?;
    connection::fold(&connection)?;
    drop(connection);
    open()
}

struct Opening {
    host: HostId,
    check_due: bool,
}

/// Notes in the file that it is open once more: the global fence rises to this opening, so that
/// whoever was claimed under an earlier one is late.
fn begin(
    connection: &Connection,
    host: &HostId,
    boot: u32,
    unclean: bool,
) -> Result<Opening, Fault> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let host = match meta(connection, "host")? {
        Some(host) => host.parse().map_err(|error| Fault::row(format!("host: {error}")))?,
        None => host.clone(),
    };
    let check_due = unclean || meta(connection, "check_due")?.is_some();
    set_meta(connection, "host", Some(host.as_str()))?;
    set_meta(connection, "check_due", check_due.then_some("1"))?;
    let sql = "INSERT INTO fences (scope, boot, attempt, closed)
               VALUES ('global', ?1, 0, 0)
               ON CONFLICT (scope) DO UPDATE
               SET boot = excluded.boot, attempt = 0
               WHERE excluded.boot > boot";
    connection.execute(sql, params![boot])?;
    connection.execute_batch("COMMIT")?;
    Ok(Opening { host, check_due })
}

pub(crate) fn meta(connection: &Connection, key: &str) -> Result<Option<String>, Fault> {
    let sql = "SELECT value FROM meta WHERE key = ?1";
    Ok(connection.query_row(sql, params![key], |row| row.get(0)).optional()?)
}

pub(crate) fn set_meta(
    connection: &Connection,
    key: &str,
    value: Option<&str>,
) -> Result<(), Fault> {
    match value {
        Some(value) => {
            let sql = "INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)";
            connection.execute(sql, params![key, value])?;
        }
        None => {
            connection.execute("DELETE FROM meta WHERE key = ?1", params![key])?;
        }
    }
    Ok(())
}

/// Reads the ends of the logs, and checks the last link of the audit chain.
fn tail(
    connection: &Connection,
    domain: Domain,
    host: &HostId,
    path: &Path,
) -> Result<Tail, StoreError> {
    let named = |fault: Fault| fault.at(path, "opening");
    let position = crate::reads::head(connection).map_err(named)?.0;
    let sql = "SELECT COALESCE(MAX(counter), 0) AS counter FROM sequence_log WHERE host = ?1";
    let counter = connection
        .query_row(sql, params![host.as_str()], |row| Ok(Cells(row).number("counter")))
        .map_err(|error| named(error.into()))?
        .map_err(named)?;
    let run_number = match domain {
        Domain::Journal => 0,
        Domain::Agent => crate::reads::newest_run(connection).map_err(named)?,
    };
    let (audit_number, audit_hash) = last_audit_link(connection).map_err(named)?;
    Ok(Tail { position, counter, run_number, audit_number, audit_hash })
}

fn last_audit_link(connection: &Connection) -> Result<(u64, Digest), Fault> {
    let sql = "SELECT COALESCE(MAX(number), 0) AS number FROM audit";
    let last = connection.query_row(sql, [], |row| Ok(Cells(row).number("number")))??;
    let (number, previous) = match last {
        0 | 1 => (0, Digest::ZERO),
        last => {
            let before = crate::reads::audit_after(connection, last - 2, 1)?;
            (last - 1, before.first().map_or(Digest::ZERO, |entry| entry.hash))
        }
    };
    let entries = crate::reads::audit_after(connection, number, 1)?;
    rules::audit::follow(number, previous, &entries).map_err(Fault::row)
}
