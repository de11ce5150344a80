//! Whether the indexes that are kept beside records say what the records say: who listens, who
//! waits. What belongs in them is decided by rules and not by SQL, so it is compared here.

use std::collections::BTreeSet;

use rusqlite::Row;
use rusqlite::types::ValueRef;
use types::{Body, BodyType, Subscription, Token, WaitState};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::Cells;

use super::FINDINGS_MAX;

/// What contradicts.
pub(super) fn check(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut findings = deaf(connection)?;
    findings.extend(eavesdroppers(connection)?);
    findings.extend(waits(connection)?);
    findings.extend(waits_of_nobody(connection)?);
    Ok(findings)
}

/// Looks at every row of a query until enough was found.
pub(super) fn each(
    connection: &Connection,
    sql: &str,
    mut look: impl FnMut(&Row<'_>) -> Result<Option<String>, Fault>,
) -> Result<Vec<String>, Fault> {
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    let mut findings = Vec::new();
    while let Some(row) = rows.next()? {
        findings.extend(look(row)?);
        if findings.len() >= FINDINGS_MAX {
            break;
        }
    }
    Ok(findings)
}

/// A body that this version cannot read is not judged; one that nobody can read is found among the marks.
fn body(row: &Row<'_>, column: usize, kind: BodyType) -> Option<Body> {
    let text = Cells(row).unpacked(column).ok()?.into_owned();
    Some(Body::decode(kind.as_str(), text.into()))
}

fn subscription(row: &Row<'_>, column: usize) -> Option<Subscription> {
    match body(row, column, BodyType::AgentSubscription)? {
        Body::AgentSubscription(subscription) => Some(subscription),
        _ => None,
    }
}

/// Active subscriptions that are not found under each of their tokens.
fn deaf(connection: &Connection) -> Result<Vec<String>, Fault> {
    let mut listens = connection.prepare(
        "SELECT 1 FROM listeners
         WHERE token = ?1 AND subscription_id = ?2 AND agent_id = ?3 AND plain = ?4",
    )?;
    let sql = "SELECT id, body FROM entities
               WHERE type = 'agentSubscription' AND deleted_at IS NULL";
    each(connection, sql, |row| {
        let id: String = row.get(0)?;
        let Some(wish) = subscription(row, 1).filter(|wish| wish.active) else {
            return Ok(None);
        };
        let plain = rules::matching::is_plain(&wish);
        for token in rules::matching::index_tokens(&wish) {
            let row = rusqlite::params![token.key(), id, wish.agent_id.as_str(), plain];
            if !listens.exists(row)? {
                return Ok(Some(format!(
                    "an active subscription does not listen, subscription {id}"
                )));
            }
        }
        Ok(None)
    })
}

/// Rows of listeners that no active subscription accounts for.
fn eavesdroppers(connection: &Connection) -> Result<Vec<String>, Fault> {
    // One subscription after the other, so that each is read once.
    let sql = "SELECT l.subscription_id, l.token,
                      (SELECT e.body FROM entities AS e
                       WHERE e.id_key = key_of(l.subscription_id) AND e.id = l.subscription_id AND e.type = 'agentSubscription'
                         AND e.deleted_at IS NULL)
               FROM listeners AS l
               ORDER BY l.subscription_id";
    let mut last: Option<(String, Option<BTreeSet<Token>>)> = None;
    each(connection, sql, |row| {
        let id: String = row.get(0)?;
        if last.as_ref().is_none_or(|(last, _)| *last != id) {
            let wanted = match row.get_ref(2)? {
                ValueRef::Null => Some(BTreeSet::new()),
                _ => subscription(row, 2).map(|wish| {
                    if wish.active { rules::matching::index_tokens(&wish) } else { BTreeSet::new() }
                }),
            };
            last = Some((id.clone(), wanted));
        }
        let token: String = row.get(1)?;
        let wanted = last.as_ref().and_then(|(_, wanted)| wanted.as_ref());
        let stray = wanted.is_some_and(|all| !all.iter().any(|wanted| wanted.key() == token));
        let stray_text = "somebody listens without an active subscription, subscription";
        Ok(stray.then(|| format!("{stray_text} {id}")))
    })
}

/// Waits that are open and not found, or found and not open, or found under something else.
fn waits(connection: &Connection) -> Result<Vec<String>, Fault> {
    let sql = "SELECT e.id, e.body, e.deleted_at, w.agent_id, w.source, w.deadline
               FROM entities AS e
               LEFT JOIN waits AS w ON w.wait_id = e.id
               WHERE e.type = 'agentWait'";
    each(connection, sql, |row| {
        let id: String = row.get(0)?;
        let Some(Body::AgentWait(wait)) = body(row, 1, BodyType::AgentWait) else {
            return Ok(None);
        };
        let living = row.get::<_, Option<i64>>(2)?.is_none();
        let open = living && wait.state == WaitState::Open;
        let indexed: Option<(String, String, i64)> = match row.get::<_, Option<String>>(3)? {
            None => None,
            Some(agent) => Some((agent, row.get(4)?, row.get(5)?)),
        };
        let expected = open.then(|| {
            (wait.agent_id.to_string(), wait.waiting_for.source(), wait.deadline.millis())
        });
        let differs = indexed != expected;
        Ok(differs.then(|| format!("a wait is not found under what it is, wait {id}")))
    })
}

fn waits_of_nobody(connection: &Connection) -> Result<Vec<String>, Fault> {
    let sql = "SELECT w.wait_id FROM waits AS w
               WHERE NOT EXISTS (
                 SELECT 1 FROM entities AS e
                 WHERE e.id_key = key_of(w.wait_id) AND e.id = w.wait_id AND e.type = 'agentWait'
               )";
    each(connection, sql, |row| {
        let id: String = row.get(0)?;
        Ok(Some(format!("somebody waits without a wait, wait {id}")))
    })
}

#[cfg(test)]
#[path = "indexes_tests.rs"]
mod tests;
