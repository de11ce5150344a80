//! The plan of a seed: what will be done to the program, and when. Made up front, so that parts of
//! it can be left out when a failure is made smaller.

use testkit::Random;
use types::BudgetLimits;

/// A thing to do. What exactly is decided by the step's own seed when its time has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// Creates an agent.
    NewAgent,
    /// Creates a task.
    NewTask,
    /// Renames a task.
    EditTitle,
    /// Moves a task on.
    EditStatus,
    /// Moves a task to another category.
    MoveTask,
    /// Deletes a task.
    DeleteTask,
    /// Makes an agent listen for something else.
    Subscribe,
    /// Makes an agent stop listening.
    Unsubscribe,
    /// The operator speaks.
    Prompt,
    /// The operator speaks to somebody who is to hear it later.
    PromptLater,
    /// Somebody asks for another look.
    Wake,
    /// A webhook.
    Webhook,
    /// Somebody on a channel.
    Channel,
    /// A job ends.
    JobResult,
    /// A job is lost.
    JobGone,
    /// A hint from outside.
    Hint,
    /// A trigger is taken back.
    Revoke,
    /// An earlier call is made again.
    Again,
    /// Creates a schedule.
    NewSchedule,
    /// Pauses a schedule.
    PauseSchedule,
    /// Resumes a schedule.
    ResumeSchedule,
    /// Ends a schedule.
    DisableSchedule,
    /// Asks for a schedule now.
    TriggerSchedule,
    /// Makes up for the past of a schedule.
    Backfill,
    /// Pauses an agent.
    Pause,
    /// Stops an agent.
    Stop,
    /// Resumes an agent.
    Resume,
    /// Destroys an agent.
    Destroy,
    /// Throws the kill switch.
    KillOn,
    /// Lifts the kill switch.
    KillOff,
    /// Stops a class of tools.
    StopTools,
    /// Lets a class of tools be used again.
    AllowTools,
    /// Puts an agent behind a barrier.
    Barrier,
    /// Lifts a barrier.
    NoBarrier,
    /// The clock is set forward.
    JumpAhead,
    /// The clock is set back.
    JumpBack,
    /// The host travels.
    Travel,
    /// The program dies around the next commit of some step.
    CrashAt,
    /// The program dies.
    CrashNow,
    /// The next commits find no space.
    DiskFull,
    /// The next commits find the queue full.
    Busy,
    /// The next signals do not arrive, or arrive late or twice.
    Deaf,
    /// The next commits take long.
    Slow,
    /// Some of the next reads take long.
    SlowReads,
    /// Creates an agent that tends a task, and takes turns with a model.
    NewTender,
    /// The operator speaks to somebody who tends a task; now and then into the middle of a turn.
    TellTender,
    /// The operator changes an item that an agent may be about to change.
    TouchItem,
    /// The operator changes a task that somebody tends.
    TouchTended,
    /// The operator cancels a run.
    Cancel,
    /// The program dies around the next commit of a turn.
    CrashTurn,
    /// The program dies while a model is being asked.
    CrashInCall,
    /// The next commit of a turn leaves in doubt whether it was written, until the files are opened
    /// anew.
    Doubt,
    /// The operator agrees that a model is sent what agents work with.
    Agree,
    /// The operator takes that back.
    TakeBack,
    /// The operator makes the categories that tasks lie in.
    NewCategories,
    /// The operator undoes what an agent did, or what was undone.
    Undo,
    /// The operator speaks to somebody who tends a task, or wakes it, and wants another model to be asked.
    AskAnother,
    /// Some of the next plans of tools never come.
    Hang,
    /// The program dies while a tool hangs.
    CrashInHang,
    /// Somebody is stopped while one of its tools hangs.
    StopInHang,
}

