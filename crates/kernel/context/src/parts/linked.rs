//! Tasks beside the agent's own, each with what its agent last reported.

use std::borrow::Cow;

use serde::Serialize;
use types::{BlockKind, TaskId};

use crate::cut::cut;
use crate::keep::{join, keep};
use crate::part::{Part, lines, reason};
use crate::{Bounds, Direction, Linked, Seen};

#[derive(Serialize)]
struct Beside<'a> {
    id: &'a TaskId,
    title: Cow<'a, str>,
    status: &'static str,
    relation: Cow<'a, str>,
    direction: &'static str,
    #[serde(rename = "latestTaskAgentReport")]
    report: Option<Cow<'a, str>>,
}

pub(crate) fn linked(seen: &Seen<'_>, bounds: &Bounds) -> Option<Part> {
    if seen.linked.is_empty() {
        return None;
    }
    let mut all: Vec<&Linked<'_>> = seen.linked.iter().collect();
    all.sort_by_key(|linked| linked.status.is_closed());
    let kept = keep(&all, bounds.linked, |linked| beside(linked, bounds));
    let label = join(all[..kept.things.len()].iter().map(|linked| linked.label));
    let why = reason("tasks beside it", &[(kept.left_out, "tasks")]);
    let body = lines(kept.things, kept.left_out, false);
    Some(Part::data(BlockKind::Linked, &body, label, why))
}

fn beside<'a>(linked: &'a Linked<'a>, bounds: &Bounds) -> Beside<'a> {
    Beside {
        id: linked.id,
        title: cut(linked.title, bounds.title),
        status: linked.status.as_str(),
        relation: cut(linked.relation.as_str(), bounds.title),
        direction: match linked.direction {
            Direction::To => "to",
            Direction::From => "from",
        },
        report: linked.report.map(|text| cut(text, bounds.linked_report)),
    }
}
