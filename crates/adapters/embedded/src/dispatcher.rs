//! The dispatcher.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dispatch::{Dispatch, Signal, Work};
use tokio::runtime::Handle;
use tokio::task::{Id, JoinError, JoinHandle, JoinSet};
use types::{AgentId, At, Problem};
use world::World;

use crate::floor::Floor;

/// How long to wait after a look that failed (a full disk, a busy store) before the next.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// While a time is armed, the wall clock is asked again after so long.
const CLOCK_IS_ASKED: Duration = Duration::from_secs(60);

/// While none is, there is nothing to ask.
const NOTHING_ARMED: Duration = Duration::from_secs(24 * 60 * 60);

/// While everybody is busy, changes are matched and schedules come round all the same.
const WHILE_FULL: Duration = Duration::from_millis(200);

/// Does the work in this process: a task per active agent, nothing per sleeping one. It sleeps until
/// something stirs or the nearest due time comes, and polls nothing.
pub struct Embedded {
    runtime: Handle,
    world: Arc<dyn World>,
    room: usize,
    report: Arc<dyn Fn(&Problem) + Send + Sync>,
    desk: Mutex<Option<JoinHandle<()>>>,
}

impl Embedded {
    /// A dispatcher on this runtime that works for at most so many agents at once. Problems that
    /// nobody waits for are reported; the work is tried again.
    pub fn new(
        runtime: Handle,
        world: Arc<dyn World>,
        room: usize,
        report: impl Fn(&Problem) + Send + Sync + 'static,
    ) -> Embedded {
        Embedded { runtime, world, room, report: Arc::new(report), desk: Mutex::new(None) }
    }
}

impl Dispatch for Embedded {
    fn start(&self, work: Arc<dyn Work>) {
        let desk = Desk {
            work,
            world: Arc::clone(&self.world),
            report: Arc::clone(&self.report),
            floor: Floor::new(self.room),
            tasks: JoinSet::new(),
            at: BTreeMap::new(),
            due: None,
        };
        let task = self.runtime.spawn(desk.run());
        let before = self.desk.lock().unwrap_or_else(PoisonError::into_inner).replace(task);
        if let Some(before) = before {
            before.abort();
        }
    }
}

impl Drop for Embedded {
    fn drop(&mut self) {
        let desk = self.desk.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(desk) = desk.take() {
            desk.abort();
        }
    }
}

struct Desk {
    work: Arc<dyn Work>,
    world: Arc<dyn World>,
    report: Arc<dyn Fn(&Problem) + Send + Sync>,
    floor: Floor,
    /// The agents at work. Dropping it ends their tasks; their runs are found begun and put back.
    tasks: JoinSet<Result<(), Problem>>,
    at: BTreeMap<Id, AgentId>,
    /// The nearest due time that the last look named.
    due: Option<At>,
}

impl Desk {
    async fn run(mut self) {
        while let Err(problem) = self.work.recover().await {
            self.complain(&problem).await;
        }
        loop {
            // Before the look, so that nothing falls between the two.
            let stirred = self.work.stirred();
            self.look_if_worthwhile().await;
            while let Some(agent) = self.floor.next() {
                let task = self.tasks.spawn(self.work.work(agent.clone()));
                self.at.insert(task.id(), agent);
            }
            self.rest(stirred).await;
            while let Some(done) = self.tasks.try_join_next_with_id() {
                self.end(done).await;
            }
        }
    }

    /// While there are agents left that a look has offered, there is no need for another, unless
    /// something is due: a schedule comes round also while everybody is busy.
    async fn look_if_worthwhile(&mut self) {
        let due = self.due.is_some_and(|at| at <= self.world.now());
        if self.floor.has_offers() && !due {
            return;
        }
        loop {
            match self.work.look().await {
                Ok(look) => {
                    self.floor.offer(&look);
                    self.due = look.next;
                    return;
                }
                Err(problem) => self.complain(&problem).await,
            }
        }
    }

    /// Sleeps until something stirs, somebody is done or the nearest due time has come. A computer
    /// that was asleep itself wakes with a timer that knows nothing of it, so the wall clock is
    /// asked once a minute while a time is armed: the clock, not the disk.
    async fn rest(&mut self, mut stirred: Signal) {
        loop {
            let wait = self.wait();
            // Each arm only says that there is something to look at, so any may be dropped.
            tokio::select! {
                () = &mut stirred, if self.floor.has_room() => return,
                Some(done) = self.tasks.join_next_with_id() => return self.end(done).await,
                () = tokio::time::sleep(wait) => {}
            }
            if !self.floor.has_room() || self.due.is_some_and(|at| at <= self.world.now()) {
                return;
            }
        }
    }

    fn wait(&self) -> Duration {
        if !self.floor.has_room() {
            return WHILE_FULL;
        }
        let Some(due) = self.due else { return NOTHING_ARMED };
        let millis = due.millis().saturating_sub(self.world.now().millis());
        Duration::from_millis(u64::try_from(millis).unwrap_or(0)).min(CLOCK_IS_ASKED)
    }

    async fn end(&mut self, done: Result<(Id, Result<(), Problem>), JoinError>) {
        let (id, result) = match done {
            Ok((id, result)) => (id, result),
            // A panic in one agent's turn is that agent's: its run is found begun and put back.
            Err(panicked) => (panicked.id(), Ok(())),
        };
        if let Some(agent) = self.at.remove(&id) {
            self.floor.done(&agent);
        }
        if let Err(problem) = result {
            self.complain(&problem).await;
        }
    }

    /// Says what went wrong and gives it a moment: nothing is lost, it is found again.
    async fn complain(&self, problem: &Problem) {
        (self.report)(problem);
        tokio::time::sleep(AFTER_FAILURE).await;
    }
}
