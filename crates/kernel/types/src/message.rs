//! Messages: the links of a thread's chain.

use serde::{Deserialize, Serialize};

use crate::{AgentId, ContentRef, MessageId, ThreadId};

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageRole {
    /// A person.
    User,
    /// The agent.
    Agent,
    /// A tool's answer.
    Tool,
    /// Dormouse itself.
    Runtime,
    /// A summary of what came before it.
    Summary,
}

/// One message. Its words lie in the contents, under one roof with every other content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Whose thread.
    pub agent_id: AgentId,
    /// Which thread.
    pub thread: ThreadId,
    /// Who speaks.
    pub role: MessageRole,
    /// The message before it, if it is not the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<MessageId>,
    /// What it says; the content must exist.
    pub content: ContentRef,
}
