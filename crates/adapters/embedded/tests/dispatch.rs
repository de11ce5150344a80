//! The dispatcher over scripted work, on paused time.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dispatch::{Dispatch, Look, Signal, Step, Work};
use embedded::Embedded;
use testkit::FakeWorld;
use tokio::runtime::Handle;
use tokio::sync::watch;
use types::{AgentId, Code, Priority, Problem, ReadyRun};
use world::World;

/// Work that is a list of runs, each a second long.
struct Script {
    queue: Mutex<Vec<(AgentId, u64)>>,
    next: Mutex<Option<types::At>>,
    looks: Mutex<u32>,
    at_once: Mutex<BTreeMap<AgentId, u32>>,
    most: Mutex<(u32, usize)>,
    taken: Mutex<Vec<u64>>,
    fails: Mutex<u32>,
    /// Looks that name what is due and cannot fire it.
    overdue_fails: Mutex<u32>,
    /// How often run seven fails.
    seven_fails: Mutex<u32>,
    stir: watch::Sender<u64>,
}

impl Script {
    fn new(runs: &[(&str, u64)]) -> Arc<Script> {
        let run = |(name, n): &(&str, u64)| (format!("agent_{name}").parse().unwrap(), *n);
        Arc::new(Script {
            queue: Mutex::new(runs.iter().map(run).collect()),
            next: Mutex::default(),
            looks: Mutex::default(),
            at_once: Mutex::default(),
            most: Mutex::default(),
            taken: Mutex::default(),
            fails: Mutex::default(),
            overdue_fails: Mutex::default(),
            seven_fails: Mutex::new(1),
            stir: watch::channel(0).0,
        })
    }

    fn taken(&self) -> Vec<u64> {
        self.taken.lock().unwrap().clone()
    }
}

/// The dispatcher's side of the script.
#[derive(Clone)]
struct Side(Arc<Script>);

impl Work for Side {
    fn recover(&self) -> Step<()> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn look(&self) -> Step<Look> {
        let script = Arc::clone(&self.0);
        Box::pin(async move {
            *script.looks.lock().unwrap() += 1;
            let fails = *script.fails.lock().unwrap();
            *script.fails.lock().unwrap() = fails.saturating_sub(1);
            assert_ne!(fails, 2, "the last but one of the looks that fail panics");
            if fails > 0 {
                return Err(Problem::new(Code::DiskFull, "full", "free some"));
            }
            let queue = script.queue.lock().unwrap();
            let ready = queue.iter().map(|(agent, number)| ReadyRun {
                agent: agent.clone(),
                number: *number,
                priority: Priority::Normal,
            });
            let ready = ready.collect();
            let mut overdue = script.overdue_fails.lock().unwrap();
            if *overdue > 0 {
                *overdue -= 1;
                let problem = Some(Problem::new(Code::DiskFull, "full", "free some"));
                let next = match *overdue {
                    // The next look fires it.
                    0 => script.next.lock().unwrap().take(),
                    _ => *script.next.lock().unwrap(),
                };
                return Ok(Look { ready, next, problem });
            }
            Ok(Look { ready, next: *script.next.lock().unwrap(), problem: None })
        })
    }

    fn stirred(&self) -> Signal {
        let mut stir = self.0.stir.subscribe();
        Box::pin(async move { drop(stir.changed().await) })
    }

