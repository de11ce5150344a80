//! Counting calls of tools, and holding agents to their quotas.

use std::collections::BTreeSet;

use rusqlite::params;
use types::{AgentId, At, Commit, Conflict, InvocationId, Quota, ThreadId, ToolCounts, Write};

use crate::fault::Fault;
use crate::reads;

use super::guards::Found;
use super::state::Writer;

/// Whether a commit counts more calls of a tool than the agent has left. What is stored says nothing
/// of the calls that the same commit counts, so those are looked at too.
pub(super) fn over_quota(
    writer: &Writer,
    commit: &Commit,
    agent: &AgentId,
    thread: &ThreadId,
    tool: &str,
    quota: &Quota,
) -> Found {
    let (mut in_session, mut in_day) = (BTreeSet::new(), BTreeSet::new());
    for write in &commit.writes {
        let Write::CountTool { agent: who, thread: wherein, tool: which, call } = write else {
            continue;
        };
        if who != agent || which != tool || reads::tool_counted(&writer.connection, call)? {
            continue;
        }
        in_day.insert(call);
        if wherein == thread {
            in_session.insert(call);
        }
    }
    let Some(any) = in_day.first() else { return Ok(None) };
    let counts: ToolCounts =
        reads::tool_counts(&writer.connection, agent, thread, tool, any, commit.at)?;
    let number = |calls: &BTreeSet<&InvocationId>| u32::try_from(calls.len()).unwrap_or(u32::MAX);
    let admitted = quota.admits(&counts, number(&in_session), number(&in_day));
    let (agent, tool) = (agent.clone(), tool.to_owned());
    Ok((!admitted).then_some(Conflict::ToolQuota { agent, tool }))
}

/// Counts a call, unless it was counted before.
pub(super) fn count(
    writer: &Writer,
    at: At,
    agent: &AgentId,
    thread: &ThreadId,
    tool: &str,
    call: &InvocationId,
) -> Result<(), Fault> {
    let sql = "INSERT INTO tool_counted (call_id) VALUES (?1) ON CONFLICT (call_id) DO NOTHING";
    if writer.connection.prepare_cached(sql)?.execute(params![call.as_str()])? == 0 {
        return Ok(());
    }
    let day = reads::tool_span(&writer.connection, agent, tool, reads::DAY)?;
    let day = match day.filter(|(opened_at, _)| rules::quota::is_open(*opened_at, at)) {
        Some((opened_at, count)) => (opened_at, count.saturating_add(1)),
        None => (at, 1),
    };
    let session = reads::tool_span(&writer.connection, agent, tool, thread.as_str())?;
    let session =
        session.map_or((at, 1), |(opened_at, count)| (opened_at, count.saturating_add(1)));
    let sql = "INSERT OR REPLACE INTO tool_counts (agent_id, tool, span, opened_at, count)
               VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut statement = writer.connection.prepare_cached(sql)?;
    for (span, (opened_at, count)) in [(reads::DAY, day), (thread.as_str(), session)] {
        statement.execute(params![agent.as_str(), tool, span, opened_at.millis(), count])?;
    }
    Ok(())
}
