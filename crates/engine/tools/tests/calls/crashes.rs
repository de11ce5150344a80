//! Death before and after every commit, and disks that fail: one effect, one answer.

use serde_json::{Value, json};
use store::{ReadRecords, Store, wait};
use tool::Call;
use tools::{Error, Receipt, Rider, Settled};
use types::{Body, BodyType, Code, Domain, InvocationState, Relation};

use crate::door::Fault;
use crate::house::{House, agent, rights};

/// The calls that a recorded plan holds: they are made again under the same names.
fn planned(house: &House) -> Vec<Call> {
    vec![
        house.named("create_task", json!({ "title": "rake", "category": "category_home" })),
        house.set_title("ferns", "mist the ferns"),
        house.call("list_tasks", json!({})),
        house.set_title("taxes", "evade"),
    ]
}

fn claimed(house: &House, calls: &[Call]) -> Vec<Call> {
    let epoch = house.door.epoch();
    calls.iter().map(|call| Call { epoch, ..call.clone() }).collect()
}

/// What is left open is settled, and then all are called again.
async fn recover(house: &House, calls: Vec<Call>) -> Result<Vec<Receipt>, Error> {
    for open in house.executor.unsettled(&agent()).await? {
        house.executor.settle(&open).await?;
    }
    house.carry_out(calls, &rights()).await
}

/// What must be so in the end, whatever happened on the way.
fn check(house: &House, receipts: &[Receipt], when: &str) {
    let rakes = wait(
        house
            .store()
            .records(Domain::Journal, store::Listing::of("category_home", BodyType::Task, 100)),
    );
    let rakes: Vec<_> = rakes
        .unwrap()
        .into_iter()
        .filter(|record| matches!(&record.body, Body::Task(task) if task.title == "rake"))
        .collect();
    assert_eq!(rakes.len(), 1, "{when}: the task was made once");
    let (task, record) = house.task("ferns");
    assert_eq!((task.title.as_str(), record.revision), ("mist the ferns", 2), "{when}");
    assert_eq!(house.journal().1, 2, "{when}: two operations");
    let created = receipts[0].result.as_ref().unwrap();
    assert_eq!(
        created.payload,
        json!({ "id": rakes[0].id }),
        "{when}: the answer of the one effect"
    );
    let titled = receipts[1].result.as_ref().unwrap();
    let answer = json!({ "title": "mist the ferns", "was": "water the ferns" });
    assert_eq!((&titled.payload, &titled.changed[0].clock), (&answer, &record.clock), "{when}");
    assert!(receipts[2].result.is_ok(), "{when}");
    assert_eq!(receipts[3].result.as_ref().unwrap_err().kind, Code::OutOfScope, "{when}");
    let denied = ("tool.deny".to_owned(), "out_of_scope:set_title".to_owned());
    assert!(house.audited().contains(&denied), "{when}: the denial is audited");
    for (receipt, changed) in receipts.iter().zip(["created", "task_ferns"]) {
        let invocation = house.invocation(receipt);
        assert!(matches!(invocation.state, InvocationState::Done { .. }), "{when}: {changed}");
        assert_eq!(house.content(&invocation.arguments), json_of(receipt), "{when}");
        let answer = invocation.state.result().unwrap();
        assert_eq!(house.label(answer), planned(house)[0].label(), "{when}: whoever wrote it down");
        let from = (&receipt.tool_action_id).into();
        let links = house.store().links_from(Domain::Agent, from, Relation::ToolEffect);
        assert_eq!(wait(links).unwrap().len(), 1, "{when}: {changed}");
    }
    assert!(wait(house.executor.unsettled(&agent())).unwrap().is_empty(), "{when}");
    let mut entries = house.audited_of_each();
    let all = entries.len();
    entries.sort();
    entries.dedup();
    assert_eq!(entries.len(), all, "{when}: nothing stands twice in the audit: {entries:?}");
}

/// The arguments of the calls of [`planned`], by their answers.
fn json_of(receipt: &Receipt) -> Value {
    match receipt.tool_name.as_str() {
        "create_task" => json!({ "title": "rake", "category": "category_home" }),
        _ => json!({ "task": "task_ferns", "title": "mist the ferns" }),
    }
}

/// Commits of the first attempt: intents, two effects, the record.
const COMMITS: usize = 4;

