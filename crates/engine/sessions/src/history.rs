//! What was said in a session: read from its messages, and from the turns that those belong to.

use std::collections::BTreeSet;

use store::Listing;
use types::{
    AgentId, BlockRef, Body, BodyType, ContentRef, Domain, EnvelopeContent, Message, MessageId,
    MessageKind, RecordId, Round, RunKey, Session, SessionId, TokenUsage, Turn, TurnId, TurnState,
    limits,
};

use crate::find::Found;
use crate::{Error, SaidView, SessionView, Sessions};

/// The turns of a session that are over, oldest first, with its messages.
pub(crate) struct Spoken {
    pub(crate) turns: Vec<(TurnId, Turn)>,
    messages: Vec<(MessageId, Message)>,
}

impl Sessions {
    /// A session with an agent, by its name or its id.
    ///
    /// # Errors
    /// If there is no such session, or the store cannot read.
    pub async fn get(&self, agent: &AgentId, session: &str) -> Result<SessionView, Error> {
        let Found { id, session, .. } = self.find(agent, session).await?;
        self.view(id, session).await
    }

    /// The sessions with an agent, oldest first; of very many the newest.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn list(&self, agent: &AgentId) -> Result<Vec<SessionView>, Error> {
        let mut views = Vec::new();
        for Found { id, session, .. } in self.with(agent).await? {
            views.push(self.view(id, session).await?);
        }
        Ok(views)
    }

    /// The newest turns of a session, in ascending order.
    ///
    /// # Errors
    /// If there is no such session, or the store cannot read.
    pub async fn history(
        &self,
        agent: &AgentId,
        session: &str,
        limit: usize,
    ) -> Result<Vec<SaidView>, Error> {
        let found = self.find(agent, session).await?;
        let Spoken { mut turns, messages } = self.spoken(&found.session).await?;
        let newest = turns.split_off(turns.len().saturating_sub(limit));
        let mut told = Vec::new();
        for (id, turn) in newest {
            let said = messages.iter().filter(|(_, message)| {
                message.kind == MessageKind::User && message.run_key == Some(turn.run_key)
            });
            let said = said.map(|(_, message)| message.content.clone()).collect();
            told.extend(self.said(id, turn, said).await?);
        }
        Ok(told)
    }

    pub(crate) async fn view(&self, id: SessionId, session: Session) -> Result<SessionView, Error> {
        let spoken = self.spoken(&session).await?;
        let usage = self.last_usage(&spoken).await?;
        let working_memory = match spoken.turns.last() {
            Some((_, turn)) => self.in_mind(turn).await?,
            None => vec![],
        };
        Ok(SessionView {
            id,
            window: rules::session::window(&session, usage.as_ref()),
            turns: spoken.turns.len(),
            working_memory,
            session,
        })
    }

    /// The parts of what a turn was asked with.
    async fn in_mind(&self, turn: &Turn) -> Result<Vec<BlockRef>, Error> {
        let Some(at) = turn.prompt.words.clone() else { return Ok(vec![]) };
        let kept = self.store.content(Domain::Agent, at).await?;
        let parts = kept.and_then(|kept| turn.prompt.parts(&kept.bytes));
        Ok(parts.map_or_else(Vec::new, |parts| parts.blocks))
    }

    /// The messages of a session's thread lie together, and each says of which run it is; the turn of a
    /// run is found by its name.
    pub(crate) async fn spoken(&self, session: &Session) -> Result<Spoken, Error> {
        let thread = rules::thread::of_session(&session.agent_id, &session.name);
        let most = limits::ROWS_PER_READ_MAX;
        let listing = Listing {
            subtype: Some(thread.as_str().to_owned()),
            ..Listing::of(session.agent_id.as_str(), BodyType::AgentMessage, most)
        };
        let records = self.store.records(Domain::Agent, listing).await?;
        let messages: Vec<(MessageId, Message)> = records
            .into_iter()
            .rev()
            .filter_map(|record| {
                let Body::AgentMessage(message) = record.body else { return None };
                Some((record.id.as_str().parse().ok()?, *message))
            })
            .collect();
        let runs: BTreeSet<RunKey> =
            messages.iter().filter_map(|(_, message)| message.run_key).collect();
        let ids: Vec<RecordId> = runs.iter().map(|run| rules::turn::id(run).into()).collect();
        let records = self.store.records_by_id(Domain::Agent, ids).await?;
        let mut turns: Vec<(TurnId, Turn)> = records
            .into_iter()
            .filter_map(|record| {
                let Body::AgentTurn(turn) = record.body else { return None };
                Some((record.id.as_str().parse().ok()?, *turn))
            })
            .filter(|(_, turn): &(TurnId, Turn)| turn.thread == thread && index(turn).is_some())
            .collect();
        turns.sort_by_key(|(_, turn)| index(turn));
        Ok(Spoken { turns, messages })
    }

    /// What the last answer of a session took, as its model counted.
    async fn last_usage(&self, spoken: &Spoken) -> Result<Option<TokenUsage>, Error> {
        let last = spoken.turns.iter().rev().find_map(|(_, turn)| match &turn.state {
            TurnState::Settled { terminal, .. } => terminal.last_assistant_message.clone(),
            TurnState::Open => None,
        });
        let Some(last) = last else { return Ok(None) };
        let Some((_, message)) = spoken.messages.iter().find(|(id, _)| *id == last) else {
            return Ok(None);
        };
        let words = self.store.content(Domain::Agent, message.content.clone()).await?;
        let round: Option<Round> =
            words.and_then(|words| serde_json::from_slice(&words.bytes).ok());
        Ok(round.map(|round| round.token_usage))
    }

    async fn said(
        &self,
        id: TurnId,
        turn: Turn,
        said: Vec<ContentRef>,
    ) -> Result<Option<SaidView>, Error> {
        let TurnState::Settled { terminal, brief, spent, grounding, .. } = turn.state else {
            return Ok(None);
        };
        let said = self.store.contents(Domain::Agent, said).await?;
        let answered = self.store.content(Domain::Agent, brief.content).await?;
        let words = answered.map(|words| String::from_utf8_lossy(&words.bytes).into_owned());
        Ok(Some(SaidView {
            id,
            turn_index: terminal.turn_index,
            run_key: turn.run_key,
            at: terminal.completed_at,
            kind: terminal.kind,
            said: said.iter().filter_map(|words| EnvelopeContent::words(&words.bytes)).collect(),
            answered: words.unwrap_or_default(),
            dialog_act: turn.dialog_act,
            grounding,
            spent,
        }))
    }
}

/// Which turn of the agent one is that is over.
fn index(turn: &Turn) -> Option<u64> {
    match &turn.state {
        TurnState::Settled { terminal, .. } => Some(terminal.turn_index),
        TurnState::Open => None,
    }
}
