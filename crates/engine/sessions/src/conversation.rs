//! Conversations: chains of sessions, and what is common ground in them.

use rules::session::{Grounded, Uttered};
use store::Listing;
use types::{
    At, Body, BodyType, ConversationId, Domain, GroundingNote, Session, SessionId, TurnState,
    limits,
};

use crate::{ConversationView, Error, Sessions};

impl Sessions {
    /// A conversation, with its sessions in their order.
    ///
    /// # Errors
    /// If there is no such conversation, or the store cannot read.
    pub async fn conversation(&self, id: &str) -> Result<ConversationView, Error> {
        let unknown = || Error::Unknown { what: "conversation", name: id.to_owned() };
        let id: ConversationId = id.parse().map_err(|_| unknown())?;
        let sessions = self.of(&id).await?;
        let whole = rules::session::whole(&sessions).ok_or_else(unknown)?;
        let ground = self.ground(&id, &sessions).await?;
        let mut views = Vec::new();
        for (id, session) in sessions {
            views.push(self.view(id, session).await?);
        }
        Ok(ConversationView { id, sessions: views, whole, ground })
    }

    /// The common ground of sessions of a conversation.
    pub(crate) async fn ground(
        &self,
        id: &ConversationId,
        sessions: &[(SessionId, Session)],
    ) -> Result<Vec<Grounded>, Error> {
        let mut uttered = Vec::new();
        for (session, body) in sessions {
            for (turn, of) in self.spoken(body).await?.turns {
                let TurnState::Settled { terminal, grounding: Some(grounding), .. } = of.state
                else {
                    continue;
                };
                let (at, session) = (terminal.completed_at, session.clone());
                uttered.push(Uttered { at, session, turn, grounding });
            }
        }
        Ok(rules::session::common_ground(uttered, &self.notes(id).await?))
    }

    async fn notes(&self, id: &ConversationId) -> Result<Vec<(At, GroundingNote)>, Error> {
        let most = limits::ROWS_PER_READ_MAX;
        let listing = Listing::of(id.as_str(), BodyType::AgentGrounding, most);
        let records = self.store.records(Domain::Agent, listing).await?;
        let notes = records.into_iter().filter_map(|record| match record.body {
            Body::AgentGrounding(note) => Some((record.updated_at, note)),
            _ => None,
        });
        Ok(notes.collect())
    }
}
