//! What goes wrong, and where: the simulator's hand on the store.

use store::StoreError;
use testkit::Random;
use types::Domain;

use crate::call::{Call, LifeStep};
use crate::plan::{Plan, What, pick};
use crate::resolve_turn::CLASSES;
use crate::sim::Sim;
use crate::store::Handed;

/// Steps that a crash by chance seldom meets: crashes are due at each of them from the first moment on.
const SELDOM: [&str; 3] = ["tool.deny", "tool.settle", "wake.reopen"];

/// What happens around a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blow {
    /// The program dies, and it is not written.
    Before,
    /// The program dies, and it is written.
    After,
    /// The disk says nothing, and it is written or not.
    Doubt { written: bool },
}

/// Faults that wait for their moment.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    /// Steps around whose next commit something happens.
    pub(crate) armed: Vec<(&'static str, Blow)>,
    /// Which file is in doubt, and when somebody opens both anew.
    pub(crate) doubt: Option<(Domain, i64)>,
    /// The program dies as soon as a model is being asked.
    pub(crate) crash_in_call: bool,
    /// The program dies as soon as a tool hangs.
    pub(crate) crash_in_hang: bool,
    /// Somebody is stopped as soon as one of its tools hangs; how, this decides.
    pub(crate) stop_in_hang: Option<u64>,
    /// Commits that will find no space.
    pub(crate) disk_full: u64,
    /// Commits that will find the queue full.
    pub(crate) busy: u64,
    /// Signals that will not arrive as they should.
    pub(crate) deaf: u64,
    /// Writes for which everything is slow.
    pub(crate) slow: u64,
}

impl Faults {
    /// What waits for its moment when a story begins.
    pub(crate) fn from_the_start(plan: &Plan) -> Faults {
        let seed = plan.seed;
        let mut dice = Random::seeded(seed.rotate_left(29) ^ 0x5e1d);
        let mut blows = || match dice.chance(1, 2) {
            true => [Blow::After, Blow::Before],
            false => [Blow::Before, Blow::After],
        };
        let armed = SELDOM.iter().flat_map(|step| blows().map(|blow| (*step, blow)));
        let mut armed: Vec<(&'static str, Blow)> = armed.collect();
        let consents = consent::STEPS.iter().filter(|_| plan.abroad);
        let undoes = plan.steps.iter().any(|step| step.what == What::Undo);
        let undos = journal::STEPS.iter().filter(|_| undoes);
        for step in consents.chain(undos) {
            if dice.chance(1, 2) {
                armed.push((step, if dice.chance(1, 2) { Blow::Before } else { Blow::After }));
            }
        }
        Faults { armed, ..Faults::default() }
    }
}

impl Sim {
    pub(crate) fn waiting(&self) -> usize {
        let store = &self.services().store;
        Domain::ALL.iter().map(|domain| store.waiting(*domain)).sum()
    }

    /// Writes some of what waits for one of the files, or lets it go wrong.
    pub(crate) fn write_some(&mut self) {
        let store = self.services().store;
        let busy: Vec<Domain> =
            Domain::ALL.into_iter().filter(|domain| store.waiting(*domain) > 0).collect();
        if busy.is_empty() {
            return;
        }
        if let Some((domain, _)) = self.faults.doubt
            && store.waiting(domain) > 0
        {
            let refused = store.take(domain);
            return refused.into_iter().for_each(|handed| handed.answer(Err(in_doubt())));
        }
        self.faults.slow = self.faults.slow.saturating_sub(1);
        let domain = busy[usize::from(busy.len() > 1 && self.dice.chance(1, 2))];
        let size = if self.dice.chance(1, 3) { 1 + self.dice.below(4) } else { 1 };
        let mut group = Vec::new();
        for _ in 0..size {
            let Some(step) = store.next_step(domain) else { break };
            let armed = self.faults.armed.iter().position(|(name, _)| *name == step);
            let failing = self.faults.disk_full + self.faults.busy > 0;
            if armed.is_none() && !failing {
                group.extend(store.take(domain));
                continue;
            }
            self.write_group(domain, std::mem::take(&mut group));
            match armed {
                Some(at) => {
                    let (_, blow) = self.faults.armed.swap_remove(at);
                    // Nobody may hold on to the files of a program that dies.
                    drop(store);
                    return match blow {
                        Blow::Before => self.crash_around(domain, step, false),
                        Blow::After => self.crash_around(domain, step, true),
                        Blow::Doubt { written } => self.leave_in_doubt(domain, written),
                    };
                }
                None => self.fail_next(domain),
            }
        }
        self.write_group(domain, group);
    }

    fn write_group(&mut self, domain: Domain, group: Vec<Handed>) {
        if group.is_empty() {
            return;
        }
        if group.len() > 1 {
            self.count("groups");
        }
        for (handed, answer) in self.services().store.write(domain, group) {
            handed.answer(answer);
        }
    }

