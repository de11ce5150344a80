//! Raw SQLite: the rows of a wake into the same schema and indexes, by the statements that the store
//! uses for them, in two transactions: the admission's and the ending's, 64 wakes at a time,
//! `synchronous=FULL`. No guards, no reads, no hashes, no JSON, no threads; the values are made
//! before the clock starts.

use std::path::Path;
use std::time::Duration;

use rules::run_key::Cause;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ToSql, params};
use serde_json::json;
use sqlite::StoredText;
use types::{At, Position, Priority, Receipt, Rest, RestReason, RunDraft, TriggerId, WakeReason};

use super::size;
use crate::stopwatch;

/// Wakes that share a transaction.
const GROUP: usize = 64;

/// All values of one wake.
pub(super) struct Rows {
    number: i64,
    rank: i64,
    at: i64,
    draft: RunDraft,
    run_key: [u8; 32],
    priority: i64,
    trigger: String,
    operation: [u8; 32],
    result: [u8; 32],
    queued: StoredText,
    ended: StoredText,
    receipt: String,
    rest: String,
}

/// Where the log of runs ends, and where its agents have looked up to.
pub(super) struct Ends {
    runs: u64,
    journal: Position,
    agent: Position,
}

pub(super) fn ends(connection: &Connection) -> Ends {
    let number = |sql: &str| -> u64 {
        let found: i64 = connection.query_row(sql, [], |row| row.get(0)).expect("it is there");
        u64::try_from(found).expect("a count")
    };
    Ends {
        runs: number("SELECT COALESCE(MAX(n), 0) FROM runs"),
        journal: Position(number("SELECT MAX(position) FROM cursors WHERE log = 'journal'")),
        agent: Position(number("SELECT MAX(position) FROM cursors WHERE log = 'agent'")),
    }
}

/// The rows of the n-th wake, of so many agents that take turns; each has begun `earlier` wakes
/// before the first.
pub(super) fn rows(n: u64, agents: u64, earlier: u64, ends: &Ends) -> Rows {
    let agent = size::agent_id(n % agents);
    let trigger = rules::hash::fields(["trigger", agent.as_str(), "0"]);
    let trigger = TriggerId::from_digest(&trigger).to_string();
    let name = format!("{trigger}:raw-{n}");
    let cause = Cause::Tick { cause: "hint", cause_id: &name };
    let draft = rules::matching::draft(&agent, &cause, Some(trigger.clone()));
    let at = At::from_millis(1_800_000_000_000 + i64::try_from(n).expect("few"));
    let begun = i64::try_from(earlier + n / agents + 1).expect("few");
    let receipt = Receipt {
        rule: "nothing_changed".to_owned(),
        changes_seen: 0,
        journal_from: ends.journal,
        journal_to: ends.journal,
        agent_from: ends.agent,
        agent_to: ends.agent,
    };
    let rest = Rest {
        agent_id: agent.clone(),
        last_wake_reason: WakeReason::Tick,
        slept_at: at,
        looked_at: None,
        why: RestReason::NothingToDo,
        expects: None,
        starts: (0..begun).map(|k| at.plus_millis(k - begun)).collect(),
    };
    let text = |value: serde_json::Result<String>| value.expect("it is JSON");
    let (number, key) = (ends.runs + n + 1, draft.run_key);
    let place = Priority::ALL.iter().position(|known| *known == draft.priority);
    let answer = json!({ "agent": agent }).to_string();
    Rows {
        number: i64::try_from(number).expect("few"),
        rank: rules::order::rank(number, draft.priority),
        at: at.millis(),
        run_key: *key.0.as_bytes(),
        priority: i64::try_from(place.expect("it is in the list")).expect("few"),
        operation: *rules::operation::id_of_request("hint", &name).0.as_bytes(),
        result: *rules::hash::bytes(answer.as_bytes()).as_bytes(),
        queued: json!({ "run_key": key, "reason": draft.reason }).to_string().into(),
        ended: json!({ "run_key": key, "status": "completed" }).to_string().into(),
        receipt: text(serde_json::to_string(&receipt)),
        rest: text(serde_json::to_string(&rest)),
        trigger,
        draft,
    }
}

/// Writes all wakes in groups; says how long it took.
pub(super) fn write(connection: &Connection, wakes: &[Rows]) -> Duration {
    let written = || -> rusqlite::Result<()> {
        for group in wakes.chunks(GROUP) {
            transaction(connection, group, admit)?;
            transaction(connection, group, end)?;
        }
        Ok(())
    };
    let (result, elapsed) = stopwatch::time(written);
    result.expect("the rows are written");
    elapsed
}

fn transaction(
    connection: &Connection,
    group: &[Rows],
    write: fn(&Connection, &Rows) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    for rows in group {
        write(connection, rows)?;
    }
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}

