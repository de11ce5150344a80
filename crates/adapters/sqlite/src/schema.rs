//! Migrations: small, never edited, each safe to run twice. Each domain counts its own.

use types::Domain;
use vfs::Connection;

use crate::fault::Fault;

/// Bytes per page. Smaller pages write less when one commit comes alone; see
/// `docs/decisions/0006-small-pages.md`.
const PAGE_BYTES: u32 = 1_024;

macro_rules! migrations {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../migrations/", $path)))),*]
    };
}

const JOURNAL: &[(&str, &str)] = migrations![
    "both/0001_meta.sql",
    "both/0002_entities.sql",
    "both/0003_links.sql",
    "both/0004_contents.sql",
    "both/0005_changes.sql",
    "both/0006_sequence_log.sql",
    "both/0007_outbox.sql",
    "both/0008_operations.sql",
    "both/0009_audit.sql",
    "both/0010_fences.sql",
    "both/0011_cursors.sql",
    "both/0012_change_log.sql",
    "both/0013_cursors_by_position.sql",
    "both/0014_marks.sql",
    "both/0015_operations_by_position.sql",
    "journal/0001_word_labels.sql",
    "both/0016_numbers.sql",
    "journal/0002_endings.sql",
    "both/0017_found_at_once.sql",
    "both/0018_packed_contents.sql",
];

const AGENT: &[(&str, &str)] = migrations![
    "both/0001_meta.sql",
    "both/0002_entities.sql",
    "both/0003_links.sql",
    "both/0004_contents.sql",
    "both/0005_changes.sql",
    "both/0006_sequence_log.sql",
    "both/0007_outbox.sql",
    "both/0008_operations.sql",
    "both/0009_audit.sql",
    "both/0010_fences.sql",
    "both/0011_cursors.sql",
    "agent/0001_events.sql",
    "agent/0002_wake_runs.sql",
    "agent/0003_subscription_tokens.sql",
    "both/0012_change_log.sql",
    "agent/0004_runs.sql",
    "agent/0005_listeners.sql",
    "agent/0006_rests.sql",
    "agent/0007_hints.sql",
    "agent/0008_armings.sql",
    "agent/0009_occurrences.sql",
    "agent/0010_waits.sql",
    "both/0013_cursors_by_position.sql",
    "both/0014_marks.sql",
    "both/0015_operations_by_position.sql",
    "agent/0011_tool_counts.sql",
    "agent/0012_budgets.sql",
    "agent/0013_events_in_order.sql",
    "both/0016_numbers.sql",
    "agent/0014_event_chains.sql",
    "both/0017_found_at_once.sql",
    "both/0018_packed_contents.sql",
    "agent/0015_models_of_runs.sql",
    "agent/0016_when_armed.sql",
];

fn migrations(domain: Domain) -> &'static [(&'static str, &'static str)] {
    match domain {
        Domain::Journal => JOURNAL,
        Domain::Agent => AGENT,
    }
}

/// The number by which a file says whose it is: "dmJ1" and "dmA1".
pub(crate) const fn application_id(domain: Domain) -> u32 {
    match domain {
        Domain::Journal => u32::from_be_bytes(*b"dmJ1"),
        Domain::Agent => u32::from_be_bytes(*b"dmA1"),
    }
}

/// The newest schema that this version knows.
pub(crate) fn newest(domain: Domain) -> u32 {
    u32::try_from(migrations(domain).len()).expect("migrations are few")
}

/// The schema of an open file.
pub(crate) fn version(connection: &Connection) -> Result<u32, Fault> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Signs a new file, before anything else is in it.
pub(crate) fn sign(connection: &Connection, domain: Domain) -> Result<(), Fault> {
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    connection.pragma_update(None, "application_id", application_id(domain))?;
    Ok(())
}

/// Brings a file up to the newest schema, one migration and one transaction at a time: a crash in
/// between leaves a file that the next start brings up the rest of the way.
pub(crate) fn migrate(connection: &Connection, domain: Domain) -> Result<(), Fault> {
    let done = version(connection)? as usize;
    for (index, (_, sql)) in migrations(domain).iter().enumerate().skip(done) {
        apply(connection, sql, index + 1)?;
    }
    Ok(())
}

