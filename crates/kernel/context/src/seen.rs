//! What a turn has gathered: plain values, and for all that somebody wrote where it came from.

use std::collections::BTreeSet;

use types::{
    AgentId, At, AuthorityClass, CategoryId, DeliverySurface, Delta, Envelope, Hint, Label, Record,
    Relation, Report, ReportId, TaskId, TaskStatus, WakeReason,
};

/// All that a prompt is made of.
#[derive(Debug, Clone)]
pub struct Seen<'a> {
    /// Whose turn it is; what it changed itself is no news to it.
    pub agent: &'a AgentId,
    /// Categories that it may look into.
    pub scope: &'a BTreeSet<CategoryId>,
    /// When the turn first began, by the clock where the person is: dues are meant by it.
    pub now: &'a str,
    /// What the template says.
    pub texts: Texts<'a>,
    /// Why it woke.
    pub wake: Woken<'a>,
    /// What hints from outside say: evidence, and nobody's words to it.
    pub hinted: &'a [Hinted<'a>],
    /// What somebody said to it.
    pub input: Option<Input<'a>>,
    /// The task it tends.
    pub task: Option<Tended<'a>>,
    /// Tasks beside it.
    pub linked: &'a [Linked<'a>],
    /// The report that stands.
    pub report: Option<Standing<'a>>,
    /// Its notes in the order they were made, with summaries of those that are not here.
    pub notes: &'a [Note<'a>],
    /// What was said before in this session, in order.
    pub history: &'a [Said<'a>],
    /// What changed since it last looked.
    pub delta: Option<&'a Delta>,
}

/// What a template says.
#[derive(Debug, Clone, Copy)]
pub struct Texts<'a> {
    /// What the agent is for.
    pub role: &'a str,
    /// What is asked of it on its first wake.
    pub first: &'a str,
    /// What is asked of it on a later one.
    pub later: &'a str,
    /// What is asked of it when somebody speaks to it.
    pub prompt: &'a str,
}

/// Why an agent woke.
#[derive(Debug, Clone, Copy)]
pub struct Woken<'a> {
    /// The reason.
    pub reason: WakeReason,
    /// More of it, in the runtime's own words.
    pub why: &'a str,
    /// It has never written a report.
    pub first: bool,
    /// Signals from outside that said "look".
    pub hints: u64,
}

/// A hint that says something.
#[derive(Debug, Clone, Copy)]
pub struct Hinted<'a> {
    /// The hint.
    pub hint: &'a Hint,
    /// What it says; absent if that was erased.
    pub text: Option<&'a str>,
    /// Where that came from.
    pub label: &'a Label,
}

/// What somebody said.
#[derive(Debug, Clone, Copy)]
pub struct Input<'a> {
    /// Who, in a word.
    pub from: &'a str,
    /// Through which door.
    pub via: DeliverySurface,
    /// What it may claim.
    pub authority: AuthorityClass,
    /// The words.
    pub text: &'a str,
    /// Where they came from.
    pub label: &'a Label,
}

impl<'a> Input<'a> {
    /// The words of an envelope, with what its door said of them.
    #[must_use]
    pub fn of(envelope: &Envelope, text: &'a str, label: &'a Label) -> Input<'a> {
        let from = envelope.origin.as_str();
        let (via, authority) = (envelope.delivery_surface, envelope.authority_class);
        Input { from, via, authority, text, label }
    }
}

/// A task with all that belongs to it. Records of another kind and removed ones are passed over.
#[derive(Debug, Clone, Copy)]
pub struct Tended<'a> {
    /// The task.
    pub task: &'a Record,
    /// Its checklists.
    pub checklists: &'a [Record],
    /// The items of all of them.
    pub items: &'a [Record],
    /// Items that there are beyond these.
    pub items_left_out: usize,
    /// Entries about it.
    pub entries: &'a [Record],
    /// Entries that there are beyond these.
    pub entries_left_out: usize,
    /// Time that was spent on it.
    pub times: &'a [Record],
    /// Stretches of time that there are beyond these.
    pub times_left_out: usize,
    /// The names of its labels.
    pub labels: &'a [String],
    /// The name of its category.
    pub category: Option<&'a str>,
    /// Where all of it came from, as far as is known.
    pub label: &'a Label,
}

/// Which way a relation points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// From the agent's task to the other.
    To,
    /// From the other to the agent's task.
    From,
}

/// A task beside the one an agent tends.
#[derive(Debug, Clone)]
pub struct Linked<'a> {
    /// Which.
    pub id: &'a TaskId,
    /// What is to be done.
    pub title: &'a str,
    /// Where it stands.
    pub status: TaskStatus,
    /// How the two are related.
    pub relation: Relation,
    /// Which way.
    pub direction: Direction,
    /// What the agent of that task last reported.
    pub report: Option<&'a str>,
    /// Where all of it came from.
    pub label: &'a Label,
}

/// The report that stands.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// Which.
    pub id: &'a ReportId,
    /// The report.
    pub report: &'a Report,
    /// Its words.
    pub content: &'a str,
    /// Where they came from.
    pub label: &'a Label,
}

/// A note of the agent, or a summary of older ones.
#[derive(Debug, Clone, Copy)]
pub struct Note<'a> {
    /// When it was made.
    pub at: At,
    /// The words.
    pub text: &'a str,
    /// It stands for notes that are not here.
    pub summary: bool,
    /// Where they came from.
    pub label: &'a Label,
}

/// Who said something earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// The operator.
    Operator,
    /// The agent itself.
    You,
    /// Anybody else.
    Other,
    /// Nobody: it stands for things said that are not here.
    Summary,
}

/// Something that was said earlier.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    /// By whom.
    pub who: Who,
    /// The words.
    pub text: &'a str,
    /// When.
    pub at: At,
    /// Where they came from.
    pub label: &'a Label,
}
