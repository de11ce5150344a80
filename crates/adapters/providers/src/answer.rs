//! What one attempt comes back with.

use std::borrow::Cow;

use model::AskedCall;
use serde_json::Value;
use types::{FinishReason, ModelFailureKind, TokenUsage, TransportDiagnostics};

/// What a model said, whole and checked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spoken {
    pub(crate) text: String,
    pub(crate) calls: Vec<AskedCall>,
    pub(crate) reasoning: Option<String>,
    /// What the server wants back with it.
    pub(crate) keepsake: Option<Value>,
    /// Which version of the model speaks, as it names itself.
    pub(crate) version: Option<String>,
    pub(crate) finish: FinishReason,
    pub(crate) usage: Option<TokenUsage>,
}

impl Spoken {
    /// All that it says.
    pub(crate) fn texts(&self) -> impl Iterator<Item = Cow<'_, str>> {
        let said = [Some(&self.text), self.reasoning.as_ref(), self.version.as_ref()];
        let called = self.calls.iter().flat_map(|call| {
            let arguments = match &call.arguments {
                Ok(json) => Cow::Owned(json.to_string()),
                Err(text) => Cow::Borrowed(text.as_str()),
            };
            [Cow::Borrowed(call.id.as_str()), Cow::Borrowed(call.tool.as_str()), arguments]
        });
        let kept = self.keepsake.as_ref().map(|kept| Cow::Owned(kept.to_string()));
        said.into_iter()
            .flatten()
            .map(|text| Cow::Borrowed(text.as_str()))
            .chain(called)
            .chain(kept)
    }
}

/// Why what came is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) kind: ModelFailureKind,
    pub(crate) message: String,
    /// What it cost all the same.
    pub(crate) usage: Option<TokenUsage>,
}

impl Wrong {
    /// It is not what the contract of the transport says.
    pub(crate) fn invalid(message: impl Into<String>) -> Wrong {
        Wrong { kind: ModelFailureKind::InvalidResponse, message: message.into(), usage: None }
    }

    /// The connection broke while it came.
    pub(crate) fn broken(message: impl Into<String>) -> Wrong {
        Wrong { kind: ModelFailureKind::Broken, message: message.into(), usage: None }
    }
}

/// An attempt that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Miss {
    pub(crate) kind: ModelFailureKind,
    pub(crate) message: String,
    pub(crate) status: Option<u16>,
    pub(crate) retry_after_ms: Option<u64>,
    pub(crate) usage: Option<TokenUsage>,
    pub(crate) diagnostics: Box<TransportDiagnostics>,
}
