//! What writing a report leaves behind, all in one commit: a head never points to a report that is not
//! there.

use serde_json::{Map, json};
use types::{
    EventDraft, EventKind, LinkDraft, LinkId, MessageId, RecordDraft, RecordId, Relation, Report,
    ReportHead, ReportHeadId, ReportId, Write,
};

/// The report, its words, the head that points to it, the links, and the event that tells of it.
pub(crate) fn writes(
    head: &ReportHeadId,
    id: &ReportId,
    report: Report,
    words: Write,
    span: &[MessageId],
) -> Vec<Write> {
    let Report { agent_id, scope, run_key, written_at: updated_at, .. } = report.clone();
    let moved = ReportHead { agent_id: agent_id.clone(), scope, report_id: id.clone(), updated_at };
    let rests_on = span.iter().map(|message| link(id, Relation::ReportSourceSpan, &message.into()));
    let told = json!({ "report_id": id, "scope": scope.as_str(), "run_key": run_key });
    let mut writes = vec![
        words,
        Write::Record(RecordDraft::live(id, report)),
        Write::Record(RecordDraft::live(head, moved)),
        link(&agent_id, Relation::AgentReportHead, &head.into()),
        Write::Event(EventDraft { agent: agent_id, kind: EventKind::ReportUpdated, body: told }),
    ];
    writes.extend(rests_on);
    writes
}

fn link<'a, T>(from: &'a T, relation: Relation, to: &RecordId) -> Write
where
    RecordId: From<&'a T>,
{
    let from = RecordId::from(from);
    let name = rules::hash::fields(["link", from.as_str(), relation.as_str(), to.as_str()]);
    Write::Link(LinkDraft {
        id: LinkId::from_digest(&name),
        from,
        to: to.clone(),
        relation,
        hidden: false,
        body: Map::new(),
        deleted: false,
    })
}
