//! Whether the tables agree with each other: each question is a query for rows that should not be.

use types::Domain;
use vfs::Connection;

use crate::fault::Fault;

use super::FINDINGS_MAX;

/// A sentence, and the query for what contradicts it; the query's one column names the culprit.
type Question = (&'static str, &'static str);

const BOTH: &[Question] = &[
    (
        "the change log has a gap before position",
        "SELECT position FROM change_log
         WHERE position > (SELECT MIN(position) FROM change_log)
           AND position - 1 NOT IN (SELECT position FROM change_log)",
    ),
    (
        "a host's counter skips a commit before position",
        "SELECT c.position FROM change_log AS c
         WHERE c.counter > 1
           AND NOT EXISTS (
             SELECT 1 FROM sequence_log AS s WHERE s.host = c.host AND s.counter = c.counter - 1
           )
           -- Before the first that a trimmed log has of a host there were others.
           AND (EXISTS (SELECT 1 FROM change_log AS e WHERE e.host = c.host AND e.position < c.position)
                OR (SELECT MIN(position) FROM change_log) = 1)",
    ),
    (
        "no record is noted for the change at position",
        "SELECT c.position FROM change_log AS c
         WHERE NOT EXISTS (
           SELECT 1 FROM sequence_log AS s WHERE s.host = c.host AND s.counter = c.counter
         )",
    ),
    (
        "the sequence log notes a commit that the change log lacks, counter",
        "SELECT counter FROM (
           SELECT host, counter FROM sequence_log EXCEPT SELECT host, counter FROM change_log
         )",
    ),
    (
        "the token index lacks a token at position",
        "SELECT c.position FROM change_log AS c
         WHERE EXISTS (
             SELECT 1 FROM json_each(c.tokens) AS t
             WHERE NOT EXISTS (
               SELECT 1 FROM change_tokens AS i
               WHERE i.token_key = key_of(t.value) AND i.position = c.position
             )
           )",
    ),
    (
        "the token index has what no change carries, position",
        // Not by looking into the change for each of its tokens: an import has tens of thousands.
        "SELECT position FROM (
           SELECT position, token_key FROM change_tokens
           EXCEPT
           SELECT c.position, key_of(t.value) FROM change_log AS c, json_each(c.tokens) AS t
         )",
    ),
    (
        "the outbox holds what is no change, position",
        "SELECT position FROM outbox WHERE position NOT IN (SELECT position FROM change_log)",
    ),
    (
        "an operation points to no change, position",
        "SELECT position FROM operations
         WHERE position >= (SELECT MIN(position) FROM change_log)
           AND position NOT IN (SELECT position FROM change_log)",
    ),
    (
        "an operation's result or pre-image is missing, operation",
        "SELECT HEX(o.operation_id) FROM operations AS o
         WHERE NOT EXISTS (
             SELECT 1 FROM contents AS c
             WHERE c.key = content_key(o.subject, o.result)
               AND c.subject = o.subject AND c.hash = o.result
           )
            OR (o.pre_image IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM contents AS c
             WHERE c.key = content_key(o.subject, o.pre_image)
               AND c.subject = o.subject AND c.hash = o.pre_image
           ))",
    ),
    (
        "a record is not where it is looked for, record",
        "SELECT id FROM entities
         WHERE id_key <> key_of(id) OR shelf <> shelf_of(owner, type, subtype)",
    ),
    (
        "there are two records with one id, record",
        "SELECT id FROM entities GROUP BY id_key, id HAVING COUNT(*) > 1",
    ),
    (
        "there are two links of one kind between the same records, link",
        "SELECT MAX(id) FROM links GROUP BY from_key, from_id, type, to_id HAVING COUNT(*) > 1",
    ),
    (
        "there are two contents with one name, subject",
        "SELECT subject FROM contents GROUP BY key, subject, hash HAVING COUNT(*) > 1",
    ),
    (
        "there are two operations with one id, operation",
        "SELECT HEX(operation_id) FROM operations GROUP BY key, operation_id HAVING COUNT(*) > 1",
    ),
    (
        "a link is not where it is looked for, link",
        "SELECT id FROM links WHERE from_key <> key_of(from_id) OR to_key <> key_of(to_id)",
    ),
    (
        "a content is not where it is looked for, subject",
        "SELECT subject FROM contents WHERE key <> content_key(subject, hash)",
    ),
    (
        "an operation is not where it is looked for, operation",
        "SELECT HEX(operation_id) FROM operations WHERE key <> digest_key(operation_id)",
    ),
    (
        "a record's last write is not in the sequence log, record",
        // What was written before a trimmed log begins is in neither; nothing is said of a host that has no
        // change left in it.
        "WITH first AS MATERIALIZED (
           SELECT host, MIN(counter) AS counter FROM change_log GROUP BY host
         ),
         whole AS MATERIALIZED (
           SELECT IIF(MIN(position) = 1, 0, NULL) AS counter FROM change_log
         )
         SELECT e.id FROM entities AS e, json_each(e.clock) AS seen
         LEFT JOIN first ON first.host = seen.key
         WHERE seen.value >= COALESCE(first.counter, (SELECT counter FROM whole))
           AND NOT EXISTS (
             SELECT 1 FROM sequence_log AS s
             WHERE s.host = seen.key AND s.counter = seen.value AND s.payload_id = e.id
           )",
    ),
    (
        "a commit's record is missing, record",
        "SELECT s.payload_id FROM sequence_log AS s
         WHERE s.payload_type NOT IN ('entryLink', 'agentLink')
           AND s.payload_id NOT IN (SELECT id FROM entities)",
    ),
    (
        "a commit's link is missing, link",
        "SELECT s.payload_id FROM sequence_log AS s
         WHERE s.payload_type IN ('entryLink', 'agentLink')
           AND s.payload_id NOT IN (SELECT id FROM links)",
    ),
    (
        "a record is older than its revision says, record",
        "SELECT e.id FROM entities AS e
         WHERE e.revision < (SELECT COUNT(*) FROM json_each(e.clock))",
    ),
];

