//! Requests about sessions and conversations.

use api_types::{
    ConversationReply, GroundReply, InMindReply, SaidReply, SessionCall, SessionReply,
};
use runtime::{ConversationView, Grounded, SaidView, SessionView, StartSession};
use serde_json::Value;
use types::{AgentId, Code, Participant, Problem, TurnKind};

use crate::route::{Router, json};

impl Router {
    pub(crate) async fn answer_session(&self, call: SessionCall) -> Result<Value, Problem> {
        let sessions = &self.runtime.sessions;
        match call {
            SessionCall::Start { agent, session, conversation, token_capacity } => {
                let agent = self.with(&agent).await?;
                let conversation = conversation.map(|id| known(&id)).transpose()?;
                let (name, channel) = (session, self.door);
                let start = StartSession { agent, name, conversation, token_capacity, channel };
                json(&shown(sessions.start(start).await?))
            }
            SessionCall::Continue { agent, session } => {
                let agent = self.with(&agent).await?;
                json(&shown(sessions.go_on(&agent, &session, self.door).await?))
            }
            SessionCall::End { agent, session } => {
                json(&shown(sessions.end(&self.with(&agent).await?, &session).await?))
            }
            SessionCall::Interrupt { agent, session } => {
                let agent = self.with(&agent).await?;
                json(&shown(self.runtime.session_interrupt(&agent, &session).await?))
            }
            SessionCall::Get { agent, session } => {
                json(&shown(sessions.get(&self.with(&agent).await?, &session).await?))
            }
            SessionCall::History { agent, session, limit } => {
                let agent = self.with(&agent).await?;
                let turns = sessions.history(&agent, &session, limit).await?;
                json(&turns.into_iter().map(said).collect::<Vec<_>>())
            }
            SessionCall::List { agent } => {
                let all = sessions.list(&self.with(&agent).await?).await?;
                json(&all.into_iter().map(shown).collect::<Vec<_>>())
            }
            SessionCall::Conversation { conversation } => {
                json(&whole(sessions.conversation(&conversation).await?))
            }
            SessionCall::Ground { conversation, turn, act } => {
                json(&whole(sessions.update_ground(&conversation, &turn, act).await?))
            }
        }
    }

    async fn with(&self, agent: &str) -> Result<AgentId, Problem> {
        Ok(self.runtime.fleet.agent_get(agent).await?.id)
    }
}

fn known<T: std::str::FromStr>(id: &str) -> Result<T, Problem> {
    id.parse().map_err(|_| {
        let hint = "`dormouse session list AGENT` shows the sessions and their conversations";
        Problem::new(Code::UnknownSession, format!("there is no conversation {id:?}"), hint)
    })
}

fn names<'a>(participants: impl IntoIterator<Item = &'a Participant>) -> Vec<String> {
    participants.into_iter().map(|one| one.as_str().to_owned()).collect()
}

fn shown(view: SessionView) -> SessionReply {
    let SessionView { id, session, turns, window, working_memory } = view;
    let in_mind = working_memory
        .into_iter()
        .map(|block| InMindReply { kind: block.kind.as_str().to_owned(), tokens: block.tokens });
    SessionReply {
        id: id.to_string(),
        name: session.name,
        agent: session.agent_id.to_string(),
        conversation: session.conversation_id.to_string(),
        status: session.status.as_str().to_owned(),
        participants: names(&session.participants),
        continued_from: session.continued_from.map(|id| id.to_string()),
        continued_by: session.continued_by.map(|id| id.to_string()),
        began_at: session.began_at,
        over_at: session.over_at,
        channel: session.channel.as_str().to_owned(),
        turns,
        context_window: window,
        working_memory: in_mind.collect(),
    }
}

fn said(view: SaidView) -> SaidReply {
    SaidReply {
        turn: view.id.to_string(),
        turn_index: view.turn_index,
        run_key: view.run_key.to_string(),
        at: view.at,
        completed: view.kind == TurnKind::Completed,
        said: view.said,
        answered: view.answered,
        dialog_act: view.dialog_act.map(|act| act.as_str().to_owned()),
        grounding_act: view.grounding.map(|it| it.act.as_str().to_owned()),
        evidence: view.grounding.map(|it| it.evidence.as_str().to_owned()),
        tokens: view.spent.tokens.total_tokens,
    }
}

fn whole(view: ConversationView) -> ConversationReply {
    let ConversationView { id, sessions, whole, ground } = view;
    ConversationReply {
        id: id.to_string(),
        sessions: sessions.into_iter().map(shown).collect(),
        participants: names(&whole.participants),
        began_at: whole.began_at,
        over_at: whole.over_at,
        common_ground: ground.into_iter().map(grounded).collect(),
    }
}

fn grounded(one: Grounded) -> GroundReply {
    let Grounded { uttered, standing } = one;
    GroundReply {
        turn: uttered.turn.to_string(),
        session: uttered.session.to_string(),
        at: uttered.at,
        act: uttered.grounding.act.as_str().to_owned(),
        evidence: uttered.grounding.evidence.as_str().to_owned(),
        standing: standing.as_str().to_owned(),
    }
}
