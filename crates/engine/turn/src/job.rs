//! A turn under way: what it was given, what it has said and done, and what it has still to write.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use context::projection::Blocked;
use dispatch::Claim;
use model::Exchange;
use policy::Rights;
use rules::turn::Progress;
use tools::{Drafted, Left};
use types::{
    Account, Amounts, At, Block, BlockKind, Classified, Code, ContentRef, Day, DialogAct,
    Interjection, InvocationId, Label, MessageId, ModelRef, OperationId, Record, Round, TaskId,
    TurnSpent,
};

use crate::live::Voice;
use crate::memory::Memory;
use crate::offer::Offer;
use crate::prompted::Prompted;
use crate::settings::Profile;

/// A turn under way.
pub(crate) struct Job {
    /// What it was given.
    pub(crate) claim: Claim,
    /// What its agent's template comes to.
    pub(crate) profile: Arc<Profile>,
    /// The model it asks.
    pub(crate) model: ModelRef,
    /// When it first began.
    pub(crate) began_at: At,
    /// When this attempt did.
    pub(crate) taken_up_at: At,
    /// The day it is accounted to.
    pub(crate) day: Day,
    /// The task that its agent tends.
    pub(crate) task: Option<TaskId>,
    /// Tokens that prompt and answer may have together in its session.
    pub(crate) capacity: Option<u64>,
    /// The agent's state when it began.
    pub(crate) state: Option<Record>,
    /// The task that its agent tends lies in a category that it may not look into.
    pub(crate) out_of_sight: bool,
    /// What it is asked with.
    pub(crate) prompt: Vec<Block>,
    /// The prompt, as it is recorded.
    pub(crate) prompted: OnceLock<Prompted>,
    /// Whether the prompt may be sent at all.
    pub(crate) projection: OnceLock<Result<(), Blocked>>,
    /// Where the prompt came from.
    pub(crate) label: Label,
    /// Where the words came from that its tools have told it, if not from where those of its prompt came.
    pub(crate) told: Option<Label>,
    /// It has read something that nobody here vouches for.
    pub(crate) exposed: bool,
    /// What it is offered.
    pub(crate) tools: Arc<Offer>,
    /// Tokens of one tool's answer that its model is told.
    pub(crate) answer_tokens: u64,
    /// The words it was woken by.
    pub(crate) input: Option<ContentRef>,
    /// What those belong to, as whoever spoke called it; or the run.
    pub(crate) correlation: Option<String>,
    /// What is meant by the words.
    pub(crate) dialog_act: Option<DialogAct>,
    /// The fast model that was asked about that.
    pub(crate) classified: Option<Classified>,
    /// The message before its first.
    pub(crate) previous: Option<MessageId>,
    /// What the model answered so far.
    pub(crate) rounds: Vec<Round>,
    /// What the calls of the last answer would do, as it was seen when they were named.
    pub(crate) drafts: Vec<Drafted>,
    /// How many answers are recorded.
    pub(crate) recorded: usize,
    /// How many answers an earlier attempt has recorded.
    pub(crate) resumed: usize,
    /// Whether its record exists.
    pub(crate) open: bool,
    /// What was said since the prompt.
    pub(crate) said: Vec<Exchange>,
    /// What was thrown in since the last answer.
    pub(crate) interjected: Vec<Interjection>,
    /// Whether it gets anywhere.
    pub(crate) progress: Progress,
    /// What its calls have left to write.
    pub(crate) left: Left,
    /// What its agent has of the day: as it was when it began, and what was settled since.
    pub(crate) account: Account,
    /// What it has spent, earlier attempts included.
    pub(crate) spent: TurnSpent,
    /// What of all that it has spent is counted already.
    pub(crate) settled: Amounts,
    /// Calls of tools.
    pub(crate) tool_calls: u64,
    /// Operations that are done: who asks for one again hears its answer again.
    pub(crate) answered: BTreeSet<OperationId>,
    /// Calls that changed something.
    pub(crate) changing_calls: BTreeSet<InvocationId>,
    /// Those that failed, by the code they failed with.
    pub(crate) failed_calls: Vec<(String, Code)>,
    /// What its agent remembered.
    pub(crate) memory: Memory,
    /// Who is told while it goes on.
    pub(crate) voice: Arc<Voice>,
}

