//! What a turn has read of what its agent remembers: each message taken apart once, for the prompt and
//! for compaction alike.

use context::compaction::Plan;
use store::Background;
use types::{
    At, Body, Content, EnvelopeContent, Label, Message, MessageId, MessageKind, Record, Round,
    ThreadId,
};

/// A message with its words.
pub(crate) struct Read {
    pub(crate) id: MessageId,
    pub(crate) at: At,
    pub(crate) message: Message,
    pub(crate) text: String,
    pub(crate) label: Label,
}

/// What an agent remembers, oldest first.
#[derive(Default)]
pub(crate) struct Memory {
    pub(crate) notes: Vec<Read>,
    pub(crate) notes_summary: Option<Read>,
    pub(crate) said: Vec<Read>,
    pub(crate) summary: Option<Read>,
    /// Summaries among these that are not on record yet.
    pub(crate) ahead: Vec<Ahead>,
}

/// A summary that was made before its turn: it is on record when the turn is over.
pub(crate) struct Ahead {
    pub(crate) thread: ThreadId,
    pub(crate) plan: Plan,
    pub(crate) text: String,
}

impl Memory {
    /// Takes what was read of an agent's memory.
    pub(crate) fn taken_from(background: &mut Background) -> Memory {
        let all = |messages: &mut Vec<(Record, Content)>| {
            std::mem::take(messages).into_iter().rev().filter_map(read).collect()
        };
        Memory {
            notes: all(&mut background.notes),
            notes_summary: background.notes_summary.take().and_then(read),
            said: all(&mut background.messages),
            summary: background.summary.take().and_then(read),
            ahead: vec![],
        }
    }

    /// The notes that no summary stands for.
    pub(crate) fn open_notes(&self) -> &[Read] {
        open(&self.notes, self.notes_summary.as_ref())
    }

    /// What was said and no summary stands for.
    pub(crate) fn open_said(&self) -> &[Read] {
        open(&self.said, self.summary.as_ref())
    }
}

fn read((record, words): (Record, Content)) -> Option<Read> {
    let Body::AgentMessage(message) = record.body else { return None };
    let id = record.id.as_str().parse().ok()?;
    let text = words_of(&message, &words.bytes);
    Some(Read { id, at: record.created_at, message: *message, text, label: words.label })
}

/// The words of a message as they are read again.
fn words_of(message: &Message, bytes: &[u8]) -> String {
    match message.kind {
        MessageKind::User => EnvelopeContent::words(bytes).unwrap_or_default(),
        MessageKind::Thought => Round::words(bytes).unwrap_or_default(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn open<'a>(messages: &'a [Read], summary: Option<&Read>) -> &'a [Read] {
    let end = summary.and_then(|one| one.message.summary.as_ref()).map(|span| &span.end);
    let covered = messages.iter().rposition(|one| Some(&one.id) == end);
    &messages[covered.map_or(0, |last| last + 1)..]
}
