//! Schedules on real wall clocks: absences, clocks that are set, hosts that travel.

use runtime::CreateSchedule;
use store::{ReadDue, ReadRuns, Store as _, wait};
use types::{
    AgentId, At, Body as RecordBody, CatchUp, Code, Domain, Occurrence, OccurrenceState, Overlap,
    Problem, Recurrence, ScheduleStatus, ScheduleTrigger, TaskStatus, Token, WakeReason, limits,
};

use crate::house::House;

pub(crate) const HOUR: i64 = 3_600_000;
pub(crate) const DAY: i64 = 24 * HOUR;

pub(crate) fn at(text: &str) -> At {
    text.parse().unwrap()
}

pub(crate) fn cron(agent: &AgentId, line: &str, zone: &str) -> CreateSchedule {
    CreateSchedule {
        agent: agent.clone(),
        recurrence: Recurrence {
            label: line.to_owned(),
            cron: Some(line.to_owned()),
            interval_seconds: None,
        },
        trigger: ScheduleTrigger::Cron,
        zone: zone.to_owned(),
        overlap: Overlap::Allow,
        catch_up: CatchUp::NEVER,
        one_shot: false,
        always: true,
        ends_at: None,
        paused: false,
        request: None,
    }
}

pub(crate) fn every(agent: &AgentId, seconds: u64) -> CreateSchedule {
    let recurrence =
        Recurrence { label: "often".to_owned(), cron: None, interval_seconds: Some(seconds) };
    CreateSchedule {
        recurrence,
        trigger: ScheduleTrigger::Interval,
        ..cron(agent, "* * * * *", "UTC")
    }
}

/// A house whose clock shows this, with an agent that has had its first wake before.
pub(crate) fn house_at(now: &str, zone: &str) -> (House, AgentId) {
    let house = House::new();
    house.world.move_to(zone);
    house.world.set(at(now).plus_millis(-20_000));
    let agent = house.agent("keeper", "home");
    house.world.set(at(now));
    (house, agent)
}

impl House {
    pub(crate) fn schedule(&self, params: CreateSchedule) -> types::ScheduleId {
        wait(self.waker.schedule_create(params)).unwrap().id
    }

    /// What became of a schedule's slots, oldest first: names, how many, and how.
    pub(crate) fn slots(&self, id: &types::ScheduleId) -> Vec<String> {
        let mut all = wait(self.store.occurrences(id.clone(), 1_000)).unwrap();
        all.reverse();
        let line = |o: &Occurrence| match o.count {
            1 => format!("{} {}", o.last_slot, o.state.as_str()),
            many => format!("{}..{} ({many}) {}", o.first_slot, o.last_slot, o.state.as_str()),
        };
        all.iter().map(line).collect()
    }

    /// Lets time pass in steps, as a running house sees it.
    pub(crate) fn pass(&self, millis: i64, step: i64) {
        let end = self.now().plus_millis(millis);
        while self.now() < end {
            self.drain();
            self.world.advance_ms(step.min(end.millis() - self.now().millis()));
        }
        self.drain();
    }
}

#[test]
fn a_slot_in_the_hour_that_comes_twice_runs_once_in_three_zones() {
    let overlaps = [
        ("Europe/Berlin", "2026-10-24T23:59:00Z", "30 2 * * *", "2026-10-25T02:30"),
        ("America/New_York", "2026-11-01T04:59:00Z", "30 1 * * *", "2026-11-01T01:30"),
        ("Australia/Lord_Howe", "2027-04-03T14:29:00Z", "45 1 * * *", "2027-04-04T01:45"),
    ];
    for (zone, now, line, slot) in overlaps {
        let (house, agent) = house_at(now, zone);
        let id = house.schedule(cron(&agent, line, zone));
        house.pass(3 * HOUR, 60_000);
        assert_eq!(house.slots(&id), [format!("{slot} succeeded")], "{zone}");
        assert_eq!(house.turns(), 1, "{zone}");
    }
}

