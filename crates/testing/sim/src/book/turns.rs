//! Turns: who is in one, and what it is shown.

use dispatch::Claim;
use types::{AgentId, RunKey};

use super::Book;

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
        let begun = self.runs.get(&run).is_some_and(|run| run.begun && run.ended.is_none());
        if !begun {
            let what = format!("{} takes a turn for {run}, which has not begun", self.name(&agent));
            self.violate("single flight", what);
        }
        let shown = claim.journal.changes.iter().map(|change| change.position).collect();
        if let Some(book) = self.runs.get_mut(&run) {
            book.shown = Some(shown);
        }
    }

    /// A turn is over, or was cut short.
    pub(crate) fn turn_ends(&mut self, agent: &AgentId, run: &RunKey) {
        if self.in_turn.get(agent) == Some(run) {
            self.in_turn.remove(agent);
        }
    }
}