/// How often each is done, in parts of the whole: usually, in a quiet seed, in one about schedules.
const WEIGHTS: &[(What, [u64; 3])] = &[
    (What::NewAgent, [2, 1, 1]),
    (What::NewTask, [8, 10, 5]),
    (What::EditTitle, [6, 6, 3]),
    (What::EditStatus, [10, 14, 6]),
    (What::MoveTask, [5, 4, 2]),
    (What::DeleteTask, [2, 2, 1]),
    (What::Subscribe, [4, 3, 2]),
    (What::Unsubscribe, [1, 1, 1]),
    (What::Prompt, [6, 3, 3]),
    (What::PromptLater, [2, 1, 1]),
    (What::Wake, [5, 4, 3]),
    (What::Webhook, [3, 1, 1]),
    (What::Channel, [2, 1, 1]),
    (What::JobResult, [4, 2, 2]),
    (What::JobGone, [2, 1, 1]),
    (What::Hint, [5, 3, 2]),
    (What::Revoke, [2, 1, 1]),
    (What::Again, [8, 6, 5]),
    (What::NewSchedule, [3, 2, 14]),
    (What::PauseSchedule, [1, 1, 2]),
    (What::ResumeSchedule, [2, 1, 3]),
    (What::DisableSchedule, [1, 0, 2]),
    (What::TriggerSchedule, [2, 1, 4]),
    (What::Backfill, [1, 0, 3]),
    (What::Pause, [3, 2, 2]),
    (What::Stop, [2, 1, 1]),
    (What::Resume, [4, 3, 3]),
    (What::Destroy, [1, 1, 1]),
    (What::KillOn, [3, 4, 2]),
    (What::KillOff, [4, 5, 3]),
    (What::Barrier, [4, 8, 3]),
    (What::NoBarrier, [1, 1, 1]),
    (What::JumpAhead, [2, 1, 5]),
    (What::JumpBack, [2, 1, 3]),
    (What::Travel, [1, 1, 4]),
    (What::CrashAt, [15, 12, 16]),
    (What::CrashNow, [2, 2, 2]),
    (What::DiskFull, [2, 1, 2]),
    (What::Busy, [2, 1, 1]),
    (What::Deaf, [2, 2, 2]),
    (What::Slow, [4, 2, 3]),
    (What::SlowReads, [4, 4, 3]),
];

/// How often each is done besides, in seeds with turns.
const TURN_WEIGHTS: &[(What, u64)] = &[
    (What::NewTender, 1),
    (What::TellTender, 9),
    (What::TouchItem, 4),
    (What::TouchTended, 4),
    (What::Cancel, 4),
    (What::CrashTurn, 12),
    (What::CrashInCall, 3),
    (What::Doubt, 3),
    (What::SlowReads, 1),
    (What::Slow, 1),
    (What::Busy, 1),
    (What::KillOn, 2),
    (What::KillOff, 3),
    (What::StopTools, 2),
    (What::AllowTools, 3),
];

/// One step of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Milliseconds after the beginning, at the earliest.
    pub at_ms: i64,
    /// Decides the particulars.
    pub seed: u64,
    /// What to do.
    pub what: What,
}

/// A plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The seed it came from; it also decides the order of everything.
    pub seed: u64,
    /// Where the host is at first.
    pub zone: &'static str,
    /// When it begins, in milliseconds since 1970.
    pub starts_ms: i64,
    /// What those who tend a task may spend in a day, if that is little.
    pub budget: BudgetLimits,
    /// Whether the model is somebody else's, who is sent nothing unless the operator agrees.
    pub abroad: bool,
    /// The steps, in the order of their times.
    pub steps: Vec<Step>,
}

/// Where hosts are.
pub(crate) const ZONES: [&str; 5] =
    ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"];

/// Moments at which a wall clock is set, with the place where it is.
const CHANGES: [(&str, i64); 6] = [
    // 2026-10-25T01:00Z: Berlin has 02:00 to 03:00 twice.
    ("Europe/Berlin", 1_792_890_000_000),
    // 2027-03-28T01:00Z: Berlin goes from 02:00 to 03:00.
    ("Europe/Berlin", 1_806_195_600_000),
    // 2026-11-01T06:00Z: New York has 01:00 to 02:00 twice.
    ("America/New_York", 1_793_512_800_000),
    // 2027-03-14T07:00Z: New York goes from 02:00 to 03:00.
    ("America/New_York", 1_805_007_600_000),
    // 2027-04-03T15:00Z: Lord Howe has 01:30 to 02:00 twice.
    ("Australia/Lord_Howe", 1_806_764_400_000),
    // 2026-10-03T15:30Z: Lord Howe goes from 02:00 to 02:30.
    ("Australia/Lord_Howe", 1_791_041_400_000),
];

