//! What turns did: once, as it was asked for, and with both files of one mind.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use store::{ReadRecords, wait};
use types::{Body, Domain, InvocationState, OperationId, PlannedCall, ToolInvocation};

use crate::book::Book;
use crate::sim::Sim;
use crate::store::SimStore;

/// Tools that always make something.
const MAKERS: [&str; 2] = ["add_multiple_checklist_items", "create_checklist"];

/// Rows of one read.
const PAGE: usize = 1_000;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let store = sim.services().store;
    let mut book = sim.shared.book();
    let mut found = one_meaning(&book);
    found.extend(made_once(&book));
    found.extend(noted_once(&book));
    found.extend(of_one_mind(&book, &store));
    for (property, what) in found {
        book.violate(property, what);
    }
}

type Found = Vec<(&'static str, String)>;

/// A name of an operation stands for one thing.
fn one_meaning(book: &Book) -> Found {
    let mut meanings: BTreeMap<OperationId, &PlannedCall> = BTreeMap::new();
    let mut found = Vec::new();
    for (_, call) in book.deeds.calls() {
        let Some(operation) = call.operation else { continue };
        let first = *meanings.entry(operation).or_insert(call);
        if (&first.tool, &first.arguments) != (&call.tool, &call.arguments) {
            let what = format!("{} and {} are both called {operation}", first.id, call.id);
            found.push(("one name, one meaning", what));
        }
    }
    found
}

/// Whatever was asked for in an answer that is recorded is there as often as it was done.
fn made_once(book: &Book) -> Found {
    let asked = |operation: &OperationId| {
        book.deeds.calls().find(|(_, call)| call.operation == Some(*operation))
    };
    let mut found = Vec::new();
    for (id, done) in &book.deeds.operations {
        let Some((_, call)) = asked(id).filter(|_| MAKERS.contains(&done.verb)) else { continue };
        let (wanted, mut made) = (titles(&call.arguments), done.made.clone());
        made.sort();
        if wanted != made {
            let agent = book.name(&done.agent);
            let what = format!("{agent} asked for {wanted:?} and made {made:?}");
            found.push(("done as it was asked for", what));
        }
    }
    found
}

/// Every note was asked for in an answer that is recorded, and is there once for each operation.
fn noted_once(book: &Book) -> Found {
    let mut asked: BTreeMap<&str, BTreeSet<Option<OperationId>>> = BTreeMap::new();
    let calls = book.deeds.calls().filter(|(_, call)| call.tool == "record_observations");
    for (_, call) in calls {
        let notes = call.arguments["notes"].as_array().into_iter().flatten();
        for note in notes.filter_map(Value::as_str) {
            asked.entry(note).or_default().insert(call.operation);
        }
    }
    let mut found = Vec::new();
    for (words, times) in &book.deeds.notes {
        let wanted = asked.get(words.as_str()).map_or(0, BTreeSet::len);
        if u64::try_from(wanted).unwrap_or(0) < *times {
            let what = format!("{words:?} was to be noted {wanted} times, and was {times} times");
            found.push(("done as it was asked for", what));
        }
    }
    found
}

/// The titles of the items that arguments ask for.
fn titles(arguments: &Value) -> Vec<String> {
    let items = arguments["items"].as_array().cloned().unwrap_or_default();
    let title = |item: &Value| item.as_str().or(item["title"].as_str()).map(str::to_owned);
    let mut titles: Vec<String> = items.iter().filter_map(title).collect();
    titles.sort();
    titles
}

/// What agents remember of their calls is what the journal knows.
fn of_one_mind(book: &Book, store: &SimStore) -> Found {
    let mut found = Vec::new();
    for (id, call) in invocations(store) {
        let Some(operation) = call.operation else { continue };
        let known = book.deeds.operations.contains_key(&operation);
        let there = wait(store.operation(Domain::Journal, operation)).expect("it can be read");
        if known != there.is_some() {
            let what = format!("{id} was noted {known} and is there {}", there.is_some());
            found.push(("both files agree", what));
        }
        let what = format!("{} {id} of {}", call.tool, book.name(&call.agent_id));
        match call.state {
            InvocationState::Intended | InvocationState::Unknown => {
                let how = if known { "was done, and nobody knows" } else { "is left open" };
                found.push(("both files agree", format!("{what} {how}")));
            }
            InvocationState::Denied { .. } | InvocationState::Failed { .. } if known => {
                found.push(("both files agree", format!("{what} was done, and says it was not")));
            }
            InvocationState::Done { .. } if !known && MAKERS.contains(&call.tool.as_str()) => {
                found.push(("both files agree", format!("{what} says it was done, and was not")));
            }
            _ => {}
        }
    }
    found
}

/// All calls of tools that are remembered.
fn invocations(store: &SimStore) -> Vec<(types::RecordId, ToolInvocation)> {
    let (mut found, mut after) = (Vec::new(), 0);
    loop {
        let page = wait(store.scan(Domain::Agent, after, PAGE)).expect("records can be read");
        let Some((last, _)) = page.last() else { return found };
        after = *last;
        for (_, record) in page {
            if let Body::AgentToolInvocation(call) = record.body {
                found.push((record.id, *call));
            }
        }
    }
}
