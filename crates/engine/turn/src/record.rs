//! Recording what a model answered, and what it was asked with.

use rules::hash;
use rules::matching::draft;
use rules::planted::{self, Fault};
use rules::run_key::Cause;
use serde_json::json;
use tools::Rider;
use types::{
    Amounts, AuditDraft, Block, BlockRef, Content, ContentRef, Interjection, Label, Message,
    MessageId, MessageKind, MessageMetadata, PromptRef, RecordDraft, RecordId, Round, RunDraft,
    RunEnd, Stability, Turn, TurnState, Usage, Write,
};

use crate::Turns;
use crate::job::Job;
use crate::permit::prompt_tokens;
use crate::steps::{VERSION, WORKFLOW};

impl Turns {
    /// What records the answers that are not recorded yet, before anything is done about them: the turn
    /// with its prompt, the messages, and what is set aside for the next call.
    pub(crate) fn record_rounds(&self, job: &mut Job) -> Rider {
        let mut rider = Rider::default();
        if !job.open {
            rider.writes.extend(prompt_words(job));
            rider.writes.push(turn_record(job, TurnState::Open));
            job.open = true;
        }
        messages(job, &mut rider.writes, &mut rider.audit);
        let next = self.at_most(&job.model, prompt_tokens(job) + last_answer_tokens(job));
        let (agent, day) = (job.claim.agent.agent_id.clone(), job.day);
        let run_key = job.claim.run.draft.run_key;
        rider.writes.push(settle(job, 0));
        rider.writes.push(Write::Reserve { agent, day, run_key, amounts: next });
        job.recorded = job.rounds.len();
        rider
    }
}

/// Counts what was spent since it was last counted, instead of what was set aside for it.
pub(crate) fn settle(job: &mut Job, runtime_ms: u64) -> Write {
    let all = Amounts {
        tokens: job.spent.tokens.total_tokens,
        cost_micros: job.spent.cost_micros,
        tool_calls: job.tool_calls,
        runtime_ms,
    };
    let had = std::mem::replace(&mut job.settled, all);
    let counted = if planted::is(Fault::SpendingUncounted) { had } else { all };
    let amounts = counted.less(had);
    let (agent, run_key) = (job.claim.agent.agent_id.clone(), job.claim.run.draft.run_key);
    Write::Settle { agent, day: job.day, run_key, amounts }
}

fn last_answer_tokens(job: &Job) -> u64 {
    job.rounds.last().map_or(0, |round| round.token_usage.output_tokens)
}

/// The messages of rounds that are not recorded yet, with what was thrown in before them: its run ends
/// here.
pub(crate) fn messages(job: &Job, writes: &mut Vec<Write>, audit: &mut Vec<AuditDraft>) {
    let run = &job.claim.run.draft.run_key;
    if job.recorded == 0
        && let (Some(content), Some(id)) = (&job.input, job.said_message())
    {
        let message = Message {
            previous: job.previous.clone(),
            metadata: meant(job),
            trigger_source_id: job.claim.run.draft.envelope.as_ref().map(ToString::to_string),
            ..of_run(job, MessageKind::User, content.clone())
        };
        writes.push(Write::Record(RecordDraft::live(&id, message)));
    }
    for (number, round) in job.rounds.iter().enumerate().skip(job.recorded) {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let previous = match number.checked_sub(1) {
            Some(before) => Some(rules::turn::round_id(run, before)),
            None => job.said_message().or_else(|| job.previous.clone()),
        };
        let taken_up = round.interjected.iter();
        for words in taken_up.filter(|_| !planted::is(Fault::InterjectionLeftOpen)) {
            let end = RunEnd::Done;
            writes.push(Write::EndRun { run_key: words.run_key, end, usage: Usage::default() });
            // What else was to be looked at, and was merged into that run, is looked at after this one.
            writes.push(Write::QueueRun(look_after(job, words)));
        }
        let id = rules::turn::round_id(run, number);
        let content = keep(&(&id).into(), job, round, writes);
        let message = Message {
            previous,
            tokens_approx: round.token_usage.output_tokens,
            metadata: metadata(job, round),
            ..of_run(job, MessageKind::Thought, content)
        };
        writes.push(Write::Record(RecordDraft::live(&id, message)));
        audit.push(AuditDraft {
            action: "model.call",
            subject: rules::turn::id(run).to_string(),
            detail: format!("{}:{}", round.model, round.token_usage.total_tokens),
        });
    }
}

/// A message of this turn.
pub(crate) fn of_run(job: &Job, kind: MessageKind, content: ContentRef) -> Message {
    let (agent, thread) = (job.claim.agent.agent_id.clone(), job.claim.run.draft.thread.clone());
    let run_key = Some(job.claim.run.draft.run_key);
    Message { run_key, ..Message::of(agent, thread, kind, content) }
}