impl Plan {
    /// The plan of a seed: whatever can happen, happens in some.
    #[must_use]
    pub fn of(seed: u64) -> Plan {
        let mut plan = Plan::in_two_minds(seed);
        if plan.takes_turns() {
            plan.ask_others(&mut Random::seeded(seed.rotate_left(13) ^ 0xa5c0));
            plan.let_tools_hang(&mut Random::seeded(seed.rotate_left(5) ^ 0x4a46));
        }
        plan
    }

    /// The same, as far as somebody is short of something, or undoes something.
    #[must_use]
    pub fn in_two_minds(seed: u64) -> Plan {
        let mut plan = Plan::in_need(seed);
        if plan.takes_turns() {
            plan.change_ones_mind(&mut Random::seeded(seed.rotate_left(51) ^ 0x0d0e));
        }
        plan
    }

    /// The same, where nothing is undone. In two of three, some agents take turns with a model, and of these
    /// some have little to spend, and some ask a model that the operator has to agree to.
    #[must_use]
    pub fn in_need(seed: u64) -> Plan {
        let mut plan = Plan::at_ease(seed);
        if plan.takes_turns() {
            plan.budget = little(&mut Random::seeded(seed.rotate_left(41) ^ 0xb0d6));
            plan.go_abroad(&mut Random::seeded(seed.rotate_left(23) ^ 0xab0d));
        }
        plan
    }

    /// The same, where nobody is short of anything and nobody has to agree to anything.
    #[must_use]
    pub fn at_ease(seed: u64) -> Plan {
        let mut plan = Plan::plain(seed);
        let mut dice = Random::seeded(seed.rotate_left(9) ^ 0x7e2d);
        if dice.chance(2, 3) {
            plan.weave_in_turns(&mut dice);
        }
        plan
    }

    /// The plan of a seed in which nobody asks a model.
    #[must_use]
    pub fn plain(seed: u64) -> Plan {
        let mut dice = Random::seeded(seed ^ 0x5eed_d0e5);
        let theme = usize::try_from([0, 0, 1, 1, 2, 2][pick(&mut dice, 6)]).unwrap_or(0);
        let (zone, starts_ms) = beginning(&mut dice, theme);
        let count = match theme {
            0 => 25 + dice.below(40),
            1 => 4 + dice.below(16),
            _ => 12 + dice.below(25),
        };
        let mut steps = Vec::new();
        let mut at_ms = 0;
        let agents = 1 + dice.below(3);
        let schedules = if theme == 2 { 1 + dice.below(2) } else { 0 };
        for number in 0..agents + schedules + count {
            let what = match number {
                _ if number < agents => What::NewAgent,
                _ if number < agents + schedules => What::NewSchedule,
                _ => weighed(&mut dice, theme),
            };
            steps.push(Step { at_ms, seed: dice.next_u64(), what });
            at_ms += gap(&mut dice, theme);
            if theme == 2 && number == agents + schedules + count / 2 {
                // Long enough that the moment comes at which the clock is set.
                at_ms += i64::try_from(dice.below(150 * 60_000)).unwrap_or(0);
            }
        }
        Plan { seed, zone, starts_ms, budget: BudgetLimits::default(), abroad: false, steps }
    }

    /// In one of four, the model is somebody else's: the operator agrees before anything else, takes it back
    /// and agrees again.
    fn go_abroad(&mut self, dice: &mut Random) {
        self.abroad = dice.chance(1, 4);
        if !self.abroad {
            return;
        }
        let span = self.steps.last().map_or(0, |step| step.at_ms).max(10_000);
        self.steps.insert(0, Step { at_ms: 0, seed: dice.next_u64(), what: What::Agree });
        for _ in 0..2 + dice.below(4) {
            // Most turns are taken soon.
            let within = if dice.chance(2, 3) { 40_000.min(span) } else { span };
            let within = u64::try_from(within).unwrap_or(1);
            let at_ms = i64::try_from(dice.below(within)).unwrap_or(0);
            let pause = i64::try_from(dice.below(20_000)).unwrap_or(0);
            let there_and_back = [(What::TakeBack, at_ms), (What::Agree, at_ms + pause)];
            for (what, at_ms) in there_and_back {
                self.steps.push(Step { at_ms, seed: dice.next_u64(), what });
            }
        }
        self.steps.sort_by_key(|step| step.at_ms);
    }

