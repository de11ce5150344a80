//! What a call is answered.

use serde_json::{Map, Value, json};
use tool::Failure;
use types::{
    CallError, ChangedRecord, Code, Compliance, ContentRef, InvocationId, InvocationState, Label,
    OperationId, RecordId, Token, ToolInvocation, Write, limits,
};

use crate::bounded::{bounded, cut, fitted};

/// The answer to a call: the same for whoever asks again.
#[derive(Debug, Clone, PartialEq)]
pub struct Receipt {
    /// The record of the call.
    pub tool_action_id: InvocationId,
    /// Which tool.
    pub tool_name: String,
    /// The operation, if it was to change something.
    pub operation_id: Option<OperationId>,
    /// It was answered before, and this is that answer.
    pub repeated: bool,
    /// Nothing was done: this is what would be.
    pub preview: bool,
    /// What came of it.
    pub result: Result<Success, Failure>,
    /// Where the words of the journal came from that it tells, if who called had not read such before.
    pub told: Option<Label>,
    /// Why it is not over by that; absent if this is its answer for good.
    pub open: Option<Open>,
}

/// Why a call is not over, though something was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Open {
    /// Its agent, or everything, is stopped. Nothing was done, and the same call goes on when it may.
    Stopped,
    /// Whether it was done is not known before the journal can be asked.
    InDoubt,
}

/// What came of a call that went well.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Success {
    /// The records that were changed, with their clocks.
    pub changed: Vec<ChangedRecord>,
    /// What the change is about.
    pub changed_tokens: Vec<Token>,
    /// The tool's answer.
    pub payload: Value,
}

impl Receipt {
    /// The answer that a call has by its record.
    pub(crate) fn of_record(
        id: &InvocationId,
        record: &ToolInvocation,
        result: Result<Success, Failure>,
    ) -> Receipt {
        Receipt {
            tool_action_id: id.clone(),
            tool_name: record.tool.clone(),
            operation_id: record.operation,
            repeated: false,
            preview: false,
            result,
            told: None,
            open: None,
        }
    }

    /// The whole of it, as records keep it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut json = json!({
            "success": self.result.is_ok(),
            "toolActionId": self.tool_action_id,
            "toolName": self.tool_name,
            "operationId": self.operation_id,
            "repeated": self.repeated,
            "preview": self.preview,
            "changedEntityIds": [],
            "changedTokens": [],
            "payload": null,
        });
        if let Some(told) = &self.told {
            json["told"] = json!(told);
        }
        match &self.result {
            Ok(success) => {
                let ids: Vec<&str> = success.changed.iter().map(|one| one.id.as_str()).collect();
                json["changedEntityIds"] = json!(ids);
                json["changedTokens"] = json!(success.changed_tokens);
                json["payload"] = success.payload.clone();
            }
            Err(failure) => {
                json["errorCode"] = json!(failure.kind.as_str());
                json["errorMessage"] = json!(failure.message);
                json["error"] = envelope(failure);
            }
        }
        json
    }

    /// The state of a call that was done and has this answer, kept there.
    pub(crate) fn done(&self, result: ContentRef, compliance: Compliance) -> InvocationState {
        let (changed, changed_tokens) = match &self.result {
            Ok(success) => (success.changed.clone(), success.changed_tokens.clone()),
            Err(_) => (vec![], vec![]),
        };
        let repeated = self.repeated;
        InvocationState::Done { result, compliance, changed, changed_tokens, repeated }
    }

    /// How it failed, in short.
    pub(crate) fn error(&self) -> Option<CallError> {
        let failure = self.result.as_ref().err()?;
        let message = cut(&failure.message, limits::TOOL_MESSAGE_BYTES_MAX);
        Some(CallError { code: failure.kind.to_string(), message })
    }

    /// Keeps it under a subject, and says where. `asked` is where all came from that led to it.
    pub(crate) fn keep(&self, subject: RecordId, asked: Label) -> (Write, ContentRef) {
        rules::content::keep(
            subject,
            asked.and_all(&self.told),
            self.to_json().to_string().into_bytes(),
        )
    }

    /// Reads back what was kept; clocks lie in the record. Absent if it cannot be read.
    pub(crate) fn from_json(
        json: &Value,
        id: InvocationId,
        changed: Vec<ChangedRecord>,
    ) -> Option<Receipt> {
        // An origin that cannot be read is the absence of trust.
        let origin = |told: &Value| {
            serde_json::from_value(told.clone()).unwrap_or_else(|_| Label::untrusted())
        };
        let result = match json.get("error") {
            Some(error) => Err(failure(error)?),
            None => Ok(Success {
                changed,
                changed_tokens: serde_json::from_value(json.get("changedTokens")?.clone()).ok()?,
                payload: json.get("payload")?.clone(),
            }),
        };
        Some(Receipt {
            tool_action_id: id,
            tool_name: json.get("toolName")?.as_str()?.to_owned(),
            operation_id: serde_json::from_value(json.get("operationId")?.clone()).ok()?,
            repeated: json.get("repeated")?.as_bool()?,
            preview: json.get("preview")?.as_bool()?,
            result,
            told: json.get("told").map(origin),
            open: None,
        })
    }

    /// What a model sees: one line of JSON in one shape, however long the answer is.
    #[must_use]
    pub fn model_text(&self) -> String {
        self.model_text_within(limits::TOOL_OUTPUT_TOKENS)
    }

    /// The same, with another bound on what the tool itself has to say.
    #[must_use]
    pub fn model_text_within(&self, tokens: u64) -> String {
        let mut shown = Map::new();
        shown.insert("ok".to_owned(), self.result.is_ok().into());
        shown.insert("tool_name".to_owned(), self.tool_name.clone().into());
        for (name, holds) in [("repeated", self.repeated), ("preview", self.preview)] {
            if holds {
                shown.insert(name.to_owned(), true.into());
            }
        }
        match &self.result {
            Ok(success) => shown.extend(shown_success(success, bytes_of(tokens))),
            Err(failure) => shown.extend(shown_failure(failure)),
        }
        Value::Object(shown).to_string()
    }
}

