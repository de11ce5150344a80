//! Facts first: whether a wake has anything to decide, before anybody is paid to think about it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use types::{
    AgentId, AgentIdentity, At, BodyType, ChangeRecord, Delta, Hint, Image, Position, Receipt, Run,
    Task,
};

use crate::day;
use crate::planted::{self, Fault};

/// Fields of records, by the semantic key of their kind.
pub type Fields = BTreeMap<String, BTreeSet<String>>;

/// What an agent's template counts as relevant. It is asked for with every look, so it is cheap to hand
/// on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Relevance {
    /// It only watches: nothing is ever its to decide.
    Nothing,
    /// These fields of records of these kinds; and that one of them came or went.
    Fields(Arc<Fields>),
    /// Whatever changed: nobody knows what matters to it, so nothing is passed over.
    Everything,
}

impl Relevance {
    /// These fields of records of these kinds.
    #[must_use]
    pub fn fields(kinds: &[(&str, &[&str])]) -> Relevance {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let kinds = kinds.iter().map(|(kind, names)| ((*kind).to_owned(), owned(names)));
        Relevance::Fields(Arc::new(kinds.collect()))
    }

    /// Whether a change is relevant: what it did to a record, or to how it is related to others.
    #[must_use]
    pub fn heeds(&self, change: &ChangeRecord) -> bool {
        change.images.iter().any(|image| self.minds(image)) || self.heeds_relation(change)
    }

    fn heeds_relation(&self, change: &ChangeRecord) -> bool {
        *self != Relevance::Nothing && change.only_relates()
    }

    /// Whether what a change did to a record is relevant.
    fn minds(&self, image: &Image) -> bool {
        match self {
            Relevance::Nothing => false,
            Relevance::Fields(fields) => touches(fields, image),
            Relevance::Everything => true,
        }
    }
}

/// Says what is relevant to an agent.
pub type Minds = Arc<dyn Fn(&AgentIdentity) -> Relevance + Send + Sync>;

/// What an agent sees when it looks.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// Who looks.
    pub agent: &'a AgentId,
    /// Why it woke.
    pub run: &'a Run,
    /// It has never looked before.
    pub first: bool,
    /// Its run has failed, and left nothing but word of that; another turn of the agent has looked since,
    /// and came to a good end.
    pub overtaken: bool,
    /// Where it last looked, in the journal and in the agents' own log.
    pub from: (Position, Position),
    /// What changed in the journal since.
    pub journal: &'a Delta,
    /// What changed in the agents' own log since.
    pub own: &'a Delta,
    /// Hints that wait for it.
    pub hints: &'a [Hint],
}

/// What a look found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// Nothing to decide.
    Nothing(Receipt),
    /// Something to decide: why a turn is taken.
    Something(&'static str),
}

/// Decides whether a wake has anything to do. What the agent wrote itself does not count.
#[must_use]
pub fn decide(sight: &Sight<'_>, relevance: &Relevance) -> Finding {
    let foreign = |c: &&ChangeRecord| c.author.agent() != Some(sight.agent);
    let changes = || sight.journal.changes.iter().chain(&sight.own.changes).filter(foreign);
    if let Some(why) = insists(sight, relevance) {
        return Finding::Something(why);
    }
    // A wait that was over when it was decided on ends with the agent's own turn: it has to hear of it
    // all the same.
    let all = sight.journal.changes.iter().chain(&sight.own.changes);
    if all.flat_map(|change| &change.images).any(|image| ends_a_wait(sight.agent, image)) {
        return Finding::Something("a_wait_ended");
    }
    let seen = changes().count();
    if changes().flat_map(|change| &change.images).any(|image| relevance.minds(image)) {
        return Finding::Something("relevant_change");
    }
    let relates = |change: &ChangeRecord| foreign(&change) && relevance.heeds_relation(change);
    if sight.journal.changes.iter().any(relates) {
        return Finding::Something("relation_changed");
    }
    let rule = if seen == 0 { "nothing_changed" } else { "nothing_relevant" };
    Finding::Nothing(receipt(sight, rule, seen as u64))
}

/// Whether a task has become late between two looks at it: nobody changed anything, and yet it is news.
#[must_use]
pub fn is_late_since(task: &Task, since: At, now: At, zone: &str) -> bool {
    let is_late = |at| task.due.is_some_and(|due| day::is_over(due, at, zone));
    !task.status.is_closed() && is_late(now) && !is_late(since)
}

/// Whether a change wrote a wait: the agent hears of it whatever it listens for.
#[must_use]
pub fn touches_a_wait(change: &ChangeRecord) -> bool {
    change.images.iter().any(is_wait)
}

/// The receipt of a look by which nothing was found, or whose finder decides by itself.
#[must_use]
pub fn receipt(sight: &Sight<'_>, rule: &str, changes_seen: u64) -> Receipt {
    Receipt {
        rule: rule.to_owned(),
        changes_seen,
        journal_from: sight.from.0,
        journal_to: sight.journal.head,
        agent_from: sight.from.1,
        agent_to: sight.own.head,
    }
}

/// What takes a turn whatever has changed.
fn insists(sight: &Sight<'_>, relevance: &Relevance) -> Option<&'static str> {
    if !sight.run.draft.only_looks() {
        return Some("spoken_to");
    }
    if sight.run.draft.insist {
        return Some("always");
    }
    // It began before, so there was something to decide; what it was may not show any more. Whoever has looked at
    // everything since has seen that too.
    if sight.run.attempt > 0 && !sight.overtaken {
        return Some("tried_before");
    }
    if sight.hints.iter().any(|hint| hint.payload.is_some()) {
        return Some("hint_with_content");
    }
    // Who only watches has nothing to decide the first time either.
    if *relevance == Relevance::Nothing {
        return None;
    }
    if sight.first {
        return Some("first_wake");
    }
    // What it has missed may have been relevant: it looks at everything as it is now.
    let missed = sight.journal.trimmed || sight.own.trimmed;
    (missed && !planted::is(Fault::TrimmedUnnoticed)).then_some("looked_long_ago")
}

fn touches(fields: &Fields, image: &Image) -> bool {
    let came_or_went = image.before.is_none() || image.after.is_none();
    fields.get(&image.kind).is_some_and(|names| came_or_went || !names.is_disjoint(&image.fields))
}

fn ends_a_wait(agent: &AgentId, image: &Image) -> bool {
    let is = |name: &str, value: &str| {
        image.after.as_ref().and_then(|after| after.get(name)).is_some_and(|found| found == value)
    };
    is_wait(image) && is("agent", agent.as_str()) && !is("state", "open")
}

fn is_wait(image: &Image) -> bool {
    image.kind == BodyType::AgentWait.semantic_key()
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