#[test]
fn a_slot_in_the_hour_that_never_comes_runs_right_after_it_in_three_zones() {
    let gaps = [
        ("Europe/Berlin", "2027-03-28T00:30:00Z", "30 2 * * *", "2027-03-28T02:30"),
        ("America/New_York", "2027-03-14T06:30:00Z", "30 2 * * *", "2027-03-14T02:30"),
        ("Australia/Lord_Howe", "2026-10-03T15:00:00Z", "15 2 * * *", "2026-10-04T02:15"),
    ];
    for (zone, now, line, slot) in gaps {
        let (house, agent) = house_at(now, zone);
        let id = house.schedule(cron(&agent, line, zone));
        house.pass(HOUR, 60_000);
        assert_eq!(house.slots(&id), [format!("{slot} succeeded")], "{zone}");
    }
}

#[test]
fn a_laptop_closed_for_a_week_makes_up_once_or_not_at_all_and_reports_the_rest() {
    let week = |catch_up: CatchUp| {
        let (house, agent) = house_at("2026-11-02T06:30:00Z", "UTC");
        let id = house.schedule(CreateSchedule { catch_up, ..cron(&agent, "0 7 * * *", "UTC") });
        house.pass(HOUR, HOUR / 2);
        house.world.advance_ms(7 * DAY);
        let house = house.restart();
        house.drain();
        let reasons: Vec<WakeReason> =
            house.runs(&agent).iter().skip(2).map(|run| run.draft.reason).collect();
        (house.slots(&id), reasons)
    };
    let missed = "2026-11-03T07:00..2026-11-09T07:00 (7) missed";
    let (slots, reasons) = week(CatchUp::NEVER);
    assert_eq!(slots, ["2026-11-02T07:00 succeeded", missed]);
    assert!(reasons.is_empty());
    let (slots, reasons) = week(CatchUp::ONCE);
    assert_eq!(slots[1], "2026-11-03T07:00..2026-11-09T07:00 (7) succeeded");
    assert_eq!(reasons, [WakeReason::CatchUp]);
    let day = CatchUp { allowed: true, window_seconds: Some(86_400), runs_max: 2 };
    let (slots, reasons) = week(day);
    assert_eq!(slots[1], "2026-11-03T07:00..2026-11-08T07:00 (6) missed");
    assert_eq!(slots[2], "2026-11-09T07:00 succeeded");
    assert_eq!(reasons, [WakeReason::CatchUp]);
}

#[test]
fn a_clock_set_back_a_day_runs_no_slot_twice_and_delays_nobody() {
    let (house, agent) = house_at("2026-11-15T06:30:00Z", "UTC");
    let id = house.schedule(cron(&agent, "0 7 * * *", "UTC"));
    house.pass(HOUR, HOUR / 4);
    assert_eq!(house.slots(&id), ["2026-11-15T07:00 succeeded"]);
    // A wake that waits for its cooldown when the clock is set back does not wait for a day.
    house.edit("a", "t", TaskStatus::Done);
    house.drain();
    house.edit("a", "t", TaskStatus::Open);
    house.drain();
    let turns = house.turns();
    house.world.advance_ms(-DAY);
    house.drain();
    assert_eq!(house.turns(), turns + 1);
    house.pass(DAY + DAY / 2, HOUR);
    assert_eq!(house.slots(&id).len(), 1, "the slot of the day before, or of today, came again");
    house.pass(DAY, HOUR / 2);
    assert_eq!(house.slots(&id)[1], "2026-11-16T07:00 succeeded");
}

impl House {
    /// When a schedule comes round next.
    pub(crate) fn next(&self, id: &types::ScheduleId) -> Option<At> {
        wait(self.waker.schedule_get(id.as_str())).unwrap().next_at
    }

    /// Drains while the clock is wrong by so much.
    pub(crate) fn drain_wrong_by(&self, millis: i64) {
        self.world.advance_ms(millis);
        self.drain();
        self.world.advance_ms(-millis);
    }
}