const AGENT: &[Question] = &[
    (
        "an event cannot be read, agent",
        "SELECT agent_id FROM events WHERE JSON_VALID(unpacked(body)) IS NOT 1",
    ),
    (
        "an event is not where it is looked for, agent",
        "SELECT agent_id FROM events WHERE agent_key <> key_of(agent_id)",
    ),
    (
        "an agent's newest event is not known as such, agent",
        "SELECT e.agent_id FROM events AS e
         LEFT JOIN event_heads AS h ON h.agent_id = e.agent_id
         GROUP BY e.agent_id
         HAVING h.event_seq IS NOT MAX(e.event_seq)",
    ),
    (
        "what is known as an agent's newest event is another or none, agent",
        "SELECT h.agent_id FROM event_heads AS h
         WHERE NOT EXISTS (
           SELECT 1 FROM events AS e
           WHERE e.n = h.n AND e.agent_id = h.agent_id AND e.event_seq = h.event_seq
         )",
    ),
    (
        "an event does not name the one before it, agent",
        "SELECT e.agent_id FROM events AS e
         LEFT JOIN events AS b ON b.n = e.before
         WHERE (e.event_seq > 1) <> (e.before IS NOT NULL)
            OR (e.before IS NOT NULL
                AND (b.agent_id IS NOT e.agent_id OR b.event_seq IS NOT e.event_seq - 1))",
    ),
    (
        "an agent's events have a gap, agent",
        "SELECT agent_id FROM events GROUP BY agent_id HAVING MAX(event_seq) <> COUNT(*)",
    ),
    (
        "an ended run has no time of its end, agent",
        "SELECT agent_id FROM runs
         WHERE status NOT IN ('queued', 'started') AND completed_at IS NULL",
    ),
    (
        "a run is merged into one that does not exist or is merged itself, run",
        "SELECT HEX(r.run_key) FROM runs AS r
         WHERE r.merged_into IS NOT NULL
           AND NOT EXISTS (
             SELECT 1 FROM runs AS t
             WHERE t.run_key = r.merged_into AND t.agent_id = r.agent_id
               AND t.merged_into IS NULL
           )",
    ),
    (
        "a merged run has not ended together with its target, run",
        "SELECT HEX(r.run_key) FROM runs AS r
         JOIN runs AS t ON t.run_key = r.merged_into
         WHERE (r.completed_at IS NULL) <> (t.completed_at IS NULL)
            OR (r.completed_at IS NOT NULL AND r.status <> t.status)",
    ),
    (
        "more than one run of an agent has begun, agent",
        "SELECT agent_id FROM runs WHERE status = 'started' GROUP BY agent_id HAVING COUNT(*) > 1",
    ),
];

/// What contradicts.
pub(super) fn check(connection: &Connection, domain: Domain) -> Result<Vec<String>, Fault> {
    let own = if domain == Domain::Agent { AGENT } else { &[] };
    let mut findings = Vec::new();
    for (sentence, sql) in BOTH.iter().chain(own) {
        let mut statement = connection.prepare(&format!("{sql}\nLIMIT {FINDINGS_MAX}"))?;
        let culprits = statement.query_map([], |row| row.get::<_, rusqlite::types::Value>(0))?;
        for culprit in culprits {
            findings.push(format!("{sentence} {}", shown(&culprit?)));
        }
    }
    Ok(findings)
}

