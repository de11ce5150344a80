//! Schedules that were made, put off or paused while the clock was far ahead.

use dispatch::{Closing, Ending, Rested};
use runtime::CreateSchedule;
use store::{ReadDue, ReadRecords, Store as _, wait};
use types::{
    ArmMove, Arming, Author, Body, Commit, Domain, RecordDraft, Schedule, ScheduleId,
    ScheduleTrigger, TaskStatus, Token, WakeReason, Write,
};

use crate::clocks::{DAY, HOUR, at, cron, every, house_at};
use crate::house::House;

/// How far the clock is ahead.
const AHEAD: i64 = 3_650 * DAY;

impl House {
    /// Makes a schedule while the clock is ahead.
    fn made_ahead(&self, params: CreateSchedule) -> ScheduleId {
        self.world.advance_ms(AHEAD);
        let id = self.schedule(params);
        self.world.advance_ms(-AHEAD);
        id
    }

    fn body_of(&self, id: &ScheduleId) -> Schedule {
        let record = wait(self.store.record(Domain::Agent, id.into())).unwrap().unwrap();
        let Body::AgentSchedule(body) = record.body else { panic!("a schedule") };
        body
    }

    /// Writes a schedule and its clock past all rules.
    fn rewrite(&self, id: &ScheduleId, body: &Schedule, clock: Arming) {
        let from = clock.last_slot.clone();
        let draft = Write::Record(RecordDraft::live(id, body.clone()));
        let writes = vec![draft, Write::Arm(ArmMove { from, to: clock })];
        let commit = Commit::new(Domain::Agent, Author::Runtime, self.now(), writes);
        wait(self.store.commit(commit)).unwrap().done().unwrap();
    }
}

#[test]
fn a_schedule_that_was_made_while_the_clock_was_ahead_comes_round_when_it_is_right() {
    for starts_anew in [false, true] {
        let (house, agent) = house_at("2026-11-15T05:02:00Z", "Europe/Berlin");
        let daily = house.made_ahead(cron(&agent, "0 7 * * *", "local"));
        let hourly = house.made_ahead(every(&agent, 3_600));
        let once = house.made_ahead(CreateSchedule { one_shot: true, ..every(&agent, 600) });
        let often = house.made_ahead(cron(&agent, "*/5 * * * *", "UTC"));
        // One of them has come round there as well.
        house.drain_wrong_by(AHEAD + HOUR / 12);
        let house = if starts_anew { house.restart() } else { house };
        house.drain();
        assert_eq!(house.next(&daily), Some(at("2026-11-15T06:00:00Z")));
        assert_eq!(house.next(&hourly), Some(at("2026-11-15T06:02:00Z")));
        assert_eq!(house.next(&often), Some(at("2026-11-15T05:05:00Z")));
        assert_eq!(house.next(&once), Some(at("2026-11-15T05:12:00Z")));
        house.pass(2 * HOUR, 60_000);
        assert_eq!(house.slots(&daily), ["2026-11-15T07:00 succeeded"]);
        assert_eq!(house.slots(&hourly).len(), 2);
        assert_eq!(house.slots(&once), ["2026-11-15T05:12:00Z succeeded"]);
        assert_eq!(house.slots(&often).len(), 1 + 24, "every five minutes of two hours");
    }
}

#[test]
fn an_agent_that_went_to_sleep_while_the_clock_was_ahead_wakes_after_as_long_as_it_wanted() {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "UTC");
    house.world.advance_ms(AHEAD);
    let wake_at = Some(house.now().plus_millis(600_000));
    let rested = Rested { waits: vec![], wake_at };
    house.script.endings.lock().unwrap().push_back(Ending::Done(Closing::default(), rested));
    wait(house.ingress.wake(&agent, "r1")).unwrap();
    house.drain();
    house.world.advance_ms(-AHEAD);
    house.drain();
    house.world.advance_ms(599_000);
    house.drain();
    assert_eq!(house.turns(), 1);
    house.world.advance_ms(1_000);
    house.drain();
    assert_eq!(house.turns(), 2);
    let last = house.script.claims.lock().unwrap().pop().unwrap();
    assert_eq!(last.run.draft.reason, WakeReason::Timer);
}

