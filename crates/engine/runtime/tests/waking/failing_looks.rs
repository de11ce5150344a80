//! Looks of which a part fails: all the rest is done, and those who can run are offered.

use std::path::Path;

use dispatch::{Look, Work};
use runtime::CreateSchedule;
use store::{ReadDue, wait};
use types::{AgentId, Code, ScheduleId, WaitFor};

use crate::clocks::{cron, every, house_at};
use crate::house::House;

/// Makes the record of a schedule one that nobody can read, while nobody has the home open.
#[expect(clippy::disallowed_methods, reason = "what a disk does goes around the store")]
fn spoil(home: &Path, id: &ScheduleId) {
    let file = rusqlite::Connection::open(home.join("agent.db")).unwrap();
    let sql = "UPDATE entities SET body = x'ff' WHERE id = ?1";
    assert_eq!(file.execute(sql, [id.as_str()]).unwrap(), 1);
}

impl House {
    fn look(&self) -> Look {
        wait(self.waker.look()).unwrap()
    }
}

#[test]
fn a_schedule_that_cannot_be_read_keeps_no_other_from_coming_round() {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "Europe/Berlin");
    let first = house.schedule(cron(&agent, "*/5 * * * *", "local"));
    let often = house.schedule(cron(&agent, "*/5 * * * *", "local"));
    house.rest_for(&agent, "r1", &[WaitFor::Operator]);
    house.world.advance_ms(300_000);
    let house = house.restart_after(|home| spoil(home, &first));
    let problem = house.look().problem.unwrap();
    assert_ne!(problem.code, Code::RunInterrupted, "{problem:?}");
    let came = wait(house.store.occurrences(often.clone(), 10)).unwrap();
    assert_eq!(came.len(), 1);
    // The clock was ahead, the host travels, and a wait is over: each is seen to.
    house.world.advance_ms(3_650 * 86_400_000);
    assert!(house.look().problem.is_some());
    assert!(wait(house.store.open_waits(agent.clone(), 10)).unwrap().is_empty());
    house.world.advance_ms(-3_650 * 86_400_000);
    house.world.move_to("Asia/Tokyo");
    assert!(house.look().problem.is_some());
    let clock = wait(house.store.arming(often)).unwrap().unwrap();
    assert_eq!(clock.local_zone.as_deref(), Some("Asia/Tokyo"));
    assert!(clock.next_at < Some(house.now().plus_millis(300_001)), "{clock:?}");
}

/// A house with a run that waits, and a schedule and a wait that are due.
fn much_to_do() -> (House, AgentId, ScheduleId) {
    let (house, agent) = house_at("2026-11-15T05:02:00Z", "UTC");
    house.rest_for(&agent, "r1", &[WaitFor::Operator]);
    let once = house.schedule(CreateSchedule { one_shot: true, ..every(&agent, 60) });
    house.world.advance_ms(3_650 * 86_400_000);
    wait(house.ingress.wake(&agent, "r2")).unwrap();
    house.world.advance_ms(-3_649 * 86_400_000);
    (house, agent, once)
}

#[test]
fn a_step_that_panics_is_told_and_those_who_are_queued_run_all_the_same() {
    let mut broke_off = 0;
    // The first time it is the look itself that asks for the time.
    for number in 2..20 {
        let (house, agent, once) = much_to_do();
        let mut asked = 0;
        house.world.meanwhile(move || {
            asked += 1;
            assert!(asked < number, "planted");
            false
        });
        let look = house.look();
        house.world.meanwhile(|| true);
        assert_eq!(look.ready.first().map(|run| &run.agent), Some(&agent), "at {number}");
        match look.problem {
            Some(problem) => {
                broke_off += 1;
                assert_eq!(problem.code, Code::RunInterrupted);
                assert_eq!(problem.message, "the work broke off: planted");
            }
            None => break,
        }
        assert!(house.look().problem.is_none(), "it is tried again");
        assert!(wait(house.store.open_waits(agent, 10)).unwrap().is_empty());
        assert_eq!(wait(house.store.occurrences(once, 10)).unwrap().len(), 1);
    }
    assert!(broke_off > 3, "{broke_off}");
}