#[test]
fn a_clock_that_was_far_ahead_for_a_while_silences_no_schedule() {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "Europe/Berlin");
    let daily = house.schedule(cron(&agent, "0 7 * * *", "local"));
    let often = house.schedule(cron(&agent, "*/5 * * * *", "UTC"));
    let hourly = house.schedule(every(&agent, 3_600));
    house.drain_wrong_by(3_650 * DAY);
    house.drain();
    assert_eq!(house.next(&daily), Some(at("2026-11-15T06:00:00Z")));
    assert_eq!(house.next(&often), Some(at("2026-11-15T05:05:00Z")));
    assert_eq!(house.next(&hourly), Some(at("2026-11-15T06:02:00Z")));
    house.pass(2 * HOUR, 60_000);
    for (id, slot) in [
        (&daily, "2026-11-15T07:00 succeeded"),
        (&often, "2026-11-15T05:05 succeeded"),
        (&hourly, "2026-11-15T06:02:00Z succeeded"),
    ] {
        assert!(house.slots(id).contains(&slot.to_owned()), "{:?}", house.slots(id));
    }
    assert_eq!(house.slots(&often).len(), 1 + 24, "every five minutes of two hours");
}

#[test]
fn a_start_after_a_clock_that_was_far_ahead_silences_no_schedule() {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "Europe/Berlin");
    let id = house.schedule(cron(&agent, "*/5 * * * *", "UTC"));
    // It ends in the right time, and comes round weekly: so far ahead it lies by its rule.
    let weekly = house.schedule(cron(&agent, "0 7 * * 0", "UTC"));
    house.pass(2 * HOUR, HOUR / 12);
    let weekly_next = house.next(&weekly);
    house.drain_wrong_by(3_650 * DAY);
    // Something was written since, under the right clock: the time of the last change tells nothing.
    house.edit("a", "t", TaskStatus::Open);
    let house = house.restart();
    house.drain();
    assert_eq!(house.next(&id), Some(at("2026-11-15T07:05:00Z")));
    assert_eq!(house.next(&weekly), weekly_next);
    house.pass(HOUR / 2, 60_000);
    assert_eq!(house.slots(&id).last().unwrap(), "2026-11-15T07:30 succeeded");
    let before = (house.next(&id), house.slots(&id));
    let house = house.restart();
    assert_eq!((house.next(&id), house.slots(&id)), before, "it was mended, and that was all");
}

#[test]
fn what_was_dealt_with_is_not_dealt_with_again_when_the_clock_has_caught_up() {
    let (house, agent) = house_at("2026-11-15T05:00:00Z", "UTC");
    let catch_up = CatchUp::ONCE;
    let id = house.schedule(CreateSchedule { catch_up, ..cron(&agent, "0 7 * * *", "UTC") });
    house.pass(10 * DAY, HOUR);
    let (slots, turns) = (house.slots(&id), house.turns());
    assert_eq!(slots.len(), 10);
    // Behind for a while, or before the schedule was made, and seen by a start as well.
    house.drain_wrong_by(-5 * DAY);
    house.drain_wrong_by(-3_650 * DAY);
    house.world.advance_ms(-5 * DAY);
    let house = house.restart();
    house.drain();
    house.world.advance_ms(5 * DAY);
    house.drain();
    assert_eq!(house.slots(&id), slots, "what had come came again");
    house.pass(DAY, HOUR);
    assert_eq!(house.slots(&id).len(), 11);
    assert_eq!(house.turns(), 1, "one more after {turns}");
    // Far ahead twice: the second time only what the first had not dealt with.
    house.drain_wrong_by(300 * DAY);
    house.drain_wrong_by(301 * DAY);
    house.drain();
    let slots = house.slots(&id);
    let ahead = &slots[11..];
    assert_eq!(ahead.len(), 2, "{ahead:?}");
    assert!(ahead[1].starts_with("2027-09-22T07:00 "), "{ahead:?}");
}

