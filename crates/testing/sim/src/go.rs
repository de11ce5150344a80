//! Going through a seed: what happens next, until it is over.

use types::ScheduleStatus;

use crate::call::{Call, LifeStep, ScheduleStep};
use crate::oracle;
use crate::resolve_turn::CLASSES;
use crate::sim::{STEPS_MAX, Sim, Who};

/// Calls under way at once.
const CALLS_MAX: usize = 4;

impl Sim {
    /// Goes through the whole seed.
    pub(crate) fn go(&mut self) {
        while self.go_on() {}
        if self.broken() {
            return;
        }
        self.end();
    }

    /// Whether there is nothing more to learn from this seed.
    fn broken(&mut self) -> bool {
        self.taken += 1;
        self.shared.tick();
        let mut book = self.shared.book();
        if self.taken > STEPS_MAX && book.violations.is_empty() {
            book.violate("comes to rest", "the seed goes on and on".to_owned());
        }
        !book.violations.is_empty()
    }

    /// One thing happens; false when the plan is done.
    fn go_on(&mut self) -> bool {
        self.poll();
        if self.broken() {
            return false;
        }
        if self.open_anew(false) || self.die_in_call() || self.meddle_in_hang() {
            return true;
        }
        let waiting = self.waiting() > 0;
        let slow = self.faults.slow > 0;
        if waiting && self.dice.chance(if slow { 1 } else { 6 }, 8) {
            self.write_some();
            return true;
        }
        if self.do_what_is_due() {
            return true;
        }
        if waiting {
            if slow || self.dice.chance(1, 12) {
                let millis = i64::try_from(1 + self.dice.below(60)).unwrap_or(1);
                self.count("slow_commits");
                self.pass(millis);
            } else {
                self.write_some();
            }
            return true;
        }
        if self.shared.reading() {
            if self.dice.chance(1, 3) {
                let millis = i64::try_from(1 + self.dice.below(200)).unwrap_or(1);
                self.pass(millis);
            }
            return true;
        }
        if self.steps.is_empty() && self.again.is_empty() {
            return false;
        }
        self.pass_to_next()
    }

    /// Starts what somebody wants to have done by now.
    fn do_what_is_due(&mut self) -> bool {
        let elapsed = self.shared.elapsed_ms();
        let calls = self.tasks.iter().filter(|task| matches!(task.who, Who::Call(_))).count();
        let late = {
            let mut late = self.shared.late();
            let due = late.iter().position(|(at, _)| *at <= elapsed);
            due.map(|due| late.remove(due).1)
        };
        if let Some(commit) = late {
            self.count("late_writes");
            self.call(Call::Write(commit));
            return true;
        }
        if calls >= CALLS_MAX {
            return false;
        }
        if let Some(due) = self.again.iter().position(|(at, _)| *at <= elapsed) {
            let (_, call) = self.again.remove(due);
            self.call(call);
            return true;
        }
        match self.steps.front() {
            Some(step) if step.at_ms <= elapsed => {
                let step = *step;
                self.steps.pop_front();
                self.take_step(&step);
                true
            }
            _ => false,
        }
    }

    /// Lets time pass until something happens; false if nothing ever does.
    fn pass_to_next(&mut self) -> bool {
        let elapsed = self.shared.elapsed_ms();
        let now = self.shared.now().millis();
        self.shared.alarms().retain(|at| *at > elapsed);
        let by_wall = self.driver.next_at.map(|at| elapsed + (at.millis() - now).max(1));
        let times = [by_wall, self.driver.next_elapsed_ms, self.driver.retry_ms];
        let next = times
            .into_iter()
            .flatten()
            .chain(self.steps.front().map(|step| step.at_ms))
            .chain(self.again.iter().map(|(at, _)| *at))
            .chain(self.faults.doubt.map(|(_, at)| at))
            .chain(self.shared.late().iter().map(|(at, _)| *at))
            .chain(self.shared.alarms().iter().copied())
            .chain(
                self.shared.world.next_ms().and_then(|ms| Some(elapsed + i64::try_from(ms).ok()?)),
            )
            .min();
        let Some(next) = next else { return false };
        self.pass((next - elapsed).max(1));
        true
    }

