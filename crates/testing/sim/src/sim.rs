//! One seed: the program, what is done to it, and the order of everything.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use dispatch::{Look, Work};
use testkit::{FakeWorld, Random};
use types::{AgentId, At, Problem};

use crate::boot::Services;
use crate::call::{Answered, Call};
use crate::driver::Driver;
use crate::faults::Faults;
use crate::home::SimHome;
use crate::plan::{Plan, Step};
use crate::shared::Shared;

/// Steps of the simulator after which a seed does not come to rest any more.
pub(crate) const STEPS_MAX: u64 = 60_000;

/// Who is at something.
pub(crate) enum Who {
    Recover,
    Look,
    Work(AgentId),
    Call(Box<Call>),
}

/// What came of it.
pub(crate) enum Done {
    Recovered(Result<(), Problem>),
    Looked(Result<Look, Problem>),
    Worked(Result<(), Problem>),
    Called(Answered),
}

/// Something under way.
pub(crate) struct Task {
    pub(crate) who: Who,
    future: Pin<Box<dyn Future<Output = Done>>>,
}

/// A seed under way.
pub(crate) struct Sim {
    pub(crate) shared: Arc<Shared>,
    pub(crate) home: SimHome,
    /// Absent only while the program is down.
    pub(crate) services: Option<Services>,
    pub(crate) tasks: Vec<Task>,
    pub(crate) driver: Driver,
    pub(crate) faults: Faults,
    pub(crate) dice: Random,
    pub(crate) steps: VecDeque<Step>,
    /// Calls to be made again, and when.
    pub(crate) again: Vec<(i64, Call)>,
    /// Calls that were made, to be made again by somebody who does not know.
    pub(crate) made: Vec<Call>,
    /// Calls of the one person who starts and stops.
    pub(crate) control: VecDeque<Call>,
    pub(crate) taken: u64,
}

impl Sim {
    pub(crate) fn new(plan: &Plan) -> Sim {
        let world = Arc::new(FakeWorld::seeded(plan.seed));
        world.set(At::from_millis(plan.starts_ms));
        world.move_to(plan.zone);
        let shared = Arc::new(Shared::new(plan, world));
        let mut sim = Sim {
            home: SimHome::new(),
            services: None,
            tasks: Vec::new(),
            driver: Driver::default(),
            faults: Faults::from_the_start(plan),
            dice: Random::seeded(plan.seed.rotate_left(17) ^ 0x0bde),
            steps: plan.steps.iter().copied().collect(),
            again: Vec::new(),
            made: Vec::new(),
            control: VecDeque::new(),
            taken: 0,
            shared,
        };
        sim.start();
        sim
    }

    /// A line of the story.
    pub(crate) fn tell(&self, line: &str) {
        self.shared.tell(line);
    }

    pub(crate) fn count(&self, name: &'static str) {
        self.shared.book().figures.count(name);
    }

    pub(crate) fn services(&self) -> Services {
        self.services.clone().expect("the program is up")
    }

    /// Opens the files and takes up what was left behind.
    pub(crate) fn start(&mut self) {
        self.services = Some(Services::start(&self.home, &self.shared));
        self.driver = Driver::default();
        self.recover();
    }

    pub(crate) fn recover(&mut self) {
        let step = self.services().waker.recover();
        self.spawn(Who::Recover, async move { Done::Recovered(step.await) });
    }

    pub(crate) fn spawn(&mut self, who: Who, future: impl Future<Output = Done> + 'static) {
        self.tasks.push(Task { who, future: Box::pin(future) });
    }

    /// Lets everybody go on until all wait for something.
    pub(crate) fn poll(&mut self) {
        loop {
            let mut context = Context::from_waker(Waker::noop());
            let mut finished = Vec::new();
            let mut waiting = Vec::new();
            for mut task in std::mem::take(&mut self.tasks) {
                match task.future.as_mut().poll(&mut context) {
                    Poll::Ready(done) => finished.push((task.who, done)),
                    Poll::Pending => waiting.push(task),
                }
            }
            self.tasks = waiting;
            let idle = finished.is_empty();
            for (who, done) in finished {
                self.finished(who, done);
            }
            self.hear();
            if !self.look() && idle {
                return;
            }
        }
    }

    /// Begins a look, if one is wanted and none is under way.
    fn look(&mut self) -> bool {
        let driver = &mut self.driver;
        if !driver.recovered || !driver.look_wanted || driver.looking {
            return false;
        }
        (driver.look_wanted, driver.looking, driver.retry_ms) = (false, true, None);
        let waker = self.services().waker;
        // Before the look, so that nothing falls between the two.
        self.driver.signal = Some(waker.stirred());
        let step = waker.look();
        self.count("looks");
        self.spawn(Who::Look, async move { Done::Looked(step.await) });
        true
    }

    fn finished(&mut self, who: Who, done: Done) {
        let soon = self.shared.elapsed_ms() + 500;
        match (who, done) {
            (Who::Recover, Done::Recovered(Ok(()))) => {
                self.driver.recovered = true;
                self.driver.look_wanted = true;
            }
            (Who::Look, Done::Looked(Ok(look))) => self.looked(&look),
            (Who::Work(agent), Done::Worked(result)) => {
                self.driver.busy.remove(&agent);
                match result {
                    Ok(()) => self.driver.look_wanted = true,
                    Err(problem) => {
                        let name = self.shared.book().name(&agent);
                        self.tell(&format!("  work for {name} failed: {}", problem.message));
                        self.driver.retry_ms = Some(soon);
                    }
                }
            }
            (Who::Look, Done::Looked(Err(problem))) => {
                self.driver.looking = false;
                self.driver.retry_ms = Some(soon);
                self.tell(&format!("  look failed: {}", problem.message));
            }
            (Who::Recover, Done::Recovered(Err(problem))) => {
                self.driver.retry_ms = Some(soon);
                self.tell(&format!("  recovery failed: {}", problem.message));
            }
            (Who::Call(call), Done::Called(answered)) => self.answered(*call, answered),
            _ => unreachable!("everybody does their own work"),
        }
    }

    fn looked(&mut self, look: &Look) {
        self.driver.looking = false;
        let now = self.shared.now();
        self.driver.next_at = look.next;
        let elapsed = self.shared.elapsed_ms();
        self.driver.next_elapsed_ms = look.next.map(|at| elapsed + at.millis() - now.millis());
        let (chosen, starved) = self.driver.choose(look);
        if let Some(what) = starved {
            self.shared.book().violate("no starvation", what);
        }
        for agent in chosen {
            let step = self.services().waker.work(agent.clone());
            self.count("dispatches");
            self.spawn(Who::Work(agent), async move { Done::Worked(step.await) });
        }
    }

    /// Hears that something has stirred, unless the signal is lost on its way.
    fn hear(&mut self) {
        if !self.driver.stirred() {
            return;
        }
        let waker = self.services().waker;
        self.driver.signal = Some(waker.stirred());
        if self.faults.deaf > 0 {
            self.faults.deaf -= 1;
            match self.dice.below(3) {
                0 => return self.count("signals_dropped"),
                1 => {
                    self.count("signals_delayed");
                    let later = i64::try_from(self.dice.below(3_000)).unwrap_or(0);
                    let at = self.shared.elapsed_ms() + later;
                    self.driver.retry_ms = Some(self.driver.retry_ms.map_or(at, |r| r.min(at)));
                    return;
                }
                _ => {
                    self.count("signals_doubled");
                    self.driver.retry_ms = Some(self.shared.elapsed_ms() + 1);
                }
            }
        }
        self.driver.look_wanted = true;
    }
}
