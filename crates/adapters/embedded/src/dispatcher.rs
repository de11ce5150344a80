//! The dispatcher.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use dispatch::{Dispatch, Look, Signal, Work, guarded};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinHandle, JoinSet};
use tokio::time::Instant;
use types::{AgentId, At, Problem};
use world::World;

use crate::floor::Floor;
use crate::pause;
use crate::told::Told;

/// While a time is armed, the wall clock is asked again after so long.
const CLOCK_IS_ASKED: Duration = Duration::from_secs(60);

/// While none is, there is nothing to ask.
const NOTHING_ARMED: Duration = Duration::from_secs(24 * 60 * 60);

/// While everybody is busy, changes are matched and schedules come round all the same, but not for
/// every single thing that stirs.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

/// Does the work in this process: a task per active agent, nothing per sleeping one. It sleeps until
/// something stirs or the nearest due time comes, and polls nothing.
pub struct Embedded {
    runtime: Handle,
    world: Arc<dyn World>,
    room: usize,
    report: Arc<dyn Fn(&Problem) + Send + Sync>,
    desk: Mutex<Option<JoinHandle<()>>>,
    closing: watch::Sender<bool>,
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
        let (report, desk, closing) =
            (Arc::new(report), Mutex::new(None), watch::Sender::new(false));
        Embedded { runtime, world, room, report, desk, closing }
    }

    /// Begins nothing more and waits until those at work are done. Whoever does not want to wait that
    /// long drops it: their runs are found begun at the next start and put back.
    pub async fn finish(&self) {
        self.closing.send_replace(true);
        // Each desk listens as long as it is there.
        self.closing.closed().await;
    }
}

impl Dispatch for Embedded {
    fn start(&self, work: Arc<dyn Work>) {
        let desk = Desk {
            work,
            world: Arc::clone(&self.world),
            told: Told::by(Arc::clone(&self.report)),
            floor: Floor::new(self.room),
            tasks: JoinSet::new(),
            at: BTreeMap::new(),
            due: None,
            stirred: false,
            looked: Instant::now(),
            again: None,
            failures: 0,
            paused: None,
            asked: self.world.now(),
            zone: self.world.zone(),
        };
        let task = self.runtime.spawn(desk.run(self.closing.subscribe()));
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
    told: Told,
    floor: Floor,
    /// The agents at work. Dropping it ends their tasks; their runs are found begun and put back.
    tasks: JoinSet<Result<(), Problem>>,
    at: BTreeMap<Id, AgentId>,
    /// The nearest due time that the last look named.
    due: Option<At>,
    /// Something has stirred since the last look.
    stirred: bool,
    /// When the last look was, by a clock that nobody sets.
    looked: Instant,
    /// When to look again after a failure, by that clock.
    again: Option<Instant>,
    /// Looks that failed, one after the other.
    failures: u32,
    /// Until when what is due is left alone, by that clock: the look for it has failed. What stirs meanwhile was
    /// committed, so the disk may be well again; it is looked for sooner, but not at once.
    paused: Option<Instant>,
    /// The latest time that the wall clock has shown since.
    asked: At,
    /// Where the host was when it was last asked.
    zone: String,
}

impl Desk {
    async fn run(mut self, mut closing: watch::Receiver<bool>) {
        // A look that is dropped half-way is a look that was not taken: its steps can be repeated.
        tokio::select! {
            _ = closing.wait_for(|closing| *closing) => {}
            () = self.go_on() => {}
        }
        while self.tasks.join_next().await.is_some() {}
    }

    async fn go_on(&mut self) {
        while let Err(problem) = guarded(self.work.recover()).await {
            let until = self.fails(&problem);
            tokio::time::sleep_until(until).await;
        }
        self.failures = 0;
        loop {
            // Before the look, so that nothing falls between the two.
            let stirred = self.work.stirred();
            self.look().await;
            self.begin();
            self.rest(stirred).await;
        }
    }

    async fn look(&mut self) {
        (self.stirred, self.again) = (false, None);
        (self.looked, self.asked) = (Instant::now(), self.world.now());
        let (look, problem) = match guarded(self.work.look()).await {
            Ok(mut look) => {
                let problem = look.problem.take();
                (look, problem)
            }
            Err(problem) => (Look::default(), Some(problem)),
        };
        let now = Instant::now();
        self.floor.offer(&look, now);
        self.due = look.next;
        // Nothing is lost, it is found again; but not at once, it may be a full disk.
        self.paused = problem.map(|problem| self.fails(&problem));
        if self.paused.is_none() {
            self.failures = 0;
        }
        // Whoever is left alone is not offered, and nothing else may stir until then.
        self.again = self.paused.or_else(|| self.floor.first_free(now));
    }