#[test]
fn one_that_was_made_ahead_and_goes_by_changes_hears_of_them_when_the_clock_is_right() {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "UTC");
    let tokens = vec![Token::entity(&"task_special".parse().unwrap())];
    let trigger = ScheduleTrigger::Event { tokens };
    let id = house.made_ahead(CreateSchedule { trigger, ..cron(&agent, "* * * * *", "UTC") });
    house.drain();
    house.edit("special", "t", TaskStatus::Open);
    house.drain();
    assert_eq!(house.slots(&id).len(), 1, "{:?}", house.slots(&id));
}

#[test]
fn one_that_was_made_ahead_and_paused_comes_round_when_it_is_resumed() {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "UTC");
    let paused = true;
    let id = house.made_ahead(CreateSchedule { paused, ..every(&agent, 3_600) });
    house.drain();
    wait(house.waker.schedule_resume(id.as_str())).unwrap();
    assert_eq!(house.next(&id), Some(at("2026-11-15T06:02:00Z")));
}

#[test]
fn one_that_was_put_off_while_the_clock_was_ahead_comes_round_by_its_rule() {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "UTC");
    let id = house.schedule(cron(&agent, "0 7 * * *", "UTC"));
    house.pass(3 * HOUR, 60_000);
    let (known, clock) = (house.body_of(&id), wait(house.store.arming(id.clone())).unwrap());
    // Another version has named a zone that this one does not know, and the next knows it.
    let unknown = Schedule { zone: "Mars/Olympus".to_owned(), ..known.clone() };
    house.rewrite(&id, &unknown, clock.unwrap());
    house.drain_wrong_by(AHEAD);
    house.drain();
    let put_off = wait(house.store.arming(id.clone())).unwrap().unwrap();
    assert_eq!(put_off.next_at, Some(house.now().plus_millis(AHEAD + HOUR)), "it keeps its time");
    let draft = Write::Record(RecordDraft::live(&id, known));
    let commit = Commit::new(Domain::Agent, Author::Runtime, house.now(), vec![draft]);
    wait(house.store.commit(commit)).unwrap().done().unwrap();
    let house = house.restart();
    house.drain();
    assert_eq!(house.next(&id), Some(at("2026-11-16T07:00:00Z")));
    assert_eq!(house.slots(&id), ["2026-11-15T07:00 succeeded"], "nothing comes twice");
}

#[test]
fn what_lies_far_ahead_by_its_rule_is_not_looked_at() {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "UTC");
    let weekly = house.schedule(cron(&agent, "0 7 * * 0", "UTC"));
    house.schedule(cron(&agent, "0 7 1 * *", "UTC"));
    house.pass(3 * HOUR, HOUR);
    let astray = |house: &House| -> Vec<ScheduleId> {
        let than = house.now().plus_millis(DAY);
        let found = wait(house.store.armed_later(than, None, 10)).unwrap();
        found.into_iter().map(|(_, clock)| clock.schedule).collect()
    };
    assert_eq!(house.next(&weekly), Some(at("2026-11-22T07:00:00Z")));
    assert!(astray(&house).is_empty());
    house.drain_wrong_by(AHEAD);
    assert_eq!(astray(&house).len(), 2);
    house.drain();
    assert!(astray(&house).is_empty(), "once is enough");
}

#[test]
fn a_clock_from_before_the_program_was_there_moves_nothing() {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "UTC");
    let weekly = house.schedule(cron(&agent, "0 7 * * 0", "UTC"));
    let once = house.schedule(CreateSchedule { one_shot: true, ..every(&agent, 3 * 86_400) });
    house.pass(3 * HOUR, HOUR);
    let stand = |house: &House| [&weekly, &once].map(|id| (house.next(id), house.body_of(id)));
    let before = stand(&house);
    let now = house.now();
    house.world.set(at("1970-01-01T00:00:30Z"));
    house.drain();
    let house = house.restart();
    house.drain();
    assert_eq!(stand(&house), before);
    house.world.set(now);
    house.drain();
    assert_eq!(stand(&house), before);
    // Nor does it hide that another was ahead before it.
    house.drain_wrong_by(AHEAD);
    house.world.set(at("1970-01-01T00:00:30Z"));
    let house = house.restart();
    house.drain();
    house.world.set(now);
    house.drain();
    assert_eq!(stand(&house)[0], before[0]);
}
