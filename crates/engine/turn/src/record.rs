//! Recording what a model answered, and what it was asked with.

use dispatch::Claim;
use rules::content;
use rules::matching::draft;
use rules::planted::{self, Fault};
use rules::run_key::Cause;
use rules::turn::followup::INTERJECTED;
use serde_json::json;
use tools::Rider;
use types::{
    Amounts, AuditDraft, ContentRef, EventDraft, EventKind, Interjection, LookedUpTo, Message,
    MessageId, MessageKind, MessageMetadata, RecordDraft, Round, RunDraft, RunEnd, Turn, TurnState,
    Usage, Write,
};

use crate::Turns;
use crate::job::Job;
use crate::ledger::{audited, audited_about_words, set_aside, settle};
use crate::permit::prompt_tokens;
use crate::prompted::prompt_words;
use crate::workflow::{VERSION, workflow};

impl Turns {
    /// What records the answers that are not recorded yet, before anything is done about them: the turn
    /// with its prompt, the messages, and what is set aside for the calls of the last and for the next question.
    pub(crate) fn record_rounds(&self, job: &mut Job) -> Rider {
        let mut rider = Rider::default();
        if !job.talk.open {
            rider.writes.extend(prompt_words(job));
            rider.writes.push(turn_record(turn_in(job, TurnState::Open)));
            job.talk.open = true;
        }
        rider.audit.extend(self.about_words(job));
        messages(job, &mut rider.writes, &mut rider.audit);
        let next = self.at_most(&job.model, prompt_tokens(job) + last_answer_tokens(job));
        let next = Amounts { tool_calls: last_answer_calls(job), ..next };
        rider.writes.push(settle(job, 0));
        rider.writes.push(set_aside(&job.claim, job.purse.day, next));
        job.talk.recorded = job.talk.rounds.len();
        rider
    }

    /// The entries of what was asked about the words that the turn began with; they go with its first answer.
    pub(crate) fn about_words(&self, job: &Job) -> Vec<AuditDraft> {
        if job.meaning.classified.is_none() || job.talk.recorded > 0 || job.talk.rounds.is_empty() {
            return vec![];
        }
        let run = &job.claim.run.draft.run_key;
        let attempt = self.under_way.of(run);
        attempt.map(|attempt| audited_about_words(run, &attempt)).unwrap_or_default()
    }
}

fn last_answer_tokens(job: &Job) -> u64 {
    job.talk.rounds.last().map_or(0, |round| round.token_usage.output_tokens)
}

/// Calls that the last answer asks for: they are about to be made.
fn last_answer_calls(job: &Job) -> u64 {
    job.talk.rounds.last().map_or(0, |round| round.calls.len() as u64)
}

/// The messages of rounds that are not recorded yet, with what was thrown in before them: its run ends
/// here.
pub(crate) fn messages(job: &Job, writes: &mut Vec<Write>, audit: &mut Vec<AuditDraft>) {
    let run = &job.claim.run.draft.run_key;
    if job.talk.recorded == 0
        && let (Some(content), Some(id)) = (&job.given.input, job.said_message())
    {
        let message = Message {
            previous: job.given.previous.clone(),
            metadata: meant(job),
            trigger_source_id: job.claim.run.draft.envelope.as_ref().map(ToString::to_string),
            ..of_run(job, MessageKind::User, content.clone())
        };
        writes.push(Write::Record(RecordDraft::live(&id, message)));
    }
    for (number, round) in job.talk.rounds.iter().enumerate().skip(job.talk.recorded) {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let mut previous = match number.checked_sub(1) {
            Some(before) => Some(rules::turn::round_id(run, before)),
            None => job.said_message().or_else(|| job.given.previous.clone()),
        };
        let taken_up = round.interjected.iter();
        for words in taken_up.filter(|_| !planted::is(Fault::InterjectionLeftOpen)) {
            if !job.talk.taken_back.contains(&words.run_key) {
                writes.extend(taken_up_by(job, words));
            }
            previous = thrown_in(job, words, previous, writes);
        }
        let id = rules::turn::round_id(run, number);
        let content = keep(job, round, writes);
        let message = Message {
            previous,
            tokens_approx: round.token_usage.output_tokens,
            metadata: metadata(job, round),
            ..of_run(job, MessageKind::Thought, content)
        };
        writes.push(Write::Record(RecordDraft::live(&id, message)));
        writes.extend(crate::tell::answered(job, number, round));
        let took = rules::turn::charged(&round.timeline, round.token_usage);
        audit.push(audited(run, &round.model, took.total_tokens, "answered"));
    }
}

