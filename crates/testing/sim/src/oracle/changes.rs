//! No change is lost: whoever has to hear of one has looked at it, and has been shown it once.

use std::collections::BTreeMap;

use types::{AgentId, Position};

use crate::book::{Book, Range};
use crate::sim::Sim;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let mut book = sim.shared.book();
    let mut found = lost(&book);
    found.extend(shown_twice(&book));
    found.extend(looked_twice(&book));
    for (property, what) in found {
        book.violate(property, what);
    }
}

type Found = Vec<(&'static str, String)>;

fn lost(book: &Book) -> Found {
    let mut found = Vec::new();
    for need in &book.needs {
        let whole = book.looked_whole.get(&need.agent);
        let shown = book.told.contains(&(need.agent.clone(), need.position))
            || whole.is_some_and(|up_to| need.position <= *up_to);
        if shown || book.is_over(&need.agent) || book.is_waived(&need.agent, need.position) {
            continue;
        }
        let later = |range: &&Range| range.agent == need.agent && range.order > need.order;
        let reached = book.ranges.iter().filter(later).filter(|range| need.position <= range.to);
        let reached: Vec<&Range> = reached.collect();
        let (agent, at) = (book.name(&need.agent), need.position);
        // Whoever looks further than a change has looked at it, whatever failed before.
        let what = match reached.iter().any(|range| range.from < need.position) {
            true if need.by_turn => format!("no turn of {agent} was shown change {at}"),
            true => continue,
            false if !reached.is_empty() => {
                format!("{agent} looked beyond change {at}, and never at it")
            }
            false if book.excused(&need.agent, need.order) => continue,
            false => format!("{agent} never looked at change {at}"),
        };
        found.push(("no wake is lost", what));
    }
    found
}

fn shown_twice(book: &Book) -> Found {
    let twice = book.seen.iter().filter(|(_, runs)| runs.len() > 1);
    twice
        .map(|((agent, at), runs)| {
            let agent = book.name(agent);
            ("shown once", format!("{agent} was shown change {at} by {} runs", runs.len()))
        })
        .collect()
}

fn looked_twice(book: &Book) -> Found {
    let mut found = Vec::new();
    let mut up_to: BTreeMap<&AgentId, Position> = BTreeMap::new();
    for range in &book.ranges {
        let before = up_to.entry(&range.agent).or_default();
        if range.from < *before {
            let agent = book.name(&range.agent);
            let what = format!(
                "{agent} looked from {} on in {} and had looked up to {before}",
                range.from, range.run
            );
            found.push(("looked at once", what));
        }
        *before = (*before).max(range.to);
    }
    found
}