impl Job {
    /// Takes what is left to write.
    pub(crate) fn take_left(&mut self) -> Left {
        std::mem::take(&mut self.left)
    }

    /// All that it has spent, with so much time at work.
    pub(crate) fn amounts(&self, runtime_ms: u64) -> Amounts {
        Amounts { tool_calls: self.tool_calls, runtime_ms, ..amounts(self.spent) }
    }

    /// Whether there is nothing to decide: what it tends may not be looked at, and nobody has spoken. One
    /// that was begun before is brought to its end.
    pub(crate) fn sees_nothing(&self) -> bool {
        self.out_of_sight && self.input.is_none() && self.rounds.is_empty() && !self.open
    }

    /// Whether the prompt tells of a task that has been moved out of sight. Only one that an earlier attempt
    /// recorded can: a new one says nothing of such a task.
    pub(crate) fn tells_what_moved(&self) -> bool {
        self.out_of_sight && self.prompt.iter().any(|block| block.kind == BlockKind::Task)
    }

    /// What it may call: what it was offered, and nothing else that its capabilities would cover.
    pub(crate) fn rights(&self) -> Rights {
        self.tools.rights(&self.profile)
    }

    /// The prompt as it is recorded.
    pub(crate) fn prompted(&self) -> &Prompted {
        self.prompted.get_or_init(|| Prompted::of(self))
    }

    /// The last message of its chain, once everything is written.
    pub(crate) fn last_message(&self) -> Option<MessageId> {
        let said = || self.said_message().or_else(|| self.previous.clone());
        self.last_answer().or_else(said)
    }

    /// The last that the model said in this turn.
    pub(crate) fn last_answer(&self) -> Option<MessageId> {
        let rounds = u32::try_from(self.rounds.len()).unwrap_or(u32::MAX);
        let last = rounds.checked_sub(1)?;
        Some(rules::turn::round_id(&self.claim.run.draft.run_key, last))
    }

    /// Whether there is more to do that needs no further cause: a look follows by itself.
    pub(crate) fn has_more(&self) -> bool {
        let thrown_in = self.rounds.iter().any(|round| !round.interjected.is_empty());
        self.claim.journal.more || self.claim.own.more || thrown_in
    }

    /// Whether something was done about what was said.
    pub(crate) fn did_something(&self) -> bool {
        self.tool_calls > self.failed_calls.len() as u64
    }

    /// Where all came from that the model has read: its prompt, what its tools have told it, and what the operator threw
    /// in since.
    pub(crate) fn read(&self) -> Label {
        let recorded = self.rounds.iter().flat_map(|round| &round.interjected);
        let thrown_in = recorded.chain(&self.interjected).next().map(|_| Label::operator());
        let since = self.told.iter().chain(&thrown_in);
        since.fold(self.label.clone(), |all, label| all.join(label))
    }

    /// It has been told words that came from there.
    pub(crate) fn is_told(&mut self, words: &Label) {
        self.exposed |= context::is_exposed(words);
        self.told = Label::of_all(self.told.iter().chain([words]));
    }

    /// Where what the model says came from: itself, and all that it has read.
    pub(crate) fn said_label(&self) -> Label {
        self.claim.author().having_read(&self.read())
    }

    /// The message that its input is.
    pub(crate) fn said_message(&self) -> Option<MessageId> {
        self.input.as_ref().map(|_| rules::turn::said_id(&self.claim.run.draft.run_key))
    }
}

/// What questions have taken of a budget.
pub(crate) fn amounts(spent: TurnSpent) -> Amounts {
    let (tokens, cost_micros) = (spent.tokens.total_tokens, spent.cost_micros);
    Amounts { tokens, cost_micros, ..Amounts::default() }
}