#[test]
fn a_schedule_is_not_brought_round_by_hand_while_its_agent_or_everything_is_stopped() {
    let (house, agent) = house_at("2026-11-15T05:00:00Z", "Europe/Berlin");
    let id = house.schedule(cron(&agent, "0 7 * * *", "local"));
    house.pass(3 * HOUR, HOUR);
    let runs = || wait(house.store.runs(agent.clone(), 50)).unwrap().len();
    let ask = |request: &str| {
        let (from, to) = (at("2026-11-15T00:00:00Z"), at("2026-11-15T12:00:00Z"));
        let trigger = wait(house.waker.schedule_trigger(id.as_str(), request)).map(drop);
        let backfill = wait(house.waker.schedule_backfill(id.as_str(), from, to)).map(drop);
        [trigger, backfill].map(|asked| asked.map_err(|error| Problem::from(error).code))
    };
    wait(house.fleet.agent_pause(agent.as_str())).unwrap();
    let before = runs();
    assert_eq!(ask("r1"), [Err(Code::AgentStopped); 2]);
    assert_eq!(runs(), before, "none is queued");
    wait(house.fleet.agent_resume(agent.as_str())).unwrap();
    wait(house.fleet.kill_on()).unwrap();
    let before = runs();
    assert_eq!(ask("r2"), [Err(Code::KillSwitchOn); 2]);
    assert_eq!(runs(), before, "none is queued");
    wait(house.fleet.kill_off()).unwrap();
    assert_eq!(ask("r3"), [Ok(()); 2]);
}

#[test]
fn a_schedule_is_named_by_the_end_of_its_id_as_long_as_it_is_the_only_one() {
    let (house, agent) = house_at("2026-11-15T05:00:00Z", "Europe/Berlin");
    let id = house.schedule(cron(&agent, "0 7 * * *", "local"));
    let other = house.schedule(cron(&agent, "0 8 * * *", "local"));
    let named = |text: &str| wait(house.waker.schedule_get(text)).map(|view| view.id);
    let code = |text: &str| Problem::from(named(text).unwrap_err()).code;
    let ending = &id.as_str()[id.as_str().len() - 6..];
    assert_eq!((named(ending).unwrap(), named(id.as_str()).unwrap()), (id.clone(), id.clone()));
    assert_ne!(id, other);
    wait(house.waker.schedule_disable(ending)).unwrap();
    assert_eq!(named(ending).unwrap(), id, "one that is over is still named");
    let agents_end = &agent.as_str()[agent.as_str().len() - 6..];
    for text in [&ending[3..], "0000", "", "schedule_", agents_end, agent.as_str()] {
        assert_eq!(code(text), Code::UnknownSchedule, "{text:?}");
    }
    // One more that ends so: nobody guesses which is meant.
    let clock = wait(house.store.arming(id.clone())).unwrap().unwrap();
    let third =
        types::Arming { schedule: format!("schedule_third{ending}").parse().unwrap(), ..clock };
    let write = types::Write::Arm(types::ArmMove { from: None, to: third });
    let commit =
        types::Commit::new(Domain::Agent, types::Author::Operator, house.now(), vec![write]);
    wait(house.store.commit(commit)).unwrap().done().unwrap();
    assert_eq!(code(ending), Code::AmbiguousReference);
}

#[test]
fn seven_in_the_morning_stays_seven_in_the_morning_when_the_host_travels() {
    let (house, agent) = house_at("2026-11-15T05:00:00Z", "Europe/Berlin");
    let catch_up = CatchUp::ONCE;
    let id = house.schedule(CreateSchedule { catch_up, ..cron(&agent, "0 7 * * *", "local") });
    house.pass(2 * HOUR, HOUR / 2);
    assert_eq!(house.slots(&id), ["2026-11-15T07:00 succeeded"]);
    // West: the same hour comes again by the wall, and is not a new slot.
    house.world.move_to("America/New_York");
    house.pass(12 * HOUR, HOUR);
    assert_eq!(house.slots(&id).len(), 1);
    let next = wait(house.waker.schedule_get(id.as_str())).unwrap().next_at;
    assert_eq!(next, Some(at("2026-11-16T12:00:00Z")));
    // East: an hour that was jumped over is made up for.
    house.world.set(at("2026-11-16T11:00:00Z"));
    house.world.move_to("Asia/Kolkata");
    house.drain();
    assert_eq!(house.slots(&id)[1], "2026-11-16T07:00 succeeded");
}

