//! A turn under way: what it was given, what it has said and done, and what it has still to write.

use std::sync::Arc;

use dispatch::Claim;
use policy::Rights;
use types::{Label, MessageId, ModelRef};

use super::{Deeds, Given, Meaning, Origin, Page, Talk};
use crate::ledger::Purse;
use crate::live::Voice;
use crate::memory::Memory;
use crate::offer::Offer;
use crate::prompted::Prompted;
use crate::settings::Profile;

/// A turn under way.
pub(crate) struct Job {
    /// What woke its agent.
    pub(crate) claim: Claim,
    /// What its agent's template comes to.
    pub(crate) profile: Arc<Profile>,
    /// The model it asks.
    pub(crate) model: ModelRef,
    /// What that is offered.
    pub(crate) tools: Arc<Offer>,
    /// What else it was given.
    pub(crate) given: Given,
    /// What its agent remembered.
    pub(crate) memory: Memory,
    /// What it is asked with.
    pub(crate) page: Page,
    /// What was meant by what woke it.
    pub(crate) meaning: Meaning,
    /// What was said since.
    pub(crate) talk: Talk,
    /// Where all came from that it has read.
    pub(crate) origin: Origin,
    /// What it has done.
    pub(crate) deeds: Deeds,
    /// What it spends.
    pub(crate) purse: Purse,
    /// Who is told while it goes on.
    pub(crate) voice: Arc<Voice>,
}

impl Job {
    /// Whether there is nothing to decide: what it tends may not be looked at, and nobody has spoken. One
    /// that was begun before is brought to its end.
    pub(crate) fn sees_nothing(&self) -> bool {
        let Given { out_of_sight, ref input, .. } = self.given;
        out_of_sight && input.is_none() && self.talk.rounds.is_empty() && !self.talk.open
    }

    /// Whether the prompt tells of a task that has been moved out of sight. Only one that an earlier attempt
    /// recorded can: a new one says nothing of such a task.
    pub(crate) fn tells_what_moved(&self) -> bool {
        self.given.out_of_sight && self.page.tells_of_task()
    }

    /// Whether the operator has chosen its model, this once.
    pub(crate) fn is_choice(&self) -> bool {
        self.claim.run.draft.model.is_some()
    }

    /// What it may call: what it was offered, and nothing else that its capabilities would cover.
    pub(crate) fn rights(&self) -> Rights {
        self.tools.rights(&self.profile)
    }

    /// The prompt as it is recorded.
    pub(crate) fn prompted(&self) -> &Prompted {
        self.page.prompted.get_or_init(|| Prompted::of(self))
    }

    /// The last message of its chain, once everything is written.
    pub(crate) fn last_message(&self) -> Option<MessageId> {
        let said = || self.said_message().or_else(|| self.given.previous.clone());
        self.last_answer().or_else(said)
    }

    /// The last that the model said in this turn.
    pub(crate) fn last_answer(&self) -> Option<MessageId> {
        let last = self.talk.answers().checked_sub(1)?;
        Some(rules::turn::round_id(&self.claim.run.draft.run_key, last))
    }

    /// Whether there is more to do that needs no further cause: a look follows by itself.
    pub(crate) fn has_more(&self) -> bool {
        let thrown_in = self.talk.rounds.iter().any(|round| !round.interjected.is_empty());
        self.claim.journal.more || self.claim.own.more || thrown_in
    }

    /// Whether something was done about what was said.
    pub(crate) fn did_something(&self) -> bool {
        self.purse.tool_calls > self.deeds.failed.len() as u64
    }

    /// Where all came from that the model has read: its prompt, what its tools have told it, and what the operator threw
    /// in since.
    pub(crate) fn read(&self) -> Label {
        let thrown_in = self.talk.thrown_in().next().map(|_| Label::operator());
        self.origin.with(thrown_in.as_ref())
    }

    /// Where what the model says came from: itself, and all that it has read.
    pub(crate) fn said_label(&self) -> Label {
        self.claim.author().having_read(&self.read())
    }

    /// The message that its input is.
    pub(crate) fn said_message(&self) -> Option<MessageId> {
        self.given.input.as_ref().map(|_| rules::turn::said_id(&self.claim.run.draft.run_key))
    }
}
