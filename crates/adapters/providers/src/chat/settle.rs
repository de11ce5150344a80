//! From what was said to an answer that can be relied on.

use std::collections::BTreeSet;
use std::fmt;
use std::marker::PhantomData;

use model::AskedCall;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use types::{FinishReason, Invalid, ModelFailureKind, TokenUsage, limits};

use crate::answer::{Spoken, Wrong};

/// Calls in one answer: more is no plan but a fault.
pub(super) const CALLS_MAX: usize = 128;

/// Bytes of the id of a call: those there are have some thirty.
const CALL_ID_BYTES_MAX: usize = 256;

/// Bytes of a reason to stop that is repeated to people.
const WORD_BYTES_MAX: usize = 32;

/// Tokens of one answer that a provider is believed: no window has so many, and what is counted for years
/// stays a number that a file can hold.
const TOKENS_MAX: u64 = 1_000_000_000;

/// Under which names a server's own is kept: its thoughts, and by the id of each call what stood beside it.
pub(super) const THOUGHTS: &str = "reasoning_content";
pub(super) const EXTRAS: &str = "extra_content";

/// What was said, as it came.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) text: String,
    pub(super) refusal: String,
    pub(super) reasoning: String,
    /// The server calls its thoughts `reasoning_content`: those who do want them back.
    pub(super) lends_thoughts: bool,
    pub(super) version: Option<String>,
    pub(super) calls: Vec<DraftCall>,
    pub(super) finish: Option<String>,
    pub(super) usage: Option<TokenUsage>,
}

/// A call, as it came.
#[derive(Debug, Default)]
pub(super) struct DraftCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    /// What stands beside it and belongs to nobody but the server, such as a signature of its thoughts.
    pub(super) extra: Option<Value>,
}

impl Draft {
    /// Bytes of its words, without calls.
    pub(super) const fn said(&self) -> usize {
        self.text.len() + self.refusal.len() + self.reasoning.len()
    }

    /// Checks all of it.
    pub(super) fn settle(self) -> Result<Spoken, Wrong> {
        let usage = self.usage;
        self.judge().map_err(|wrong| Wrong { usage, ..wrong })
    }

    fn judge(self) -> Result<Spoken, Wrong> {
        let finish = finish(self.finish.as_deref())?;
        let calls = named(self.calls)?;
        let keepsake = keepsake(self.lends_thoughts.then_some(self.reasoning.as_str()), &calls);
        let calls: Vec<AskedCall> = calls.into_iter().map(asked).collect();
        // A refusal is what it has to say, if it says nothing else.
        let text = if self.text.is_empty() { self.refusal } else { self.text };
        // Whether one that stopped by itself may say nothing at all depends on what was done before it.
        if text.trim().is_empty() && calls.is_empty() && finish == FinishReason::Length {
            return Err(Wrong::invalid("the answer was cut off before it said anything"));
        }
        if finish == FinishReason::ToolCalls && calls.is_empty() {
            return Err(Wrong::invalid("the answer wants tools to be called and calls none"));
        }
        let reasoning = Some(self.reasoning).filter(|words| !words.is_empty());
        let version = self.version.filter(|name| is_name(name));
        Ok(Spoken { text, calls, reasoning, keepsake, version, finish, usage: self.usage })
    }
}

/// What a model calls itself is kept if it is a name; nothing else hangs on it.
fn is_name(text: &str) -> bool {
    Invalid::unless_line("model", text, limits::NAME_BYTES_MAX).is_ok()
}

/// The closed list, each with the words that servers have for it; a word that is not in it is refused.
fn finish(reason: Option<&str>) -> Result<FinishReason, Wrong> {
    match reason {
        Some("stop" | "eos" | "eos_token" | "end_turn") => Ok(FinishReason::Stop),
        Some("tool_calls" | "function_call" | "tool_use") => Ok(FinishReason::ToolCalls),
        Some("length" | "max_tokens") => Ok(FinishReason::Length),
        Some("content_filter") => Ok(FinishReason::ContentFilter),
        Some("error" | "insufficient_system_resource") => Err(Wrong {
            kind: ModelFailureKind::ServerError,
            ..Wrong::invalid("the server gave up in the middle of the answer")
        }),
        Some(word) => {
            let why = "the answer stops for a reason that is not known";
            Err(Wrong::invalid(if is_word(word) { format!("{why}: {word}") } else { why.into() }))
        }
        None => Err(Wrong::invalid("the answer does not say why it stops")),
    }
}

/// Whether it is a word such as reasons have, which tells nothing of what was said.
fn is_word(text: &str) -> bool {
    text.len() <= WORD_BYTES_MAX && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_'))
}