fn shown(value: &rusqlite::types::Value) -> String {
    match value {
        rusqlite::types::Value::Integer(number) => number.to_string(),
        rusqlite::types::Value::Text(text) => text.clone(),
        other => format!("{other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use store::{Store, wait};
    use types::{
        AgentId, At, Author, Commit, Domain, EventDraft, EventKind, Label, LinkDraft, LinkId,
        OperationDraft, OperationId, Position, RecordDraft, RecordId, Relation, Task, Write,
    };

    use crate::config::Config;
    use crate::{Home, connection};

    fn commit() -> Commit {
        let id = |id: &str| -> RecordId { id.parse().unwrap() };
        let task = || Task::new("ferns", "category_home".parse().unwrap());
        let link = LinkDraft {
            id: LinkId::from_digest(&rules::hash::bytes(b"link")),
            from: id("task_a"),
            to: id("task_b"),
            relation: Relation::Blocks,
            hidden: false,
            body: serde_json::Map::new(),
            deleted: false,
        };
        let (words, _) = rules::content::keep(id("task_a"), Label::operator(), b"x".to_vec());
        let writes = vec![
            Write::Record(RecordDraft::live(id("task_a"), task())),
            Write::Record(RecordDraft::live(id("task_b"), task())),
            Write::Link(link),
            words,
        ];
        let operation = OperationDraft {
            id: OperationId(rules::hash::bytes(b"operation")),
            verb: "create_task",
            subject: id("task_a"),
            run_key: None,
            result: serde_json::json!({}),
        };
        let commit = Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes);
        Commit { operation: Some(operation), ..commit }
    }

    #[test]
    fn a_log_that_was_trimmed_is_whole_and_one_that_lost_its_beginning_otherwise_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (home, config) = (Home::at(folder.path()), Config::default());
        let store = home.open(home.lock().unwrap(), &"host_a".parse().unwrap(), &config).unwrap();
        wait(store.commit(commit())).unwrap();
        let said = |id: &str| {
            let task = Task::new("ferns", "category_home".parse().unwrap());
            let writes =
                vec![Write::Record(RecordDraft::live(id.parse::<RecordId>().unwrap(), task))];
            Commit::new(Domain::Journal, Author::Operator, At::EPOCH, writes)
        };
        for id in ["task_b", "task_c", "task_d"] {
            wait(store.commit(said(id))).unwrap();
        }
        let trim = vec![Write::Trim { up_to: Position(2) }];
        wait(store.commit(Commit::new(Domain::Journal, Author::Runtime, At::EPOCH, trim))).unwrap();
        drop(store);
        let path = home.path(Domain::Journal);
        let found = || crate::check::check(&path, Domain::Journal, &config).unwrap().findings;
        assert_eq!(found(), Vec::<String>::new());
        let writer = connection::open_writer(&path, &config).unwrap();
        writer.execute_batch("DELETE FROM change_log WHERE position = 3").unwrap();
        drop(writer);
        assert!(found().join("\n").contains("notes a commit that the change log lacks, counter 3"));
    }

    #[test]
    fn what_there_may_be_once_and_is_there_twice_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (home, config) = (Home::at(folder.path()), Config::default());
        let host = "host_a".parse().unwrap();
        let store = home.open(home.lock().unwrap(), &host, &config).unwrap();
        wait(store.commit(commit())).unwrap();
        let agent: AgentId = "agent_a".parse().unwrap();
        let event = EventDraft { agent, kind: EventKind::RunEnded, body: serde_json::json!({}) };
        let told = vec![Write::Event(event)];
        wait(store.commit(Commit::new(Domain::Agent, Author::Operator, At::EPOCH, told))).unwrap();
        drop(store);
        let tampered = |domain, tables: &[&str]| {
            let path = home.path(domain);
            let found = || crate::check::check(&path, domain, &config).unwrap().findings;
            assert_eq!(found(), Vec::<String>::new());
            let writer = connection::open_writer(&path, &config).unwrap();
            for table in tables {
                writer.execute_batch(table).unwrap();
            }
            drop(writer);
            found().join("\n")
        };
        let again = ["links", "contents", "operations"].map(|table| {
            format!(
                "CREATE TEMP TABLE twice AS SELECT * FROM {table};
                 UPDATE twice SET n = n + 1000;
                 INSERT INTO {table} SELECT * FROM twice;
                 DROP TABLE twice;"
            )
        });
        let again: Vec<&str> = again.iter().map(String::as_str).collect();
        let found = tampered(Domain::Journal, &again);
        for what in ["two links", "two contents", "two operations"] {
            assert!(found.contains(what), "{what}: {found}");
        }
        let found = tampered(Domain::Agent, &["UPDATE event_heads SET n = n + 7"]);
        assert!(found.contains("is another or none, agent agent_a"), "{found}");
    }
}
