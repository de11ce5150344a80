//! Reads of what agents spent and set aside.

use rusqlite::params;
use types::{Account, AgentId, Amounts, Day, RunKey};
use vfs::Connection;

use crate::fault::Fault;
use crate::rows::Cells;

/// What an agent has of a day. What runs have set aside counts whenever that was: they are not over. For whom it is
/// asked does not count.
pub(crate) fn account(
    connection: &Connection,
    agent: &AgentId,
    day: &Day,
    besides: Option<&RunKey>,
) -> Result<Account, Fault> {
    let sql = "SELECT tokens, cost_micros, tool_calls, runtime_ms
               FROM budgets
               WHERE agent_id = ?1 AND day = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![agent.as_str(), day.to_string()])?;
    let spent = rows.next()?.map(|row| amounts(&Cells(row))).transpose()?.unwrap_or_default();
    let sql = "SELECT tokens, cost_micros, tool_calls, runtime_ms
               FROM reservations
               WHERE agent_id = ?1 AND run_key IS NOT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let besides = besides.map(|run| run.0.as_bytes());
    let mut rows = statement.query(params![agent.as_str(), besides])?;
    let mut reserved = Amounts::default();
    while let Some(row) = rows.next()? {
        reserved = reserved.plus(amounts(&Cells(row))?);
    }
    Ok(Account { spent, reserved })
}

/// What a run has set aside, and for which day.
pub(crate) fn reservation(
    connection: &Connection,
    agent: &AgentId,
    run: &RunKey,
) -> Result<Option<(String, Amounts)>, Fault> {
    let sql = "SELECT day, tokens, cost_micros, tool_calls, runtime_ms
               FROM reservations
               WHERE agent_id = ?1 AND run_key = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![agent.as_str(), run.0.as_bytes()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let cells = Cells(row);
    Ok(Some((cells.text("day")?, amounts(&cells)?)))
}

fn amounts(cells: &Cells<'_>) -> Result<Amounts, Fault> {
    Ok(Amounts {
        tokens: cells.number("tokens")?,
        cost_micros: cells.number("cost_micros")?,
        tool_calls: cells.number("tool_calls")?,
        runtime_ms: cells.number("runtime_ms")?,
    })
}
