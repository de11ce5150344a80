//! An answer piece by piece.

use serde::Deserialize;
use serde_json::Value;
use types::TokenUsage;

use super::events::Events;
use super::loose::{Arguments, Words};
use super::settle::{CALLS_MAX, Draft, DraftCall, one_or_two, usage};
use super::whole::{malformed, only_functions, read, told, version};
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
    content: Option<Words>,
    refusal: Option<String>,
    reasoning: Option<String>,
    reasoning_content: Option<String>,
    tool_calls: Option<Vec<CallDelta>>,
}

#[derive(Deserialize)]
struct CallDelta {
    index: Option<u64>,
    id: Option<String>,
    extra_content: Option<Value>,
    #[serde(rename = "type")]
    kind: Option<String>,
    function: Option<CalledDelta>,
}

#[derive(Deserialize)]
struct CalledDelta {
    name: Option<String>,
    #[serde(default)]
    arguments: Arguments,
}

/// The last event of a stream.
pub(super) const DONE: &str = "[DONE]";

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
    /// Calls in the order in which they began.
    calls: Vec<Growing>,
    /// What came at once all the same.
    whole: Vec<u8>,
    begun: bool,
    done: bool,
}

/// A call that is coming, with its index if it has one.
#[derive(Debug, Default)]
struct Growing {
    index: Option<u64>,
    call: DraftCall,
}

