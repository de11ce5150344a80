//! One database file: its writer, its queue, its readers.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::{OptionalExtension, params};
use store::{Answer, StoreError};
use tokio::sync::oneshot;
use types::{Commit, Digest, Domain, HostId, Outcome};
use vfs::Connection;

use crate::config::{Config, Drive};
use crate::fault::Fault;
use crate::prepared::{Foreseen, Prepared};
use crate::queue::{Due, Group, Queue};
use crate::readers::Readers;
use crate::rows::Cells;
use crate::schema;
use crate::signals::{Listening, Teller, signals};
use crate::writer::{Tail, Writer};
use crate::{connection, create, log};

/// An open file.
pub(crate) struct DatabaseFile {
    queue: Arc<Queue>,
    foreseen: Arc<Foreseen>,
    check_passed: Arc<AtomicBool>,
    /// What it tells.
    pub(crate) signals: Listening,
    // Dropped before the writer, so that the writer's connection is the last and can fold the WAL
    // into the file on its way out.
    readers: Option<Arc<Readers>>,
    hand: Hand,
    /// The last process did not close this file: a full check is due.
    pub(crate) check_due: bool,
    /// This device's name in the file's stream.
    pub(crate) host: HostId,
}

/// Who moves the writer.
enum Hand {
    Thread(Option<JoinHandle<()>>),
    Caller(Mutex<Box<Desk>>),
}

/// The writer with those it reports to.
struct Desk {
    writer: Writer,
    teller: Teller,
    check_passed: Arc<AtomicBool>,
    readers: Weak<Readers>,
    foreseen: Arc<Foreseen>,
    /// Pages in the log, and how many are too many to wait for rest.
    log_pages: Arc<AtomicU32>,
    log_pages_max: u32,
    /// Commits since the log was last folded into the file, and how many are worth it.
    unfolded: usize,
    until_rest: usize,
    /// Memory that only work needs has not been given back since.
    warm: bool,
    tidy: fn(),
}

/// How long nobody has wanted anything when the log is folded.
const QUIET: Duration = Duration::from_millis(250);

/// How long again until memory is given back: whoever pauses for a breath finds everything as it was.
const STILL: Duration = Duration::from_millis(250);

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
        let readers = Arc::new(Readers::open(path, config).map_err(named)?);
        let (queue, foreseen) = (Arc::new(Queue::default()), Arc::new(Foreseen::default()));
        let check_passed = Arc::new(AtomicBool::new(false));
        let passed = Arc::clone(&check_passed);
        let desk = Desk {
            writer,
            teller,
            check_passed: passed,
            readers: Arc::downgrade(&readers),
            foreseen: Arc::clone(&foreseen),
            log_pages,
            log_pages_max: config.checkpoint_pages,
            unfolded: 0,
            until_rest: config.commits_until_rest,
            warm: false,
            tidy: config.tidy,
        };
        let hand = Hand::take(config.drive, desk, &queue);
        Ok(DatabaseFile {
            queue,
            foreseen,
            check_passed,
            signals,
            readers: Some(readers),
            hand,
            check_due: opening.check_due,
            host: opening.host,
        })
    }

    /// Gets a content ready that will be handed in.
    pub(crate) fn foresee(&self, bytes: &[u8]) {
        self.foreseen.foresee(bytes);
    }

    /// Hands a commit to the writer.
    pub(crate) fn commit(&self, commit: Commit) -> Answer<Outcome> {
        let (reply, answer) = oneshot::channel();
        let pushed = self.queue.push(Prepared::new(commit, &self.foreseen), reply);
        Box::pin(async move {
            pushed?;
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

    /// Set it when a full check found nothing wrong.
    pub(crate) fn check_passed_note(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.check_passed)
    }

    /// Writes what is waiting, one group, if the caller moves the writer; says how many commits.
    pub(crate) fn drain(&self) -> usize {
        match &self.hand {
            Hand::Thread(_) => 0,
            Hand::Caller(desk) => {
                let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
                self.queue.next_now().map_or(0, |group| desk.serve(group, &self.queue))
            }
        }
    }
}

impl Drop for DatabaseFile {
    fn drop(&mut self) {
        self.readers = None;
        self.queue.close();
        match &mut self.hand {
            // A writer that panicked has told its callers by dropping their channels; see below.
            Hand::Thread(thread) => drop(thread.take().map(JoinHandle::join)),
            Hand::Caller(desk) => {
                let desk = desk.get_mut().unwrap_or_else(PoisonError::into_inner);
                while let Some(group) = self.queue.next_now() {
                    desk.serve(group, &self.queue);
                }
                desk.close();
            }
        }
    }
}

impl Hand {
    fn take(drive: Drive, mut desk: Desk, queue: &Arc<Queue>) -> Hand {
        match drive {
            Drive::Caller => Hand::Caller(Mutex::new(Box::new(desk))),
            Drive::Threads => {
                let queue = Arc::clone(queue);
                Hand::Thread(Some(thread::spawn(move || {
                    let _end = EndOfWriting(&queue);
                    desk.work(&queue);
                    desk.close();
                })))
            }
        }
    }
}

/// However the writer ends, nobody waits for it in vain.
struct EndOfWriting<'a>(&'a Queue);

impl Drop for EndOfWriting<'_> {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

impl Desk {
    /// Writes whatever comes until there is nothing more to come. When nobody has wanted anything for a
    /// moment the log is folded into the file, so that no turn has to wait for that, and a while later memory
    /// is given back; then it sleeps until somebody comes.
    fn work(&mut self, queue: &Queue) {
        loop {
            let to_fold = self.unfolded >= self.until_rest;
            let quiet = if to_fold { Some(QUIET) } else { self.warm.then_some(STILL) };
            match queue.next(quiet) {
                Due::Group(group) => self.unfolded += self.serve(group, queue),
                Due::Quiet if to_fold => self.fold(),
                Due::Quiet => self.rest(),
                Due::Closed => return,
            }
        }
    }

    fn fold(&mut self) {
        (self.unfolded, self.warm) = (0, true);
        self.writer.fold();
    }

    /// Gives back memory that only work needs.
    fn rest(&mut self) {
        self.warm = false;
        self.writer.let_go_of_log();
        self.foreseen.forget();
        connection::rest(&self.writer.connection);
        if let Some(readers) = self.readers.upgrade() {
            readers.rest();
        }
        (self.tidy)();
        self.teller.rested();
    }

    /// Writes a group, then tells: whoever asks how far things are hears it first, then each caller is
    /// answered and goes on with its turn, and last those are woken who look for more work. Telling before
    /// the write would be a lie, and dying in between loses nothing, since the log is read by cursor.
    fn serve(&mut self, (commits, callers): Group, queue: &Queue) -> usize {
        let replies = self.writer.drain(&commits);
        queue.expect_again(commits.len());
        let news = self.teller.note(&self.writer);
        let count = commits.len();
        for (caller, answer) in callers.into_iter().zip(replies.into_iter().zip(commits)) {
            // Whoever has gone away does not need the answer.
            let _ = caller.send(answer);
        }
        self.teller.wake(&news);
        if self.log_pages.load(Ordering::Relaxed) >= self.log_pages_max {
            self.fold();
        }
        count
    }

    /// The last thing done: a check that passed need not be done again. If this write is lost, it
    /// is done again.
    fn close(&mut self) {
        if self.check_passed.load(Ordering::Acquire) && !self.writer.is_stopped() {
            let _ = set_meta(&self.writer.connection, "check_due", None);
        }
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
