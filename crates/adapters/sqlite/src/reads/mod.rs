//! SQL that reads, grouped by table. The writer's guards use the same functions as the readers.

mod briefing;
mod budget;
mod changes;
mod due;
mod events;
mod history;
mod outlook;
#[cfg(test)]
mod plan_tests;
mod records;
mod runs;
mod sight;
mod tools;

pub(crate) use briefing::briefing;
pub(crate) use budget::{account, reservation};
pub(crate) use changes::{
    changes_about, changes_after, closed_fences, cursor, cursors, delta, fence, fences_around,
    head, outbox_after, sequence_after, sequence_of,
};
pub(crate) use due::{
    any_gated, armed_elsewhere, armed_later, arming, due_schedules, due_waits, hints, in_flight,
    last_ticked, occurrences, occurrences_of, open_waits, rest, waits_on,
};
pub(crate) use events::{Place, events, happenings, newest_event};
pub(crate) use history::{
    newest_changes, operation, operations, operations_at, operations_of_run, operations_starting,
};
pub(crate) use outlook::outlook;
pub(crate) use records::{
    agents_or_schedules_ending, audit_after, content, content_label, dependents, ids_ending, link,
    links_around, links_from, links_to, marked, record, records_by_id, records_listed,
    records_listed_until, records_of, scan, scan_links, word_labels,
};
pub(crate) use runs::{
    agent_of_run, begun_runs, newest_run, open_runs, queued_runs, run, runs_at_hand, runs_of,
    subscribers, with_merged,
};
pub(crate) use sight::{background, contents, surroundings};
pub(crate) use tools::{DAY, tool_counted, tool_counts, tool_span};
