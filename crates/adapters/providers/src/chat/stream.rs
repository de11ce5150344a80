//! An answer piece by piece.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::events::Events;
use super::settle::{CALLS_MAX, Draft, DraftCall, one_or_two, usage};
use super::whole::{malformed, only_functions, told, version};
use crate::answer::{Spoken, Wrong};

#[derive(Deserialize)]
struct Chunk {
    error: Option<Value>,
    model: Option<Value>,
    #[serde(default, deserialize_with = "one_or_two")]
    choices: Option<Vec<Choice>>,
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    index: u64,
    #[serde(default)]
    delta: Option<Delta>,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
struct Delta {
    content: Option<String>,
    refusal: Option<String>,
    reasoning: Option<String>,
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: u64,
    id: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    function: Option<CalledDelta>,
}

#[derive(Deserialize)]
struct CalledDelta {
    name: Option<String>,
    arguments: Option<String>,
}

/// What can be heard while it comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Some words.
    Text(String),
    /// A tool begins to be called.
    Call(String),
}

/// An answer that is coming.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    events: Events,
    draft: Draft,
    calls: BTreeMap<u64, DraftCall>,
    done: bool,
}

impl Stream {
    /// Takes bytes, cut anywhere, and says what is heard in them.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Piece>, Wrong> {
        let mut heard = Vec::new();
        let mut events = std::mem::take(&mut self.events);
        let fed = events.feed(bytes, |data| self.event(data, &mut heard));
        self.events = events;
        fed.map_err(|wrong| self.with_usage(wrong))?;
        Ok(heard)
    }

    /// How many bytes of words have come, with those of a piece that is not whole.
    pub(crate) fn said(&self) -> usize {
        let calls = self.calls.values().map(|call| call.name.len() + call.arguments.len());
        self.draft.said() + calls.sum::<usize>() + self.events.pending()
    }

    /// Whether it has said that it is over; what comes after that is nobody's.
    pub(crate) const fn is_done(&self) -> bool {
        self.done
    }

    /// The connection has nothing more.
    pub(crate) fn end(mut self) -> Result<Spoken, Wrong> {
        let last = std::mem::take(&mut self.events).end();
        if !self.done && last.is_none() {
            return Err(self.with_usage(Wrong::broken("the stream ended before its end")));
        }
        self.draft.calls = self.calls.into_values().collect();
        self.draft.settle()
    }

    fn with_usage(&self, wrong: Wrong) -> Wrong {
        Wrong { usage: self.draft.usage, ..wrong }
    }

    fn event(&mut self, data: &str, heard: &mut Vec<Piece>) -> Result<(), Wrong> {
        // Nothing at all is said to keep the connection awake.
        if self.done || data.trim().is_empty() {
            return Ok(());
        }
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        let chunk: Chunk = serde_json::from_str(data).map_err(|error| malformed(&error))?;
        if let Some(spent) = chunk.usage.as_ref().and_then(usage) {
            self.draft.usage = Some(spent);
        }
        if let Some(error) = chunk.error {
            return Err(told(&error));
        }
        // Every piece says it; once is enough.
        if self.draft.version.is_none() {
            self.draft.version = version(chunk.model.as_ref());
        }
        let choices = chunk.choices.ok_or_else(|| Wrong::invalid("a piece has no choices"))?;
        match <[Choice; 1]>::try_from(choices) {
            Ok([choice]) => self.choice(choice, heard),
            // The piece that tells what was spent has none.
            Err(none) if none.is_empty() => Ok(()),
            Err(_) => Err(Wrong::invalid("the answer has more than one choice")),
        }
    }

    fn choice(&mut self, choice: Choice, heard: &mut Vec<Piece>) -> Result<(), Wrong> {
        if choice.index != 0 {
            return Err(Wrong::invalid("the answer has more than one choice"));
        }
        let delta = choice.delta.unwrap_or_default();
        let content = delta.content.unwrap_or_default();
        let refusal = delta.refusal.unwrap_or_default();
        let calls = delta.tool_calls.unwrap_or_default();
        let says = !content.is_empty() || !refusal.is_empty() || !calls.is_empty();
        if says && self.draft.finish.is_some() {
            return Err(Wrong::invalid("the answer goes on after it has stopped"));
        }
        self.draft.text.push_str(&content);
        self.draft.refusal.push_str(&refusal);
        let thought = delta.reasoning_content.or(delta.reasoning).unwrap_or_default();
        self.draft.reasoning.push_str(&thought);
        let words = if content.is_empty() { refusal } else { content };
        if !words.is_empty() {
            heard.push(Piece::Text(words));
        }
        for call in calls {
            self.call(call, heard)?;
        }
        match (&self.draft.finish, choice.finish_reason) {
            (Some(first), Some(other)) if *first != other => {
                Err(Wrong::invalid("the answer stops for two reasons"))
            }
            (_, Some(reason)) => {
                self.draft.finish = Some(reason);
                Ok(())
            }
            (_, None) => Ok(()),
        }
    }

    /// Pieces of a call are told apart by its index; its id and its name come with the first.
    fn call(&mut self, piece: CallDelta, heard: &mut Vec<Piece>) -> Result<(), Wrong> {
        only_functions(piece.kind.as_deref())?;
        if self.calls.len() >= CALLS_MAX && !self.calls.contains_key(&piece.index) {
            return Err(Wrong::invalid("the answer calls too many tools"));
        }
        let call = self.calls.entry(piece.index).or_default();
        let was_named = !call.name.is_empty();
        once(&mut call.id, piece.id)?;
        if let Some(function) = piece.function {
            once(&mut call.name, function.name)?;
            call.arguments.push_str(&function.arguments.unwrap_or_default());
        }
        if !was_named && !call.name.is_empty() {
            heard.push(Piece::Call(call.name.clone()));
        }
        Ok(())
    }
}

/// What is said once may be repeated and not be changed.
fn once(kept: &mut String, said: Option<String>) -> Result<(), Wrong> {
    match said {
        Some(said) if said.is_empty() || said == *kept => Ok(()),
        Some(said) if kept.is_empty() => {
            *kept = said;
            Ok(())
        }
        Some(_) => Err(Wrong::invalid("a call of a tool changes its id or its name")),
        None => Ok(()),
    }
}

#[cfg(test)]
#[path = "stream_tests.rs"]
mod tests;
