//! Messages: the links of a thread's chain.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{
    AgentId, ContentRef, Digest, Invalid, InvocationId, MessageId, OperationId, RunKey, ThreadId,
    limits,
};

/// What a message is. The list is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MessageKind {
    /// A private note of the agent.
    Observation,
    /// Somebody spoke.
    User,
    /// What a model said, with the calls it asked for.
    Thought,
    /// A call of a tool.
    Action,
    /// A tool's answer.
    ToolResult,
    /// A summary of what came before it.
    Summary,
    /// Dormouse itself: why it woke, that it failed.
    System,
}

impl MessageKind {
    /// The kind as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            MessageKind::Observation => "observation",
            MessageKind::User => "user",
            MessageKind::Thought => "thought",
            MessageKind::Action => "action",
            MessageKind::ToolResult => "toolResult",
            MessageKind::Summary => "summary",
            MessageKind::System => "system",
        }
    }
}

/// What a summary stands for. Its id follows from the span and the version of whoever made it, so the
/// same span summarised again is the same message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummarySpan {
    /// The first message it covers.
    pub start: MessageId,
    /// The last one.
    pub end: MessageId,
    /// Greater than that of anything it covers.
    pub depth: u32,
    /// Which summariser, in which version.
    pub made_by: String,
    /// The hash of its words.
    pub content_hash: Digest,
}

/// What is known of how a message came to be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MessageMetadata {
    /// The call that it is, or answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_ref: Option<InvocationId>,
    /// The operation that it carried out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<OperationId>,
    /// The prompt that it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_id: Option<String>,
    /// In which version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_version: Option<u32>,
    /// The model that spoke.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_id: Option<String>,
    /// `success`, `error` or `partial`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The code of an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// Its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    /// What has no field yet.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extension: Map<String, Value>,
}

/// One message, written once. Its words lie in the contents, under one roof with every other content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Whose thread.
    pub agent_id: AgentId,
    /// Which thread.
    pub thread: ThreadId,
    /// What it is.
    pub kind: MessageKind,
    /// In which run it was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_key: Option<RunKey>,
    /// The message before it, if it is not the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<MessageId>,
    /// What it says; the content must exist.
    pub content: ContentRef,
    /// About how many tokens that is.
    #[serde(default)]
    pub tokens_approx: u64,
    /// The envelope, subscription or schedule behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trigger_source_id: Option<String>,
    /// What it stands for, if it is a summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<SummarySpan>,
    /// How it came to be.
    #[serde(default)]
    pub metadata: MessageMetadata,
}

impl Message {
    /// A message with nothing but its words.
    #[must_use]
    pub fn of(
        agent_id: AgentId,
        thread: ThreadId,
        kind: MessageKind,
        content: ContentRef,
    ) -> Message {
        Message {
            agent_id,
            thread,
            kind,
            run_key: None,
            previous: None,
            content,
            tokens_approx: 0,
            trigger_source_id: None,
            summary: None,
            metadata: MessageMetadata::default(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), Invalid> {
        if (self.kind == MessageKind::Summary) != self.summary.is_some() {
            return Err(Invalid::new("summary", "belongs to summaries and to nothing else"));
        }
        if let Some(words) = &self.metadata.error_message {
            Invalid::unless_within("error_message", words.len(), limits::NOTE_BYTES_MAX, "bytes")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_is_of_one_of_seven_kinds_and_of_no_other() {
        let kinds = ["observation", "user", "thought", "action", "toolResult", "summary", "system"];
        for name in kinds {
            let kind: MessageKind = serde_json::from_value(json!(name)).unwrap();
            assert_eq!(kind.as_str(), name);
            // A kind that is added is missed here before anything else.
            match kind {
                MessageKind::Observation
                | MessageKind::User
                | MessageKind::Thought
                | MessageKind::Action
                | MessageKind::ToolResult
                | MessageKind::Summary
                | MessageKind::System => {}
            }
        }
        for other in ["tool_result", "assistant", "Thought", ""] {
            assert!(serde_json::from_value::<MessageKind>(json!(other)).is_err(), "{other}");
        }
    }
}
