//! Compaction: older notes and older words of a session become a summary. Decided when a turn is over,
//! from what it has read, and written with its end.

use context::compaction::{self, Bounds, EXTRACTOR, Earlier, Plan, Raw};
use rules::hash;
use store::Background;
use types::{
    Body, Content, Label, LinkDraft, LinkId, Message, MessageId, MessageKind, Record, RecordDraft,
    RecordId, Relation, SummarySpan, ThreadId, Write,
};

use crate::job::Job;

/// A message with its words.
struct Read {
    id: MessageId,
    message: Message,
    text: String,
    label: Label,
}

/// What compaction needs of what a turn has read, oldest first.
#[derive(Default)]
pub(crate) struct Memory {
    notes: Vec<Read>,
    notes_summary: Option<Read>,
    said: Vec<Read>,
    summary: Option<Read>,
}

impl Memory {
    /// What of an agent's memory may have to be summarised.
    pub(crate) fn of(background: &Background) -> Memory {
        let read = |(record, words): &(Record, Content)| read(record, words);
        Memory {
            notes: background.notes.iter().rev().filter_map(read).collect(),
            notes_summary: background.notes_summary.as_ref().and_then(read),
            said: background.messages.iter().rev().filter_map(read).collect(),
            summary: background.summary.as_ref().and_then(read),
        }
    }
}

fn read(record: &Record, words: &Content) -> Option<Read> {
    let Body::AgentMessage(message) = &record.body else { return None };
    let id = record.id.as_str().parse().ok()?;
    let text = crate::gather::words_of(message, &words.bytes);
    Some(Read { id, message: Message::clone(message), text, label: words.label.clone() })
}

/// The summaries that are due, with their links: written under an id that follows from their span, so
/// the same span summarised again is the same message.
pub(crate) fn summaries(job: &Job) -> Vec<Write> {
    due(job).into_iter().flat_map(|(thread, plan)| write(job, &thread, &plan)).collect()
}

/// The newest summary that this turn makes.
pub(crate) fn newest(job: &Job) -> Option<MessageId> {
    due(job).last().map(|(_, plan)| rules::summary::id(&plan.start, &plan.end, EXTRACTOR))
}

fn due(job: &Job) -> Vec<(ThreadId, Plan)> {
    let memory = &job.memory;
    let agent = &job.claim.agent.agent_id;
    let notes = plan(&memory.notes, memory.notes_summary.as_ref(), &Bounds::notebook());
    let said = plan(&memory.said, memory.summary.as_ref(), &Bounds::session());
    let of_thread = |plan: Option<Plan>, thread: ThreadId| plan.map(|plan| (thread, plan));
    [
        of_thread(said, job.claim.run.draft.thread.clone()),
        of_thread(notes, rules::thread::of_notes(agent)),
    ]
    .into_iter()
    .flatten()
    .collect()
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

fn write(job: &Job, thread: &ThreadId, plan: &Plan) -> Vec<Write> {
    let id = rules::summary::id(&plan.start, &plan.end, EXTRACTOR);
    let text = compaction::extract(plan);
    let tokens_approx = context::tokens(&text);
    let (kept, content) =
        crate::record::keep_words((&id).into(), plan.label.clone(), text.into_bytes());
    let span = SummarySpan {
        start: plan.start.clone(),
        end: plan.end.clone(),
        depth: plan.depth,
        made_by: EXTRACTOR.to_owned(),
        content_hash: content.hash,
    };
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
