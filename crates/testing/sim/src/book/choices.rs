//! Models that were chosen for one run: it asks that and no other, whatever it goes through; nothing else is
//! put to it; and how it goes says nothing of its agent.

use std::collections::BTreeSet;

use types::{AgentId, Body, Commit, DormantCause, Lifecycle, ModelRef, RunKey, TurnState, Write};

use super::Book;
use crate::boot::UNHEARD_OF;

impl Book {
    /// The model that a run was to ask, if one was chosen for it.
    pub(crate) fn choice(&self, run: &RunKey) -> Option<&ModelRef> {
        self.runs.get(run).and_then(|run| run.draft.model.as_ref())
    }

    /// A model is asked: the one that was chosen, or the one that all agents have.
    pub(super) fn as_chosen(&mut self, agent: &AgentId, model: &ModelRef) {
        let Some(run) = self.in_turn.get(agent).copied() else { return };
        if self.choice(&run).is_some() {
            self.figures.count("choices_asked");
        }
        self.held_against_choice(&run, model, "asks");
        // Whoever wants it is refused: it is asked by nobody, at whatever word.
        if model.as_str() == UNHEARD_OF {
            let what = format!("{run} asks {model}");
            self.violate("what may not be asked is never asked", what);
        }
    }

    /// What a model answered is recorded under its name.
    pub(super) fn recorded_as_chosen(&mut self, run: &RunKey, model: &ModelRef) {
        self.held_against_choice(run, model, "has recorded an answer of");
    }

    fn held_against_choice(&mut self, run: &RunKey, model: &ModelRef, does: &str) {
        let wanted = self.choice(run).or(self.usual.as_ref());
        if wanted != Some(model) {
            let wanted = wanted.map_or("nobody", ModelRef::as_str);
            let what = format!("{run} {does} {model}, and was to ask {wanted}");
            self.violate("the model that was chosen is asked", what);
        }
    }

    /// Words that were meant for another model are not thrown into a turn.
    pub(super) fn may_be_thrown_in(&mut self, words: &RunKey, into: &RunKey) {
        if let Some(model) = self.choice(words) {
            let what = format!("what was said in {words} was for {model}, and was put to {into}");
            self.violate("the model that was chosen is asked", what);
        }
        let draft = |run: &RunKey| self.runs.get(run).map(|run| &run.draft);
        let (Some(said), Some(here)) = (draft(words), draft(into)) else { return };
        let session = rules::thread::session_of(&said.agent, &said.thread);
        if session.is_some() && said.thread != here.thread {
            let what = format!("what was said in {} was put to {into}", said.thread);
            self.violate("words stay in their session", what);
        }
    }

    /// Notes how often agents have failed in a row. A run for which a model was chosen changes nothing about it.
    pub(super) fn note_standing(&mut self, commit: &Commit) {
        let chosen = runs_over(commit).into_iter().find(|run| self.choice(run).is_some());
        for write in &commit.writes {
            let Write::Record(draft) = write else { continue };
            match &draft.body {
                Body::AgentState(state) => {
                    let (agent, now) = (&state.agent_id, state.consecutive_failure_count);
                    let before = self.in_a_row.insert(agent.clone(), now).unwrap_or(0);
                    if let Some(run) = chosen.filter(|_| before != now) {
                        let what = format!("{before} failures became {now} by {run}");
                        self.violate("how a chosen model does says nothing of the agent", what);
                    }
                }
                Body::Agent(identity) if rests_for_failures(identity.lifecycle) => {
                    if let Some(run) = chosen {
                        let what = format!("{} rests after {run}", self.name(&identity.agent_id));
                        self.violate("how a chosen model does says nothing of the agent", what);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The runs whose turns are over with a commit.
fn runs_over(commit: &Commit) -> BTreeSet<RunKey> {
    let over = commit.writes.iter().filter_map(|write| match write {
        Write::Record(draft) => match &draft.body {
            Body::AgentTurn(turn) if turn.state != TurnState::Open => Some(turn.run_key),
            _ => None,
        },
        _ => None,
    });
    over.collect()
}

fn rests_for_failures(lifecycle: Lifecycle) -> bool {
    matches!(lifecycle, Lifecycle::Dormant { cause: DormantCause::Failures })
}
