//! Reads of how often tools were called.

use rusqlite::{OptionalExtension, params};
use types::{AgentId, At, InvocationId, ThreadId, ToolCounts};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::Cells;

/// The span that is a day; a thread always has a name.
pub(crate) const DAY: &str = "";

/// When a span was opened, and how many calls it holds.
pub(crate) fn tool_span(
    connection: &Connection,
    agent: &AgentId,
    tool: &str,
    span: &str,
) -> Result<Option<(At, u32)>, Fault> {
    let sql = "SELECT opened_at, count
               FROM tool_counts
               WHERE agent_id = ?1 AND tool = ?2 AND span = ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![agent.as_str(), tool, span])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let cells = Cells(row);
    let count = u32::try_from(cells.number("count")?).unwrap_or(u32::MAX);
    Ok(Some((cells.at("opened_at")?, count)))
}

/// Whether a call was counted.
pub(crate) fn tool_counted(connection: &Connection, call: &InvocationId) -> Result<bool, Fault> {
    let sql = "SELECT 1 FROM tool_counted WHERE call_id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row(params![call.as_str()], |_| Ok(())).optional()?.is_some())
}

pub(crate) fn tool_counts(
    connection: &Connection,
    agent: &AgentId,
    thread: &ThreadId,
    tool: &str,
    call: &InvocationId,
    now: At,
) -> Result<ToolCounts, Fault> {
    let session = tool_span(connection, agent, tool, thread.as_str())?;
    let day = tool_span(connection, agent, tool, DAY)?
        .filter(|(opened_at, _)| rules::quota::is_open(*opened_at, now));
    Ok(ToolCounts {
        session: session.map_or(0, |(_, count)| count),
        day: day.map_or(0, |(_, count)| count),
        counted: tool_counted(connection, call)?,
    })
}