/// The end of a run whose words were taken up.
fn taken_up_by(job: &Job, words: &Interjection) -> [Write; 3] {
    let (run_key, end) = (words.run_key, RunEnd::Done);
    let by = &job.claim.run.draft.run_key;
    let told = EventDraft {
        agent: job.claim.agent.agent_id.clone(),
        kind: EventKind::RunEnded,
        body: json!({ "run_key": run_key, "status": end.as_str(), "taken_up_by": by }),
    };
    // What else was to be looked at, and was merged into that run, is looked at after this one.
    let next = Write::QueueRun(look_after(job, words));
    [Write::Event(told), Write::EndRun { run_key, end, usage: Usage::default() }, next]
}

/// Writes down what was thrown in as a message of this turn; says which message comes last now.
fn thrown_in(
    job: &Job,
    words: &Interjection,
    previous: Option<MessageId>,
    writes: &mut Vec<Write>,
) -> Option<MessageId> {
    let Some(content) = words.content.clone() else { return previous };
    let id = rules::turn::said_id(&words.run_key);
    let trigger_source_id = Some(words.envelope.to_string());
    let said = of_run(job, MessageKind::User, content);
    let message = Message { previous, trigger_source_id, ..said };
    writes.push(Write::Record(RecordDraft::live(&id, message)));
    Some(id)
}

/// A message of this turn.
fn of_run(job: &Job, kind: MessageKind, content: ContentRef) -> Message {
    let (agent, thread) = (job.claim.agent.agent_id.clone(), job.claim.run.draft.thread.clone());
    let run_key = Some(job.claim.run.draft.run_key);
    Message { run_key, ..Message::of(agent, thread, kind, content) }
}

/// What somebody means by what they said.
fn meant(job: &Job) -> MessageMetadata {
    let act = job.meaning.act.map(|act| ("dialog_act".to_owned(), json!(act.as_str())));
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

/// Keeps what a model answered.
fn keep(job: &Job, round: &Round, writes: &mut Vec<Write>) -> ContentRef {
    let bytes = serde_json::to_vec(round).expect("rounds are JSON");
    let turn = rules::turn::id(&job.claim.run.draft.run_key);
    let (write, at) = content::keep(turn.into(), job.said_label(), bytes);
    writes.push(write);
    at
}

/// The record of a turn.
pub(crate) fn turn_record(turn: Turn) -> Write {
    Write::Record(RecordDraft::live(rules::turn::id(&turn.run_key), turn))
}

/// The turn in a state.
pub(crate) fn turn_in(job: &Job, state: TurnState) -> Turn {
    let draft = &job.claim.run.draft;
    Turn {
        agent_id: job.claim.agent.agent_id.clone(),
        run_key: draft.run_key,
        thread: draft.thread.clone(),
        reason: draft.reason,
        continuation: Some(job.claim.continuation.clone()),
        workflow: workflow(draft.reason).to_owned(),
        version: VERSION,
        began_at: job.given.began_at,
        prompt: job.prompted().reference.clone(),
        model: job.model.clone(),
        exposed: job.origin.exposed,
        dialog_act: job.meaning.act,
        classified: job.meaning.classified.clone(),
        rounds: job.talk.answers(),
        looked: (state == TurnState::Open).then(|| looked(&job.claim)),
        state,
    }
}

/// How far the agent had looked when its prompt was made.
fn looked(claim: &Claim) -> LookedUpTo {
    let hints = claim.hints.iter().map(|hint| (hint.trigger.clone(), (hint.count, hint.at)));
    let (journal, own) = (claim.journal.head, claim.own.head);
    LookedUpTo { journal, own, hints: hints.collect() }
}

/// The look that follows on a run that ended because its words were taken up.
fn look_after(job: &Job, words: &Interjection) -> RunDraft {
    let key = words.run_key.to_string();
    let cause = Cause::Tick { cause: INTERJECTED, cause_id: &key };
    let look = draft(&job.claim.agent.agent_id, &cause, Some(INTERJECTED.to_owned()));
    RunDraft { insist: words.insists, ..look }
}
