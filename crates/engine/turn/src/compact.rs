//! Compaction: older notes and older words of a session become a summary. Decided when a turn is over,
//! from what it has read; or before it, if its model has little room. Written with its end.

use context::compaction::{self, Bounds, EXTRACTOR, Earlier, Plan, Raw};
use rules::hash;
use types::{
    AgentId, AuditDraft, Body, ContentRef, Digest, Domain, LinkDraft, LinkId, Message, MessageId,
    MessageKind, Record, RecordDraft, RecordId, Relation, SummarySpan, ThreadId, Write,
};

use crate::Turns;
use crate::job::Job;
use crate::memory::{Ahead, Memory, Read};

/// What was summed up at the end of a turn.
#[derive(Default)]
pub(crate) struct Summed {
    pub(crate) writes: Vec<Write>,
    pub(crate) audit: Vec<AuditDraft>,
    /// The newest summary among them.
    pub(crate) newest: Option<MessageId>,
}

impl Turns {
    /// The summaries that are due, with their links. Each has an id that follows from its span, so the
    /// same span summed up again is the same message: the one that is there stays, and if its words are
    /// others, that is written down. A store that cannot be read sums up nothing; the next turn will.
    pub(crate) async fn sum_up(&self, job: &mut Job) -> Summed {
        let mut summed = Summed::default();
        for Ahead { thread, plan, text } in due(job) {
            let id = rules::summary::id(&plan.start, &plan.end, EXTRACTOR);
            match self.store.record(Domain::Agent, (&id).into()).await {
                Ok(None) => {
                    summed.writes.extend(write(job, &thread, &plan, text));
                    summed.newest = Some(id);
                }
                Ok(Some(there)) => summed.audit.extend(variant(&there, &text)),
                Err(_) => {}
            }
        }
        summed
    }
}

/// The entry that a summary would have had other words than the one that stands.
fn variant(there: &Record, text: &str) -> Option<AuditDraft> {
    let hash = hash::bytes(text.as_bytes());
    let same = match &there.body {
        Body::AgentMessage(message) => message.content.hash == hash,
        _ => false,
    };
    let (subject, detail) = (there.id.to_string(), hash.to_string());
    (!same).then_some(AuditDraft { action: "summary.variant", subject, detail })
}

/// What was made before the turn, and what is due after it.
fn due(job: &mut Job) -> Vec<Ahead> {
    let mut all = std::mem::take(&mut job.memory.ahead);
    let memory = &job.memory;
    let agent = &job.claim.agent.agent_id;
    let notes = plan(&memory.notes, memory.notes_summary.as_ref(), &Bounds::notebook());
    let said = plan(&memory.said, memory.summary.as_ref(), &Bounds::session());
    let of_thread = |plan: Option<Plan>, thread: ThreadId| plan.map(|plan| made(thread, plan));
    all.extend(of_thread(said, job.claim.run.draft.thread.clone()));
    all.extend(of_thread(notes, rules::thread::of_notes(agent)));
    all
}

fn made(thread: ThreadId, plan: Plan) -> Ahead {
    let text = compaction::extract(&plan);
    Ahead { thread, plan, text }
}

/// Sums up before a turn what would not fit into its prompt, within these bounds for the session and for
/// the notes. It is on record when the turn is over; if that fails, the next turn makes it anew.
pub(crate) fn sum_up_ahead(
    memory: &mut Memory,
    agent: &AgentId,
    thread: &ThreadId,
    session: &Bounds,
    notes: &Bounds,
) {
    let said = ahead(agent, thread, &memory.said, &mut memory.summary, session);
    let thread = &rules::thread::of_notes(agent);
    let noted = ahead(agent, thread, &memory.notes, &mut memory.notes_summary, notes);
    for one in said.into_iter().chain(noted) {
        // It takes the place of one that was made before it.
        memory.ahead.retain(|other| other.thread != one.thread);
        memory.ahead.push(one);
    }
}

/// Sums up until what stands is within the bounds. Each summary takes the place of the one before it, so
/// the last is all there is to write.
fn ahead(
    agent: &AgentId,
    thread: &ThreadId,
    messages: &[Read],
    latest: &mut Option<Read>,
    bounds: &Bounds,
) -> Option<Ahead> {
    let mut last = None;
    while let Some(plan) = plan(messages, latest.as_ref(), bounds) {
        let one = made(thread.clone(), plan);
        let at = messages.iter().find(|read| read.id == one.plan.end).map(|read| read.at)?;
        let id = rules::summary::id(&one.plan.start, &one.plan.end, EXTRACTOR);
        let hash = hash::bytes(one.text.as_bytes());
        let content = ContentRef { subject: (&id).into(), hash };
        let span = span(&one.plan, hash);
        let kind = MessageKind::Summary;
        let message = Message::of(agent.clone(), thread.clone(), kind, content);
        let message = Message { summary: Some(span), ..message };
        let (text, label) = (one.text.clone(), one.plan.label.clone());
        *latest = Some(Read { id, at, message, text, label });
        last = Some(one);
    }
    last
}

/// What a summary stands for.
fn span(plan: &Plan, content_hash: Digest) -> SummarySpan {
    SummarySpan {
        start: plan.start.clone(),
        end: plan.end.clone(),
        depth: plan.depth,
        made_by: EXTRACTOR.to_owned(),
        content_hash,
    }
}

fn plan(messages: &[Read], latest: Option<&Read>, bounds: &Bounds) -> Option<Plan> {
    let raws: Vec<Raw<'_>> = messages
        .iter()
        .map(|one| Raw { id: &one.id, message: &one.message, text: &one.text, label: &one.label })
        .collect();
    let latest = latest.and_then(|one| {
        let span = one.message.summary.as_ref()?;
        Some(Earlier { span, text: &one.text, label: &one.label })
    });
    compaction::plan(&raws, latest.as_ref(), bounds)
}

fn write(job: &Job, thread: &ThreadId, plan: &Plan, text: String) -> Vec<Write> {
    let id = rules::summary::id(&plan.start, &plan.end, EXTRACTOR);
    let tokens_approx = context::tokens(&text);
    let (kept, content) = rules::content::keep((&id).into(), plan.label.clone(), text.into_bytes());
    let span = span(plan, content.hash);
    let agent = job.claim.agent.agent_id.clone();
    let message = Message {
        run_key: Some(job.claim.run.draft.run_key),
        tokens_approx,
        summary: Some(span),
        ..Message::of(agent, thread.clone(), MessageKind::Summary, content)
    };
    vec![
        kept,
        Write::Record(RecordDraft::live(&id, message)),
        link(&id, &plan.start, Relation::SummaryStart),
        link(&id, &plan.end, Relation::SummaryEnd),
    ]
}

fn link(from: &MessageId, to: &MessageId, relation: Relation) -> Write {
    let fields = ["summary", relation.as_str(), from.as_str(), to.as_str()];
    Write::Link(LinkDraft {
        id: LinkId::from_digest(&hash::fields(fields)),
        from: RecordId::from(from),
        to: to.into(),
        relation,
        hidden: false,
        body: serde_json::Map::new(),
        deleted: false,
    })
}
