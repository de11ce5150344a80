//! What is kept packed: read as it was said, once, gone when erased, and found when damaged.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use rusqlite::Connection;
use sqlite::{Config, SqliteStore};
use store::{ReadChanges, ReadRecords, ReadRuns, Store, StoreError, wait};
use testkit::TempHome;
use types::{
    At, AuditDraft, Author, Body, Commit, ContentRef, Domain, Epoch, EventDraft, EventKind, Label,
    OperationDraft, OperationId, Outcome, Position, RecordDraft, RecordId, Recorded, RunKey,
    Subscription, Token, Write,
};

const AGENT: &str = "agent_01m7hrgs40rw8varwv8when56s";

/// How a packed content begins.
const MAGIC: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];

fn words() -> String {
    "Water the ferns, then the moss, then the ferns again. ".repeat(40)
}

fn content(bytes: &[u8]) -> (Write, ContentRef) {
    rules::content::keep("task_a".parse().unwrap(), Label::operator(), bytes.to_vec())
}

fn subscription() -> Subscription {
    let tokens = (0..80).map(|n| Token::semantic(&format!("CHECKLIST_ITEM_{n}")).unwrap());
    Subscription::to(AGENT.parse().unwrap(), tokens.collect())
}

fn author() -> Author {
    let run = RunKey(rules::hash::bytes(b"run"));
    Author::Agent { agent: AGENT.parse().unwrap(), run, epoch: Epoch { boot: 1, attempt: 0 } }
}

/// A commit with a record, a content, an event and an answer, all long enough to be packed.
fn commit() -> Commit {
    let id: RecordId = "subscription_a".parse().unwrap();
    let event = EventDraft {
        agent: AGENT.parse().unwrap(),
        kind: EventKind::MessageAdmitted,
        body: serde_json::json!({ "preview": words() }),
    };
    let writes = vec![
        Write::Record(RecordDraft::live(id, subscription())),
        content(words().as_bytes()).0,
        Write::Event(event),
    ];
    let operation = OperationDraft {
        id: OperationId(rules::hash::bytes(b"once")),
        verb: "create_task",
        subject: "task_a".parse().unwrap(),
        run_key: None,
        result: serde_json::json!({ "said": words() }),
    };
    let audit = AuditDraft { action: "case", subject: "a".to_owned(), detail: String::new() };
    let commit = Commit::new(Domain::Agent, author(), At::EPOCH, writes);
    Commit { audit: vec![audit], operation: Some(operation), ..commit }
}

#[expect(clippy::disallowed_methods, reason = "the test goes behind the store's back")]
fn behind(home: &TempHome) -> Connection {
    let connection = Connection::open(home.path().join("agent.db")).unwrap();
    sqlite::teach(&connection).unwrap();
    connection
}

fn count(home: &TempHome, sql: &str) -> i64 {
    behind(home).query_row(sql, [], |row| row.get(0)).unwrap()
}

fn committed(home: &TempHome) -> SqliteStore {
    let store = home.open(&Config::default());
    wait(store.commit(commit())).unwrap();
    store
}

/// Record, event and content read as they were written.
fn assert_all_there(store: &SqliteStore) {
    let record = wait(store.record(Domain::Agent, "subscription_a".parse().unwrap()));
    assert_eq!(record.unwrap().unwrap().body, Body::AgentSubscription(subscription()));
    let events = wait(store.events(AGENT.parse().unwrap(), Some(0), 5)).unwrap();
    assert_eq!(events[0].body["preview"], words());
    let (_, at) = content(words().as_bytes());
    let kept = wait(store.content(Domain::Agent, at)).unwrap().unwrap();
    assert_eq!((kept.bytes, kept.label), (words().into_bytes(), Label::operator()));
    let changes = wait(store.changes(Domain::Agent, Position(0), 5)).unwrap();
    assert_eq!(changes[0].author, author());
    let audit = wait(store.audit(Domain::Agent, 0, 5)).unwrap();
    assert_eq!(audit[0].actor, serde_json::to_string(&author()).unwrap());
}

fn findings(store: &SqliteStore) -> Vec<String> {
    store.check().unwrap().into_iter().flat_map(|report| report.findings).collect()
}

#[test]
fn rows_are_kept_packed_and_read_as_they_were() {
    let home = TempHome::new();
    assert_all_there(&committed(&home));
    for table in ["entities", "events"] {
        let sql = format!("SELECT COUNT(*) FROM {table} WHERE TYPEOF(body) = 'blob'");
        assert_eq!(count(&home, &sql), 1, "{table}");
        let sql = format!("SELECT MAX(LENGTH(body)) FROM {table}");
        assert!(count(&home, &sql) < 700, "{table}");
    }
    assert!(count(&home, "SELECT MAX(LENGTH(bytes)) FROM contents") < 150);
    assert_eq!(findings(&home.open(&Config::default())), Vec::<String>::new());
    let copied = tempfile::tempdir().unwrap();
    let target = copied.path().join("copy");
    home.open(&Config::default()).backup(&target).unwrap();
}