/// What somebody means by what they said.
fn meant(job: &Job) -> MessageMetadata {
    let act = job.dialog_act.map(|act| ("dialog_act".to_owned(), json!(act.as_str())));
    MessageMetadata { extension: act.into_iter().collect(), ..MessageMetadata::default() }
}

fn metadata(job: &Job, round: &Round) -> MessageMetadata {
    MessageMetadata {
        prompt_id: Some(job.profile.prompt_id.clone()),
        prompt_version: Some(job.profile.prompt_version),
        model_id: Some(round.model.to_string()),
        ..MessageMetadata::default()
    }
}

/// Keeps what a model answered: its words, whatever it has read.
fn keep(subject: &RecordId, job: &Job, round: &Round, writes: &mut Vec<Write>) -> ContentRef {
    let bytes = serde_json::to_vec(round).expect("rounds are JSON");
    let at = ContentRef { subject: subject.clone(), hash: hash::bytes(&bytes) };
    let label = job.claim.author().label().join(&job.label);
    writes.push(Write::Content(Content { subject: subject.clone(), label, bytes }));
    at
}

/// Keeps the words of the prompt: those that stay the same once under the agent, the others together
/// under the turn.
pub(crate) fn prompt_words(job: &Job) -> Vec<Write> {
    let stable = job.prompt.iter().filter(|block| block.stability != Stability::TurnScoped);
    let kept = stable.map(|block| {
        Write::Content(Content {
            subject: (&job.claim.agent.agent_id).into(),
            label: Label::runtime(),
            bytes: block.text.clone().into_bytes(),
        })
    });
    let turn = rules::turn::id(&job.claim.run.draft.run_key);
    let own = Content { subject: turn.into(), label: job.label.clone(), bytes: own_words(job) };
    kept.chain([Write::Content(own)]).collect()
}

/// The words of the parts that are this turn's own.
fn own_words(job: &Job) -> Vec<u8> {
    let own = job.prompt.iter().filter(|block| block.stability == Stability::TurnScoped);
    let words: Vec<&str> = own.map(|block| block.text.as_str()).collect();
    serde_json::to_vec(&json!(words)).expect("words are JSON")
}

/// The record of the turn in a state.
pub(crate) fn turn_record(job: &Job, state: TurnState) -> Write {
    let draft = &job.claim.run.draft;
    let id = rules::turn::id(&draft.run_key);
    let words = ContentRef { subject: (&id).into(), hash: hash::bytes(&own_words(job)) };
    let turn = Turn {
        agent_id: job.claim.agent.agent_id.clone(),
        run_key: draft.run_key,
        thread: draft.thread.clone(),
        reason: draft.reason,
        workflow: WORKFLOW.to_owned(),
        version: VERSION,
        began_at: job.began_at,
        prompt: PromptRef {
            id: job.profile.prompt_id.clone(),
            version: job.profile.prompt_version,
            blocks: job.prompt.iter().map(block_ref).collect(),
            words: Some(words),
            tools: job.tools.iter().map(|tool| tool.name.clone()).collect(),
        },
        model: job.model.clone(),
        exposed: job.exposed,
        rounds: u32::try_from(job.rounds.len()).unwrap_or(u32::MAX),
        state,
    };
    Write::Record(RecordDraft::live(&id, turn))
}

fn block_ref(block: &Block) -> BlockRef {
    BlockRef {
        kind: block.kind,
        stability: block.stability,
        trust: block.trust,
        hash: hash::bytes(block.text.as_bytes()),
        tokens: context::tokens(&block.text),
        reason: block.reason.clone(),
    }
}

/// The look that follows on a run that ended because its words were taken up.
fn look_after(job: &Job, words: &Interjection) -> RunDraft {
    const CAUSE: &str = "interjected";
    let key = words.run_key.to_string();
    let cause = Cause::Tick { cause: CAUSE, cause_id: &key };
    draft(&job.claim.agent.agent_id, &cause, Some(CAUSE.to_owned()))
}

/// Keeps some words of the turn's own under a record.
pub(crate) fn keep_words(subject: RecordId, label: Label, bytes: Vec<u8>) -> (Write, ContentRef) {
    let at = ContentRef { subject: subject.clone(), hash: hash::bytes(&bytes) };
    (Write::Content(Content { subject, label, bytes }), at)
}

/// The id of the message that says how the turn failed.
pub(crate) fn failure_id(job: &Job) -> MessageId {
    rules::turn::message_id(&job.claim.run.draft.run_key, "failed", "")
}