    fn work(&self, agent: AgentId) -> Step<()> {
        let script = Arc::clone(&self.0);
        Box::pin(async move {
            let run = {
                let mut queue = script.queue.lock().unwrap();
                let Some(at) = queue.iter().position(|(a, _)| *a == agent) else { return Ok(()) };
                let mut at_once = script.at_once.lock().unwrap();
                *at_once.entry(agent.clone()).or_default() += 1;
                let mut most = script.most.lock().unwrap();
                most.0 = most.0.max(at_once[&agent]);
                most.1 = most.1.max(at_once.len());
                queue.remove(at).1
            };
            assert_ne!(run, 13, "the turn of run 13 panics");
            let fails = *script.seven_fails.lock().unwrap();
            if run == 7 && fails > 0 {
                *script.seven_fails.lock().unwrap() = fails - 1;
                script.at_once.lock().unwrap().remove(&agent);
                script.queue.lock().unwrap().push((agent, run));
                return Err(Problem::new(Code::DiskFull, "full", "free some"));
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
            script.at_once.lock().unwrap().remove(&agent);
            script.taken.lock().unwrap().push(run);
            script.stir.send_modify(|n| *n += 1);
            Ok(())
        })
    }
}

fn start(script: &Arc<Script>, world: &Arc<FakeWorld>, room: usize) -> Embedded {
    let world: Arc<dyn World> = Arc::<FakeWorld>::clone(world);
    let dispatcher = Embedded::new(Handle::current(), world, room, |_| {});
    dispatcher.start(Arc::new(Side(Arc::clone(script))));
    dispatcher
}

#[tokio::test(start_paused = true)]
async fn every_run_is_taken_one_at_a_time_per_agent_and_within_the_room() {
    let runs = [("a", 1), ("a", 2), ("b", 3), ("c", 4), ("d", 5), ("a", 6)];
    let (script, world) = (Script::new(&runs), Arc::new(FakeWorld::seeded(1)));
    let _dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_secs(10)).await;
    let mut taken = script.taken();
    assert_eq!(taken.len(), runs.len());
    taken.sort_unstable();
    assert_eq!(taken, [1, 2, 3, 4, 5, 6]);
    assert_eq!(*script.most.lock().unwrap(), (1, 2));
}

