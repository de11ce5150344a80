//! A turn under way: what it was given, what it has said and done, and what it has still to write.

use std::sync::Arc;

use dispatch::Claim;
use model::{Exchange, ToolSpec};
use rules::turn::{DialogAct, Progress};
use tools::Left;
use types::{
    Account, Amounts, At, Block, Code, ContentRef, Day, Interjection, Label, MessageId, ModelRef,
    Record, Round, TaskId, TurnSpent,
};

use crate::live::Voice;
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
    /// The day it is accounted to.
    pub(crate) day: Day,
    /// The task that its agent tends.
    pub(crate) task: Option<TaskId>,
    /// The agent's state when it began.
    pub(crate) state: Option<Record>,
    /// What it is asked with.
    pub(crate) prompt: Vec<Block>,
    /// Where that came from.
    pub(crate) label: Label,
    /// It has read something that nobody here vouches for.
    pub(crate) exposed: bool,
    /// What it is offered.
    pub(crate) tools: Arc<[ToolSpec]>,
    /// The words it was woken by.
    pub(crate) input: Option<ContentRef>,
    /// What is meant by them.
    pub(crate) dialog_act: Option<DialogAct>,
    /// The message before its first.
    pub(crate) previous: Option<MessageId>,
    /// What the model answered so far.
    pub(crate) rounds: Vec<Round>,
    /// How many of them are recorded.
    pub(crate) recorded: usize,
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
    /// What its agent had of the day when it began.
    pub(crate) account: Account,
    /// What it has spent.
    pub(crate) spent: TurnSpent,
    /// What of that is counted already.
    pub(crate) settled: Amounts,
    /// Calls of tools.
    pub(crate) tool_calls: u64,
    /// Those that failed, by the code they failed with.
    pub(crate) failed_calls: Vec<(String, Code)>,
    /// What compaction needs of what was read.
    pub(crate) memory: crate::compact::Memory,
    /// Who is told while it goes on.
    pub(crate) voice: Arc<Voice>,
}

impl Job {
    /// Takes what is left to write.
    pub(crate) fn take_left(&mut self) -> Left {
        std::mem::take(&mut self.left)
    }

    /// The last message of its chain, once everything is written.
    pub(crate) fn last_message(&self) -> Option<MessageId> {
        let run = &self.claim.run.draft.run_key;
        let rounds = u32::try_from(self.rounds.len()).unwrap_or(u32::MAX);
        match rounds.checked_sub(1) {
            Some(last) => Some(rules::turn::round_id(run, last)),
            None => self.said_message().or_else(|| self.previous.clone()),
        }
    }

    /// The message that its input is.
    pub(crate) fn said_message(&self) -> Option<MessageId> {
        self.input.as_ref().map(|_| rules::turn::said_id(&self.claim.run.draft.run_key))
    }
}
