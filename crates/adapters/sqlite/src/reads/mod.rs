//! SQL that reads, grouped by table. The writer's guards use the same functions as the readers.

mod changes;
#[cfg(test)]
mod plan_tests;
mod records;
mod runs;

pub(crate) use changes::{
    changes_about, changes_after, cursor, fence, head, outbox_after, sequence_after, sequence_of,
};
pub(crate) use records::{
    audit_after, content, link, links_from, links_to, operation, record, records_listed,
};
pub(crate) use runs::{events_after, queued_runs, run, runs_of, subscribers};