#[tokio::test(start_paused = true)]
async fn nothing_is_looked_at_while_nothing_stirs() {
    let (script, world) = (Script::new(&[]), Arc::new(FakeWorld::seeded(1)));
    let _dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_secs(23 * 60 * 60)).await;
    assert_eq!(*script.looks.lock().unwrap(), 1);
    script.stir.send_modify(|n| *n += 1);
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(*script.looks.lock().unwrap(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_nearest_due_time_is_armed_and_a_sleeping_computer_finds_it_late() {
    let (script, world) = (Script::new(&[]), Arc::new(FakeWorld::seeded(1)));
    *script.next.lock().unwrap() = Some(world.now().plus_millis(7 * 3_600_000));
    let _dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_secs(600)).await;
    assert_eq!(*script.looks.lock().unwrap(), 1, "asking the clock is no look");
    // The lid was closed: a week by the wall, nothing by the timer.
    world.advance_ms(7 * 86_400_000);
    *script.next.lock().unwrap() = None;
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(*script.looks.lock().unwrap(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_look_that_fails_or_panics_and_a_panicking_turn_stop_nobody_else() {
    let (script, world) = (Script::new(&[("a", 13), ("b", 2)]), Arc::new(FakeWorld::seeded(1)));
    *script.fails.lock().unwrap() = 3;
    let _dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(script.taken(), [2]);
}

#[tokio::test(start_paused = true)]
async fn what_is_due_while_looks_fail_is_looked_for_less_and_less_often_and_found_in_the_end() {
    let world = Arc::new(FakeWorld::seeded(1));
    let script = Script::new(&[]);
    *script.next.lock().unwrap() = Some(world.now());
    *script.overdue_fails.lock().unwrap() = 8;
    let _dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_secs(300)).await;
    assert_eq!(*script.overdue_fails.lock().unwrap(), 0);
    // After one, two, four seconds and so on, up to a minute; then what was due is over.
    assert_eq!(*script.looks.lock().unwrap(), 9);
}

#[tokio::test(start_paused = true)]
async fn work_that_failed_is_taken_up_again_though_nothing_else_stirs() {
    let (script, world) = (Script::new(&[("a", 7)]), Arc::new(FakeWorld::seeded(1)));
    let _dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert_eq!(script.taken(), [7]);
}

#[tokio::test(start_paused = true)]
async fn work_that_fails_again_and_again_is_tried_less_and_less_often() {
    let (script, world) = (Script::new(&[("a", 7)]), Arc::new(FakeWorld::seeded(1)));
    *script.seven_fails.lock().unwrap() = 8;
    let _dispatcher = start(&script, &world, 2);
    // After one, two, four seconds and so on, up to a minute: a look each, and no other.
    tokio::time::sleep(Duration::from_millis(182_500)).await;
    assert_eq!((*script.looks.lock().unwrap(), script.taken()), (8, vec![]));
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(script.taken(), [7]);
}

#[tokio::test(start_paused = true)]
async fn what_stirs_while_looks_fail_is_not_looked_for_at_once() {
    let (script, world) = (Script::new(&[]), Arc::new(FakeWorld::seeded(1)));
    *script.fails.lock().unwrap() = 1_000;
    let _dispatcher = start(&script, &world, 2);
    for _ in 0..1_000 {
        tokio::time::sleep(Duration::from_millis(10)).await;
        script.stir.send_modify(|n| *n += 1);
    }
    assert!((5..=11).contains(&*script.looks.lock().unwrap()), "{:?}", script.looks);
    // What was committed shows that the disk is well again: nobody waits out a long pause then.
    *script.fails.lock().unwrap() = 0;
    script.queue.lock().unwrap().push(("agent_a".parse().unwrap(), 1));
    script.stir.send_modify(|n| *n += 1);
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    assert_eq!(script.taken(), [1]);
}

#[tokio::test(start_paused = true)]
async fn who_is_left_alone_does_not_have_looks_that_fail_tried_sooner() {
    let (script, world) = (Script::new(&[]), Arc::new(FakeWorld::seeded(1)));
    *script.overdue_fails.lock().unwrap() = 1_000;
    *script.seven_fails.lock().unwrap() = 1_000;
    let _dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_secs(40)).await;
    script.queue.lock().unwrap().push(("agent_a".parse().unwrap(), 7));
    tokio::time::sleep(Duration::from_secs(80)).await;
    // After one, two, four seconds and so on. The last one finds the run, which fails and is left alone for a second.
    assert_eq!((*script.looks.lock().unwrap(), *script.seven_fails.lock().unwrap()), (7, 999));
}

#[tokio::test(start_paused = true)]
async fn a_dropped_dispatcher_begins_nothing_more() {
    let (script, world) = (Script::new(&[("a", 1), ("a", 2)]), Arc::new(FakeWorld::seeded(1)));
    let dispatcher = start(&script, &world, 1);
    tokio::time::sleep(Duration::from_millis(500)).await;
    drop(dispatcher);
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert!(script.taken().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_dispatcher_that_finishes_waits_for_those_at_work_and_begins_nothing_more() {
    let runs = [("a", 1), ("a", 2), ("b", 3)];
    let (script, world) = (Script::new(&runs), Arc::new(FakeWorld::seeded(1)));
    let dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_millis(500)).await;
    dispatcher.finish().await;
    let mut taken = script.taken();
    taken.sort_unstable();
    assert_eq!(taken, [1, 3]);
    tokio::time::sleep(Duration::from_secs(30)).await;
    assert_eq!(script.taken().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_is_set_back_is_noticed_while_a_time_is_armed() {
    let (script, world) = (Script::new(&[]), Arc::new(FakeWorld::seeded(1)));
    *script.next.lock().unwrap() = Some(world.now().plus_millis(2_000_000));
    let _dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(*script.looks.lock().unwrap(), 1);
    world.advance_ms(-86_400_000);
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(*script.looks.lock().unwrap(), 2, "what waits for a time is to be judged anew");
}

#[tokio::test(start_paused = true)]
async fn a_host_that_travels_is_noticed_while_a_time_is_armed() {
    let (script, world) = (Script::new(&[]), Arc::new(FakeWorld::seeded(1)));
    *script.next.lock().unwrap() = Some(world.now().plus_millis(2_000_000));
    let _dispatcher = start(&script, &world, 2);
    tokio::time::sleep(Duration::from_secs(100)).await;
    assert_eq!(*script.looks.lock().unwrap(), 1);
    world.move_to("Asia/Tokyo");
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(*script.looks.lock().unwrap(), 2, "seven o'clock is at another time now");
}