/// The calls, each with an id of its own.
fn named(drafts: Vec<DraftCall>) -> Result<Vec<DraftCall>, Wrong> {
    if drafts.len() > CALLS_MAX {
        return Err(Wrong::invalid("the answer calls too many tools"));
    }
    let mut ids = BTreeSet::new();
    for draft in &drafts {
        if draft.name.is_empty() {
            return Err(Wrong::invalid("a call of a tool has no name"));
        }
        if draft.id.len() > CALL_ID_BYTES_MAX {
            return Err(Wrong::invalid("the id of a call of a tool is too long"));
        }
        if !draft.id.is_empty() && !ids.insert(draft.id.clone()) {
            return Err(Wrong::invalid("two calls of tools have the same id"));
        }
    }
    let named = drafts.into_iter().enumerate().map(|(place, draft)| match draft.id.is_empty() {
        true => DraftCall { id: unnamed(place, &ids), ..draft },
        false => draft,
    });
    Ok(named.collect())
}

/// What a server wants back with its calls when it is told what they came to: its thoughts, and what stood beside the
/// calls, under the names that it has for them.
fn keepsake(thoughts: Option<&str>, calls: &[DraftCall]) -> Option<Value> {
    let mut kept = Map::new();
    if let Some(thoughts) = thoughts.filter(|words| !words.is_empty() && !calls.is_empty()) {
        kept.insert(THOUGHTS.to_owned(), Value::from(thoughts));
    }
    let extras = calls.iter().filter_map(|call| Some((call.id.clone(), call.extra.clone()?)));
    let extras: Map<String, Value> = extras.collect();
    if !extras.is_empty() {
        kept.insert(EXTRAS.to_owned(), Value::Object(extras));
    }
    (!kept.is_empty()).then_some(Value::Object(kept))
}

/// An id for a call that came without one: some servers leave that to whoever asks. No other call of the answer has it.
fn unnamed(place: usize, ids: &BTreeSet<String>) -> String {
    let wanted = (0..=ids.len()).map(|n| format!("call_{}", place + n * CALLS_MAX));
    wanted.into_iter().find(|id| !ids.contains(id)).expect("there are more names than calls")
}

fn asked(draft: DraftCall) -> AskedCall {
    let arguments = if draft.arguments.trim().is_empty() {
        // How many servers write that a tool is called without any.
        Ok(Value::Object(Map::new()))
    } else {
        serde_json::from_str(&draft.arguments).map_err(|_| draft.arguments)
    };
    AskedCall { id: draft.id, tool: draft.name, arguments }
}

/// What was spent, if the provider says all of it so that it can be read: it never fails a turn. Of half an account the
/// other half would cost nothing, so it is none.
pub(super) fn usage(told: &Value) -> Option<TokenUsage> {
    let told = told.as_object()?;
    let count = |name: &str| match told.get(name) {
        None | Some(Value::Null) => Some(None),
        Some(count) => count.as_u64().map(|count| Some(count.min(TOKENS_MAX))),
    };
    let (input, output) = (count("prompt_tokens")?, count("completion_tokens")?);
    let total = count("total_tokens")?;
    if total.is_none() && (input.is_none() || output.is_none()) {
        return None;
    }
    let (input, output) = (input.unwrap_or(0), output.unwrap_or(0));
    let total_tokens = total.unwrap_or(0).max(input.saturating_add(output));
    // Who names the whole alone is paid all the same. What the whole has beyond both is what the model thought: some
    // count that nowhere else, and it is paid as what it said is.
    let (input_tokens, output_tokens) = match input {
        0 => (total_tokens.saturating_sub(output), output),
        _ => (input, total_tokens.saturating_sub(input)),
    };
    Some(TokenUsage { input_tokens, output_tokens, total_tokens })
}

/// The first elements of a list, one more than anybody wants: the rest is read over, so that a list of nothings takes
/// no more room than its text.
pub(super) fn one_or_two<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Option<Vec<T>>, D::Error> {
    struct Few<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Few<T> {
        type Value = Option<Vec<T>>;

        fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
            to.write_str("a list")
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut first = Vec::new();
            while first.len() < 2 {
                match list.next_element()? {
                    Some(one) => first.push(one),
                    None => return Ok(Some(first)),
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Some(first))
        }
    }

    from.deserialize_any(Few(PhantomData))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nobody_is_believed_a_number_of_tokens_that_cannot_be() {
        let told = json!({ "prompt_tokens": u64::MAX, "completion_tokens": 5 });
        let spent = usage(&told).unwrap();
        assert_eq!((spent.input_tokens, spent.output_tokens), (TOKENS_MAX, 5));
        assert_eq!(spent.plus(spent).total_tokens, 2 * (TOKENS_MAX + 5));
        let whole = json!({ "total_tokens": 12 });
        assert_eq!(usage(&whole), Some(TokenUsage::of(12, 0)), "the whole alone has its price too");
    }
}
