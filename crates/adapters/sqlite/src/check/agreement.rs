//! Whether the tables agree with each other: each question is a query for rows that should not be.

use rusqlite::Connection;
use types::Domain;

use crate::fault::Fault;

use super::FINDINGS_MAX;

/// A sentence, and the query for what contradicts it; the query's one column names the culprit.
type Question = (&'static str, &'static str);

const BOTH: &[Question] = &[
    (
        "the change log has a gap before position",
        "SELECT position FROM changes
         WHERE position > (SELECT MIN(position) FROM changes)
           AND position - 1 NOT IN (SELECT position FROM changes)",
    ),
    (
        "a host's counter skips a commit before position",
        "SELECT c.position FROM changes AS c
         WHERE c.counter > 1
           AND NOT EXISTS (
             SELECT 1 FROM sequence_log AS s WHERE s.host = c.host AND s.counter = c.counter - 1
           )",
    ),
    (
        "no record is noted for the change at position",
        "SELECT c.position FROM changes AS c
         WHERE NOT EXISTS (
           SELECT 1 FROM sequence_log AS s WHERE s.host = c.host AND s.counter = c.counter
         )",
    ),
    (
        "the sequence log notes a commit that the change log lacks, counter",
        "SELECT counter FROM (
           SELECT host, counter FROM sequence_log EXCEPT SELECT host, counter FROM changes
         )",
    ),
    (
        "the token index lacks or has too much at position",
        "SELECT c.position FROM changes AS c
         WHERE json_array_length(c.tokens) <> (
             SELECT COUNT(*) FROM json_each(c.tokens) AS t
             JOIN change_tokens AS i ON i.token = t.value AND i.position = c.position
           )",
    ),
    (
        "the token index points to no change, position",
        "SELECT position FROM change_tokens WHERE position NOT IN (SELECT position FROM changes)",
    ),
    (
        "the outbox holds what is no change, position",
        "SELECT position FROM outbox WHERE position NOT IN (SELECT position FROM changes)",
    ),
    (
        "an operation points to no change, position",
        "SELECT position FROM operations
         WHERE position IS NOT NULL AND position NOT IN (SELECT position FROM changes)",
    ),
    (
        "an operation's result or pre-image is missing, operation",
        "SELECT HEX(o.operation_id) FROM operations AS o
         WHERE NOT EXISTS (
             SELECT 1 FROM contents AS c WHERE c.subject = o.subject AND c.hash = o.result
           )
            OR (o.pre_image IS NOT NULL AND NOT EXISTS (
             SELECT 1 FROM contents AS c WHERE c.subject = o.subject AND c.hash = o.pre_image
           ))",
    ),
    (
        "a record's last write is not in the sequence log, record",
        "SELECT e.id FROM entities AS e, json_each(e.clock) AS seen
         WHERE NOT EXISTS (
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
        "an agent's events have a gap, agent",
        "SELECT agent_id FROM events GROUP BY agent_id HAVING MAX(event_seq) <> COUNT(*)",
    ),
    (
        "an ended run has no time of its end, agent",
        "SELECT agent_id FROM wake_runs
         WHERE status NOT IN ('queued', 'started') AND completed_at IS NULL",
    ),
    (
        "an active subscription does not listen, subscription",
        "SELECT e.id FROM entities AS e, json_each(e.body, '$.tokens') AS t
         WHERE e.type = 'agentSubscription' AND e.deleted_at IS NULL
           AND json_extract(e.body, '$.active')
           AND NOT EXISTS (
             SELECT 1 FROM subscription_tokens AS s
             WHERE s.token = t.value AND s.subscription_id = e.id
           )",
    ),
    (
        "somebody listens without an active subscription, subscription",
        "SELECT s.subscription_id FROM subscription_tokens AS s
         WHERE NOT EXISTS (
           SELECT 1 FROM entities AS e
           WHERE e.id = s.subscription_id AND e.deleted_at IS NULL
             AND json_extract(e.body, '$.active')
         )",
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
