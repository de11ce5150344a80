//! Calls that write among their agent's own records: no effect of its own, one commit with the record.

use serde_json::json;
use store::{Listing, ReadRecords, Store, wait};
use tool::Call;
use tools::{Error, Receipt, Settled};
use types::{
    Author, BodyType, Code, Commit, Conflict, Domain, FenceMove, FenceScope, InvocationState,
    Quota, RecordDraft, Relation, ReportHead, ReportScope, Write,
};

use crate::door::Fault;
use crate::house::{House, agent, rights, rights_with, rule};
use crate::workshop::notebook;

fn keep(house: &House, text: &str) -> Call {
    house.named("keep_note", json!({ "text": text }))
}

/// How many notes there are.
fn notes(house: &House) -> usize {
    let listing = Listing::of(agent().as_str(), BodyType::AgentMessage, 100);
    wait(house.store().records(Domain::Agent, listing)).unwrap().len()
}

/// Moves what every note rests on, as another run would.
pub(crate) fn move_notebook(store: &sqlite::SqliteStore) {
    let head = ReportHead {
        agent_id: agent(),
        scope: ReportScope::Current,
        report_id: "report_other".parse().unwrap(),
        updated_at: types::At::EPOCH,
    };
    let write = Write::Record(RecordDraft::live(notebook(&agent()), head));
    let commit = Commit::new(Domain::Agent, Author::Runtime, types::At::EPOCH, vec![write]);
    wait(store.commit(commit)).unwrap();
}

#[test]
fn what_an_agent_keeps_for_itself_is_one_commit_with_the_record_of_the_call() {
    let house = House::new();
    let journal = house.journal();
    let receipt = house.execute(keep(&house, "the ferns like mist"));
    assert_eq!(*house.door.steps.lock().unwrap(), ["tool.record"]);
    assert_eq!((notes(&house), house.journal()), (1, journal));
    let success = receipt.result.as_ref().unwrap();
    let note = success.payload["note"].as_str().unwrap();
    let changed: Vec<&str> = success.changed.iter().map(|one| one.id.as_str()).collect();
    assert!(changed.contains(&note), "{changed:?}");
    let invocation = house.invocation(&receipt);
    assert!(matches!(&invocation.state, InvocationState::Done { changed, .. }
        if changed.len() == 2));
    assert_eq!(house.content(invocation.state.result().unwrap()), receipt.to_json());
    let from = (&receipt.tool_action_id).into();
    let links = house.store().links_from(Domain::Agent, from, Relation::ToolEffect);
    assert_eq!(wait(links).unwrap().len(), 2);
    let audited: Vec<String> = house.audited().into_iter().map(|(action, _)| action).collect();
    assert_eq!(audited, ["tool.allow", "tool.done"]);
}

#[test]
fn the_same_name_again_answers_as_before_and_writes_nothing() {
    let house = House::new();
    let call = keep(&house, "the ferns like mist");
    let first = house.execute(call.clone());
    let before = house.audited();
    let again = house.execute(call.clone());
    assert_eq!((again.repeated, &again.result), (true, &first.result));
    assert_eq!((notes(&house), house.audited()), (1, before));
    let other = Call { arguments: json!({ "text": "another" }), ..call };
    assert_eq!(house.execute(other).result.unwrap_err().kind, Code::Conflict);
    assert!(!house.execute(keep(&house, "the ferns like mist")).repeated, "later it is another");
    assert_eq!(notes(&house), 2);
}

#[test]
fn death_around_the_one_commit_leaves_one_note_and_no_doubt() {
    for fault in [Fault::DiesBefore, Fault::DiesAfter] {
        let house = House::new();
        let call = keep(&house, "the ferns like mist");
        house.door.plan(0, fault);
        assert!(house.door.run(house.one(call.clone(), &rights())).is_none());
        let house = house.restart();
        assert_eq!(notes(&house), usize::from(fault == Fault::DiesAfter));
        assert!(wait(house.executor.unsettled(&agent())).unwrap().is_empty(), "never open");
        let receipt = house.execute(Call { epoch: house.door.epoch(), ..call });
        assert_eq!(receipt.repeated, fault == Fault::DiesAfter);
        assert_eq!(
            (notes(&house), &receipt.result.as_ref().unwrap().payload["before"]),
            (1, &json!(0))
        );
        let settled = wait(house.executor.settle(&receipt.tool_action_id)).unwrap();
        assert!(matches!(settled, Settled::Answered(_)));
    }
}

/// An answer of a model that does both.
fn both(house: &House) -> Vec<Call> {
    vec![
        keep(house, "the ferns like mist"),
        house.set_title("ferns", "mist the ferns"),
        house.call("list_tasks", json!({})),
    ]
}

