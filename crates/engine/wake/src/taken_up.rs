//! A run that is taken up again goes on with the prompt that was recorded: it has seen what that tells of, and what
//! came later is for the next look.

use types::{Body, Delta, Domain, LookedUpTo, Position, TurnState};

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
                only(looked, &turn.looked.unwrap_or_default())
            }
            _ => looked,
        })
    }
}

fn only(mut looked: Looked, seen: &LookedUpTo) -> Looked {
    let hints = looked.hints.len();
    looked.hints.retain(|hint| seen.has_found(hint));
    looked.journal = up_to(looked.journal, seen.journal.max(looked.from.0));
    looked.own = up_to(looked.own, seen.own.max(looked.from.1));
    looked.journal.more |= looked.hints.len() < hints;
    looked
}

/// The part of what was found that lies before the end of an earlier look. If that is not all, there is more.
fn up_to(found: Delta, head: Position) -> Delta {
    if found.changes.last().is_none_or(|last| last.position <= head) {
        return found;
    }
    let mut changes = found.changes;
    changes.retain(|change| change.position <= head);
    Delta { head, changes, more: true }
}
