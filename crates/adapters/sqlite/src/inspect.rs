//! A look at both files before either is touched: what is refused is left exactly as it was.

use std::path::{Path, PathBuf};

use store::StoreError;
use types::{Domain, HostId, Position};
use vfs::Connection;

use crate::config::Config;
use crate::connection;
use crate::fault::Fault;
use crate::file;
use crate::header::{self, Found};
use crate::home::Home;
use crate::log;
use crate::rows::Cells;
use crate::schema;

/// What a file says of itself.
#[derive(Debug)]
struct Inside {
    host: Option<HostId>,
    /// The last change in its log.
    head: Position,
    /// The highest opening that its fences know of.
    boot: u32,
    /// The furthest that anybody whose cursor lies here has read in the journal.
    journal_seen: Position,
}

/// Looks at both files of a home and says which opening was the last; an error says what is wrong.
pub(crate) fn both(home: &Home, config: &Config) -> Result<u32, StoreError> {
    let journal = look(&home.path(Domain::Journal), Domain::Journal, config)?;
    let agent = look(&home.path(Domain::Agent), Domain::Agent, config)?;
    let (at_journal, at_agent) = (home.path(Domain::Journal), home.path(Domain::Agent));
    let boot = [&journal, &agent].into_iter().flatten().map(|inside| inside.boot).max();
    match (journal, agent) {
        (Some(journal), Some(agent)) => together(&journal, &agent, at_journal, at_agent)?,
        // The journal is made first, and both before anything is committed to either: an unused
        // journal alone is a home that was about to be made.
        (Some(journal), None) if journal.head > Position(0) => {
            return Err(StoreError::Incomplete { missing: at_agent, present: at_journal });
        }
        (None, Some(_)) => {
            return Err(StoreError::Incomplete { missing: at_journal, present: at_agent });
        }
        _ => {}
    }
    Ok(boot.unwrap_or(0))
}

/// Whether there is a file, and it is ours and can be read.
pub(crate) fn file(path: &Path, domain: Domain, config: &Config) -> Result<bool, StoreError> {
    Ok(look(path, domain, config)?.is_some())
}

fn together(
    journal: &Inside,
    agent: &Inside,
    at_journal: PathBuf,
    at_agent: PathBuf,
) -> Result<(), StoreError> {
    if let (Some(one), Some(other)) = (&journal.host, &agent.host)
        && one != other
    {
        let what = format!("it and {} are from different homes", at_journal.display());
        return Err(StoreError::Foreign { file: at_agent, expected: "agent", what });
    }
    if agent.journal_seen > journal.head {
        let what = format!(
            "it is older than {}, which has seen {} of its changes; here are {}",
            at_agent.display(),
            agent.journal_seen,
            journal.head
        );
        return Err(StoreError::Foreign { file: at_journal, expected: "journal", what });
    }
    Ok(())
}

/// What is wrong with a file, unless it is wrong with its log: SQLite does not tell them apart.
fn blamed(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Corrupt { .. } if let Some(file) = log::damaged(path) => {
            StoreError::Corrupt { file, what: "it is not as it was written".to_owned() }
        }
        _ => error,
    }
}

fn look(path: &Path, domain: Domain, config: &Config) -> Result<Option<Inside>, StoreError> {
    if header::look(path, domain)? == Found::Nothing {
        // A log without its file holds commits that would be lost if a new file were made.
        return match log::left_behind(path) {
            Some(log) => Err(StoreError::Incomplete { missing: path.to_owned(), present: log }),
            None => Ok(None),
        };
    }
    if let Some((file, form)) = log::unknown_form(path) {
        let (found, known) = (u32::from(form), u32::from(log::FORM));
        return Err(StoreError::Newer { file, found, known });
    }
    let named = |fault: Fault| blamed(path, fault.at(path, "reading"));
    let connection = connection::open_reader(path, config).map_err(named)?;
    // What the first bytes say may be older than what the write-ahead log says.
    let (found, known) = (schema::version(&connection).map_err(named)?, schema::newest(domain));
    if found > known {
        return Err(StoreError::Newer { file: path.to_owned(), found, known });
    }
    inside(&connection).map(Some).map_err(named)
}

fn inside(connection: &Connection) -> Result<Inside, Fault> {
    let host = file::meta(connection, "host")?;
    let host = host.map(|host| host.parse().map_err(|error| Fault::row(format!("host: {error}"))));
    let sql = "SELECT COALESCE(MAX(position), 0) AS position FROM cursors WHERE log = 'journal'";
    let seen = connection.query_row(sql, [], |row| Ok(Cells(row).number("position")))??;
    Ok(Inside {
        host: host.transpose()?,
        head: crate::reads::head(connection)?,
        boot: connection
            .query_row("SELECT COALESCE(MAX(boot), 0) FROM fences", [], |r| r.get(0))?,
        journal_seen: Position(seen),
    })
}
