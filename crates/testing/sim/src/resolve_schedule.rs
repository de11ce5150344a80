//! Schedules of all kinds, above all those that come round where a wall clock is set.

use testkit::Random;
use types::{AgentId, At, CatchUp, Overlap, Recurrence, ScheduleTrigger, Token};
use wake::CreateSchedule;

use crate::call::Call;
use crate::plan::{ZONES, pick};

/// Cron lines; several fall into hours that exist twice, or not at all.
const LINES: [&str; 10] = [
    "30 2 * * *",
    "30,45 1,2 * * *",
    "45 1 * * *",
    "*/15 * * * *",
    "0,30 1-3 * * *",
    "15 2 * * *",
    "0 * * * *",
    "0 7 * * 1-5",
    "5 2,3 * * *",
    "50 1,2 * * *",
];

/// Asks for a schedule.
pub(crate) fn new_schedule(
    dice: &mut Random,
    agent: AgentId,
    name: String,
    (now, here): (At, &str),
) -> Option<Call> {
    let interval = [300, 900, 3_600, 7_200, 86_400][pick(dice, 5)];
    let recurrence = Recurrence {
        label: "often".to_owned(),
        cron: Some(LINES[pick(dice, LINES.len())].to_owned()),
        interval_seconds: Some(interval),
    };
    let trigger = match dice.below(8) {
        0..=4 => ScheduleTrigger::Cron,
        5 | 6 => ScheduleTrigger::Interval,
        _ => ScheduleTrigger::Event { tokens: vec![Token::semantic("TASK").ok()?] },
    };
    let zone = match dice.below(6) {
        0 => "local",
        // Where the host is, a clock is often about to be set.
        1..=3 => here,
        _ => ZONES[pick(dice, ZONES.len())],
    };
    let catch_up = CatchUp {
        allowed: dice.chance(3, 4),
        window_seconds: [None, Some(3_600), Some(86_400)][pick(dice, 3)],
        runs_max: [1, 1, 2, 3][pick(dice, 4)],
    };
    let days = i64::try_from(1 + dice.below(3)).unwrap_or(1);
    let ends_at = dice.chance(1, 6).then(|| now.plus_millis(days * 86_400_000));
    Some(Call::NewSchedule(CreateSchedule {
        agent,
        recurrence,
        trigger,
        zone: zone.to_owned(),
        overlap: [Overlap::Allow, Overlap::Forbid, Overlap::Replace][pick(dice, 3)],
        catch_up,
        one_shot: dice.chance(1, 8),
        always: dice.chance(1, 4),
        ends_at,
        paused: dice.chance(1, 12),
        request: Some(name),
    }))
}