/// About how many bytes so many tokens are; nobody gets more than anybody may.
fn bytes_of(tokens: u64) -> usize {
    const BYTES_PER_TOKEN: u64 = 4;
    let bytes = tokens.min(limits::TOOL_OUTPUT_TOKENS_MAX) * BYTES_PER_TOKEN;
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

fn shown_success(success: &Success, bytes_max: usize) -> Map<String, Value> {
    let mut shown = Map::new();
    let count = success.changed.len();
    if count > 0 {
        let ids = success.changed.iter().take(limits::TOOL_CHANGED_IDS_MAX);
        let ids: Vec<&str> = ids.map(|one| one.id.as_str()).collect();
        shown.insert("changed".to_owned(), json!(ids));
        if count > limits::TOOL_CHANGED_IDS_MAX {
            shown.insert("changed_count".to_owned(), count.into());
        }
    }
    shown.insert("payload".to_owned(), fitted(&success.payload, bytes_max));
    shown
}

fn shown_failure(failure: &Failure) -> Map<String, Value> {
    let mut shown = Map::new();
    let mut put = |name: &str, value: Value| shown.insert(name.to_owned(), value);
    put("kind", failure.kind.as_str().into());
    put("message", cut(&failure.message, limits::TOOL_MESSAGE_BYTES_MAX).into());
    if let Some(hint) = &failure.recovery_hint {
        put("hint", cut(hint, limits::TOOL_MESSAGE_BYTES_MAX).into());
    }
    put("retryable", failure.retryable.into());
    if let Some(details) = &failure.details {
        if let Some(field) = details.get("field").and_then(Value::as_str) {
            put("field", cut(field, limits::NAME_BYTES_MAX).into());
        }
        put("details", bounded(details, limits::TOOL_DETAILS_BYTES_MAX));
    }
    shown
}

/// A failure as records keep it.
fn envelope(failure: &Failure) -> Value {
    let mut json = json!({
        "kind": failure.kind.as_str(),
        "message": cut(&failure.message, limits::NOTE_BYTES_MAX),
        "retryable": failure.retryable,
    });
    if let Some(details) = &failure.details {
        json["details"] = bounded(details, limits::TOOL_ANSWER_BYTES_MAX);
    }
    if let Some(hint) = &failure.recovery_hint {
        json["recovery_hint"] = json!(cut(hint, limits::NOTE_BYTES_MAX));
    }
    json
}

fn failure(json: &Value) -> Option<Failure> {
    Some(Failure {
        kind: json.get("kind")?.as_str()?.parse::<Code>().ok()?,
        message: json.get("message")?.as_str()?.to_owned(),
        details: json.get("details").cloned(),
        recovery_hint: json.get("recovery_hint").and_then(Value::as_str).map(str::to_owned),
        retryable: json.get("retryable")?.as_bool()?,
    })
}

#[cfg(test)]
#[path = "receipt_tests.rs"]
mod tests;