#[test]
fn rows_that_an_older_version_wrote_are_read_and_written_again() {
    let home = TempHome::new();
    drop(committed(&home));
    behind(&home)
        .execute_batch(
            "UPDATE entities SET body = unpacked(body);
             UPDATE events SET body = unpacked(body);
             UPDATE contents SET bytes = CAST(unpacked(bytes) AS BLOB);",
        )
        .unwrap();
    let plain = "SELECT COUNT(*) FROM entities WHERE TYPEOF(body) = 'text'";
    assert_eq!(count(&home, plain), 1);
    let store = home.open(&Config::default());
    assert_all_there(&store);
    assert_eq!(findings(&store), Vec::<String>::new());
    let again = Commit { operation: None, author: Author::Operator, ..commit() };
    assert!(matches!(wait(store.commit(again)), Ok(Outcome::Applied(_))));
    assert_all_there(&store);
    drop(store);
    assert_eq!(count(&home, plain), 0);
}

#[test]
fn the_same_content_again_is_the_same_row_packed_or_not() {
    let home = TempHome::new();
    for stored_as_it_was in [true, false] {
        let store = home.open(&Config::default());
        let writes = vec![content(words().as_bytes()).0];
        wait(store.commit(Commit::new(Domain::Agent, Author::Operator, At::EPOCH, writes)))
            .unwrap();
        drop(store);
        assert_eq!(count(&home, "SELECT COUNT(*) FROM contents"), 1);
        if stored_as_it_was {
            let sql = "UPDATE contents SET bytes = CAST(unpacked(bytes) AS BLOB)";
            behind(&home).execute(sql, []).unwrap();
        }
    }
}

#[test]
fn a_content_that_begins_like_a_packed_one_is_read_as_it_was_said() {
    let home = TempHome::new();
    let store = home.open(&Config::default());
    for tail in ["", "and more", words().as_str()] {
        let bytes = [MAGIC, tail.as_bytes()].concat();
        let (kept, at) = content(&bytes);
        let writes = vec![kept];
        wait(store.commit(Commit::new(Domain::Agent, Author::Operator, At::EPOCH, writes)))
            .unwrap();
        assert_eq!(wait(store.content(Domain::Agent, at)).unwrap().unwrap().bytes, bytes);
    }
    assert_eq!(findings(&store), Vec::<String>::new());
}

#[test]
fn an_erased_content_is_gone_and_its_operation_is_not_done_again() {
    let home = TempHome::new();
    drop(committed(&home));
    behind(&home).execute("DELETE FROM contents WHERE subject = 'task_a'", []).unwrap();
    let store = home.open(&Config::default());
    let at = content(words().as_bytes()).1;
    assert_eq!(wait(store.content(Domain::Agent, at)).unwrap(), None);
    let operation = OperationId(rules::hash::bytes(b"once"));
    let recorded = Recorded { operation, result: serde_json::Value::Null };
    assert_eq!(wait(store.commit(commit())).unwrap(), Outcome::Idempotent(recorded));
}

#[test]
fn the_answer_of_a_repeated_operation_is_the_first_one() {
    let home = TempHome::new();
    let store = committed(&home);
    let Outcome::Idempotent(recorded) = wait(store.commit(commit())).unwrap() else {
        panic!("it was done again");
    };
    assert_eq!(recorded.result["said"], words());
}

/// How each kind of row is read.
fn read(store: &SqliteStore, table: &str) -> Result<(), StoreError> {
    match table {
        "entities" => {
            wait(store.record(Domain::Agent, "subscription_a".parse().unwrap())).map(drop)
        }
        "events" => wait(store.events(AGENT.parse().unwrap(), Some(0), 5)).map(drop),
        _ => wait(store.content(Domain::Agent, content(words().as_bytes()).1)).map(drop),
    }
}

#[test]
fn a_damaged_row_is_damage_with_a_name_and_the_check_finds_it() {
    let home = TempHome::new();
    drop(committed(&home));
    let cut_off = "SUBSTR(?1, 1, LENGTH(?1) - 3)";
    let other_words = "X'28B52FFD6344768D15640000'";
    let exabytes = "X'28B52FFDE343768D15F0FFFFFFFFFFFF7F'";
    for (table, column) in [("entities", "body"), ("events", "body"), ("contents", "bytes")] {
        let first = format!("{column} FROM {table} WHERE n = (SELECT MIN(n) FROM {table})");
        let was: Vec<u8> =
            behind(&home).query_row(&format!("SELECT {first}"), [], |row| row.get(0)).unwrap();
        let put = |value: &str| {
            let sql = format!(
                "UPDATE {table} SET {column} = COALESCE({value}, ?1)
                 WHERE n = (SELECT MIN(n) FROM {table})"
            );
            behind(&home).execute(&sql, [&was]).unwrap();
        };
        for damaged in [cut_off, other_words, exabytes] {
            put(damaged);
            let store = home.open(&Config::default());
            let read = read(&store, table);
            assert!(matches!(read, Err(StoreError::Corrupt { .. })), "{table} {damaged}: {read:?}");
            assert_eq!(findings(&store).len(), 1, "{table} {damaged}");
        }
        put("?1");
    }
    let store = home.open(&Config::default());
    assert_all_there(&store);
    assert_eq!(findings(&store), Vec::<String>::new());
}
