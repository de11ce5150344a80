//! Every read goes through an index: its cost is what it returns, not what there is.

use std::collections::BTreeSet;
use std::sync::mpsc;

use rusqlite::trace::{TraceEvent, TraceEventCodes};
use store::{Listing, Marked};
use types::{
    At, BodyType, ContentRef, Counter, CursorName, Digest, Domain, FenceScope, OperationId,
    Position, RecordId, Relation, RunKey, SlotName, ThreadId, Token,
};
use vfs::Connection;

use crate::config::Config;
use crate::fault::Fault;
use crate::{connection, schema};

fn run_every_read(connection: &Connection) -> Result<(), Fault> {
    let id: RecordId = "agent_a".parse().unwrap();
    let host = "host_a".parse().unwrap();
    let token = Token::semantic("TASK").unwrap();
    let listing = Listing::of("agent_a", BodyType::AgentMessage, 5);
    let thread = Listing { subtype: Some("t".to_owned()), ..listing.clone() };
    super::record(connection, &id)?;
    super::records_by_id(connection, &[id.clone(), id.clone()])?;
    super::records_listed(connection, &listing)?;
    super::records_listed(connection, &thread)?;
    for listing in [&listing, &thread] {
        let with_deleted = Listing { with_deleted: true, ..listing.clone() };
        super::records_listed(connection, &with_deleted)?;
        for listing in [listing, &with_deleted] {
            super::records_listed(
                connection,
                &Listing { after: Some(id.clone()), ..listing.clone() },
            )?;
        }
    }
    super::link(connection, &id, &id, &Relation::AgentTask)?;
    super::links_from(connection, &id, &Relation::AgentTask)?;
    super::links_to(connection, &id, &Relation::AgentTask)?;
    super::content(connection, &ContentRef { subject: id.clone(), hash: Digest::ZERO })?;
    super::operation(connection, &OperationId(Digest::ZERO))?;
    super::audit_after(connection, 3, 5)?;
    super::records_of(connection, std::slice::from_ref(&id), BodyType::Task, 5)?;
    super::records_of(connection, &[id.clone(), id.clone()], BodyType::Task, 5)?;
    let marked = Marked::with(BodyType::Task, "open", 5);
    super::marked(connection, &marked)?;
    super::marked(connection, &Marked { backwards: true, ..marked.clone() })?;
    let after = Some(("open".to_owned(), id.clone()));
    super::marked(connection, &Marked { after, ..marked })?;
    super::scan(connection, 3, 5)?;
    super::dependents(connection, &id, 5)?;
    super::operations(connection, Some(Position(3)), 5)?;
    super::operations_at(connection, &[Position(3)])?;
    super::operations_of_run(connection, &RunKey(Digest::ZERO))?;
    super::operations_starting(connection, "ab", 5)?;
    super::newest_changes(connection, &token, Some(Position(3)), 5)?;
    super::head(connection)?;
    super::changes_after(connection, Position(3), 5)?;
    super::changes_about(connection, std::slice::from_ref(&token), Position(1), Position(9), 5)?;
    super::delta(connection, std::slice::from_ref(&token), Position(1), 5)?;
    super::cursor(connection, &CursorName::of_service("x"), Domain::Journal)?;
    super::outbox_after(connection, Position(3), 5)?;
    super::sequence_after(connection, &host, Counter(3), 5)?;
    super::sequence_of(connection, &host, Counter(3))?;
    super::fence(connection, &FenceScope::Global)?;
    super::fences_around(connection, &"agent_a".parse().unwrap())?;
    super::closed_fences(connection)?;
    super::subscribers(connection, vec![token])?;
    Ok(())
}

fn run_every_read_of_waking(connection: &Connection) -> Result<(), Fault> {
    let agent = "agent_a".parse().unwrap();
    let schedule = "schedule_a".parse().unwrap();
    let run_key = RunKey(Digest::ZERO);
    super::run(connection, &run_key)?;
    super::runs_of(connection, &agent, 5)?;
    super::open_runs(connection, &agent, 5)?;
    super::runs_at_hand(connection, &agent, At::EPOCH)?;
    super::queued_runs(connection, 5)?;
    super::begun_runs(connection, 5)?;
    super::events(connection, &agent, Some(3), 5)?;
    super::happenings(connection, Some(3), 5)?;
    super::happenings(connection, None, 5)?;
    super::outlook(connection, At::EPOCH, 5)?;
    super::outlook::ready_runs(connection, Some(At::EPOCH), 5)?;
    super::outlook::next_due(connection, At::EPOCH)?;
    super::due_schedules(connection, At::EPOCH, 5)?;
    super::armed_elsewhere(connection, "Europe/Berlin", 5)?;
    super::armed_later(connection, At::EPOCH, Some(&schedule), 5)?;
    super::last_ticked(connection, &schedule, &SlotName::named("1".to_owned()))?;
    super::arming(connection, &schedule)?;
    super::occurrences(connection, &schedule, 5)?;
    super::in_flight(connection, &schedule)?;
    super::occurrences_of(connection, &run_key)?;
    super::due_waits(connection, At::EPOCH, 5)?;
    super::waits_on(connection, "operator:operator", 5)?;
    super::open_waits(connection, &agent, 5)?;
    super::rest(connection, &agent)?;
    super::hints(connection, &agent)?;
    let (thread, call) = (ThreadId::from_stored("t".to_owned()), "invocation_a".parse().unwrap());
    super::tool_counts(connection, &agent, &thread, "set_title", &call, At::EPOCH)?;
    super::briefing(connection, &agent, At::EPOCH)?;
    Ok(())
}

