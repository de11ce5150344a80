//! Models: which one, what it was asked to spend, and how each attempt to reach it went.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{At, Invalid, limits};

/// A model as people name it: `provider/model`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelRef {
    name: String,
    slash: usize,
}

impl ModelRef {
    /// The model that is always there: it needs neither network, nor credentials, nor consent.
    #[must_use]
    pub fn scribe() -> ModelRef {
        "builtin/scribe".parse().expect("a provider and a model")
    }

    /// Who serves it.
    #[must_use]
    pub fn provider(&self) -> &str {
        &self.name[..self.slash]
    }

    /// Its name there; it may have slashes of its own.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.name[self.slash + 1..]
    }

    /// Both.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Whether it is part of Dormouse, so that nothing leaves the machine.
    #[must_use]
    pub fn is_builtin(&self) -> bool {
        self.provider() == "builtin"
    }
}

impl FromStr for ModelRef {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<ModelRef, Invalid> {
        Invalid::unless_line("model", text, limits::NAME_BYTES_MAX)?;
        match text.find('/') {
            Some(slash) if slash > 0 && slash + 1 < text.len() => {
                Ok(ModelRef { name: text.to_owned(), slash })
            }
            _ => Err(Invalid::new("model", format!("{text:?} is not PROVIDER/MODEL"))),
        }
    }
}

impl TryFrom<String> for ModelRef {
    type Error = Invalid;

    fn try_from(text: String) -> Result<ModelRef, Invalid> {
        text.parse()
    }
}

impl From<ModelRef> for String {
    fn from(model: ModelRef) -> String {
        model.name
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// How an answer is to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Generation {
    /// How adventurous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The same in another measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f64>,
    /// Tokens of the answer at most.
    pub max_output_tokens: u64,
    /// The same again for the same seed, where a provider can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The version of the prompt that it is made from, once there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_version: Option<u32>,
}

impl Default for Generation {
    fn default() -> Generation {
        Generation {
            temperature: None,
            top_p: None,
            max_output_tokens: 4_096,
            seed: None,
            prompt_version: None,
        }
    }
}

/// Tokens as a provider counted them; what it did not say is zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenUsage {
    /// Sent.
    pub input_tokens: u64,
    /// Received.
    pub output_tokens: u64,
    /// Both, as the provider says; it may count more.
    pub total_tokens: u64,
}

impl TokenUsage {
    /// Usage of which only the two parts are known.
    #[must_use]
    pub const fn of(input_tokens: u64, output_tokens: u64) -> TokenUsage {
        let total_tokens = input_tokens.saturating_add(output_tokens);
        TokenUsage { input_tokens, output_tokens, total_tokens }
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: TokenUsage) -> TokenUsage {
        TokenUsage {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            total_tokens: self.total_tokens.saturating_add(other.total_tokens),
        }
    }
}

/// Why a model stopped speaking. The list is closed; a word that is not in it is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It had said what it had to say.
    Stop,
    /// It wants tools to be called.
    ToolCalls,
    /// It had no room left.
    Length,
    /// Its provider cut it off for what it said.
    ContentFilter,
}

/// How the reach for a model failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelFailureKind {
    /// No answer in time.
    Timeout,
    /// No connection.
    Connection,
    /// The connection broke while the answer came.
    Broken,
    /// Too many requests; the provider says when to come back, or does not.
    RateLimited,
    /// The provider failed.
    ServerError,
    /// The credentials were refused.
    Authentication,
    /// The request was refused for what it is.
    BadRequest,
    /// The prompt does not fit the model.
    ContextLength,
    /// The answer is not what the contract of the transport says.
    InvalidResponse,
    /// The transport is not one that Dormouse speaks.
    UnsupportedTransport,
    /// The secret could not be had.
    SecretUnavailable,
    /// The destination is not allowed.
    NetworkDenied,
}

impl ModelFailureKind {
    /// Whether the same request may go through if it is sent again.
    #[must_use]
    pub const fn is_retryable(self) -> bool {
        matches!(
            self,
            ModelFailureKind::Timeout
                | ModelFailureKind::Connection
                | ModelFailureKind::Broken
                | ModelFailureKind::RateLimited
                | ModelFailureKind::ServerError
        )
    }

    /// The kind as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ModelFailureKind::Timeout => "timeout",
            ModelFailureKind::Connection => "connection",
            ModelFailureKind::Broken => "broken",
            ModelFailureKind::RateLimited => "rate_limited",
            ModelFailureKind::ServerError => "server_error",
            ModelFailureKind::Authentication => "authentication",
            ModelFailureKind::BadRequest => "bad_request",
            ModelFailureKind::ContextLength => "context_length",
            ModelFailureKind::InvalidResponse => "invalid_response",
            ModelFailureKind::UnsupportedTransport => "unsupported_transport",
            ModelFailureKind::SecretUnavailable => "secret_unavailable",
            ModelFailureKind::NetworkDenied => "network_denied",
        }
    }
}

