//! What several tests of the files begin with.

use types::{AgentState, At, Author, Commit, Domain, RecordDraft, RecordId, Write};

/// The state of an agent that is new, and the commit that writes it.
pub(crate) fn newborn(name: &str) -> (RecordId, Commit) {
    let id: RecordId = format!("state_{name}").parse().unwrap();
    let state = AgentState::newborn(format!("agent_{name}").parse().unwrap());
    let writes = vec![Write::Record(RecordDraft::live(id.clone(), state))];
    (id, Commit::new(Domain::Agent, Author::Runtime, At::EPOCH, writes))
}
