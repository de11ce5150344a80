//! Keeping the index of open waits in step with their records.

use rusqlite::params;
use types::{RecordDraft, Wait, WaitState};

use crate::fault::Fault;

use super::state::Writer;

/// A row for an open, living wait and for no other.
pub(super) fn index(writer: &Writer, draft: &RecordDraft, wait: &Wait) -> Result<(), Fault> {
    let id = draft.id.as_str();
    if draft.deleted || wait.state != WaitState::Open {
        let sql = "DELETE FROM waits WHERE wait_id = ?1";
        writer.connection.prepare_cached(sql)?.execute(params![id])?;
        return Ok(());
    }
    let sql = "INSERT OR REPLACE INTO waits (wait_id, agent_id, source, deadline)
               VALUES (?1, ?2, ?3, ?4)";
    let (agent, source) = (wait.agent_id.as_str(), wait.waiting_for.source());
    let params = params![id, agent, source, wait.deadline.millis()];
    writer.connection.prepare_cached(sql)?.execute(params)?;
    Ok(())
}
