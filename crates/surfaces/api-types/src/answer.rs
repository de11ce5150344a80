//! What a running server says: where it is, and its answers on the local socket.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use types::At;

use crate::{ChunkReply, ProblemReply};

/// The answer to one request on the local socket, as one line: `{"ok": …}` or `{"error": {…}}`. If a run
/// is followed, lines `{"chunk": {…}}` come before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A piece of what is under way; more comes.
    Chunk(ChunkReply),
    /// What was asked for.
    Ok(Value),
    /// What went wrong.
    Error(ProblemReply),
}

/// Where a server can be spoken to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServingReply {
    /// The address of its HTTP door.
    pub listening: String,
    /// The file with the token that it asks for.
    pub token_file: String,
}

/// Something that happened while a home was up, for whoever watches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "happened", rename_all = "snake_case")]
pub enum WatchReply {
    /// The server can be spoken to.
    Ready(ServingReply),
    /// Something was done for the sample.
    Sample {
        /// What, in words.
        text: String,
    },
    /// A turn is over.
    Turn(TurnReply),
    /// An agent looked, and there was nothing to decide.
    Look(LookReply),
    /// An agent rests now, goes on, or is over.
    Life(LifeReply),
    /// Nobody read what was shown for so long that some of it was left out here.
    NotShown {
        /// How many things.
        left_out: u64,
    },
}

/// A turn that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnReply {
    /// When it was over.
    pub at: At,
    /// Whose it was.
    pub agent: String,
    /// What people call it.
    pub name: String,
    /// Of which run.
    pub run_key: String,
    /// Why the agent woke.
    pub reason: String,
    /// What it did to the journal, by verb.
    pub did: Vec<String>,
    /// It wrote a report.
    pub reported: bool,
    /// It failed.
    pub failed: bool,
    /// What it said.
    pub brief: String,
    /// Who was asked.
    pub model: String,
    /// How often.
    pub model_calls: u32,
    /// Tokens, sent and received.
    pub tokens: u64,
    /// What that cost, in millionths of the currency of the price table.
    pub cost_micros: u64,
    /// What the operator is warned of besides.
    #[serde(default)]
    pub warning: Option<String>,
}

/// A look that ended without a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookReply {
    /// When it was over.
    pub at: At,
    /// Who looked.
    pub agent: String,
    /// What people call it.
    pub name: String,
    /// In which run.
    pub run_key: String,
    /// Why the agent woke.
    pub reason: String,
    /// The rule which said that there was nothing to decide.
    pub rule: String,
    /// Changes that it saw.
    pub changes_seen: u64,
}

/// How an agent stands in life now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LifeReply {
    /// Since when.
    pub at: At,
    /// Who.
    pub agent: String,
    /// What people call it.
    pub name: String,
    /// The stage of its life: `active`, `dormant` or `destroyed`.
    pub lifecycle: String,
    /// Why it is dormant, as a word.
    #[serde(default)]
    pub cause: Option<String>,
    /// The same as a sentence.
    #[serde(default)]
    pub why: Option<String>,
    /// What brings it back.
    #[serde(default)]
    pub hint: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_answer_is_one_object_with_ok_or_error() {
        let problem = ProblemReply {
            code: "disk_full".to_owned(),
            message: "full".to_owned(),
            hint: "free some".to_owned(),
        };
        let error =
            json!({ "error": { "code": "disk_full", "message": "full", "hint": "free some" } });
        assert_eq!(serde_json::to_value(Answer::Ok(json!([1]))).unwrap(), json!({ "ok": [1] }));
        assert_eq!(serde_json::to_value(Answer::Error(problem.clone())).unwrap(), error);
        assert_eq!(serde_json::from_value::<Answer>(error).unwrap(), Answer::Error(problem));
    }
}