/// Scans of what is short by its nature: a list handed in is as long as the caller made it,
/// an index of what is open, begun, ready or gated holds that and no history, and the fences are as
/// many as agents that were ever stopped. A subquery is as long as its own limit, and has a plan of
/// its own.
const SHORT: [&str; 10] = [
    "VIRTUAL TABLE",
    "(subquery",
    "CONSTANT ROW",
    "INDEX runs_open",
    "INDEX runs_begun",
    "INDEX runs_ready",
    "INDEX runs_gated",
    "INDEX armings_due",
    "INDEX waits_by_deadline",
    "SCAN fences",
];

/// What a plan goes through although it is not short: a whole table, or an agent's ended runs on the
/// way to its open ones.
fn scans(connection: &Connection, sql: &str) -> Option<String> {
    let open = sql.contains("completed_at IS NULL");
    steps(connection, sql).into_iter().find(|step| {
        let scan = step.starts_with("SCAN") && !SHORT.iter().any(|short| step.contains(short));
        scan || open && step.contains("runs_by_agent")
    })
}

/// The plan of a statement.
fn steps(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps = statement.query_map([], |row| row.get::<_, String>("detail")).unwrap();
    steps.map(Result::unwrap).collect()
}

/// A new file of a domain, in a folder that goes with it.
fn file(domain: Domain) -> (tempfile::TempDir, Connection) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.db");
    let connection = connection::open_writer(&path, &Config::default()).unwrap();
    schema::migrate(&connection, domain).unwrap();
    (folder, connection)
}

/// The statements that reads make.
fn seen(connection: &mut Connection, reads: impl Fn(&Connection)) -> BTreeSet<String> {
    let (send, seen) = mpsc::channel();
    let note = move |event: TraceEvent<'_>| {
        if let TraceEvent::Stmt(statement, _) = event {
            send.send(statement.expanded_sql().unwrap()).unwrap();
        }
    };
    connection.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(note)).unwrap();
    reads(connection);
    connection.trace_v2(TraceEventCodes::empty(), None::<fn(TraceEvent<'_>)>).unwrap();
    seen.try_iter().collect()
}

/// None of the statements goes through a whole table.
fn go_through_indexes(connection: &Connection, seen: &BTreeSet<String>) {
    for sql in seen.iter().filter(|sql| sql.starts_with("SELECT")) {
        assert_eq!(scans(connection, sql), None, "{sql}");
    }
}

#[test]
fn every_read_goes_through_an_index() {
    let (_folder, mut connection) = file(Domain::Agent);
    let seen = seen(&mut connection, |connection| {
        run_every_read(connection).unwrap();
        run_every_read_of_waking(connection).unwrap();
    });
    assert!(seen.len() >= 54, "{} statements were seen", seen.len());
    go_through_indexes(&connection, &seen);
}

/// Whether SQLite makes a table to answer.
fn makes_a_table(connection: &Connection, sql: &str) -> bool {
    let mut statement = connection.prepare(&format!("EXPLAIN {sql}")).unwrap();
    let steps = statement.query_map([], |row| row.get::<_, String>("opcode")).unwrap();
    steps.map(Result::unwrap).any(|step| step == "OpenEphemeral")
}

#[test]
fn no_read_needs_a_table_of_its_own() {
    let (_folder, mut connection) = file(Domain::Agent);
    let seen = seen(&mut connection, |connection| {
        run_every_read(connection).unwrap();
        run_every_read_of_waking(connection).unwrap();
    });
    for sql in &seen {
        assert!(!makes_a_table(&connection, sql), "{sql}");
    }
    assert!(makes_a_table(&connection, "SELECT n FROM runs ORDER BY reason LIMIT 1"));
}

#[test]
fn the_end_of_an_id_is_looked_up_in_an_index() {
    let (_folder, mut connection) = file(Domain::Journal);
    let seen = seen(&mut connection, |connection| {
        super::ids_ending(connection, "task_", "abcd", 5).unwrap();
    });
    assert_eq!(seen.len(), 1);
    go_through_indexes(&connection, &seen);
}

#[test]
fn the_end_of_an_agents_id_is_looked_for_among_agents_and_schedules_alone() {
    let (_folder, mut connection) = file(Domain::Agent);
    let seen = seen(&mut connection, |connection| {
        super::agents_or_schedules_ending(connection, "agent_", "abcd", 5).unwrap();
    });
    assert_eq!(seen.len(), 1);
    go_through_indexes(&connection, &seen);
}

#[test]
fn what_was_said_is_read_in_its_order_without_sorting_all_of_it() {
    let (_folder, mut connection) = file(Domain::Agent);
    let listing = Listing::of("agent_a", BodyType::AgentMessage, 5);
    let thread = Listing { subtype: Some("t".to_owned()), ..listing };
    let seen = seen(&mut connection, |connection| {
        super::records_listed(connection, &thread).unwrap();
    });
    let steps = steps(&connection, seen.first().unwrap());
    let [only] = steps.as_slice() else { panic!("it is sorted: {steps:?}") };
    assert!(only.contains("INDEX entities_by_shelf (shelf=?)"), "{only}");
}

#[test]
fn a_read_without_an_index_is_noticed() {
    let (_folder, connection) = file(Domain::Agent);
    assert!(scans(&connection, "SELECT * FROM runs WHERE reason = 'tick'").is_some());
    assert!(scans(&connection, "SELECT * FROM waits WHERE deadline + 1 > 2").is_some());
    let ended = "SELECT * FROM runs WHERE agent_id = 'a' AND completed_at IS NULL ORDER BY n";
    assert!(scans(&connection, ended).is_some());
}
