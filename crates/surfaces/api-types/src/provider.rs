//! Providers of models, on the wire.

use serde::{Deserialize, Serialize};

/// How a provider stands, as far as that can be told without asking it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderReply {
    /// Its name.
    pub provider: String,
    /// How it is spoken to.
    pub transport: String,
    /// Where it is.
    pub destination: String,
    /// Nothing stands in the way of asking it.
    pub available: bool,
    /// What does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obstacle: Option<String>,
    /// What becomes of questions that fail.
    pub retry: RetryReply,
}

/// How often and after how long what failed is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryReply {
    /// Attempts of one question, the first included.
    pub attempts_max: u32,
    /// How long the second waits, if nobody says; each further one waits twice as long.
    pub backoff_ms: u64,
    /// How long a provider may make us wait.
    pub wait_ms_max: u64,
}
