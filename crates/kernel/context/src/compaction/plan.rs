//! What is to be summarised.

use types::{Label, Message, MessageId, MessageKind, SummarySpan};

use crate::cut::written;
use crate::keep::join;

/// Bytes that a message takes in a prompt besides its words.
const AROUND_BYTES: usize = 64;

/// How many messages may stand as they are, and how much is summarised at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Messages after the last summary.
    pub count: usize,
    /// Tokens of them as they are written in a prompt.
    pub tokens: usize,
    /// Messages that one summary takes in.
    pub span: usize,
    /// Bytes of a summary.
    pub summary: usize,
}

impl Bounds {
    /// For an agent's notes.
    #[must_use]
    pub const fn notebook() -> Bounds {
        Bounds { count: 48, tokens: 3_000, span: 24, summary: 4_000 }
    }

    /// For the thread of a session.
    #[must_use]
    pub const fn session() -> Bounds {
        Bounds { count: 20, tokens: 3_000, span: 10, summary: 4_000 }
    }

    /// Half as much, so many times, for a prompt that has little room. The newest message always has some.
    #[must_use]
    pub const fn halved(self, times: u32) -> Bounds {
        let count = if self.count >> times == 0 { 1 } else { self.count >> times };
        let (tokens, summary) = (self.tokens >> times, self.summary >> times);
        Bounds { count, tokens, summary, span: self.span }
    }
}

/// A message with its words.
#[derive(Debug, Clone, Copy)]
pub struct Raw<'a> {
    /// Which.
    pub id: &'a MessageId,
    /// The message.
    pub message: &'a Message,
    /// Its words.
    pub text: &'a str,
    /// Where they came from.
    pub label: &'a Label,
}

/// The last summary, with its words.
#[derive(Debug, Clone, Copy)]
pub struct Earlier<'a> {
    /// What it stands for.
    pub span: &'a SummarySpan,
    /// Its words.
    pub text: &'a str,
    /// Where they came from.
    pub label: &'a Label,
}

/// What is to be summarised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The first message that the summary stands for: that of the summary before it, if there is one.
    pub start: MessageId,
    /// The last one.
    pub end: MessageId,
    /// Greater than that of anything it covers.
    pub depth: u32,
    /// The words of the summary before it, which it takes the place of.
    pub earlier: Option<String>,
    /// The words of the messages it covers besides, in order.
    pub covered: Vec<String>,
    /// Where all of that came from: the label of the summary.
    pub label: Label,
    /// Bytes of the summary.
    pub max_bytes: usize,
}

/// Decides whether the oldest messages after the last summary are to be summarised.
///
/// `messages` are in order; those up to the end of the last summary may be among them or not. The newest
/// always stays: a single long message is no past. Carried out and asked again until nothing is left to
/// do, what stands is within both bounds.
#[must_use]
pub fn plan(messages: &[Raw<'_>], latest: Option<&Earlier<'_>>, bounds: &Bounds) -> Option<Plan> {
    let open = after(messages, latest);
    let (newest, older) = open.split_last()?;
    if fits(&open, bounds) {
        return None;
    }
    let span = &older[..older.len().min(bounds.span.max(1))];
    let (first, last) = (span.first()?, span.last()?);
    debug_assert_ne!(last.id, newest.id, "the newest stays");
    let labels = span.iter().map(|raw| raw.label).chain(latest.map(|latest| latest.label));
    Some(Plan {
        start: latest.map_or(first.id, |latest| &latest.span.start).clone(),
        end: last.id.clone(),
        depth: latest.map_or(1, |latest| latest.span.depth.saturating_add(1)),
        earlier: latest.map(|latest| latest.text.to_owned()),
        covered: span.iter().map(|raw| raw.text.to_owned()).collect(),
        label: join(labels),
        max_bytes: bounds.summary,
    })
}

/// The messages that no summary covers, as far as they are anything to remember: a summary has taken in what
/// it stands for, and word of a failure was never part of the conversation.
fn after<'a, 'b>(messages: &'b [Raw<'a>], latest: Option<&Earlier<'_>>) -> Vec<&'b Raw<'a>> {
    let end = latest.map(|latest| &latest.span.end);
    let covered = messages.iter().rposition(|raw| Some(raw.id) == end).map_or(0, |at| at + 1);
    let open = messages[covered..].iter();
    let said = |kind| !matches!(kind, MessageKind::Summary | MessageKind::System);
    open.filter(|raw| said(raw.message.kind)).collect()
}

fn fits(open: &[&Raw<'_>], bounds: &Bounds) -> bool {
    let bytes = || open.iter().map(|raw| written(raw.text) + AROUND_BYTES).sum::<usize>();
    open.len() <= bounds.count && bytes() <= bounds.tokens * 4
}
