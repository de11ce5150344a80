//! Remembering where the words of a record came from.

use rusqlite::params;
use types::{Body, Commit, Domain, RecordDraft};

use crate::fault::Fault;
use crate::reads;

use super::state::Writer;

/// Keeps the label of a record's words, if an agent has a hand in them, or somebody copied what an agent had a hand in.
/// Most are the operator's alone, or Dormouse's own, and have no row.
pub(super) fn keep(
    writer: &Writer,
    commit: &Commit,
    draft: &RecordDraft,
    was: Option<&Body>,
) -> Result<(), Fault> {
    let is_own = commit.author.agent().is_none() && commit.read.is_none();
    if writer.domain != Domain::Journal || is_own {
        return Ok(());
    }
    let known = reads::word_labels(&writer.connection, std::slice::from_ref(&draft.id))?;
    let known = known.get(&draft.id);
    let label = rules::words::label(was, known, &draft.body, &commit.label());
    let Some(label) = label else { return Ok(()) };
    let sql = "INSERT INTO word_labels (record_id, label)
               VALUES (?1, ?2)
               ON CONFLICT (record_id) DO UPDATE SET label = excluded.label";
    let label = serde_json::to_string(&label).expect("labels are JSON");
    writer.connection.prepare_cached(sql)?.execute(params![draft.id.as_str(), label])?;
    Ok(())
}