impl Stream {
    /// Takes bytes, cut anywhere, and says what is heard in them.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Piece>, Wrong> {
        // No line of a stream begins so.
        let begins = bytes.trim_ascii_start();
        let comes_at_once = !self.begun && begins.starts_with(b"{");
        self.begun |= !begins.is_empty();
        if comes_at_once || !self.whole.is_empty() {
            self.whole.extend_from_slice(bytes);
            return Ok(vec![]);
        }
        let mut heard = Vec::new();
        let mut events = std::mem::take(&mut self.events);
        let fed = events.feed(bytes, |data| self.event(data, &mut heard));
        self.events = events;
        fed.map_err(|wrong| self.with_usage(wrong))?;
        Ok(heard)
    }

    /// How many bytes of words have come, with those of a piece that is not whole.
    pub(crate) fn said(&self) -> usize {
        let calls =
            self.calls.iter().map(|Growing { call, .. }| call.name.len() + call.arguments.len());
        self.draft.said() + calls.sum::<usize>() + self.events.pending() + self.whole.len()
    }

    /// Whether it has said that it is over; what comes after that is nobody's.
    pub(crate) const fn is_done(&self) -> bool {
        self.done
    }

    /// The connection has nothing more. An answer that has said why it stops is whole: some servers say no more.
    pub(crate) fn end(mut self) -> Result<Spoken, Wrong> {
        if !self.whole.is_empty() {
            return read(&self.whole);
        }
        let last = std::mem::take(&mut self.events).end();
        if !self.done && last.is_none() && self.draft.finish.is_none() {
            return Err(self.with_usage(Wrong::broken("the stream ended before its end")));
        }
        self.draft.calls = self.calls.into_iter().map(|growing| growing.call).collect();
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
        if data.trim_end() == DONE {
            self.done = true;
            return Ok(());
        }
        let chunk: Chunk = serde_json::from_str(data).map_err(|error| malformed(&error))?;
        self.spend(chunk.usage.as_ref());
        if let Some(error) = chunk.error {
            return Err(told(&error));
        }
        // Every piece says it; once is enough.
        if self.draft.version.is_none() {
            self.draft.version = version(chunk.model.as_ref());
        }
        let Some(choices) = chunk.choices else {
            return without_choices(data);
        };
        match <[Choice; 1]>::try_from(choices) {
            Ok([choice]) => self.choice(choice, heard),
            // The piece that tells what was spent has none.
            Err(none) if none.is_empty() => Ok(()),
            Err(_) => Err(Wrong::invalid("the answer has more than one choice")),
        }
    }

    /// What was spent until now, unless that is nothing at all.
    fn spend(&mut self, told: Option<&Value>) {
        let spent = told.and_then(usage);
        if let Some(spent) = spent.filter(|spent| *spent != TokenUsage::default()) {
            self.draft.usage = Some(spent);
        }
    }

    fn choice(&mut self, choice: Choice, heard: &mut Vec<Piece>) -> Result<(), Wrong> {
        if choice.index != 0 {
            return Err(Wrong::invalid("the answer has more than one choice"));
        }
        let delta = choice.delta.unwrap_or_default();
        let Words { said: content, thought } = delta.content.unwrap_or_default();
        let refusal = delta.refusal.unwrap_or_default();
        let calls = delta.tool_calls.unwrap_or_default();
        let says = !content.is_empty() || !refusal.is_empty() || !calls.is_empty();
        if says && self.draft.finish.is_some() {
            return Err(Wrong::invalid("the answer goes on after it has stopped"));
        }
        self.draft.text.push_str(&content);
        self.draft.refusal.push_str(&refusal);
        self.draft.lends_thoughts |= delta.reasoning_content.is_some();
        let thought = delta.reasoning_content.or(delta.reasoning).unwrap_or(thought);
        self.draft.reasoning.push_str(&thought);
        let words = if content.is_empty() { refusal } else { content };
        if !words.is_empty() {
            heard.push(Piece::Text(words));
        }
        for call in calls {
            self.call(call, heard)?;
        }
        // Many say with each piece that it is not the last.
        let finish = choice.finish_reason.filter(|reason| !reason.is_empty());
        match (&self.draft.finish, finish) {
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

    fn call(&mut self, piece: CallDelta, heard: &mut Vec<Piece>) -> Result<(), Wrong> {
        only_functions(piece.kind.as_deref())?;
        let (name, arguments) = match piece.function {
            Some(CalledDelta { name, arguments }) => (name, arguments.0),
            None => (None, String::new()),
        };
        let id = piece.id.filter(|id| !id.is_empty());
        let name = name.filter(|name| !name.is_empty());
        let place = match self.place_of(piece.index, id.as_deref(), name.as_deref()) {
            Some(place) => place,
            None if self.calls.len() < CALLS_MAX => {
                self.calls.push(Growing { index: piece.index, ..Growing::default() });
                self.calls.len() - 1
            }
            None => return Err(Wrong::invalid("the answer calls too many tools")),
        };
        let call = &mut self.calls[place].call;
        let was_named = !call.name.is_empty();
        once(&mut call.id, id)?;
        once(&mut call.name, name)?;
        call.arguments.push_str(&arguments);
        call.extra = piece.extra_content.or(call.extra.take());
        if !was_named && !call.name.is_empty() {
            heard.push(Piece::Call(call.name.clone()));
        }
        Ok(())
    }

    /// The call that a piece goes on with; none if it begins one. Pieces are told apart by their index, where there is
    /// none by their id, and where there is no id either a name begins a call. Another id with a name begins one too:
    /// some give all calls the same index.
    fn place_of(&self, index: Option<u64>, id: Option<&str>, name: Option<&str>) -> Option<usize> {
        let is_other = |call: &DraftCall| {
            id.is_some_and(|id| !call.id.is_empty() && call.id != id) && name.is_some()
        };
        self.calls.iter().rposition(|Growing { index: known, call }| match (index, id) {
            (Some(_), _) => *known == index && !is_other(call),
            (None, Some(id)) => call.id == id,
            (None, None) => name.is_none(),
        })
    }
}

/// A piece without choices says nothing, unless it is an error as a whole.
fn without_choices(data: &str) -> Result<(), Wrong> {
    let piece: Value = serde_json::from_str(data).unwrap_or_default();
    if piece["object"] == "error" { Err(told(&piece)) } else { Ok(()) }
}

/// What is said once may be repeated and not be changed.
fn once(kept: &mut String, said: Option<String>) -> Result<(), Wrong> {
    match said {
        Some(said) if said == *kept => Ok(()),
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
