//! Stops that come while a call is on its way.

use store::{Store, wait};
use tool::Call;
use tools::{Error, Settled};
use types::{
    Author, Capability, Code, Commit, Conflict, Domain, Epoch, FenceMove, FenceScope,
    InvocationState, Write,
};

use crate::house::{House, agent, rights};

fn stop(scope: FenceScope, epoch: Epoch, closed: bool) -> impl FnOnce(&sqlite::SqliteStore) + Send {
    move |store| {
        for domain in Domain::ALL {
            let write = Write::Fence(FenceMove { scope: scope.clone(), epoch, closed });
            let commit = Commit::new(domain, Author::Operator, types::At::EPOCH, vec![write]);
            wait(store.commit(commit)).unwrap();
        }
    }
}

#[test]
fn a_stop_between_judgement_and_effect_is_kept_by_the_store() {
    let own = FenceScope::Agent(agent());
    for (step, scope, closed, code) in [
        ("tool.intend", FenceScope::Global, true, Code::KillSwitchOn),
        ("tool.effect", FenceScope::Global, true, Code::KillSwitchOn),
        ("tool.intend", own.clone(), true, Code::Fenced),
        ("tool.effect", own.clone(), true, Code::Fenced),
        ("tool.effect", own, false, Code::Fenced),
        ("tool.effect", Capability::TaskWrite.fence(), true, Code::ToolClassStopped),
    ] {
        let house = House::new();
        let before = house.journal();
        let call = house.set_title("ferns", "mist the ferns");
        let epoch = Epoch { attempt: 1, ..house.door.epoch() };
        house.door.meanwhile(step, stop(scope, epoch, closed));
        let receipt = house.execute(call);
        assert_eq!(receipt.result.as_ref().unwrap_err().kind, code, "{step}");
        assert_eq!(house.journal(), before, "{step}: the journal was touched");
        let deny = ("tool.deny".to_owned(), format!("{code}:set_title"));
        assert_eq!(house.audited().last(), Some(&deny));
    }
}

#[test]
fn what_was_stopped_before_its_effect_is_done_by_whoever_takes_it_up() {
    let house = House::new();
    let call = house.set_title("ferns", "mist the ferns");
    let epoch = Epoch { attempt: 1, ..call.epoch };
    house.door.meanwhile("tool.effect", stop(FenceScope::Agent(agent()), epoch, false));
    let refused = house.execute(call.clone());
    assert_eq!(house.invocation(&refused).state, InvocationState::Intended);
    let open = wait(house.executor.unsettled(&agent())).unwrap();
    assert_eq!(open, std::slice::from_ref(&refused.tool_action_id));
    let settled = wait(house.executor.settle(&refused.tool_action_id)).unwrap();
    assert_eq!(settled, Settled::NotDone);
    let receipt = house.execute(Call { epoch, ..call });
    assert!(receipt.result.is_ok());
    assert_eq!(receipt.tool_action_id, refused.tool_action_id);
    assert!(wait(house.executor.unsettled(&agent())).unwrap().is_empty());
}

/// A title was changed, and its agent stopped before that was written down; and the call of whoever takes it up.
fn stopped_before_it_is_recorded() -> (House, Call) {
    let house = House::new();
    let call = house.set_title("ferns", "mist the ferns");
    let epoch = Epoch { attempt: 1, ..call.epoch };
    house.door.meanwhile("tool.record", stop(FenceScope::Agent(agent()), epoch, false));
    let over = wait(house.one(call.clone(), &rights())).unwrap_err();
    assert!(matches!(over, Error::Conflict(Conflict::Fenced { .. })), "{over:?}");
    (house, Call { epoch, ..call })
}

#[test]
fn what_was_done_before_a_stop_is_found_by_whoever_takes_it_up() {
    let (house, again) = stopped_before_it_is_recorded();
    let open = wait(house.executor.unsettled(&agent())).unwrap().remove(0);
    let Settled::Answered(receipt) = wait(house.executor.settle(&open)).unwrap() else {
        panic!("not settled");
    };
    assert_eq!(receipt.result.as_ref().unwrap().payload["was"], "water the ferns");
    let again = house.execute(again);
    assert_eq!((again.repeated, again.result), (true, receipt.result));
    assert_eq!(house.journal().1, 1);
}

#[test]
fn what_was_done_is_answered_though_its_class_is_stopped_since() {
    let (house, again) = stopped_before_it_is_recorded();
    let epoch = again.epoch;
    stop(Capability::TaskWrite.fence(), epoch, true)(house.store());
    let again = house.execute(again);
    assert!(again.repeated && again.result.is_ok(), "{again:?}");
    assert!(wait(house.executor.unsettled(&agent())).unwrap().is_empty(), "nothing is left open");
    let other = Call { epoch, ..house.set_title("moss", "mist the moss") };
    assert_eq!(house.execute(other).result.unwrap_err().kind, Code::ToolClassStopped);
}

#[test]
fn a_stopped_agent_is_not_even_told_what_it_did_before() {
    let house = House::new();
    let call = house.set_title("ferns", "mist the ferns");
    let done = house.execute(call.clone());
    let kept = house.invocation(&done);
    let epoch = Epoch { attempt: 1, ..call.epoch };
    stop(FenceScope::Global, epoch, true)(house.store());
    assert_eq!(house.execute(call).result.unwrap_err().kind, Code::KillSwitchOn);
    assert_eq!(house.invocation(&done), kept, "a denial never hides what was done");
    assert_eq!(house.audited().last().unwrap().0, "tool.deny", "it is audited all the same");
}
