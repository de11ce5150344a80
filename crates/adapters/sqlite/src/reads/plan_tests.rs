//! Every read goes through an index: its cost is what it returns, not what there is.

use std::sync::mpsc;

use rusqlite::Connection;
use rusqlite::trace::{TraceEvent, TraceEventCodes};
use store::Listing;
use types::{
    BodyType, ContentRef, Counter, CursorName, Digest, Domain, FenceScope, OperationId, Position,
    RecordId, Relation, RunKey, Token,
};

use crate::config::Config;
use crate::fault::Fault;
use crate::{connection, schema};

fn run_every_read(connection: &Connection) -> Result<(), Fault> {
    let id: RecordId = "agent_a".parse().unwrap();
    let agent = "agent_a".parse().unwrap();
    let host = "host_a".parse().unwrap();
    let token = Token::semantic("TASK").unwrap();
    let listing = Listing::of("agent_a", BodyType::AgentMessage, 5);
    let thread = Listing { subtype: Some("t".to_owned()), ..listing.clone() };
    super::record(connection, &id)?;
    super::records_listed(connection, &listing)?;
    super::records_listed(connection, &thread)?;
    super::link(connection, &id, &id, &Relation::AgentTask)?;
    super::links_from(connection, &id, &Relation::AgentTask)?;
    super::links_to(connection, &id, &Relation::AgentTask)?;
    super::content(connection, &ContentRef { subject: id.clone(), hash: Digest::ZERO })?;
    super::operation(connection, &OperationId(Digest::ZERO))?;
    super::audit_after(connection, 3, 5)?;
    super::head(connection)?;
    super::changes_after(connection, Position(3), 5)?;
    super::changes_about(connection, std::slice::from_ref(&token), Position(1), Position(9), 5)?;
    super::cursor(connection, &CursorName::of_service("x"), Domain::Journal)?;
    super::outbox_after(connection, Position(3), 5)?;
    super::sequence_after(connection, &host, Counter(3), 5)?;
    super::sequence_of(connection, &host, Counter(3))?;
    super::fence(connection, &FenceScope::Global)?;
    super::run(connection, &RunKey(Digest::ZERO))?;
    super::runs_of(connection, &agent, 5)?;
    super::queued_runs(connection, 5)?;
    super::subscribers(connection, &[token])?;
    super::events_after(connection, &agent, 3, 5)?;
    Ok(())
}

#[test]
fn every_read_goes_through_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("agent.db");
    let mut connection = connection::open_writer(&path, &Config::default()).unwrap();
    schema::migrate(&connection, Domain::Agent).unwrap();
    let (send, seen) = mpsc::channel();
    let note = move |event: TraceEvent<'_>| {
        if let TraceEvent::Stmt(statement, _) = event {
            send.send(statement.expanded_sql().unwrap()).unwrap();
        }
    };
    connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(note)).unwrap();
    run_every_read(&connection).unwrap();
    connection.trace_v2(TraceEventCodes::empty(), None::<fn(TraceEvent<'_>)>).unwrap();
    let seen: Vec<String> = seen.try_iter().collect();
    assert!(seen.len() >= 22, "{} statements were seen", seen.len());
    for sql in seen {
        let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = statement.query_map([], |row| row.get::<_, String>("detail")).unwrap();
        for step in steps.map(Result::unwrap) {
            // A list handed in as JSON is scanned; it is as long as the caller made it. The index of
            // queued runs holds those and no others.
            let short = ["VIRTUAL TABLE", "INDEX wake_runs_queued"];
            let scans = step.starts_with("SCAN") && !short.iter().any(|s| step.contains(s));
            assert!(!scans, "{step}\n{sql}");
        }
    }
}