    /// Tells of what failed for all, and says when it is tried again.
    fn fails(&mut self, problem: &Problem) -> Instant {
        let now = Instant::now();
        self.told.tell(problem, now);
        self.failures = self.failures.saturating_add(1);
        now + pause::after(self.failures)
    }

    /// The nearest due time, unless the look for it has just failed.
    fn due(&self) -> Option<At> {
        self.due.filter(|_| !self.is_paused())
    }

    fn is_paused(&self) -> bool {
        self.paused.is_some_and(|until| until > Instant::now())
    }

    /// Has another look taken then, but not before looks that failed are tried again.
    fn look_again_at(&mut self, at: Instant) {
        let at = self.paused.map_or(at, |until| until.max(at));
        self.again = Some(self.again.map_or(at, |again| again.min(at)));
    }

    fn begin(&mut self) {
        while let Some(agent) = self.floor.next() {
            let task = self.tasks.spawn(guarded(self.work.work(agent.clone())));
            self.at.insert(task.id(), agent);
        }
    }

    /// Sleeps until there is reason for another look. A computer that was asleep itself wakes with a
    /// timer that knows nothing of it, so the wall clock is asked once a minute while a time is armed:
    /// the clock, not the disk.
    async fn rest(&mut self, mut stirred: Signal) {
        while !self.worth_a_look() {
            let wait = self.wait();
            // Each arm only says that there may be something to do, so any may be dropped.
            tokio::select! {
                () = &mut stirred, if !self.stirred => self.stirred = true,
                Some(done) = self.tasks.join_next_with_id() => self.end(done),
                () = tokio::time::sleep(wait) => self.mind_the_zone(),
            }
            while let Some(done) = self.tasks.try_join_next_with_id() {
                self.end(done);
            }
            self.begin();
        }
    }

    /// A host that has travelled has other hours: what goes by them is reckoned anew by a look.
    fn mind_the_zone(&mut self) {
        let zone = self.world.zone();
        if zone != self.zone {
            (self.zone, self.stirred) = (zone, true);
        }
    }

    /// Something has stirred, or is due, or the clock was set back.
    fn worth_a_look(&mut self) -> bool {
        let now = self.world.now();
        let set_back = now < self.asked;
        self.asked = now;
        let due = self.due().is_some_and(|at| at <= now);
        let again = self.again.is_some_and(|at| at <= Instant::now());
        set_back || due || again || self.stirred && self.patience().is_zero()
    }

    /// How long what has stirred can wait yet. While there are agents left that a look has offered, or no room for
    /// any, that is a moment: then one look is for many. While looks fail it is as long as the shortest pause.
    fn patience(&self) -> Duration {
        let idle = self.floor.has_room() && !self.floor.has_offers();
        let between = match (self.is_paused(), idle) {
            (true, _) => pause::SHORTEST,
            (false, true) => Duration::ZERO,
            (false, false) => BETWEEN_LOOKS,
        };
        between.saturating_sub(self.looked.elapsed())
    }

    fn wait(&self) -> Duration {
        let stirred = self.stirred.then(|| self.patience());
        let again = self.again.map(|at| at.saturating_duration_since(Instant::now()));
        let due = self.due().map(|due| {
            let millis = due.millis().saturating_sub(self.world.now().millis());
            Duration::from_millis(u64::try_from(millis).unwrap_or(0)).min(CLOCK_IS_ASKED)
        });
        stirred.into_iter().chain(again).chain(due).min().unwrap_or(NOTHING_ARMED)
    }

    fn end(&mut self, done: Result<(Id, Result<(), Problem>), JoinError>) {
        // Who was told to go has not failed.
        let (id, result) = done.unwrap_or_else(|gone| (gone.id(), Ok(())));
        let agent = self.at.remove(&id);
        match (agent, result) {
            (Some(agent), Err(problem)) => {
                let now = Instant::now();
                self.told.tell(&problem, now);
                // Its run is found again when it is left alone no longer; to look before would find nothing new.
                let until = self.floor.failed(agent, now);
                self.look_again_at(until);
            }
            (agent, _) => {
                // Its next run, if it has one, is for the next look to find.
                self.stirred = true;
                if let Some(agent) = agent {
                    self.floor.done(&agent);
                }
            }
        }
    }
}