fn apply(connection: &Connection, sql: &str, version: usize) -> Result<(), Fault> {
    connection
        .execute_batch(&format!(
            "BEGIN IMMEDIATE;\n{sql}\nPRAGMA user_version = {version};\nCOMMIT;"
        ))
        .inspect_err(|_| {
            // Without a transaction there is nothing to roll back, and that is fine.
            let _ = connection.execute_batch("ROLLBACK");
        })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reads;
    use rusqlite::params;
    use store::Listing;
    use types::{At, BodyType, ContentRef, Digest, OperationId, Position, Relation, RunKey, Token};

    #[expect(clippy::disallowed_methods, reason = "schemas are compared without a file")]
    fn empty() -> Connection {
        let connection = rusqlite::Connection::open_in_memory().unwrap();
        crate::keys::teach(&connection).unwrap();
        connection.into()
    }

    fn shape(connection: &Connection) -> Vec<(String, String)> {
        let sql = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name";
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        rows.map(Result::unwrap).collect()
    }

    #[test]
    fn every_migration_is_safe_to_run_twice() {
        for domain in Domain::ALL {
            let connection = empty();
            for (index, (_, sql)) in migrations(domain).iter().enumerate() {
                apply(&connection, sql, index + 1).unwrap();
                let once = shape(&connection);
                apply(&connection, sql, index + 1).unwrap();
                assert_eq!(shape(&connection), once);
            }
        }
    }

    #[test]
    fn any_older_file_comes_up_to_the_shape_of_a_fresh_one_and_keeps_its_rows() {
        for domain in Domain::ALL {
            let fresh = empty();
            migrate(&fresh, domain).unwrap();
            for stop in 1..migrations(domain).len() {
                let old = empty();
                for (index, (_, sql)) in migrations(domain).iter().take(stop).enumerate() {
                    apply(&old, sql, index + 1).unwrap();
                }
                let row = params!["kept", "yes"];
                old.execute("INSERT INTO meta (key, value) VALUES (?1, ?2)", row).unwrap();
                migrate(&old, domain).unwrap();
                assert_eq!(shape(&old), shape(&fresh));
                assert_eq!(version(&old).unwrap(), newest(domain));
                let kept = "SELECT value FROM meta WHERE key = 'kept'";
                let kept: String = old.query_row(kept, [], |row| row.get(0)).unwrap();
                assert_eq!(kept, "yes");
            }
        }
    }

    #[test]
    fn rows_from_before_there_were_numbers_are_found_by_them() {
        let old = empty();
        let numbered =
            migrations(Domain::Agent).iter().position(|(name, _)| name.ends_with("_numbers.sql"));
        for (index, (_, sql)) in AGENT.iter().take(numbered.unwrap()).enumerate() {
            apply(&old, sql, index + 1).unwrap();
        }
        old.execute_batch(
            r#"INSERT INTO entities (id, type, subtype, owner, revision, clock, created_at, updated_at, body)
               VALUES ('task_a', 'task', 'open', 'category_home', 1, '{"host_a":1}', 5, 5,
                       '{"title":"x","status":"open","priority":"p2","category_id":"category_home"}');
               INSERT INTO links (id, from_id, to_id, type, hidden, clock, created_at, updated_at, body)
               VALUES ('link_a', 'task_a', 'task_b', 'blocks', 0, '{"host_a":1}', 5, 5, '{}');
               INSERT INTO contents (subject, hash, label, bytes, created_at)
               VALUES ('task_a', zeroblob(32), '{"trust":"operator","sources":["operator"]}', X'6869', 5),
                      ('task_b', zeroblob(32), '{"trust":"operator","sources":["operator"]}',
                       X'28B52FFD6869', 5);
               INSERT INTO operations (operation_id, verb, subject, author, at, result)
               VALUES (zeroblob(32), 'create_task', 'task_a', '{"by":"operator"}', 5, zeroblob(32));
               INSERT INTO change_log
               VALUES (1, 'host_a', 1, 'local', '{"by":"operator"}', 5, zeroblob(32),
                       '["semanticKey|-|TASK"]', '[]');
               INSERT INTO change_tokens VALUES ('semanticKey|-|TASK', 1);
               INSERT INTO events (agent_id, event_seq, kind, at, body)
               VALUES ('agent_a', 1, 'wake_queued', 5, '{}'), ('agent_a', 2, 'run_ended', 6, '{}');
               INSERT INTO runs (n, run_key, agent_id, reason, reason_id, thread_id, logical_change_key, priority, rank,
                                 envelope_id, insist, status, attempt, failures, not_before, held, merged_into,
                                 created_at, started_at, tokens_in)
               VALUES (1, zeroblob(32), 'agent_a', 'manual', 'r', 'agent_a:run:x', NULL, 1, 1, 'envelope_a', 1,
                       'queued', 2, 1, 77, 1, NULL, 5, 6, 9),
                      (2, X'01', 'agent_a', 'tick', NULL, 'agent_a:run:y', zeroblob(32), 2, 2, NULL, 0,
                       'queued', 0, 0, NULL, 0, zeroblob(32), 7, NULL, 0);"#,
        )
        .unwrap();
        migrate(&old, Domain::Agent).unwrap();
        let (task, hash) = ("task_a".parse().unwrap(), Digest::ZERO);
        assert!(reads::record(&old, &task).unwrap().is_some());
        let listing = Listing::of("category_home", BodyType::Task, 5);
        assert_eq!(reads::records_listed(&old, &listing).unwrap().len(), 1);
        assert_eq!(reads::links_from(&old, &task, &Relation::Blocks).unwrap().len(), 1);
        let content = reads::content(&old, &ContentRef { subject: task, hash }).unwrap();
        assert_eq!(content.unwrap().bytes, b"hi");
        // Whatever it looks like.
        let at = ContentRef { subject: "task_b".parse().unwrap(), hash };
        assert_eq!(reads::content(&old, &at).unwrap().unwrap().bytes, b"\x28\xb5\x2f\xfdhi");
        assert!(reads::operation(&old, &OperationId(hash)).unwrap().is_some());
        let tokens = [Token::semantic("TASK").unwrap()];
        let about = reads::changes_about(&old, &tokens, Position(0), Position(9), 5).unwrap();
        assert_eq!(about.len(), 1);
        let events = reads::events(&old, &"agent_a".parse().unwrap(), Some(0), 5).unwrap();
        assert_eq!(events.iter().map(|event| event.event_seq).collect::<Vec<_>>(), [1, 2]);
        let run = reads::run(&old, &RunKey(hash)).unwrap().unwrap();
        assert_eq!((run.number, run.attempt, run.failures, run.usage.tokens_in), (1, 2, 1, 9));
        assert_eq!((run.draft.insist, run.draft.reason_id.as_deref()), (true, Some("r")));
        assert_eq!((run.draft.envelope.unwrap().as_str(), run.draft.model), ("envelope_a", None));
        let merged = "SELECT n FROM runs WHERE merged_into = zeroblob(32) AND logical_change_key = zeroblob(32)";
        assert_eq!(old.query_row(merged, [], |row| row.get::<_, i64>(0)).unwrap(), 2);
    }

    #[test]
    fn clocks_from_before_it_was_known_when_they_were_set_are_looked_at_until_they_come_round() {
        let old = empty();
        let known = AGENT.iter().position(|(name, _)| name.ends_with("_when_armed.sql")).unwrap();
        for (index, (_, sql)) in AGENT.iter().take(known).enumerate() {
            apply(&old, sql, index + 1).unwrap();
        }
        old.execute_batch(
            "INSERT INTO armings (schedule_id, agent_id, last_slot, next_at, local_zone)
             VALUES ('schedule_a', 'agent_a', '1', 100, 'UTC'), ('schedule_b', 'agent_a', NULL, NULL, NULL)",
        )
        .unwrap();
        migrate(&old, Domain::Agent).unwrap();
        let later = |than| reads::armed_later(&old, At::from_millis(than), None, 10).unwrap();
        let due = reads::due_schedules(&old, At::from_millis(100), 10).unwrap().remove(0);
        assert_eq!(later(99), [(At::from_millis(100), due)]);
        assert!(later(100).is_empty());
    }

    #[test]
    fn the_two_domains_have_schemas_of_their_own() {
        assert_ne!(newest(Domain::Journal), newest(Domain::Agent));
        assert_ne!(application_id(Domain::Journal), application_id(Domain::Agent));
        let journal = empty();
        migrate(&journal, Domain::Journal).unwrap();
        let tables: Vec<String> = shape(&journal).into_iter().map(|(name, _)| name).collect();
        assert!(!tables.iter().any(|name| name == "runs" || name == "agent_runtime_states"));
    }
}
