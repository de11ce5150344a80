//! Runs: each ends once, what carries words is read by itself, and nobody invents any.

use std::collections::BTreeMap;

use store::{ReadRuns, wait};
use types::{Run, RunKey, RunState, WakeReason};

use crate::book::{Book, EndKind};
use crate::sim::Sim;

const CONTENT: [WakeReason; 4] =
    [WakeReason::UserInitiated, WakeReason::Manual, WakeReason::JobResult, WakeReason::Trigger];

/// Runs of one agent that are read; more than a seed has.
const RUNS_MAX: usize = 100_000;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let store = sim.services().store;
    let mut book = sim.shared.book();
    let mut all: BTreeMap<RunKey, Run> = BTreeMap::new();
    for agent in book.agents.keys() {
        let runs = wait(store.runs(agent.clone(), RUNS_MAX)).expect("runs can be read");
        all.extend(runs.into_iter().map(|run| (run.draft.run_key, run)));
    }
    let mut found = Vec::new();
    for run in all.values() {
        found.extend(judge_run(&book, &all, run));
    }
    found.extend(requests_run_once(&book, &all));
    found.extend(envelopes_read_once(&book, &all));
    let merged = all.values().filter(|run| run.merged_into.is_some()).count();
    book.figures.add("wakes_merged", u64::try_from(merged).unwrap_or(0));
    for (property, what) in found {
        book.violate(property, what);
    }
}

type Found = Vec<(&'static str, String)>;

fn judge_run(book: &Book, all: &BTreeMap<RunKey, Run>, run: &Run) -> Found {
    let mut found = Vec::new();
    let key = run.draft.run_key;
    let reason = run.draft.reason.as_str();
    if !book.runs.contains_key(&key) {
        found.push(("nobody invents runs", format!("run {key} ({reason}) was never queued")));
    }
    let ended = matches!(run.state, RunState::Ended { .. });
    if !ended {
        let what = format!("run {key} ({reason}) is still {}", run.state.as_str());
        found.push(("every run ends", what));
    }
    if let Some(target) = run.merged_into {
        if CONTENT.contains(&run.draft.reason) || run.draft.envelope.is_some() {
            let what = format!("run {key} ({reason}) was merged into {target}");
            found.push(("words are not merged", what));
        }
        if book.choice(&target).is_some() || book.choice(&key).is_some() {
            let what = format!("run {key} ({reason}) was merged into {target}");
            found.push(("a run with a chosen model is for nothing else", what));
        }
        let theirs = all.get(&target).map(|target| target.state.as_str());
        if theirs != Some(run.state.as_str()) {
            let what = format!("run {key} is {}, {target} is {theirs:?}", run.state.as_str());
            found.push(("merged runs end together", what));
        }
    }
    found
}

/// One request is one run.
fn requests_run_once(book: &Book, all: &BTreeMap<RunKey, Run>) -> Found {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for run in all.values() {
        if let (WakeReason::Manual, Some(request)) = (run.draft.reason, &run.draft.reason_id) {
            let agent = book.name(&run.draft.agent);
            // A schedule that is asked for by hand names itself, and each of those is one run.
            if !request.starts_with("schedule_") {
                *counts.entry(format!("{request} for {agent}")).or_default() += 1;
            }
        }
    }
    let twice = counts.into_iter().filter(|(_, count)| *count > 1);
    twice
        .map(|(request, count)| ("one request, one run", format!("{request} made {count} runs")))
        .collect()
}

/// Every envelope that was let in is read by one run that comes to a good end.
fn envelopes_read_once(book: &Book, all: &BTreeMap<RunKey, Run>) -> Found {
    let mut readers: BTreeMap<String, u64> = BTreeMap::new();
    for run in all.values() {
        if let (Some(envelope), "completed") = (&run.draft.envelope, run.state.as_str()) {
            *readers.entry(envelope.to_string()).or_default() += 1;
        }
    }
    let mut found = Vec::new();
    for run in book.runs.values() {
        let Some(envelope) = &run.draft.envelope else { continue };
        let count = readers.get(&envelope.to_string()).copied().unwrap_or(0);
        let over = run.ended.is_some_and(|(_, kind)| {
            matches!(kind, EndKind::Failed | EndKind::Cancelled | EndKind::Destroyed)
        });
        if count != 1 && !over {
            let what = format!("{envelope} was read by {count} completed runs");
            found.push(("every envelope is read once", what));
        }
    }
    found
}
