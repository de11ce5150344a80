//! A run that is taken up again goes on with the prompt that was recorded: it has seen what that tells of, and what
//! came later is for the next look.

use types::{AgentId, Body, ChangeRecord, Delta, Domain, LookedUpTo, Position, TurnState};

use crate::begin::Looked;
use crate::{Error, Waker};

impl Waker {
    /// What was found, less what came after the prompt of an earlier attempt was made.
    pub(crate) async fn as_prompted(&self, looked: Looked) -> Result<Looked, Error> {
        if looked.run.attempt == 0 {
            return Ok(looked);
        }
        let turn = rules::turn::id(&looked.run.draft.run_key);
        let turn = self.store.record(Domain::Agent, turn.into()).await?;
        Ok(match turn.map(|record| record.body) {
            // One that does not say how far it had looked has seen nothing new.
            Some(Body::AgentTurn(turn)) if turn.state == TurnState::Open => {
                let seen = turn.looked.unwrap_or_default();
                let mut looked = only(looked, &seen);
                looked.at = turn.began_at;
                looked
            }
            _ => looked,
        })
    }
}

fn only(mut looked: Looked, seen: &LookedUpTo) -> Looked {
    let (hints, agent) = (looked.hints.len(), looked.agent.agent_id.clone());
    looked.hints.retain(|hint| seen.has_found(hint));
    looked.journal = up_to(looked.journal, seen.journal.max(looked.from.0), &agent);
    looked.own = up_to(looked.own, seen.own.max(looked.from.1), &agent);
    looked.journal.more |= looked.hints.len() < hints;
    looked
}

/// The part of what was found that lies before the end of an earlier look. If that is not all, there is more; what
/// the agent did itself meanwhile is no news to it.
fn up_to(found: Delta, head: Position, agent: &AgentId) -> Delta {
    let is_news =
        |change: &ChangeRecord| change.position > head && change.author.agent() != Some(agent);
    if !found.changes.iter().any(is_news) {
        return found;
    }
    let mut changes = found.changes;
    changes.retain(|change| change.position <= head);
    Delta { head, changes, more: true, trimmed: found.trimmed }
}