fn check(house: &House, receipts: &[Receipt], when: &str) {
    assert_eq!(notes(house), 1, "{when}");
    assert_eq!((house.task("ferns").1.revision, house.journal().1), (2, 1), "{when}");
    assert!(receipts.iter().all(|receipt| receipt.result.is_ok()), "{when}: {receipts:?}");
    assert!(wait(house.executor.unsettled(&agent())).unwrap().is_empty(), "{when}");
}

#[test]
fn together_with_changes_of_the_journal_it_costs_no_commit_and_is_done_once() {
    let house = House::new();
    let receipts = wait(house.carry_out(both(&house), &rights())).unwrap();
    check(&house, &receipts, "without faults");
    assert_eq!(*house.door.steps.lock().unwrap(), ["tool.intend", "tool.effect", "tool.record"]);
    for commit in 0..3 {
        for fault in [Fault::DiesBefore, Fault::DiesAfter] {
            let when = format!("{fault:?} commit {commit}");
            let house = House::new();
            let calls = both(&house);
            house.door.plan(commit, fault);
            let rights = rights();
            let first = house.carry_out(calls.clone(), &rights);
            assert!(house.door.run(first).is_none(), "{when}: it died");
            let house = house.restart();
            let epoch = house.door.epoch();
            for open in wait(house.executor.unsettled(&agent())).unwrap() {
                wait(house.executor.settle(&open)).unwrap();
            }
            let calls = calls.into_iter().map(|call| Call { epoch, ..call }).collect();
            let receipts = wait(house.carry_out(calls, &rights)).unwrap();
            check(&house, &receipts, &when);
        }
    }
}

#[test]
fn if_what_it_rests_on_moves_it_is_planned_anew_under_the_same_name() {
    let house = House::new();
    let call = keep(&house, "the ferns like mist");
    house.door.meanwhile("tool.record", move_notebook);
    let receipt = house.execute(call);
    assert_eq!(receipt.result.unwrap().payload["before"], 1);
    assert_eq!(notes(&house), 1);
}

#[test]
fn categories_do_not_bind_it_and_the_other_rules_do() {
    let house = House::new();
    let nowhere = Call { scope: [].into(), ..keep(&house, "mine") };
    let named = wait(house.executor.name(&nowhere)).unwrap();
    assert!(named.drafted.is_none(), "its own records may bear the name");
    let nowhere = Call { operation: Some(named.operation), ..nowhere };
    assert!(house.execute(nowhere).result.is_ok());
    let refused = |call: Call| -> (Code, String) {
        let receipt = house.execute(call);
        (receipt.result.as_ref().unwrap_err().kind, rule(&house.invocation(&receipt)).to_owned())
    };
    let of_another = refused(keep(&house, "of another"));
    assert_eq!(of_another, (Code::InvalidRecord, "side_effects".to_owned()));
    let nameless = Call { operation: None, ..keep(&house, "nameless") };
    assert_eq!(refused(nameless), (Code::OperationIdMissing, "operation_id".to_owned()));
    assert_eq!(notes(&house), 1);
}

#[test]
fn a_quota_counts_it() {
    let house = House::new();
    let quota = Quota { max_per_session: Some(1), max_per_day: None };
    let rights = rights_with("keep_note", quota);
    let calls = vec![keep(&house, "one"), keep(&house, "two")];
    let receipts = wait(house.carry_out(calls, &rights)).unwrap();
    assert!(receipts[0].result.is_ok());
    assert_eq!(receipts[1].result.as_ref().unwrap_err().kind, Code::ToolQuotaExceeded);
    assert_eq!(notes(&house), 1);
}

#[test]
fn a_stop_between_judgement_and_commit_is_kept_by_the_store() {
    let house = House::new();
    let call = keep(&house, "too late");
    let epoch = call.epoch;
    house.door.meanwhile("tool.record", move |store| {
        for domain in Domain::ALL {
            let scope = FenceScope::Global;
            let write = Write::Fence(FenceMove { scope, epoch, closed: true });
            let commit = Commit::new(domain, Author::Operator, types::At::EPOCH, vec![write]);
            wait(store.commit(commit)).unwrap();
        }
    });
    let over = wait(house.one(call, &rights())).unwrap_err();
    assert!(matches!(over, Error::Conflict(Conflict::Fenced { closed: true, .. })), "{over:?}");
    assert_eq!(notes(&house), 0);
}

#[test]
fn several_of_one_answer_are_one_commit() {
    let house = House::new();
    let calls: Vec<Call> = ["one", "two", "three"].map(|text| keep(&house, text)).into();
    let receipts = wait(house.carry_out(calls, &rights())).unwrap();
    assert!(receipts.iter().all(|receipt| receipt.result.is_ok()));
    assert_eq!((notes(&house), house.door.steps.lock().unwrap().len()), (3, 1));
}
