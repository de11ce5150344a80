//! Running the check.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use store::StoreError;
use types::Domain;
use vfs::Connection;

use crate::config::Config;
use crate::connection;
use crate::fault::Fault;

use super::{CheckReport, FINDINGS_MAX, agreement, chains, indexes, marks};

/// Checks a file through a connection of its own.
pub(crate) fn check(
    path: &Path,
    domain: Domain,
    config: &Config,
) -> Result<CheckReport, StoreError> {
    check_until(path, domain, config, &Arc::default())
}

/// The same, until it is done or `stop` is set: SQLite asks every few thousand of its own steps.
pub(crate) fn check_until(
    path: &Path,
    domain: Domain,
    config: &Config,
    stop: &Arc<AtomicBool>,
) -> Result<CheckReport, StoreError> {
    const STEPS: i32 = 5_000;
    let stop = Arc::clone(stop);
    connection::open_reader(path, config)
        .and_then(|mut connection| {
            let asked = move || stop.load(Ordering::Acquire);
            connection.progress_handler(STEPS, Some(asked))?;
            look(&connection, domain)
        })
        .map_err(|fault| fault.at(path, "checking"))
}

fn look(connection: &Connection, domain: Domain) -> Result<CheckReport, Fault> {
    // One snapshot for all questions, so that a commit in between is not taken for a contradiction.
    connection.execute_batch("BEGIN")?;
    let mut findings = pages(connection)?;
    if findings.is_empty() {
        findings.extend(agreement::check(connection, domain)?);
        findings.extend(marks::check(connection)?);
        if domain == Domain::Agent {
            findings.extend(indexes::check(connection)?);
        }
        findings.extend(chains::check(connection)?);
    }
    let count = |sql| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let report = CheckReport {
        domain,
        changes: count("SELECT COUNT(*) FROM change_log")?.unsigned_abs(),
        audit_entries: count("SELECT COUNT(*) FROM audit")?.unsigned_abs(),
        findings,
    };
    connection.execute_batch("COMMIT")?;
    Ok(report)
}

fn pages(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut statement = connection.prepare(&format!("PRAGMA integrity_check({FINDINGS_MAX})"))?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let lines = lines.collect::<Result<Vec<_>, _>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}
