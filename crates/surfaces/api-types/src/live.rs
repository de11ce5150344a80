//! What is told of a run while it is under way.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A piece of a turn under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkReply {
    /// Of which run: the one that is followed, or the one in whose turn its words were taken up.
    pub run_key: String,
    /// Which piece: its attempt and its number there, as `0.17`. Whoever comes back names the last they
    /// have.
    pub id: String,
    /// In which round of the turn, from 0.
    pub round: u32,
    /// What happened.
    #[serde(flatten)]
    pub what: LiveEvent,
}

/// What happened in a turn under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", content = "data", rename_all = "kebab-case")]
pub enum LiveEvent {
    /// A new attempt: what was heard of this round is void.
    Restart {},
    /// Some words.
    TextDelta {
        /// The words.
        delta: String,
    },
    /// The model asks for a tool.
    ToolCall {
        /// Which.
        name: String,
        /// With what; null if that is too long to be told.
        input: Value,
    },
    /// A tool answered.
    ToolResult {
        /// Which.
        name: String,
        /// Whether it went well.
        ok: bool,
        /// What the model is told of it.
        output: String,
    },
}

/// A turn that is over and on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnEndReply {
    /// Which.
    pub turn: String,
    /// Its place among the turns of its agent.
    pub index: u64,
    /// Tokens sent, in all its rounds.
    pub tokens_in: u64,
    /// Tokens received.
    pub tokens_out: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_piece_is_one_object_that_says_what_happened_and_with_what() {
        let chunk = |what: LiveEvent| ChunkReply {
            run_key: "r".to_owned(),
            id: "0.3".to_owned(),
            round: 1,
            what,
        };
        let delta = "hello".to_owned();
        let words = chunk(LiveEvent::TextDelta { delta });
        let json = json!({
            "run_key": "r", "id": "0.3", "round": 1, "event": "text-delta",
            "data": { "delta": "hello" },
        });
        assert_eq!(serde_json::to_value(&words).unwrap(), json);
        assert_eq!(serde_json::from_value::<ChunkReply>(json).unwrap(), words);
        let again = serde_json::to_value(chunk(LiveEvent::Restart {})).unwrap();
        assert_eq!((&again["event"], &again["data"]), (&json!("restart"), &json!({})));
    }
}
