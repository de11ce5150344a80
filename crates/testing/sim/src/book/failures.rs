//! Runs that failed for good: what each of them leaves to be looked at, and by whom.
//!
//! One more look follows on every such run, for what it stood for besides. None follows where that was
//! such a look itself, and what stood in its way does not pass by waiting; where somebody cancelled a
//! look; and where no model may be asked at all. Then it is for the next wake, if one comes, and agreeing
//! to the model is one. Who goes
//! dormant for its failures looks when it is resumed, which everybody is at the end.
//!
//! What brings a wake back is named in the commit that suppresses it, so it is seen there as well: later
//! wakes cover most of what a look that is missing would have seen.

use types::{AgentId, Body, Code, Commit, Lifecycle, Position, RunDraft, RunFailure, Write};

use super::Book;
use super::entries::RunBook;

/// The name under which the program looks again after a failure.
const AFTER_FAILURE: &str = "after_failure";

/// Without these no turn of the agent's is any better off, until somebody does something about it.
const REFUSED: [Code; 3] =
    [Code::ModelNotAllowed, Code::ProviderNotAllowed, Code::PrivacyConfirmationRequired];

/// What is over some time, for somebody who takes turns: by itself, or because somebody sees to it who does not know
/// whom it concerns.
const PASSES: [Code; 9] = [
    Code::ModelUnavailable,
    Code::BudgetExceeded,
    Code::DiskFull,
    Code::StoreBusy,
    Code::StoreIo,
    Code::ProviderRefused,
    Code::SecretUnavailable,
    Code::NetworkDenied,
    Code::UnsupportedTransport,
];

/// A run that failed for good.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FailedBook {
    /// When, in commits.
    pub(crate) order: u64,
    /// What came before this it was to see.
    stood_until: u64,
    /// Whether another look is promised.
    another: bool,
    /// Whether it was refused for want of consent: whoever agrees has it look again.
    wanting: bool,
    /// Whether it is to be queued in the commit that ends the run, and whether it was.
    pub(crate) queues: (bool, bool),
}

/// What a look had found that was cancelled under way: its agent has looked all the same.
#[derive(Debug, Clone)]
pub(crate) struct Waived {
    agent: AgentId,
    order: u64,
    journal: Option<(Position, Position)>,
}

impl FailedBook {
    /// A run that failed so, in this commit.
    pub(super) fn of(
        run: &RunBook,
        failure: &RunFailure,
        tends: bool,
        commit: &Commit,
        order: u64,
    ) -> FailedBook {
        let after_failure = run.draft.reason_id.as_deref() == Some(AFTER_FAILURE);
        let dormant = goes_dormant(commit, &run.draft.agent);
        let passes = tends && PASSES.contains(&failure.code) && !dormant;
        let unwanted = failure.code == Code::RunCancelled && says_nothing(&run.draft);
        let follows = !unwanted && !REFUSED.contains(&failure.code) && (passes || !after_failure);
        // One that waited stood for all that came until somebody ended it.
        let stood_until = if run.begun { run.began_at } else { order };
        let (another, queues) = (follows || dormant, (follows, queues_another(commit, run)));
        let wanting = failure.code == Code::PrivacyConfirmationRequired;
        FailedBook { order, stood_until, another, wanting, queues }
    }
}

/// Whether a run carries nobody's words, and nobody has asked for it.
fn says_nothing(draft: &RunDraft) -> bool {
    use types::WakeReason::{CatchUp, Subscription, Tick, Timer};
    draft.envelope.is_none() && matches!(draft.reason, Subscription | Timer | CatchUp | Tick)
}

/// Whether a commit that ends a run has its agent look again for that.
fn queues_another(commit: &Commit, run: &RunBook) -> bool {
    commit.writes.iter().any(|write| match write {
        Write::QueueRun(draft) => {
            draft.agent == run.draft.agent && draft.reason_id.as_deref() == Some(AFTER_FAILURE)
        }
        _ => false,
    })
}

fn goes_dormant(commit: &Commit, agent: &AgentId) -> bool {
    commit.writes.iter().any(|write| match write {
        Write::Record(draft) => match &draft.body {
            Body::Agent(identity) => {
                identity.agent_id == *agent
                    && matches!(identity.lifecycle, Lifecycle::Dormant { .. })
            }
            _ => false,
        },
        _ => false,
    })
}

impl Book {
    /// Notes what somebody has looked at whose look was cancelled meanwhile: it says how it rests in a
    /// commit in which no run begins or ends.
    pub(super) fn note_waived(&mut self, commit: &Commit) {
        let of_a_run =
            |write: &Write| matches!(write, Write::StartRun { .. } | Write::EndRun { .. });
        if commit.writes.iter().any(of_a_run) {
            return;
        }
        let rests = commit.writes.iter().find_map(|write| match write {
            Write::Rest(rest) => Some(rest.agent_id.clone()),
            _ => None,
        });
        let Some(agent) = rests else { return };
        self.figures.count("looks_waived");
        let journal = super::note_runs::cursor_in_journal(commit);
        self.waived.push(Waived { agent, order: self.order, journal });
    }

    /// Whether a change was passed over by a look that was cancelled under way.
    pub(crate) fn is_waived(&self, agent: &AgentId, position: Position) -> bool {
        let within = |(from, to): (Position, Position)| from < position && position <= to;
        self.waived.iter().any(|one| one.agent == *agent && one.journal.is_some_and(within))
    }

    /// Whether another look is promised after a run that failed: at once, or because somebody has agreed to
    /// what it was refused for. One that had begun by then may have been refused by what it had read before.
    pub(crate) fn follows_on(&self, failed: &FailedBook) -> bool {
        let agreed = || self.agreed.iter().any(|at| *at > failed.stood_until);
        failed.another || failed.wanting && agreed()
    }

    /// Whether nobody has promised that an agent looks after this moment: it is over, or has lost its
    /// task, or the last run that stood for this moment failed, and no other look follows on that.
    pub(crate) fn excused(&self, agent: &AgentId, order: u64) -> bool {
        let waived = |one: &Waived| one.agent == *agent && one.order > order;
        if self.is_over(agent) || self.waived.iter().any(waived) {
            return true;
        }
        let failed = self.failed.get(agent).map_or(&[][..], Vec::as_slice);
        let after = |at: u64| failed.iter().any(|one| self.follows_on(one) && one.order > at);
        let left = |one: &&FailedBook| !self.follows_on(one) && one.stood_until > order;
        failed.iter().filter(left).any(|one| !after(one.order))
    }
}