/// What became of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// It failed and is tried again.
    Retrying,
    /// It failed and was the last of its kind.
    RetriesExhausted,
    /// It failed in a way that trying again does not mend.
    FailFastAborted,
    /// It went through.
    Succeeded,
}

/// One attempt to reach a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttemptRecord {
    /// Who was asked.
    pub provider: String,
    /// Which model.
    pub model_ref: String,
    /// Which attempt at this model, from 1.
    pub attempt: u32,
    /// How many there may be.
    pub max_attempts: u32,
    /// When it was sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<At>,
    /// When its answer or error was complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<At>,
    /// How long it took, without waiting beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// How it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure_kind: Option<ModelFailureKind>,
    /// `retryable` or `fail_fast`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disposition: Option<String>,
    /// What became of it.
    pub outcome: AttemptOutcome,
    /// The next attempt asks another model.
    pub advanced_to_fallback: bool,
    /// How long the next attempt waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backoff_ms: Option<u64>,
    /// What it spent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_usage: Option<TokenUsage>,
    /// What the transport knows of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transport_diagnostics: Option<TransportDiagnostics>,
}

/// What a transport knows of a failure; never a secret, never a body.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TransportDiagnostics {
    /// How far it got: `select`, `secret`, `egress`, `connect`, `send`, `headers`, `body`, `decode`.
    pub stage: String,
    /// Where it went, without what follows a question mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The status it was answered with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// No answer in time.
    pub is_timeout: bool,
    /// No connection.
    pub is_connect: bool,
    /// The request could not be sent.
    pub is_request: bool,
    /// The answer broke off.
    pub is_body: bool,
    /// The answer could not be read.
    pub is_decode: bool,
    /// It was sent elsewhere.
    pub is_redirect: bool,
    /// What lies beneath, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub source_chain: Vec<String>,
}

/// Every attempt of one call, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AttemptTimeline {
    /// The attempts.
    pub attempts: Vec<AttemptRecord>,
    /// Which model was asked for.
    pub requested_model_ref: String,
    /// Which was being asked last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active_model_ref: Option<String>,
    /// Which answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_model_ref: Option<String>,
    /// What all of them spent, as far as it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aggregated_token_usage: Option<TokenUsage>,
}

/// What kind of thing failed, for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureCategory {
    /// A provider could not be reached, or failed.
    Transport,
    /// What came is not what the contract says.
    Protocol,
    /// The turn itself.
    Runtime,
    /// Background work.
    Task,
    /// Anything else.
    Unknown,
}

/// A failure as people see it: bounded, without raw logs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureArtifact {
    /// What kind of thing failed.
    pub category: FailureCategory,
    /// The error's code.
    pub kind: String,
    /// One sentence.
    pub summary: String,
    /// Who was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Which model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_ref: Option<String>,
    /// The status of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// What lies beneath, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub source_chain: Vec<String>,
    /// Anything besides.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
}

impl FailureArtifact {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        let (many, long) = (limits::FAILURE_DETAILS_MAX, limits::FAILURE_DETAIL_BYTES_MAX);
        Invalid::unless_within("source_chain", self.source_chain.len(), many, "causes")?;
        Invalid::unless_within("metadata", self.metadata.len(), many, "entries")?;
        let details = self.metadata.iter().flat_map(|(name, detail)| [name, detail]);
        for text in details.chain(&self.source_chain) {
            Invalid::unless_within("detail", text.len(), long, "bytes")?;
        }
        Invalid::unless_within(
            "summary",
            self.summary.len(),
            limits::TOOL_MESSAGE_BYTES_MAX,
            "bytes",
        )
    }
}

/// Under which terms a provider is sent what agents work with, as its configuration says: where it goes,
/// by which transport, and what the person knows of what becomes of it there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProviderTerms {
    /// The provider's name.
    pub provider: String,
    /// How it is spoken to.
    pub transport: String,
    /// Where.
    pub base_url: String,
    /// How long it keeps what it is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retention: Option<String>,
    /// Whether it learns from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training: Option<String>,
    /// Under whose law.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jurisdiction: Option<String>,
}

/// What a person agreed to: that this model of this provider is sent what agents work with, under the
/// policy that was shown. A changed policy needs a new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelConsent {
    /// Who.
    pub provider: String,
    /// Which model.
    pub model: String,
    /// The digest of what was shown: destination, retention, training, jurisdiction.
    pub policy_version: String,
    /// When.
    pub confirmed_at: At,
    /// It was taken back.
    #[serde(default)]
    pub revoked: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_has_a_provider_and_a_name() {
        let model: ModelRef = "local/org/test-model".parse().unwrap();
        assert_eq!((model.provider(), model.model()), ("local", "org/test-model"));
        for bad in ["", "gpt", "/x", "x/", "a\nb/c"] {
            assert!(bad.parse::<ModelRef>().is_err(), "{bad:?}");
        }
        assert!(ModelRef::scribe().is_builtin());
    }
}
