//! A question to a model, as far as it is remembered: whoever asks the same has the same mark. And the names of what it
//! is answered with.

use std::borrow::Cow;

use model::{Exchange, Generation};
use rules::hash;
use rules::operation::{invocation_of_call, invocation_of_operation};
use types::{Block, ContentRef, Digest, Interjection, InvocationId, ModelRef, PlannedCall, RunKey};

/// The mark of a question: where its prompt lies, what was said since, and who was to answer how. What the model
/// is told of its tools is not in it: that lies with the prompt, as it was when the turn began.
pub(crate) fn mark<'a>(
    prompt: Option<&ContentRef>,
    said: impl Iterator<Item = &'a Exchange>,
    model: &ModelRef,
    generation: &Generation,
) -> Digest {
    let generation = serde_json::to_string(generation).expect("a generation is JSON");
    let prompt = prompt.map_or_else(String::new, |at| at.hash.to_string());
    let mut fields: Vec<Cow<'_, str>> =
        vec!["question".into(), prompt.into(), model.as_str().into(), generation.into()];
    said.for_each(|exchange| put(exchange, &mut fields));
    hash::fields(fields.iter().map(|field| field.as_bytes()))
}

/// The mark of the question what somebody means, in these parts.
pub(crate) fn about_words(model: &ModelRef, parts: &[Block]) -> Digest {
    let texts = parts.iter().map(|part| part.text.as_str());
    hash::fields(["meaning", model.as_str()].into_iter().chain(texts))
}

/// What was said, field by field: how many there are is said as well, so that none runs into the next.
fn put<'a>(exchange: &'a Exchange, fields: &mut Vec<Cow<'a, str>>) {
    match exchange {
        Exchange::Said { text, calls, keepsake } => {
            fields.extend(["said".into(), text.into(), calls.len().to_string().into()]);
            for (id, tool, arguments) in calls {
                fields.extend([id.into(), tool.into(), arguments.to_string().into()]);
            }
            if let Some(keepsake) = keepsake {
                fields.extend(["kept".into(), keepsake.to_string().into()]);
            }
        }
        Exchange::Answered { call, text } => {
            fields.extend(["answered".into(), call.into(), text.into()]);
        }
        Exchange::Interjected { text } => fields.extend(["thrown in".into(), text.into()]),
    }
}

/// What the operator threw in, as a model is told it.
pub(crate) fn thrown_in(words: &Interjection) -> Exchange {
    Exchange::Interjected { text: words.text.clone() }
}

/// The record of a planned call.
pub(crate) fn invocation(run: &RunKey, round: usize, planned: &PlannedCall) -> InvocationId {
    match &planned.operation {
        Some(operation) => invocation_of_operation(run, operation),
        None => invocation_of_call(run, &call_id(round, planned)),
    }
}

/// What a call is called in its run. What a model calls it is its own within one answer only: some servers count
/// from 0 in each.
pub(crate) fn call_id(round: usize, planned: &PlannedCall) -> String {
    format!("{round}:{}", planned.id)
}
