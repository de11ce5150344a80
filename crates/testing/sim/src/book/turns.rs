//! Turns: who is in one, and what it is shown.

use dispatch::Claim;
use types::{AgentId, RunKey};

use super::entries::RunBook;
use super::{Book, EndKind};

impl Book {
    /// A turn begins.
    pub(crate) fn turn_begins(&mut self, claim: &Claim) {
        let (agent, run) = (claim.agent.agent_id.clone(), claim.run.draft.run_key);
        self.figures.count("turns");
        if let Some(other) = self.in_turn.insert(agent.clone(), run) {
            let what =
                format!("{} takes a turn for {run} during one for {other}", self.name(&agent));
            self.violate("single flight", what);
        }
        // Somebody may have cancelled it while its turn looked around; then it asks nobody.
        let over = |run: &RunBook| run.ended.is_some_and(|(_, kind)| kind != EndKind::Cancelled);
        if self.runs.get(&run).is_none_or(|run| !run.begun || over(run)) {
            let what = format!("{} takes a turn for {run}, which has not begun", self.name(&agent));
            self.violate("single flight", what);
        }
        let shown = claim.journal.changes.iter().map(|change| change.position).collect();
        let missed = claim.journal.trimmed.then_some(self.let_go.min(claim.journal.head));
        if let Some(book) = self.runs.get_mut(&run) {
            book.shown = Some(shown);
            book.missed = missed;
        }
    }

    /// A turn is over, or was cut short.
    pub(crate) fn turn_ends(&mut self, agent: &AgentId, run: &RunKey) {
        if self.in_turn.get(agent) == Some(run) {
            self.in_turn.remove(agent);
        }
    }
}
