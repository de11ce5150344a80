//! Steps of the plan, and the calls that come of them.

use types::{AgentId, Code};

use crate::call::{Answered, Call, LifeStep};
use crate::describe;
use crate::faults::Blow;
use crate::figures::{plain_steps, turn_steps};
use crate::plan::{Step, What, ZONES, pick};
use crate::resolve;
use crate::sim::{Done, Sim, Who};
use testkit::Random;
use world::World;

/// Steps that come seldom, so that a crash has to be due at them more often to happen as often.
const RARE: [&str; 6] =
    ["wake.fire", "wake.wait", "wake.fence", "wake.reopen", "ingress.wake", "ingress.hint"];

/// Steps of other rooms between which a turn lies, and the commonest of its own once more.
const AROUND_TURNS: [&str; 7] = [
    "wake.begin",
    "wake.end",
    "wake.retry",
    "wake.fence",
    "tool.intend",
    "tool.effect",
    "turn.plan",
];

impl Sim {
    /// Takes a step of the plan.
    pub(crate) fn take_step(&mut self, step: &Step) {
        let mut dice = Random::seeded(step.seed);
        let millis = |dice: &mut Random, below: u64| i64::try_from(dice.below(below)).unwrap_or(0);
        match step.what {
            What::JumpAhead => {
                let below = [3_600_000, 21_600_000, 90_000_000, 604_800_000][pick(&mut dice, 4)];
                let by = millis(&mut dice, below);
                self.jump(by);
            }
            What::JumpBack => {
                let below = [5_000, 3_600_000, 90_000_000, 691_200_000][pick(&mut dice, 4)];
                let by = -millis(&mut dice, below);
                self.jump(by);
            }
            What::Travel => {
                let zone = ZONES[pick(&mut dice, ZONES.len())];
                self.tell(&format!("the host travels to {zone}"));
                self.count("zone_changes");
                self.shared.world.move_to(zone);
                self.driver.look_wanted = dice.chance(1, 2);
            }
            What::Again => {
                if !self.made.is_empty() {
                    // The newest are asked for again most often.
                    let back = pick(&mut dice, self.made.len().min(4));
                    let call = self.made[self.made.len() - 1 - back].clone();
                    self.tell("somebody asks again:");
                    self.count("asked_again");
                    self.call(call);
                }
            }
            what if self.break_something(what, &mut dice) => {}
            _ => {
                let here = self.shared.world.zone();
                let found = resolve::call(step, &self.shared.book(), self.shared.now(), &here);
                if let Some(call) = found {
                    if call.request().is_some() || matches!(call, Call::Hint { .. }) {
                        self.made.push(call.clone());
                    }
                    self.call(call);
                }
            }
        }
    }

    /// Lets something go wrong, if that is what the step is about.
    fn break_something(&mut self, what: What, dice: &mut Random) -> bool {
        match what {
            What::CrashAt => {
                let steps = [plain_steps().as_slice(), &RARE].concat();
                self.arm_crash(&steps, dice);
            }
            What::CrashTurn => {
                let steps = [turn_steps().as_slice(), &AROUND_TURNS].concat();
                self.arm_crash(&steps, dice);
            }
            What::CrashInCall => self.faults.crash_in_call = true,
            What::Hang => {
                self.tell("tools hang");
                self.shared.let_hang(3 + dice.below(12));
            }
            What::CrashInHang => self.faults.crash_in_hang = true,
            What::StopInHang => self.faults.stop_in_hang = Some(dice.next_u64()),
            What::Doubt => {
                let steps = [turn_steps().as_slice(), &AROUND_TURNS].concat();
                let name = steps[pick(dice, steps.len())];
                let written = dice.chance(2, 3);
                self.tell(&format!("the next {name} will be in doubt"));
                self.faults.armed.push((name, Blow::Doubt { written }));
            }
            What::CrashNow => {
                self.tell("CRASH");
                self.crash();
            }
            What::DiskFull => self.faults.disk_full = 1 + dice.below(3),
            What::Busy => self.faults.busy = 1 + dice.below(3),
            What::Deaf => {
                self.tell("signals are lost");
                self.faults.deaf = 1 + dice.below(5);
            }
            What::Slow => {
                self.tell("commits are slow");
                self.faults.slow = 10 + dice.below(40);
            }
            What::SlowReads => {
                self.tell("reads are slow");
                self.count("slow_reads");
                self.shared.slow_reads(20 + dice.below(60));
                self.nudge(dice);
            }
            _ => return false,
        }
        true
    }