    /// Time passes; whoever looks at times sees it.
    fn pass(&mut self, millis: i64) {
        self.shared.pass(millis);
        let (elapsed, now) = (self.shared.elapsed_ms(), self.shared.now());
        let due = |at: &mut Option<i64>| at.take_if(|at| *at <= elapsed).is_some();
        let by_wall = self.driver.next_at.take_if(|at| *at <= now).is_some();
        let by_time = due(&mut self.driver.next_elapsed_ms);
        let retry = due(&mut self.driver.retry_ms);
        if retry && !self.driver.recovered {
            self.recover();
        }
        self.driver.look_wanted |= by_wall || by_time || retry;
    }

    /// Makes good what was broken, lets everything come to rest, and judges.
    fn end(&mut self) {
        self.open_anew(true);
        self.shared.calm_down();
        self.faults = crate::faults::Faults::default();
        self.shared.slow_reads(0);
        self.tell("everything is made good");
        if !self.rest() {
            return;
        }
        self.call(Call::Kill { on: false });
        for class in CLASSES {
            self.call(Call::Tools { class, stop: false });
        }
        if self.shared.abroad {
            self.call(Call::Consent { give: true });
        }
        if !self.rest() || !self.let_go_of_the_bereft() || !self.resume_all() {
            return;
        }
        self.driver.look_wanted = true;
        if !self.rest() {
            return;
        }
        let settled_at = self.shared.now();
        oracle::settled(self);
        self.shared.book().ending = true;
        for id in self.recurring() {
            self.call(Call::Schedule { id, step: ScheduleStep::Disable });
            if !self.rest() {
                return;
            }
        }
        self.tell("schedules have ended");
        loop {
            if !self.rest() {
                return;
            }
            if !self.pass_to_next() {
                break;
            }
        }
        self.driver.look_wanted = true;
        if self.rest() {
            oracle::at_the_end(self, settled_at);
        }
    }

    /// Ends those whose task is gone for good: nothing else would ever wake them.
    fn let_go_of_the_bereft(&mut self) -> bool {
        let bereft: Vec<_> = {
            let book = self.shared.book();
            book.living().iter().filter(|a| book.is_bereft(a)).map(|a| a.id.clone()).collect()
        };
        bereft.into_iter().all(|agent| {
            self.call(Call::Life { agent, step: LifeStep::Destroy });
            self.rest()
        })
    }

    /// Lets everything go on, until nothing is left to do at this time.
    fn rest(&mut self) -> bool {
        loop {
            self.poll();
            if self.broken() {
                return false;
            }
            let now = self.shared.now();
            if self.waiting() > 0 {
                self.write_some();
            } else if self.do_what_is_due() || self.shared.reading() {
            } else if self.driver.next_at.is_some_and(|at| at <= now) {
                self.driver.next_at = None;
                self.driver.look_wanted = true;
            } else if !self.tasks.is_empty() || self.driver.retry_ms.is_some() {
                if !self.pass_to_next() {
                    let what = "somebody waits for nothing".to_owned();
                    self.shared.book().violate("comes to rest", what);
                    return false;
                }
            } else {
                return true;
            }
        }
    }

    fn resume_all(&mut self) -> bool {
        for _ in 0..3 {
            let dormant: Vec<_> = {
                let book = self.shared.book();
                book.living().iter().filter(|a| a.dormant).map(|a| a.id.clone()).collect()
            };
            if dormant.is_empty() {
                return true;
            }
            for agent in dormant {
                self.call(Call::Life { agent, step: LifeStep::Resume });
                if !self.rest() {
                    return false;
                }
            }
        }
        self.shared.book().violate("comes to rest", "an agent cannot be resumed".to_owned());
        false
    }

    /// Schedules that would come round for ever.
    fn recurring(&self) -> Vec<types::ScheduleId> {
        let book = self.shared.book();
        let recurs = |body: &types::Schedule| {
            matches!(body.status, ScheduleStatus::Active | ScheduleStatus::Paused)
                && !body.auto_disable_after_run
        };
        let all = book.schedules.iter().filter(|(_, book)| recurs(&book.body));
        all.map(|(id, _)| id.clone()).collect()
    }
}
