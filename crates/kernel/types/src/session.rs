//! Sessions: interactive threads that begin and end, and what is common ground in their conversation.
//!
//! A session is written when it starts and when its status changes, never by a turn. What grows with
//! every turn (history, how full its window is, common ground) is read from the turns; see
//! `rules::session`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    AgentId, At, ConversationId, DeliverySurface, Invalid, RecordId, SessionId, TurnId, limits,
};

/// How a session stands. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionStatus {
    /// It takes what is said in it.
    Active,
    /// It came to its end; what was admitted before is still answered.
    Ended,
    /// It was broken off, and whatever was under way in it.
    Interrupted,
}

impl SessionStatus {
    /// The status as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            SessionStatus::Active => "active",
            SessionStatus::Ended => "ended",
            SessionStatus::Interrupted => "interrupted",
        }
    }
}

/// Who takes part in a session.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Participant {
    /// The person whose home this is.
    Operator,
    /// An agent.
    Agent(AgentId),
}

impl Participant {
    /// The participant as it is shown.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Participant::Operator => "operator",
            Participant::Agent(agent) => agent.as_str(),
        }
    }
}

/// A session. Its id follows from its thread, so that the first prompt can start it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// Whose thread it is.
    pub agent_id: AgentId,
    /// What the operator calls it; with the agent, its thread.
    pub name: String,
    /// The conversation it belongs to.
    pub conversation_id: ConversationId,
    /// How it stands.
    pub status: SessionStatus,
    /// Who takes part.
    pub participants: BTreeSet<Participant>,
    /// The session it goes on from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued_from: Option<SessionId>,
    /// The session that goes on from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continued_by: Option<SessionId>,
    /// When it started.
    pub began_at: At,
    /// When it was over; absent while it is active.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_at: Option<At>,
    /// The door that it was started through.
    pub channel: DeliverySurface,
    /// Tokens that a prompt and its answer may have together in it.
    pub token_capacity: u64,
}

impl Session {
    pub(crate) fn check(&self, id: &RecordId) -> Result<(), Invalid> {
        if id.as_str().parse::<SessionId>().is_err() {
            return Err(Invalid::new("session_id", "is no id of a session"));
        }
        Invalid::unless_line("session", &self.name, limits::NAME_BYTES_MAX)?;
        if self.participants.is_empty() {
            return Err(Invalid::new("participants", "are missing"));
        }
        if (self.status == SessionStatus::Active) != self.over_at.is_none() {
            return Err(Invalid::new("over_at", "belongs to a session that is over"));
        }
        if self.token_capacity == 0 {
            return Err(Invalid::new("token_capacity", "leaves no room"));
        }
        Ok(())
    }
}

/// What an utterance does to the common ground of a conversation. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroundingAct {
    /// Puts something new there.
    Initiate,
    /// Takes what was put there last.
    Acknowledge,
    /// Asks what was meant by it.
    RequestRepair,
    /// Takes it away again.
    Cancel,
}

impl GroundingAct {
    /// The act as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GroundingAct::Initiate => "initiate",
            GroundingAct::Acknowledge => "acknowledge",
            GroundingAct::RequestRepair => "request_repair",
            GroundingAct::Cancel => "cancel",
        }
    }
}

/// What shows that an utterance was taken up. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AcceptanceEvidence {
    /// It was answered.
    Answered,
    /// Something was done about it.
    Demonstrated,
    /// Somebody said so, outside of any turn.
    Stated,
}

impl AcceptanceEvidence {
    /// The evidence as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            AcceptanceEvidence::Answered => "answered",
            AcceptanceEvidence::Demonstrated => "demonstrated",
            AcceptanceEvidence::Stated => "stated",
        }
    }
}

/// What a turn did to the common ground: written with all that it leaves, or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grounding {
    /// What was done.
    pub act: GroundingAct,
    /// What shows that it was taken up.
    pub evidence: AcceptanceEvidence,
}

/// What the operator says about a turn that is common ground, outside of any turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundingNote {
    /// In which conversation.
    pub conversation_id: ConversationId,
    /// About which turn.
    pub turn_id: TurnId,
    /// What it does.
    pub act: GroundingAct,
}

/// How full a session's window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextWindow {
    /// Tokens that fit.
    pub token_capacity: u64,
    /// Tokens of the last prompt with its answer, as the model counted them.
    pub tokens_used: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn whole() -> Value {
        json!({
            "agent_id": "agent_a",
            "name": "evening",
            "conversation_id": "conversation_a",
            "status": "active",
            "participants": ["operator", { "agent": "agent_a" }],
            "began_at": "1970-01-01T00:00:00.001Z",
            "channel": "cli_prompt",
            "token_capacity": 1_000,
        })
    }

    fn checked(json: Value, id: &str) -> Result<(), String> {
        let session: Session = serde_json::from_value(json).map_err(|error| error.to_string())?;
        session.check(&id.parse().unwrap()).map_err(|invalid| invalid.to_string())
    }

    #[test]
    fn a_session_without_id_participant_conversation_status_or_extent_is_refused() {
        assert_eq!(checked(whole(), "session_a"), Ok(()));
        assert!(checked(whole(), "turn_a").is_err(), "an id of its own");
        for field in ["conversation_id", "status", "participants", "began_at"] {
            let mut json = whole();
            json.as_object_mut().unwrap().remove(field);
            let refused = checked(json, "session_a").unwrap_err();
            assert!(refused.contains(field), "{refused}");
        }
        let nobody = json!({ "participants": [] });
        let over = json!({ "over_at": "1970-01-01T00:00:00.002Z" });
        for (wrong, field) in [(nobody, "participants"), (over, "over_at")] {
            let mut json = whole();
            json.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
            assert!(checked(json, "session_a").unwrap_err().contains(field));
        }
    }

    #[test]
    fn a_session_is_active_ended_or_interrupted_and_nothing_else() {
        for word in ["active", "ended", "interrupted"] {
            let status: SessionStatus = serde_json::from_value(json!(word)).unwrap();
            assert_eq!(status.as_str(), word);
            // A status that is added is missed here before anything else.
            match status {
                SessionStatus::Active | SessionStatus::Ended | SessionStatus::Interrupted => {}
            }
        }
        assert!(serde_json::from_value::<SessionStatus>(json!("paused")).is_err());
    }
}