#[test]
fn a_one_shot_is_over_after_its_occurrence_and_an_ending_schedule_expires() {
    let (house, agent) = house_at("2026-11-15T06:00:00Z", "UTC");
    let once = house.schedule(CreateSchedule { one_shot: true, ..every(&agent, 600) });
    let ends_at = Some(house.now().plus_millis(25 * 60_000));
    let ends = house.schedule(CreateSchedule { ends_at, ..every(&agent, 600) });
    house.pass(2 * HOUR, 60_000);
    assert_eq!(house.slots(&once), ["2026-11-15T06:10:00Z succeeded"]);
    let view = wait(house.waker.schedule_get(once.as_str())).unwrap();
    assert_eq!((view.schedule.status, view.next_at), (ScheduleStatus::Disabled, None));
    assert_eq!(house.slots(&ends).len(), 2);
    let view = wait(house.waker.schedule_get(ends.as_str())).unwrap();
    assert_eq!((view.schedule.status, view.next_at), (ScheduleStatus::Expired, None));
}

#[test]
fn a_one_shot_is_over_by_coming_round_whoever_brings_it_round() {
    let (house, agent) = house_at("2026-11-15T06:00:00Z", "UTC");
    let tokens = vec![Token::entity(&"task_special".parse().unwrap())];
    let by_event = ScheduleTrigger::Event { tokens };
    let by_clock = house.schedule(CreateSchedule { one_shot: true, ..every(&agent, 600) });
    let by_hand = house.schedule(CreateSchedule { one_shot: true, ..every(&agent, 3_600) });
    let by_event =
        CreateSchedule { one_shot: true, trigger: by_event, ..cron(&agent, "* * * * *", "UTC") };
    let by_event = house.schedule(by_event);
    // Nothing of it ends as long as its agent rests.
    wait(house.waker.schedule_trigger(by_hand.as_str(), "now")).unwrap();
    wait(house.fleet.agent_pause(agent.as_str())).unwrap();
    house.edit("special", "t", TaskStatus::Open);
    house.pass(HOUR / 2, 60_000);
    house.edit("special", "t", TaskStatus::Done);
    house.pass(2 * HOUR, HOUR / 2);
    for id in [&by_clock, &by_hand, &by_event] {
        assert_eq!(house.slots(id).len(), 1, "once and no more");
        assert!(house.slots(id)[0].ends_with("in_flight"), "{:?}", house.slots(id));
        let RecordBody::AgentSchedule(kept) = house.record(id) else { panic!("{id}") };
        assert_eq!(kept.status, ScheduleStatus::Disabled);
        let view = wait(house.waker.schedule_get(id.as_str())).unwrap();
        assert_eq!((view.schedule.status, view.next_at), (ScheduleStatus::Disabled, None));
    }
}

