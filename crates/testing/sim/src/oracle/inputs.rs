//! No word is lost: what was let in was put to a model, and is in what the turn has kept of it.

use std::collections::BTreeSet;

use store::{ReadRecords, wait};
use types::{AgentId, Domain, RunKey};

use crate::book::{Book, EndKind, sayings};
use crate::sim::Sim;
use crate::store::SimStore;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let store = sim.services().store;
    let mut book = sim.shared.book();
    let mut found = Vec::new();
    for (key, run) in &book.runs {
        let agent = &run.draft.agent;
        let tends = book.agents.get(agent).is_some_and(|agent| agent.tends.is_some());
        let completed = run.ended.is_some_and(|(_, kind)| kind == EndKind::Completed);
        let Some(envelope) = run.draft.envelope.as_ref().filter(|_| tends && completed) else {
            continue;
        };
        if book.is_over(agent) {
            continue;
        }
        let Some(words) = words_of(&store, envelope) else { continue };
        let name = book.name(agent);
        if !put_to_a_model(&book, agent, &words) {
            found.push(format!("{words:?} was said to {name} and no model was told"));
        }
        if !kept(&book, &store, key, &words) {
            found.push(format!("{words:?} was said to {name} and its turn has not kept it"));
        }
    }
    for what in found {
        book.violate("no word is lost", what);
    }
}

/// What was said with an envelope.
fn words_of(store: &SimStore, envelope: &types::EnvelopeId) -> Option<BTreeSet<String>> {
    let record = wait(store.record(Domain::Agent, envelope.into())).expect("it can be read")?;
    let types::Body::AgentEnvelope(envelope) = record.body else { return None };
    let content = wait(store.content(Domain::Agent, envelope.content)).expect("it can be read")?;
    Some(sayings(&String::from_utf8_lossy(&content.bytes)))
}

fn put_to_a_model(book: &Book, agent: &AgentId, words: &BTreeSet<String>) -> bool {
    book.deeds.asks.values().any(|ask| ask.agent == *agent && words.is_subset(&ask.said))
}

/// Whether the words are in the prompt that the turn has kept, or in what was thrown into another.
fn kept(book: &Book, store: &SimStore, run: &RunKey, words: &BTreeSet<String>) -> bool {
    let thrown_in = book.deeds.interjected().find(|one| one.run_key == *run);
    if thrown_in.is_some_and(|one| words.is_subset(&sayings(&one.text))) {
        return true;
    }
    let prompt = book.deeds.turns.get(run).and_then(|turn| turn.prompt.words.clone());
    let content = prompt.and_then(|at| wait(store.content(Domain::Agent, at)).expect("readable"));
    content.is_some_and(|one| words.is_subset(&sayings(&String::from_utf8_lossy(&one.bytes))))
}
