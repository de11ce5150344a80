//! Doing an operation once, and keeping what is needed to answer again and to undo.

use rusqlite::params;
use types::{Commit, ContentDraft, Position, PreImage, Recorded};

use crate::fault::Fault;
use crate::prepared::{Prepared, Storable};
use crate::reads;
use crate::rows::int;

use super::content;
use super::state::Writer;
use super::touched::Touched;

/// The first answer, if the commit's operation was done before.
pub(super) fn find(writer: &Writer, commit: &Commit) -> Result<Option<Recorded>, Fault> {
    let Some(draft) = &commit.operation else { return Ok(None) };
    let Some(known) = reads::operation(&writer.connection, &draft.id)? else { return Ok(None) };
    let content = reads::content(&writer.connection, &known.result)?;
    // An erased answer is answered with null: the effect still must not happen again.
    let result = content
        .and_then(|content| serde_json::from_slice(&content.bytes).ok())
        .unwrap_or(serde_json::Value::Null);
    Ok(Some(Recorded { operation: known.id, result }))
}

/// Keeps the commit's operation with its answer and the records it replaced.
pub(super) fn keep(
    writer: &Writer,
    prepared: &Prepared,
    position: Option<Position>,
    touched: &Touched,
) -> Result<(), Fault> {
    let commit = &prepared.commit;
    let (Some(draft), Some((result, storable))) = (&commit.operation, &prepared.result) else {
        return Ok(());
    };
    content::keep(writer, commit.at, result, storable)?;
    let pre_image = pre_image(result, touched);
    if let Some((image, storable)) = &pre_image {
        content::keep(writer, commit.at, image, storable)?;
    }
    let sql = "INSERT INTO operations (operation_id, key, verb, subject, run_key, author, at,
                                       position, result, pre_image)
               VALUES (?1, digest_key(?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    writer.connection.prepare_cached(sql)?.execute(params![
        draft.id.0.as_bytes(),
        draft.verb,
        draft.subject.as_str(),
        draft.run_key.as_ref().map(|key| key.0.as_bytes()),
        prepared.author,
        commit.at.millis(),
        position.map(|position| int(position.0)),
        result.bytes.hash().as_bytes(),
        pre_image.as_ref().map(|(image, _)| image.bytes.hash().as_bytes()),
    ])?;
    Ok(())
}

/// What was there before, about the same subject and under the same label as the answer.
fn pre_image(result: &ContentDraft, touched: &Touched) -> Option<(ContentDraft, Storable)> {
    if touched.before == PreImage::default() {
        return None;
    }
    let bytes = serde_json::to_vec(&touched.before).expect("records are JSON").into();
    let (subject, label) = (result.subject.clone(), result.label.clone());
    let image = ContentDraft { subject, label, bytes };
    let storable = Storable::of(&image);
    Some((image, storable))
}
