//! Facts first: whether a wake has anything to decide, before anybody is paid to think about it.

use types::{AgentId, ChangeRecord, Delta, Hint, Image, Position, Receipt, Run};

/// What an agent's template counts as relevant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relevance {
    /// It only watches: nothing is ever its to decide.
    Nothing,
    /// These fields of records of these kinds, by semantic key; and that a record came or went.
    Fields(&'static [(&'static str, &'static [&'static str])]),
}

/// What an agent sees when it looks.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'a> {
    /// Who looks.
    pub agent: &'a AgentId,
    /// Why it woke.
    pub run: &'a Run,
    /// It has never looked before.
    pub first: bool,
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
pub fn decide(sight: &Sight<'_>, relevance: Relevance) -> Finding {
    let foreign = |c: &&ChangeRecord| c.author.agent() != Some(sight.agent);
    let changes = || sight.journal.changes.iter().chain(&sight.own.changes).filter(foreign);
    if let Some(why) = insists(sight, relevance) {
        return Finding::Something(why);
    }
    if changes().flat_map(|change| &change.images).any(|image| ends_a_wait(sight.agent, image)) {
        return Finding::Something("a_wait_ended");
    }
    let seen = changes().count();
    let rule = match relevance {
        _ if seen == 0 => "nothing_changed",
        Relevance::Nothing => "nothing_relevant",
        Relevance::Fields(fields) => {
            if changes().flat_map(|change| &change.images).any(|image| touches(fields, image)) {
                return Finding::Something("relevant_change");
            }
            "nothing_relevant"
        }
    };
    Finding::Nothing(receipt(sight, rule, seen as u64))
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
fn insists(sight: &Sight<'_>, relevance: Relevance) -> Option<&'static str> {
    if !sight.run.draft.only_looks() {
        return Some("spoken_to");
    }
    if sight.run.draft.insist {
        return Some("always");
    }
    // It began before, so there was something to decide; what it was may not show any more.
    if sight.run.attempt > 0 {
        return Some("tried_before");
    }
    if sight.hints.iter().any(|hint| hint.payload.is_some()) {
        return Some("hint_with_content");
    }
    // Who only watches has nothing to decide the first time either.
    (sight.first && relevance != Relevance::Nothing).then_some("first_wake")
}

fn touches(fields: &[(&str, &[&str])], image: &Image) -> bool {
    let came_or_went = image.before.is_none() || image.after.is_none();
    fields.iter().any(|(kind, names)| {
        *kind == image.kind
            && (came_or_went || names.iter().any(|name| image.fields.contains(*name)))
    })
}

fn ends_a_wait(agent: &AgentId, image: &Image) -> bool {
    let is = |name: &str, value: &str| {
        image.after.as_ref().and_then(|after| after.get(name)).is_some_and(|found| found == value)
    };
    image.kind == "AGENT_WAIT" && is("agent", agent.as_str()) && !is("state", "open")
}

#[cfg(test)]
#[path = "facts_tests.rs"]
mod tests;
