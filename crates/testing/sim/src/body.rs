//! What watchers do when they are awake: a script that its run's name decides.

use std::sync::{Arc, Weak};
use std::task::Poll;

use dispatch::{Begun, Body, Claim, Closing, Ending, Rested, Turn, WaitDraft};
use store::Store;
use testkit::Random;
use types::{
    AgentId, Code, Commit, Conflict, Domain, Outcome, RecordDraft, RunFailure, RunKey, Task,
    TaskStatus, WaitFor, Write,
};

use crate::shared::Shared;
use crate::store::SimStore;

/// The step under which agents write.
pub(crate) const STEP: &str = "sim.body";

/// The body of watchers.
pub(crate) struct Script {
    shared: Arc<Shared>,
    store: Weak<SimStore>,
}

impl Script {
    pub(crate) fn new(shared: Arc<Shared>, store: Weak<SimStore>) -> Script {
        Script { shared, store }
    }
}

impl Body for Script {
    fn turn(&self, claim: Claim, begun: Begun) -> Turn {
        let shared = Arc::clone(&self.shared);
        let Some(store) = self.store.upgrade() else {
            return Box::pin(std::future::ready(Ending::Interrupted));
        };
        let key = claim.run.draft.run_key;
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&key.0.as_bytes()[..8]);
        let seed = shared.seed ^ u64::from_le_bytes(bytes) ^ u64::from(claim.run.attempt);
        let dice = Random::seeded(seed);
        Box::pin(async move {
            begun.await;
            Acting { claim, shared, store, dice }.act().await
        })
    }
}

/// Notes the end of a turn, also if it is dropped in the middle.
pub(crate) struct InTurn {
    shared: Arc<Shared>,
    agent: AgentId,
    run: RunKey,
}

impl InTurn {
    /// A turn of this claim.
    pub(crate) fn new(shared: &Arc<Shared>, claim: &Claim) -> InTurn {
        let (agent, run) = (claim.agent.agent_id.clone(), claim.run.draft.run_key);
        InTurn { shared: Arc::clone(shared), agent, run }
    }
}

impl Drop for InTurn {
    fn drop(&mut self) {
        self.shared.book().turn_ends(&self.agent, &self.run);
    }
}

struct Acting {
    claim: Claim,
    shared: Arc<Shared>,
    store: Arc<SimStore>,
    dice: Random,
}

impl Acting {
    async fn act(mut self) -> Ending {
        self.shared.book().turn_begins(&self.claim);
        let _in_turn = InTurn::new(&self.shared, &self.claim);
        if self.shared.is_calm() {
            return Ending::Done(Closing::default(), Rested::default());
        }
        for _ in 0..self.dice.below(4) {
            match self.dice.below(10) {
                0..=3 => self.think().await,
                4..=6 => {
                    if let Some(ending) = self.write().await {
                        return ending;
                    }
                }
                7 => self.leave_behind(),
                _ => {}
            }
        }
        self.end()
    }

    /// Takes its time, during which others do not stand still.
    async fn think(&mut self) {
        let millis = match self.dice.below(4) {
            0 => 0,
            1 => self.dice.below(50),
            2 => self.dice.below(2_000),
            _ => self.dice.below(60_000),
        };
        let until = self.shared.elapsed_ms() + i64::try_from(millis).unwrap_or(0);
        self.shared.alarms().push(until);
        let shared = &self.shared;
        std::future::poll_fn(|_| {
            if shared.elapsed_ms() >= until { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// A change to a task, in this turn's name.
    fn change(&mut self) -> Option<Commit> {
        let (id, task) = {
            let book = self.shared.book();
            let live: Vec<_> = book.tasks.iter().filter(|(_, task)| task.live).collect();
            let count = u64::try_from(live.len()).unwrap_or(0);
            if count == 0 {
                return None;
            }
            let at = usize::try_from(self.dice.below(count)).unwrap_or(0);
            (live[at].0.clone(), live[at].1.task.clone())
        };
        let statuses = [TaskStatus::Open, TaskStatus::InProgress, TaskStatus::Done];
        let status = match self.dice.below(6) {
            n @ 0..=2 => statuses[usize::try_from(n).unwrap_or(0)],
            _ => task.status,
        };
        let title = format!("by an agent {}", self.dice.below(1_000));
        let write = Write::Record(RecordDraft::live(id, Task { title, status, ..task }));
        let author = self.claim.author();
        Some(Commit::new(Domain::Journal, author, self.shared.now(), vec![write]).named(STEP))
    }

    async fn write(&mut self) -> Option<Ending> {
        let commit = self.change()?;
        match self.store.commit(commit).await {
            Ok(Outcome::Conflict(Conflict::Fenced { .. })) => Some(Ending::Interrupted),
            Ok(_) => None,
            Err(error) => Some(Ending::Failed(failure(&error.to_string()), Closing::default())),
        }
    }

    /// Starts something that writes in this turn's name when it may long be over.
    fn leave_behind(&mut self) {
        let delay = i64::try_from(self.dice.below(20_000)).unwrap_or(0);
        if let Some(commit) = self.change() {
            self.shared.late().push((self.shared.elapsed_ms() + delay, commit));
        }
    }

    fn end(&mut self) -> Ending {
        match self.dice.below(100) {
            0..=7 => Ending::Failed(failure("it did not work out"), Closing::default()),
            8 => Ending::FailedForGood(failure("it never will"), Closing::default()),
            9..=16 => Ending::Nothing("looked", Closing::default()),
            _ => {
                let mut rested = Rested::default();
                if self.dice.chance(1, 4) {
                    rested.waits = self.waits();
                }
                if self.dice.chance(1, 10) {
                    rested.wake_at = Some(self.soon());
                }
                Ending::Done(Closing::default(), rested)
            }
        }
    }

    fn soon(&mut self) -> types::At {
        let millis = match self.dice.below(3) {
            0 => self.dice.below(5_000),
            1 => self.dice.below(600_000),
            _ => self.dice.below(7_200_000),
        };
        self.shared.now().plus_millis(i64::try_from(millis).unwrap_or(0))
    }

    fn waits(&mut self) -> Vec<WaitDraft> {
        let mut waits = Vec::new();
        for _ in 0..=self.dice.below(2) {
            let waiting_for = self.source();
            let known = |wait: &WaitDraft| wait.waiting_for == waiting_for;
            if !waits.iter().any(known) {
                let deadline = self.soon();
                let description = "something".to_owned();
                waits.push(WaitDraft { waiting_for, description, deadline });
            }
        }
        waits
    }

    fn source(&mut self) -> WaitFor {
        let book = self.shared.book();
        let schedules: Vec<String> = book.schedules.keys().map(ToString::to_string).collect();
        let triggers: Vec<String> = book.triggers.keys().map(ToString::to_string).collect();
        let mut pick = |names: Vec<String>| {
            let count = u64::try_from(names.len()).unwrap_or(0);
            let at = if count == 0 { 0 } else { self.dice.below(count) };
            names.into_iter().nth(usize::try_from(at).unwrap_or(0))
        };
        match self.shared.elapsed_ms() % 4 {
            0 => pick(schedules).map(|schedule| WaitFor::Timer { schedule }),
            1 => pick(triggers).map(|trigger| WaitFor::External { trigger }),
            2 => Some(WaitFor::Operator),
            _ => None,
        }
        .unwrap_or_else(|| WaitFor::Job { job: format!("job_{}", self.dice.below(3)) })
    }
}

fn failure(message: &str) -> RunFailure {
    RunFailure { code: Code::StoreIo, message: message.to_owned() }
}