fn run(connection: &Connection, sql: &str, params: &[&dyn ToSql]) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}

/// An event, after the one before it.
fn tell(connection: &Connection, params: &[&dyn ToSql]) -> rusqlite::Result<()> {
    let sql = "INSERT INTO events (agent_id, agent_key, event_seq, before, kind, at, body)
               SELECT ?1, key_of(?1), 1 + COALESCE(MAX(event_seq), 0), MAX(n), ?2, ?3, ?4
               FROM event_heads
               WHERE agent_id = ?1";
    run(connection, sql, params)?;
    let sql = "INSERT OR REPLACE INTO event_heads (agent_id, n, event_seq)
               SELECT agent_id, n, event_seq FROM events WHERE n = last_insert_rowid()";
    run(connection, sql, &[])
}

/// The admission: the hint, the run with its event, the operation.
fn admit(connection: &Connection, r: &Rows) -> rusqlite::Result<()> {
    let agent = r.draft.agent.as_str();
    run(
        connection,
        "INSERT INTO hints (agent_id, trigger_id, at, count, source, content_type, payload,
                            correlation_id, causation_id)
         VALUES (?1, ?2, ?3, 1, NULL, NULL, NULL, NULL, NULL)
         ON CONFLICT (agent_id, trigger_id) DO UPDATE
         SET at = excluded.at, count = count + excluded.count, source = excluded.source,
             content_type = excluded.content_type, payload = COALESCE(excluded.payload, payload),
             correlation_id = excluded.correlation_id, causation_id = excluded.causation_id",
        params![agent, r.trigger, r.at],
    )?;
    run(
        connection,
        "INSERT INTO runs (n, run_key, agent_id, reason, reason_id, thread_id, logical_change_key,
                           priority, rank, envelope_id, insist, status, not_before, merged_into,
                           created_at)
         VALUES (?1, ?2, ?3, 'tick', ?4, ?5, NULL, ?6, ?7, NULL, 0, 'queued', NULL, NULL, ?8)
         ON CONFLICT (run_key) DO NOTHING",
        params![
            r.number,
            r.run_key,
            agent,
            r.trigger,
            r.draft.thread.as_str(),
            r.priority,
            r.rank,
            r.at
        ],
    )?;
    tell(connection, params![agent, "wake_queued", r.at, r.queued])?;
    run(
        connection,
        "INSERT INTO operations (operation_id, key, verb, subject, run_key, author, at, position,
                                 result, pre_image)
         VALUES (?1, digest_key(?1), 'hint', ?2, NULL, '{\"by\":\"runtime\"}', ?3, NULL, ?4, NULL)",
        params![r.operation, agent, r.at, r.result],
    )
}

/// The ending: the run with its event, how the agent rests, and the hint that it has seen.
fn end(connection: &Connection, r: &Rows) -> rusqlite::Result<()> {
    let agent = r.draft.agent.as_str();
    tell(connection, params![agent, "run_ended", r.at, r.ended])?;
    run(
        connection,
        "UPDATE runs
         SET status = 'completed', completed_at = ?2, receipt = ?3, error_code = NULL,
             error_message = NULL, model_calls = 0, tokens_in = 0, tokens_out = 0,
             not_before = NULL, held = 0
         WHERE run_key = ?1",
        params![r.run_key, r.at, r.receipt],
    )?;
    let sql = "INSERT OR REPLACE INTO rests (agent_id, body) VALUES (?1, ?2)";
    run(connection, sql, params![agent, r.rest])?;
    let sql = "DELETE FROM hints WHERE agent_id = ?1 AND trigger_id = ?2 AND count = 1";
    run(connection, sql, params![agent, r.trigger])
}

/// Opens a file that the store has made, in the way the store does.
#[expect(clippy::disallowed_methods, reason = "the measure of the store goes around it")]
pub(super) fn open(path: &Path, checkpoint_pages: u32, cache_kib: u32) -> Connection {
    let connection = Connection::open(path).expect("the file opens");
    sqlite::teach(&connection).expect("it takes functions");
    let pragma = |name: &str, value: i64| {
        connection.pragma_update(None, name, value).expect("the pragma is taken");
    };
    pragma("synchronous", 2);
    pragma("wal_autocheckpoint", checkpoint_pages.into());
    pragma("cache_size", -i64::from(cache_kib));
    connection.set_prepared_statement_cache_capacity(32);
    stay_prepared(&connection);
    connection
}

/// Without this SQLite plans some statements anew whenever a value is bound.
pub(super) fn stay_prepared(connection: &Connection) {
    let stable = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true);
    assert!(stable.expect("the setting is taken"));
}
