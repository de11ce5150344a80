//! Where the words of the journal came from that a prompt is made of.

use store::{Surroundings, TaskReport};
use types::{Label, RecordId, TaskId};

/// Where the words of the task came from, with all that hangs on it: the operator, and whoever else had a
/// hand in any of them.
pub(crate) fn of_task(around: &Surroundings) -> Label {
    let beside = |id: &RecordId| around.linked.iter().any(|record| record.id == *id);
    let hands = around.origins.iter().filter(|(id, _)| !beside(id));
    Label::operator().and_all(hands.map(|(_, label)| label))
}

/// Where the words about each task beside it came from: its own, and the report of its agent.
pub(crate) fn of_linked(around: &Surroundings, reports: &[TaskReport]) -> Vec<(TaskId, Label)> {
    let label = |id: TaskId| {
        let own = around.origins.get(&RecordId::from(&id));
        let report =
            reports.iter().find(|report| report.task == id).map(|report| &report.words.label);
        (id, Label::operator().and_all(own.into_iter().chain(report)))
    };
    around.linked.iter().filter_map(|record| record.id.as_str().parse().ok()).map(label).collect()
}