    /// Adds somebody who tends a task, or a few, and what happens to them.
    fn weave_in_turns(&mut self, dice: &mut Random) {
        let span = self.steps.last().map_or(0, |step| step.at_ms).max(10_000);
        let some = |dice: &mut Random, below: i64| {
            i64::try_from(dice.below(u64::try_from(below).unwrap_or(1))).unwrap_or(0)
        };
        for _ in 0..=dice.below(2) {
            let at_ms = some(dice, 2_000);
            let made = [(What::NewTask, at_ms), (What::NewTender, at_ms + 500 + some(dice, 3_000))];
            for (what, at_ms) in made {
                self.steps.push(Step { at_ms, seed: dice.next_u64(), what });
            }
        }
        let whole = TURN_WEIGHTS.iter().map(|(_, weight)| weight).sum();
        for _ in 0..8 + dice.below(16) {
            let mut at = dice.below(whole);
            let chosen = TURN_WEIGHTS.iter().find(|(_, weight)| {
                let here = at < *weight;
                at = at.saturating_sub(*weight);
                here
            });
            let what = chosen.map_or(What::TellTender, |(what, _)| *what);
            let within = if dice.chance(1, 2) { 30_000.min(span) } else { span };
            let at_ms = some(dice, within);
            self.steps.push(Step { at_ms, seed: dice.next_u64(), what });
        }
        self.steps.sort_by_key(|step| step.at_ms);
    }
}

/// Budgets of a day, in one of four seeds with turns: enough for some questions, and for one on any day on
/// which nothing was lost.
fn little(dice: &mut Random) -> BudgetLimits {
    let none = BudgetLimits::default();
    match dice.below(16) {
        0 | 1 => BudgetLimits { tokens: Some(14_000 + dice.below(16_000)), ..none },
        2 => BudgetLimits { tool_calls: Some(1 + dice.below(6)), ..none },
        3 => match dice.chance(1, 2) {
            true => BudgetLimits { cost_micros: Some(120_000 + dice.below(100_000)), ..none },
            false => BudgetLimits { runtime_ms: Some(5_000 + dice.below(90_000)), ..none },
        },
        _ => none,
    }
}

fn beginning(dice: &mut Random, theme: usize) -> (&'static str, i64) {
    let near = theme == 2 || dice.chance(1, 2);
    let some = |dice: &mut Random, below: u64| i64::try_from(dice.below(below)).unwrap_or(0);
    if near {
        let (zone, change) = CHANGES[pick(dice, CHANGES.len())];
        // From two hours before to ten minutes after.
        let lead = some(dice, 130 * 60_000) - 10 * 60_000;
        (zone, change - lead)
    } else {
        (ZONES[pick(dice, ZONES.len())], 1_798_761_600_000 + some(dice, 86_400_000))
    }
}

fn weighed(dice: &mut Random, theme: usize) -> What {
    let whole: u64 = WEIGHTS.iter().map(|(_, weights)| weights[theme]).sum();
    let mut at = dice.below(whole);
    for (what, weights) in WEIGHTS {
        if at < weights[theme] {
            return *what;
        }
        at -= weights[theme];
    }
    What::NewTask
}

/// Time to the next step: bursts, seconds, and now and then hours.
fn gap(dice: &mut Random, theme: usize) -> i64 {
    let millis = match dice.below(20) {
        0..=9 => dice.below(60),
        10..=14 => dice.below(8_000),
        15..=17 => dice.below(240_000),
        18 => dice.below(1_800_000),
        _ if theme == 2 => dice.below(7_200_000),
        _ => dice.below(3_600_000),
    };
    i64::try_from(millis).unwrap_or(0)
}

/// A place in a list.
pub(crate) fn pick(dice: &mut Random, len: usize) -> usize {
    let len = u64::try_from(len.max(1)).unwrap_or(1);
    usize::try_from(dice.below(len)).unwrap_or(0)
}