#[test]
fn a_one_shot_that_was_paused_over_its_time_keeps_what_resuming_it_promises() {
    let (house, agent) = house_at("2026-11-15T06:00:00Z", "UTC");
    let once = |params| house.schedule(CreateSchedule { one_shot: true, ..params });
    let interval = once(every(&agent, 600));
    let by_cron = once(cron(&agent, "*/10 * * * *", "UTC"));
    let ends_at = Some(at("2026-11-15T06:15:00Z"));
    let only = once(CreateSchedule { ends_at, ..cron(&agent, "10 6 * * *", "UTC") });
    let all = [&interval, &by_cron, &only];
    for id in all {
        wait(house.waker.schedule_pause(id.as_str())).unwrap();
    }
    house.pass(2_000_000, 100_000);
    assert_eq!(all.map(|id| house.slots(id).len()), [0; 3]);
    let [interval_is, by_cron_is, only_is] =
        all.map(|id| wait(house.waker.schedule_resume(id.as_str())).unwrap());
    let next = Some(at("2026-11-15T06:40:00Z"));
    for view in [interval_is, by_cron_is] {
        assert_eq!((view.schedule.status, view.next_at), (ScheduleStatus::Active, next));
    }
    assert_eq!((only_is.schedule.status, only_is.next_at), (ScheduleStatus::Expired, None));
    assert_eq!(only_is.last.map(|one| one.state), Some(OccurrenceState::Missed));
    house.pass(HOUR, 60_000);
    assert_eq!(house.slots(&interval), ["2026-11-15T06:40:00Z succeeded"]);
    assert_eq!(house.slots(&by_cron), ["2026-11-15T06:40 succeeded"]);
    assert_eq!(house.slots(&only), ["2026-11-15T06:10 missed"]);
    for id in [&interval, &by_cron] {
        let view = wait(house.waker.schedule_get(id.as_str())).unwrap();
        assert_eq!((view.schedule.status, view.next_at), (ScheduleStatus::Disabled, None));
    }
}

#[test]
fn schedules_that_are_over_take_no_room_and_a_request_that_was_done_needs_none() {
    let (house, agent) = house_at("2026-11-15T06:00:00Z", "UTC");
    let kept = house.schedule(cron(&agent, "0 7 * * *", "UTC"));
    let once = |number: usize| {
        let request = Some(format!("once {number}"));
        CreateSchedule { one_shot: true, request, ..every(&agent, 600) }
    };
    house.world.advance_ms(1_000);
    let mut last = kept.clone();
    for number in 2..=limits::SCHEDULES_MAX {
        last = house.schedule(once(number));
    }
    let full = wait(house.waker.schedule_create(once(1_000))).unwrap_err();
    assert_eq!(Problem::from(full).code, Code::BadSchedule);
    assert_eq!(house.schedule(once(limits::SCHEDULES_MAX)), last, "the same request again");
    house.pass(HOUR / 2, HOUR / 4);
    house.schedule(once(1_000));
    house.schedule(once(1_001));
    let listed = wait(house.waker.schedule_list(&agent)).unwrap();
    assert_eq!(listed.last().map(|view| &view.id), Some(&kept), "the others are newer and over");
}

#[test]
fn overlap_is_allowed_forbidden_or_replaced_and_each_has_its_record() {
    for (overlap, expected) in [
        (Overlap::Allow, ["in_flight", "in_flight"]),
        (Overlap::Forbid, ["in_flight", "skipped"]),
        (Overlap::Replace, ["skipped", "in_flight"]),
    ] {
        let (house, agent) = house_at("2026-11-15T06:00:00Z", "UTC");
        let id = house.schedule(CreateSchedule { overlap, ..every(&agent, 600) });
        wait(house.fleet.agent_pause(agent.as_str())).unwrap();
        house.pass(20 * 60_000, 60_000);
        let states: Vec<String> = house
            .slots(&id)
            .iter()
            .map(|slot| slot.split_whitespace().last().unwrap().to_owned())
            .collect();
        assert_eq!(states, expected, "{overlap:?}");
        wait(house.fleet.agent_resume(agent.as_str())).unwrap();
        house.drain();
        let open = wait(house.store.in_flight(id)).unwrap();
        assert!(open.is_empty(), "{overlap:?}: an occurrence outlived its run");
    }
}

