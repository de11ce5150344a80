//! Fitting a prompt to its model and its session: as much of everything as usual, or less if that, the tools and the longest
//! answer would not fit.

use context::{Bounds, Prompt, Room, compaction};
use types::ModelRef;

use crate::compact::sum_up_ahead;
use crate::gather::{Found, Occasion};
use crate::offer::Offer;
use crate::settings::Profile;
use crate::{Deployment, Turns};

/// Tokens that stay free for what is said in the turn, where there is little room: a quarter of it, and not
/// more than this.
const SAID_TOKENS: u64 = 4_000;

/// How often older words are summed up to make a prompt fit, with half as much left standing each time.
const COMPACTIONS: u32 = 3;

impl Turns {
    /// How much of everything goes into a prompt for a model that is offered these tools, in a session that
    /// may have so much room of its own.
    pub(crate) fn bounds(&self, model: &ModelRef, tools: &Offer, session: Option<u64>) -> Bounds {
        let Deployment { capacity, generation } = self.settings.models.deployment(model);
        let capacity = session.map_or(*capacity, |own| own.min(*capacity));
        let taken = generation.max_output_tokens.saturating_add(tools.tokens);
        within(&self.settings.bounds, capacity.saturating_sub(taken))
    }

    /// The prompt of a turn. Older words that there is no room for are summed up first; if it still does not
    /// fit, more of them each time. Only then is anything left out.
    pub(crate) fn fitted(
        &self,
        occasion: &Occasion<'_>,
        found: &mut Found,
        profile: &Profile,
        bounds: &Bounds,
        now: &str,
    ) -> Prompt {
        let usual = &self.settings.bounds;
        let (agent, thread) = (&occasion.agent.agent_id, occasion.thread);
        let sum_up = |found: &mut Found, session, notes| {
            let (session, notes) = (shown(session, usual.history), shown(notes, usual.notes));
            sum_up_ahead(&mut found.memory, agent, thread, &session, &notes);
        };
        let (session, notes) = (compaction::Bounds::session(), compaction::Bounds::notebook());
        sum_up(found, session, notes);
        for times in 1..=COMPACTIONS {
            let prompt = self.assemble(occasion, found, profile, usual, now);
            if prompt.tokens <= bounds.room {
                return prompt;
            }
            sum_up(found, session.halved(times), notes.halved(times));
        }
        self.assemble(occasion, found, profile, bounds, now)
    }
}

/// What may stand as it is, if that is to be shown in this room.
fn shown(bounds: compaction::Bounds, room: Room) -> compaction::Bounds {
    let (count, tokens) = (bounds.count.min(room.count), bounds.tokens.min(room.tokens));
    compaction::Bounds { count, tokens, ..bounds }
}

/// The usual bounds, for so much room.
fn within(usual: &Bounds, room: u64) -> Bounds {
    Bounds { room: room - (room / 4).min(SAID_TOKENS), ..usual.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn something_stays_free_for_what_is_said_in_the_turn() {
        let usual = Bounds::default();
        let rooms = [(1_000_000, 996_000), (20_000, 16_000), (4_000, 3_000), (0, 0)];
        for (room, left) in rooms {
            let bounds = within(&usual, room);
            assert_eq!(bounds.room, left, "{room}");
            assert_eq!(Bounds { room: usual.room, ..bounds }, usual);
        }
    }
}
