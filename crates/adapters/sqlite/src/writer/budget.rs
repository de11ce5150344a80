//! Setting aside what a run is about to spend, and settling it.

use rusqlite::params;
use types::{AgentId, Amounts, Day, RunKey};

use crate::fault::Fault;
use crate::reads;
use crate::rows::int;

use super::state::Writer;

/// Sets aside what a run is about to spend.
pub(super) fn reserve(
    writer: &Writer,
    agent: &AgentId,
    day: &Day,
    run: &RunKey,
    amounts: &Amounts,
) -> Result<(), Fault> {
    forfeit(writer, agent, run)?;
    let sql = "INSERT INTO reservations
                 (agent_id, run_key, day, tokens, cost_micros, tool_calls, runtime_ms)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    writer.connection.prepare_cached(sql)?.execute(params![
        agent.as_str(),
        run.0.as_bytes(),
        day.to_string(),
        int(amounts.tokens),
        int(amounts.cost_micros),
        int(amounts.tool_calls),
        int(amounts.runtime_ms),
    ])?;
    Ok(())
}

/// Lets go of what a run has set aside, and counts what it spent.
pub(super) fn settle(
    writer: &Writer,
    agent: &AgentId,
    day: &Day,
    run: &RunKey,
    amounts: &Amounts,
) -> Result<(), Fault> {
    remove(writer, agent, run)?;
    spend(writer, agent, &day.to_string(), amounts)
}

/// What a run had set aside and never settled counts as spent: nobody knows what it cost.
fn forfeit(writer: &Writer, agent: &AgentId, run: &RunKey) -> Result<(), Fault> {
    let Some((day, amounts)) = reads::reservation(&writer.connection, agent, run)? else {
        return Ok(());
    };
    remove(writer, agent, run)?;
    spend(writer, agent, &day, &amounts)
}

/// The same for a run that is over: nobody will settle it any more.
pub(super) fn forfeit_ended(writer: &Writer, run: &RunKey) -> Result<(), Fault> {
    match reads::agent_of_run(&writer.connection, run)? {
        Some(agent) => forfeit(writer, &agent, run),
        None => Ok(()),
    }
}

fn remove(writer: &Writer, agent: &AgentId, run: &RunKey) -> Result<(), Fault> {
    let sql = "DELETE FROM reservations WHERE agent_id = ?1 AND run_key = ?2";
    writer.connection.prepare_cached(sql)?.execute(params![agent.as_str(), run.0.as_bytes()])?;
    Ok(())
}

fn spend(writer: &Writer, agent: &AgentId, day: &str, amounts: &Amounts) -> Result<(), Fault> {
    let sql = "INSERT INTO budgets (agent_id, day, tokens, cost_micros, tool_calls, runtime_ms)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)
               ON CONFLICT (agent_id, day) DO UPDATE
               SET tokens = tokens + excluded.tokens,
                   cost_micros = cost_micros + excluded.cost_micros,
                   tool_calls = tool_calls + excluded.tool_calls,
                   runtime_ms = runtime_ms + excluded.runtime_ms";
    writer.connection.prepare_cached(sql)?.execute(params![
        agent.as_str(),
        day,
        int(amounts.tokens),
        int(amounts.cost_micros),
        int(amounts.tool_calls),
        int(amounts.runtime_ms),
    ])?;
    Ok(())
}