    /// Arms a crash around one of these steps.
    fn arm_crash(&mut self, steps: &[&'static str], dice: &mut Random) {
        let (name, after) = (steps[pick(dice, steps.len())], dice.chance(1, 2));
        let when = if after { "after" } else { "before" };
        self.tell(&format!("a crash is due {when} the next {name}"));
        self.faults.armed.push((name, if after { Blow::After } else { Blow::Before }));
    }

    /// Hints for one agent in quick succession, so that the later ones come while it looks; more often
    /// than not it is paused and resumed meanwhile.
    fn nudge(&mut self, dice: &mut Random) {
        let agents: Vec<AgentId> =
            self.shared.book().living().iter().map(|agent| agent.id.clone()).collect();
        if agents.is_empty() {
            return;
        }
        let agent = agents[pick(dice, agents.len())].clone();
        let elapsed = self.shared.elapsed_ms();
        for number in 0..2 + dice.below(3) {
            let at = elapsed + i64::try_from(dice.below(400)).unwrap_or(0);
            let delivery = format!("{:x}-{number}", dice.next_u64() >> 44);
            let payload = dice.chance(1, 4).then(|| b"look".to_vec());
            self.again.push((at, Call::Hint { agent: agent.clone(), delivery, payload }));
        }
        if dice.chance(2, 3) {
            let mut at = elapsed;
            for step in [LifeStep::Pause, LifeStep::Resume] {
                at += i64::try_from(dice.below(300)).unwrap_or(0);
                self.again.push((at, Call::Life { agent: agent.clone(), step }));
            }
        }
    }

    fn jump(&mut self, by_millis: i64) {
        self.tell(&format!("the clock is set by {} s", by_millis / 1_000));
        self.count("clock_jumps");
        self.shared.set_clock(by_millis);
        // Whoever waits for a time by the wall is woken by the machine when that is set.
        self.driver.look_wanted |= self.dice.chance(1, 2);
    }

    /// Makes a call; one that starts or stops somebody waits for the one before.
    pub(crate) fn call(&mut self, call: Call) {
        let controls = |who: &Who| matches!(who, Who::Call(call) if call.is_control());
        if call.is_control() && self.tasks.iter().any(|task| controls(&task.who)) {
            self.control.push_back(call);
            return;
        }
        let line = describe::call(&self.shared.book(), &call);
        self.tell(&line);
        {
            let mut book = self.shared.book();
            match &call {
                Call::Kill { on: false } => book.killed = false,
                Call::Consent { give: true } => book.forbidden = false,
                Call::Tools { class, stop: false } => {
                    book.classes.remove(class);
                }
                Call::Life { agent, step: LifeStep::Resume } => {
                    book.stopped.remove(agent);
                }
                Call::Undo { request, .. } => book.undo_asked(request),
                _ => {}
            }
        }
        let made = call.clone().make(self.services());
        let boxed: std::pin::Pin<Box<dyn Future<Output = Answered>>> = Box::pin(made);
        self.spawn(Who::Call(Box::new(call)), async move { Done::Called(boxed.await) });
    }

    /// A call was answered.
    pub(crate) fn answered(&mut self, call: Call, answered: Answered) {
        let control = call.is_control();
        match answered {
            Ok(name) => self.acknowledged(&call, &name),
            Err(problem) => {
                self.tell(&format!("  refused ({}): {}", problem.code, problem.message));
                if let (Call::Undo { what, request }, Code::CannotUndo) = (&call, problem.code) {
                    self.shared.book().undo_refused(*what, request);
                }
                let passing =
                    matches!(problem.code, Code::DiskFull | Code::StoreBusy | Code::StoreIo);
                if passing && (self.shared.is_calm() || self.dice.chance(1, 2)) {
                    self.again.push((self.shared.elapsed_ms() + 700, call));
                }
            }
        }
        if control && let Some(next) = self.control.pop_front() {
            self.call(next);
        }
    }

    fn acknowledged(&mut self, call: &Call, name: &str) {
        let mut book = self.shared.book();
        if let Some(request) = call.request() {
            let first = book.answers.entry(request.clone()).or_insert_with(|| name.to_owned());
            if first != name {
                let what = format!("{request} was answered {first} and then {name}");
                book.violate("same request, same answer", what);
            }
        }
        match call {
            Call::Kill { on: true } => {
                book.figures.count("kills");
                book.killed = true;
            }
            Call::Consent { give: false } => {
                book.figures.count("consents_taken_back");
                book.forbidden = self.shared.abroad;
            }
            Call::Tools { class, stop: true } => {
                book.figures.count("classes_stopped");
                book.classes.insert(*class);
            }
            Call::Life { agent, step } if *step != LifeStep::Resume => {
                let figure = if *step == LifeStep::Destroy { "destroyed" } else { "pauses" };
                book.figures.count(figure);
                book.stopped.insert(agent.clone());
            }
            Call::Cancel { .. } => {
                book.figures.count("cancels");
                let key = name.parse().expect("a run is named by its key");
                if book.runs.get(&key).is_none_or(|run| run.ended.is_none()) {
                    let what = format!("run {name} was cancelled and is not over");
                    book.violate("a cancel holds", what);
                }
                book.cancelled.insert(key);
            }
            Call::Undo { what, request } => book.undo_acknowledged(*what, request, name),
            Call::Admit(_) | Call::Wake { .. } => {
                let known = name.parse().is_ok_and(|key| book.runs.contains_key(&key));
                if !known {
                    let what = format!("run {name} was acknowledged and is not there");
                    book.violate("acknowledged is written", what);
                }
            }
            _ => {}
        }
    }
}