#[test]
fn a_group_without_faults_takes_so_many_commits() {
    let house = House::new();
    let receipts = wait(recover(&house, planned(&house))).unwrap();
    check(&house, &receipts, "without faults");
    assert_eq!(house.door.steps.lock().unwrap().len(), COMMITS);
}

#[test]
fn death_before_or_after_any_commit_leaves_one_effect_and_one_answer() {
    for commit in 0..COMMITS {
        for fault in [Fault::DiesBefore, Fault::DiesAfter] {
            let when = format!("{fault:?} commit {commit}");
            let house = House::new();
            let calls = planned(&house);
            house.door.plan(commit, fault);
            let rights = rights();
            let first = house.carry_out(calls.clone(), &rights);
            assert!(house.door.run(first).is_none(), "{when}: it died");
            let house = house.restart();
            let receipts = wait(recover(&house, claimed(&house, &calls))).unwrap();
            check(&house, &receipts, &when);
            // And it converges: once more changes nothing.
            let before = (house.journal(), house.audited().len());
            let again = wait(recover(&house, claimed(&house, &calls))).unwrap();
            check(&house, &again, &when);
            assert_eq!((house.journal(), house.audited().len()), before, "{when}");
        }
    }
}

#[test]
fn death_during_recovery_leaves_one_effect_and_one_answer() {
    for (first, second) in (0..COMMITS).flat_map(|a| (0..COMMITS + 2).map(move |b| (a, b))) {
        for fault in [Fault::DiesBefore, Fault::DiesAfter] {
            let when = format!("{fault:?} commit {first}, then {second} of the recovery");
            let house = House::new();
            let calls = planned(&house);
            house.door.plan(first, fault);
            assert!(house.door.run(house.carry_out(calls.clone(), &rights())).is_none());
            let house = house.restart();
            house.door.plan(second, fault);
            // Not every recovery has so many commits; then it is simply done once more.
            let _ = house.door.run(recover(&house, claimed(&house, &calls)));
            let house = house.restart();
            let receipts = wait(recover(&house, claimed(&house, &calls))).unwrap();
            check(&house, &receipts, &when);
        }
    }
}

#[test]
fn what_was_left_to_write_and_lost_is_found_in_the_journal() {
    let house = House::new();
    let calls = planned(&house);
    let (receipts, left) =
        wait(house.executor.execute(calls.clone(), vec![], &rights(), Rider::default())).unwrap();
    assert_eq!(*house.door.steps.lock().unwrap(), ["tool.intend", "tool.effect", "tool.effect"]);
    assert!(!left.writes.is_empty() && !left.audit.is_empty());
    drop(left);
    let again = wait(recover(&house, calls)).unwrap();
    check(&house, &again, "the answers were not written down");
    let results = |receipts: &[Receipt]| -> Vec<_> {
        receipts.iter().map(|receipt| receipt.result.clone()).collect()
    };
    assert_eq!(results(&again), results(&receipts));
}

#[test]
fn what_is_left_to_write_can_ride_in_the_commit_of_whoever_called() {
    let house = House::new();
    let calls = planned(&house);
    let (receipts, left) =
        wait(house.executor.execute(calls.clone(), vec![], &rights(), Rider::default())).unwrap();
    let (agent, run, epoch) = (agent(), calls[0].run, calls[0].epoch);
    let author = types::Author::Agent { agent, run, epoch };
    let at = world::World::now(&*house.world);
    let commit = types::Commit::new(Domain::Agent, author, at, left.writes);
    wait(house.door.commit(types::Commit { audit: left.audit, ..commit })).unwrap();
    check(&house, &receipts, "written by whoever called");
}

#[test]
fn a_call_that_changes_thousands_is_written_down_in_parts_and_survives_between_them() {
    let max = types::limits::COMMIT_WRITES_MAX;
    for fault in [Fault::DiesBefore, Fault::DiesAfter] {
        let house = House::new();
        let call = house.named("create_many", json!({}));
        house.door.plan(2, fault);
        assert!(house.door.run(house.one(call.clone(), &rights())).is_none());
        let house = house.restart();
        let open = wait(house.executor.unsettled(&agent())).unwrap().remove(0);
        let Settled::Answered(receipt) = wait(house.executor.settle(&open)).unwrap() else {
            panic!("not settled");
        };
        assert_eq!(*house.door.steps.lock().unwrap(), ["tool.ask", "tool.settle", "tool.settle"]);
        assert_eq!(receipt.result.unwrap().changed.len(), max);
        let links = house.store().links_from(Domain::Agent, (&open).into(), Relation::ToolEffect);
        assert_eq!(wait(links).unwrap().len(), max.min(types::limits::ROWS_PER_READ_MAX));
        let done = house.audited().into_iter().filter(|(action, _)| action == "tool.done").count();
        assert_eq!(done, 1, "it is audited when it is whole");
        let call = Call { epoch: house.door.epoch(), ..call };
        assert!(house.execute(call).repeated);
        assert_eq!(house.journal().1, 1);
    }
}

