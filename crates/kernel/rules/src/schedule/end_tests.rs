use types::{Arming, At, Body, Digest, RunKey, ScheduleStatus, VectorClock, Wait, WaitFor, WaitId};

use super::*;
use crate::schedule::fixtures::{at, cron, id};

const STARTS_AT: &str = "2026-11-01T00:00Z";

fn schedule(status: ScheduleStatus) -> Schedule {
    Schedule { status, ..cron("0 7 * * *", "UTC", STARTS_AT) }
}

fn end(event: ScheduleEvent) -> End {
    End { event, clock: None, waits: vec![], why: "the schedule is over" }
}

fn open_wait() -> Record {
    let wait = Wait {
        agent_id: "agent_b".parse().unwrap(),
        waiting_for: WaitFor::Timer { schedule: id().to_string() },
        description: "the morning".to_owned(),
        run_key: RunKey(Digest::ZERO),
        deadline: at("2026-12-01T00:00Z"),
        state: WaitState::Open,
    };
    Record {
        id: "wait_1".parse().unwrap(),
        body: Body::AgentWait(wait),
        schema_version: 1,
        revision: 1,
        created_at: At::EPOCH,
        updated_at: At::EPOCH,
        deleted_at: None,
        clock: VectorClock::default(),
    }
}

fn last_record(writes: &[Write]) -> &RecordDraft {
    match writes.last() {
        Some(Write::Record(draft)) => draft,
        other => panic!("{other:?} is no record"),
    }
}

#[test]
fn a_schedule_ends_as_its_table_says_and_in_no_other_way() {
    use ScheduleEvent::{Disable, Expire, Pause, Resume};
    use ScheduleStatus::{Active, Disabled, Expired, Paused};
    for from in [Active, Paused, Expired, Disabled] {
        for event in [Pause, Resume, Disable, Expire] {
            let to = ends(id(), schedule(from), end(event)).map(|writes| {
                let over = last_record(&writes);
                assert_eq!((writes.len(), over.id.as_str()), (1, id().as_str()));
                over.body.clone()
            });
            let expected = match (from, event) {
                (Active | Paused | Expired, Disable) => Ok(schedule(Disabled).into()),
                (Active, Expire) => Ok(schedule(Expired).into()),
                _ => Err(NoSuchStep { from, event }),
            };
            assert_eq!(to, expected, "{from:?} {event:?}");
        }
    }
}

#[test]
fn whoever_waits_for_a_schedule_is_woken_by_its_end_and_its_clock_stops() {
    let clock = ArmMove::stop(Arming {
        schedule: id(),
        agent: "agent_a".parse().unwrap(),
        last_slot: None,
        next_at: Some(at("2026-11-02T07:00Z")),
        local_zone: None,
    });
    let why = "the schedule is over";
    let end =
        End { clock: Some(clock.clone()), waits: vec![open_wait()], ..end(ScheduleEvent::Expire) };
    let writes = ends(id(), schedule(ScheduleStatus::Active), end).unwrap();
    let wait: WaitId = "wait_1".parse().unwrap();
    let [Write::Record(broken), Write::QueueRun(tick), Write::Event(_), Write::Arm(stopped), _] =
        &writes[..]
    else {
        panic!("{writes:?}")
    };
    let Body::AgentWait(broken) = &broken.body else { panic!("{broken:?} is no wait") };
    assert_eq!(broken.state, WaitState::Broken { why: why.to_owned() });
    assert_eq!(*tick, wait::tick(&broken.agent_id, &wait));
    assert_eq!(*stopped, clock);
    assert_eq!(last_record(&writes).body, schedule(ScheduleStatus::Expired).into());
}
