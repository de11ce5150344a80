//! Agents that are like one, without all that a birth takes.

use types::{AgentId, AgentIdentity, Body, Lifecycle, Record, RecordDraft, Write};

/// The writes that put agents of these names beside one that they are like, in this stage of life.
///
/// # Panics
/// If the record is not of an agent, or a name is none of one.
pub fn agents_like(
    one: &Record,
    names: impl Iterator<Item = String>,
    lifecycle: Lifecycle,
) -> Vec<Write> {
    let Body::Agent(like) = &one.body else { panic!("no agent: {}", one.id) };
    let write = |name: String| {
        let agent_id: AgentId = name.parse().expect("the name of an agent");
        let agent = AgentIdentity { agent_id: agent_id.clone(), lifecycle, ..like.clone() };
        Write::Record(RecordDraft::live(agent_id, agent))
    };
    names.map(write).collect()
}