#[test]
fn a_call_that_nobody_waits_for_any_more_is_done_once_all_the_same() {
    for dropped in 0..COMMITS {
        let house = House::new();
        let calls = planned(&house);
        // The commit is on its way when whoever waits for it loses interest.
        let seen = std::cell::Cell::new(0);
        let rights = rights();
        let mut first = Box::pin(house.carry_out(calls.clone(), &rights));
        let poll = std::future::poll_fn(|context| {
            let answer = first.as_mut().poll(context);
            seen.set(house.door.steps.lock().unwrap().len());
            match seen.get() > dropped {
                true => std::task::Poll::Ready(()),
                false => answer.map(drop),
            }
        });
        wait(poll);
        drop(first);
        let receipts = wait(recover(&house, calls)).unwrap();
        check(&house, &receipts, &format!("dropped at commit {dropped}"));
    }
}

#[test]
fn a_failed_disk_leaves_the_outcome_unknown_until_somebody_can_ask() {
    for fault in [Fault::DiskLoses, Fault::DiskKeeps] {
        let house = House::new();
        let call = house.set_title("ferns", "mist the ferns");
        house.door.plan(1, fault);
        let receipt = house.execute(call.clone());
        let failure = receipt.result.as_ref().unwrap_err();
        assert_eq!((failure.kind, failure.retryable), (Code::StoreIo, false), "{fault:?}");
        let state = house.invocation(&receipt).state;
        assert_eq!((state.status(), &state), (Some("partial"), &InvocationState::Unknown));
        assert_eq!(house.audited().last().unwrap().0, "tool.unknown");
        // Nobody can say while the disk is in doubt, and it is not run again silently.
        let id = &receipt.tool_action_id;
        assert_eq!(wait(house.executor.settle(id)).unwrap(), Settled::Unknown);
        let again = wait(house.one(call.clone(), &rights()));
        assert!(matches!(again, Err(Error::Store(_))), "{again:?}");
        let (id, house) = (id.clone(), house.restart());
        let settled = wait(house.executor.settle(&id)).unwrap();
        match (fault, settled) {
            (Fault::DiskLoses, Settled::NotDone) => {}
            (Fault::DiskKeeps, Settled::Answered(receipt)) => assert!(receipt.result.is_ok()),
            (_, other) => panic!("{fault:?}: {other:?}"),
        }
        let call = Call { epoch: house.door.epoch(), ..call };
        let receipt = house.execute(call);
        assert_eq!(receipt.result.unwrap().payload["was"], "water the ferns");
        assert_eq!(house.task("ferns").1.revision, 2, "{fault:?}: once");
    }
}

#[test]
fn a_disk_that_fails_under_the_intent_has_done_nothing() {
    for fault in [Fault::DiskLoses, Fault::DiskKeeps] {
        let house = House::new();
        let call = house.set_title("ferns", "mist the ferns");
        house.door.plan(0, fault);
        let refused = wait(house.one(call.clone(), &rights()));
        assert!(matches!(refused, Err(Error::Store(_))));
        assert_eq!(house.journal().1, 0);
        let house = house.restart();
        let call = Call { epoch: house.door.epoch(), ..call };
        assert!(house.execute(call).result.is_ok());
        assert_eq!(house.journal().1, 1);
    }
}

#[test]
fn settling_a_call_that_was_never_written_down_says_that_it_was_not_done() {
    let house = House::new();
    let nobody = "invocation_none".parse().unwrap();
    assert_eq!(wait(house.executor.settle(&nobody)).unwrap(), Settled::NotDone);
    let denied = house.execute(house.set_title("taxes", "evade"));
    let settled = wait(house.executor.settle(&denied.tool_action_id)).unwrap();
    assert_eq!(settled, Settled::Answered(Box::new(denied)));
}