    fn fail_next(&mut self, domain: Domain) {
        let Some(handed) = self.services().store.take(domain) else { return };
        let step = handed.commit.step;
        if self.faults.disk_full > 0 {
            self.faults.disk_full -= 1;
            self.count("disk_full");
            self.tell(&format!("  {step} finds no space"));
            handed.answer(Err(StoreError::DiskFull { file: "agent.db".into() }));
        } else {
            self.faults.busy -= 1;
            self.count("busy");
            self.tell(&format!("  {step} finds the queue full"));
            handed.answer(Err(StoreError::Busy { waiting: 10_000 }));
        }
    }

    /// The disk fails while a commit is written: whether it is there nobody knows, and nothing more is
    /// written to this file, until both are opened anew.
    fn leave_in_doubt(&mut self, domain: Domain, written: bool) {
        let store = self.services().store;
        let Some(handed) = store.take(domain) else { return };
        self.count("doubts");
        self.tell(&format!("  {} is in doubt, written {written}", handed.commit.step));
        let handed = match written {
            true => store.write(domain, vec![handed]).into_iter().map(|(handed, _)| handed).next(),
            false => Some(handed),
        };
        if let Some(handed) = handed {
            handed.answer(Err(in_doubt()));
        }
        let later = i64::try_from(1 + self.dice.below(4_000)).unwrap_or(1);
        self.faults.doubt = Some((domain, self.shared.elapsed_ms() + later));
    }

    /// Opens the files anew if they are in doubt and it is time; says whether it did.
    pub(crate) fn open_anew(&mut self, at_once: bool) -> bool {
        let Some((_, at)) = self.faults.doubt else { return false };
        if !at_once && at > self.shared.elapsed_ms() {
            return false;
        }
        self.tell("the files are opened anew");
        self.crash();
        true
    }

    /// Dies if that is due and a model is being asked; says whether it did.
    pub(crate) fn die_in_call(&mut self) -> bool {
        if !self.faults.crash_in_call || !self.shared.is_asking() {
            return false;
        }
        self.faults.crash_in_call = false;
        self.count("crashes_in_calls");
        self.tell("CRASH while a model is asked");
        self.crash();
        true
    }

    /// Dies, or has whoever waits for it stopped, if that is due and a tool hangs; says whether it did.
    pub(crate) fn meddle_in_hang(&mut self) -> bool {
        let Some((agent, run)) = self.shared.book().hanging.first().cloned() else { return false };
        if std::mem::take(&mut self.faults.crash_in_hang) {
            self.count("crashes_in_hangs");
            self.tell("CRASH while a tool hangs");
            self.crash();
            return true;
        }
        let Some(seed) = self.faults.stop_in_hang.take() else { return false };
        self.count("stops_in_hangs");
        let mut dice = Random::seeded(seed);
        let life = |step| Call::Life { agent: agent.clone(), step };
        let class = CLASSES[pick(&mut dice, CLASSES.len())];
        let (stop, undo) = match dice.below(6) {
            0 | 1 => (life(LifeStep::Pause), Some(life(LifeStep::Resume))),
            2 | 3 => (Call::Cancel { agent, run: Some(run) }, None),
            4 => (Call::Kill { on: true }, Some(Call::Kill { on: false })),
            _ => (Call::Tools { class, stop: true }, Some(Call::Tools { class, stop: false })),
        };
        self.call(stop);
        let later = i64::try_from(dice.below(60_000)).unwrap_or(0);
        self.again.extend(undo.map(|undo| (self.shared.elapsed_ms() + later, undo)));
        true
    }

    fn crash_around(&mut self, domain: Domain, step: &'static str, after: bool) {
        let store = self.services().store;
        if after && let Some(handed) = store.take(domain) {
            // Written, and nobody is told.
            drop(store.write(domain, vec![handed]));
        }
        drop(store);
        {
            let mut book = self.shared.book();
            let crashed = book.figures.steps.entry(step).or_default();
            *(if after { &mut crashed.after } else { &mut crashed.before }) += 1;
        }
        self.tell(&format!("CRASH {} {step}", if after { "after" } else { "before" }));
        self.crash();
    }

    /// The program dies: nothing under way is finished, nothing that waits is written.
    pub(crate) fn crash(&mut self) {
        self.count("crashes");
        self.shared.book().note_death();
        for task in std::mem::take(&mut self.tasks) {
            if let crate::sim::Who::Call(call) = &task.who
                && self.dice.chance(2, 3)
            {
                let later = i64::try_from(self.dice.below(5_000)).unwrap_or(0);
                self.again.push((self.shared.elapsed_ms() + later, (**call).clone()));
            }
        }
        self.again.extend(self.control.drain(..).map(|call| (self.shared.elapsed_ms(), call)));
        self.driver = crate::driver::Driver::default();
        self.faults.doubt = None;
        self.services = None;
        if !self.shared.is_calm() && self.dice.chance(1, 3) {
            let down = [1_000, 60_000, 3_600_000][usize::try_from(self.dice.below(3)).unwrap_or(0)];
            self.shared.pass(i64::try_from(self.dice.below(down)).unwrap_or(0));
        }
        self.count("restarts");
        self.start();
    }
}

fn in_doubt() -> StoreError {
    let cause = "the disk does not answer".to_owned();
    StoreError::Io { file: "agent.db".into(), doing: "writing", cause }
}
