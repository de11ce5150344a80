//! The names of reports and notes: two hosts that carry out the same call write the same records.

use types::{AgentId, MessageId, OperationId, ReportHeadId, ReportId, ReportScope, RunKey};

use crate::hash;

/// The report that an operation of a run writes: trying again writes the same one.
#[must_use]
pub fn id(run: &RunKey, operation: &OperationId) -> ReportId {
    ReportId::from_digest(&hash::fields([
        b"report".as_slice(),
        run.0.as_bytes(),
        operation.0.as_bytes(),
    ]))
}

/// What says which report of an agent and scope stands.
#[must_use]
pub fn head(agent: &AgentId, scope: ReportScope) -> ReportHeadId {
    ReportHeadId::from_digest(&hash::fields(["report head", agent.as_str(), scope.as_str()]))
}

/// The note that an operation of a run keeps at a place among its notes, from zero.
#[must_use]
pub fn note(run: &RunKey, operation: &OperationId, place: usize) -> MessageId {
    MessageId::from_digest(&hash::fields([
        b"note".as_slice(),
        run.0.as_bytes(),
        operation.0.as_bytes(),
        place.to_string().as_bytes(),
    ]))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use types::Digest;

    #[test]
    fn the_same_call_names_the_same_records_and_another_call_others() {
        let (run, other) = (RunKey(Digest::ZERO), RunKey(hash::bytes(b"other")));
        let (one, two) = (OperationId(Digest::ZERO), OperationId(hash::bytes(b"two")));
        assert_eq!(id(&run, &one), id(&run, &one));
        let reports = BTreeSet::from([id(&run, &one), id(&run, &two), id(&other, &one)]);
        assert_eq!(reports.len(), 3);
        let notes = BTreeSet::from([note(&run, &one, 0), note(&run, &one, 1), note(&run, &two, 0)]);
        assert_eq!(notes.len(), 3);
    }

    #[test]
    fn there_is_one_head_for_each_agent_and_scope() {
        let agents: [AgentId; 2] = ["agent_a".parse().unwrap(), "agent_b".parse().unwrap()];
        let heads =
            agents.iter().flat_map(|agent| ReportScope::ALL.map(|scope| head(agent, scope)));
        assert_eq!(heads.collect::<BTreeSet<ReportHeadId>>().len(), 8);
    }
}
