//! The verdict notices what it is there to notice: a clean home is edited behind the store's back.

use std::path::Path;

use crash::{Ledger, Violation, Writer, judge, open, quietly, run};
use sqlite::Config;
use tempfile::TempDir;

/// A home that was closed in peace, and the ledgers of its writers.
fn home() -> (TempDir, Vec<Ledger>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut writers = Writer::crew(5);
    let store = open(folder.path(), &Config::default()).expect("it opens");
    run(&store, &mut writers, 30, &quietly);
    drop(store);
    (folder, writers.into_iter().map(|writer| writer.ledger).collect())
}

#[expect(clippy::disallowed_methods, reason = "the damage is done behind the store's back")]
fn edit(folder: &Path, file: &str, sql: &str) {
    let connection = rusqlite::Connection::open(folder.join(file)).expect("it opens");
    connection.execute_batch(sql).expect("good SQL");
    assert!(connection.total_changes() > 0, "the edit changes something");
}

/// What the verdict says after an edit.
fn after(file: &str, sql: &str) -> Vec<Violation> {
    let (folder, ledgers) = home();
    edit(folder.path(), file, sql);
    judge(folder.path(), &ledgers, 5).violations
}

fn says(violations: &[Violation], words: &str) {
    let found = violations.iter().any(|violation| violation.to_string().contains(words));
    assert!(found, "nothing says {words:?}: {violations:#?}");
}

#[test]
fn a_clean_home_has_no_violations() {
    let (folder, ledgers) = home();
    let verdict = judge(folder.path(), &ledgers, 5);
    assert_eq!(verdict.violations, []);
    assert!(ledgers.iter().all(|ledger| ledger.acknowledged() == 30));
    // The verdict's own commits are on record as well.
    let all: Vec<Ledger> = ledgers.into_iter().chain([verdict.probe]).collect();
    assert_eq!(judge(folder.path(), &all, 6).violations, []);
}

#[test]
fn a_removed_outbox_row_is_noticed() {
    let found = after("journal.db", "DELETE FROM outbox WHERE position = 7");
    says(&found, "was acknowledged, but position 7 is missing in the outbox");
    says(&found, "changes in the outbox, its writers account for");
}

#[test]
fn a_changed_audit_entry_is_noticed() {
    let found = after(
        "journal.db",
        "DROP TRIGGER audit_is_never_changed;
         UPDATE audit SET detail = 'nothing to see here' WHERE number = 3",
    );
    says(&found, "its audit entry is");
    says(&found, "the check of the journal file found");
}

#[test]
fn a_lost_operation_is_noticed() {
    let found = after(
        "agent.db",
        "DELETE FROM operations WHERE operation_id = (SELECT MIN(operation_id) FROM operations)",
    );
    says(&found, "was acknowledged, but its operation is missing");
}

#[test]
fn a_record_at_an_older_revision_is_noticed() {
    let found = after(
        "journal.db",
        "UPDATE entities SET revision = revision - 1
         WHERE id = (SELECT MAX(id) FROM entities WHERE revision > 1)",
    );
    says(&found, "is at revision");
}

#[test]
fn a_commit_in_doubt_that_is_half_there_is_noticed() {
    let (folder, mut ledgers) = home();
    edit(folder.path(), "journal.db", "DELETE FROM outbox");
    for entry in ledgers.iter_mut().flat_map(|ledger| &mut ledger.entries) {
        entry.fate = crash::Fate::InDoubt(None);
    }
    let found = judge(folder.path(), &ledgers, 5).violations;
    says(&found, "is half there");
}

#[test]
fn a_change_that_nobody_made_is_noticed() {
    let (folder, mut ledgers) = home();
    ledgers.pop();
    let found = judge(folder.path(), &ledgers, 5).violations;
    says(&found, "changes, its writers account for");
}

#[test]
fn a_settled_doubt_that_changes_its_mind_is_noticed() {
    for (there, words) in
        [(false, "was not there after an earlier crash, and yet"), (true, "is missing")]
    {
        let (folder, mut ledgers) = home();
        let mut writer = Writer::new(5, 99);
        let (step, fate) = (writer.plan.step(), crash::Fate::Settled { there });
        writer.note(step, fate.clone());
        match there {
            // Settled as there, and it never was.
            true => ledgers.push(writer.ledger),
            // Settled as absent, and it is there.
            false => ledgers[0].entries[3].fate = fate,
        }
        says(&judge(folder.path(), &ledgers, 5).violations, words);
    }
}