#[test]
fn pausing_resuming_triggering_and_backfilling() {
    let (house, agent) = house_at("2026-11-15T06:05:00Z", "UTC");
    let id = house.schedule(cron(&agent, "0 * * * *", "UTC"));
    wait(house.waker.schedule_pause(id.as_str())).unwrap();
    house.pass(3 * HOUR, HOUR / 2);
    assert!(house.slots(&id).is_empty());
    let one = wait(house.waker.schedule_trigger(id.as_str(), "now")).unwrap();
    assert_eq!(one.state, OccurrenceState::InFlight);
    let again = wait(house.waker.schedule_trigger(id.as_str(), "now")).unwrap();
    assert_eq!(again.run_key, one.run_key, "the same request is the same run");
    house.drain();
    assert_eq!(house.slots(&id), ["manual:now succeeded"]);
    wait(house.waker.schedule_resume(id.as_str())).unwrap();
    house.pass(HOUR, 60_000);
    assert_eq!(house.slots(&id).len(), 2, "what passed during a pause is not made up for");
    let from = at("2026-11-15T06:30:00Z");
    let turned = wait(house.waker.schedule_backfill(id.as_str(), house.now(), from));
    assert_eq!(Problem::from(turned.unwrap_err()).code, Code::EndBeforeStart);
    let count = wait(house.waker.schedule_backfill(id.as_str(), from, house.now())).unwrap();
    assert_eq!(count, 3, "07, 08 and 09 had not run, 10 had");
    house.pass(60_000, 10_000);
    assert_eq!(house.slots(&id).len(), 5);
    wait(house.waker.schedule_disable(id.as_str())).unwrap();
    let over = wait(house.waker.schedule_trigger(id.as_str(), "later")).unwrap_err();
    assert_eq!(Problem::from(over).code, Code::BadSchedule);
    let over = wait(house.waker.schedule_resume(id.as_str())).unwrap_err();
    assert_eq!(Problem::from(over).code, Code::NoSuchStep);
}

#[test]
fn a_schedule_by_event_comes_round_with_the_change_and_never_by_the_clock() {
    let (house, agent) = house_at("2026-11-15T06:05:00Z", "UTC");
    let tokens = vec![Token::entity(&"task_special".parse().unwrap())];
    let trigger = ScheduleTrigger::Event { tokens };
    let id = house.schedule(CreateSchedule { trigger, ..cron(&agent, "* * * * *", "UTC") });
    house.pass(HOUR, HOUR / 4);
    assert!(house.slots(&id).is_empty());
    house.edit("special", "t", TaskStatus::Open);
    house.drain();
    let slots = house.slots(&id);
    assert_eq!(slots.len(), 1);
    assert!(slots[0].starts_with("event:") && slots[0].ends_with("succeeded"), "{slots:?}");
}

#[test]
fn bad_schedules_are_refused_with_a_code_and_leave_nothing() {
    let (house, agent) = house_at("2026-11-15T06:05:00Z", "UTC");
    let refused = |params: CreateSchedule| {
        let problem = Problem::from(wait(house.waker.schedule_create(params)).unwrap_err());
        assert!(!problem.hint.is_empty());
        problem.code
    };
    for line in ["61 * * * *", "* * * *", "a b c d e", "0 0 30 2 *", ""] {
        assert_eq!(refused(cron(&agent, line, "UTC")), Code::BadSchedule, "{line:?}");
    }
    for zone in ["Mars/Olympus", "", "europe/berlin2"] {
        assert_eq!(refused(cron(&agent, "0 7 * * *", zone)), Code::UnknownZone, "{zone:?}");
    }
    let ends_at = Some(house.now().plus_millis(-1));
    let over = CreateSchedule { ends_at, ..cron(&agent, "0 7 * * *", "UTC") };
    assert_eq!(refused(over), Code::BadSchedule);
    let nobody = "agent_nobody".parse().unwrap();
    assert_eq!(refused(cron(&nobody, "0 7 * * *", "UTC")), Code::UnknownAgent);
    assert!(wait(house.waker.schedule_list(&agent)).unwrap().is_empty());
    assert_eq!(wait(house.store.outlook(house.now(), 9)).unwrap().next, None);
}
