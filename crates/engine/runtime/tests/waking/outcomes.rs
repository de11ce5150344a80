//! What a run says when it is over, and waiting for that.

use std::thread;

use dispatch::{Closing, Ending, Rested};
use ingress::Delivery;
use store::wait;
use types::{
    AgentId, Brief, BriefKind, ClosureDecision, ClosureOutcome, Label, ModelRef, PromptRef,
    RecordDraft, RunFailure, RunKey, TokenUsage, Turn, TurnKind, TurnSpent, TurnState,
    TurnTerminal, WakeReason, Write,
};

use crate::house::House;

fn prompted(house: &House, agent: &AgentId, request: &str) -> RunKey {
    let delivery = Delivery::prompt(agent.clone(), "what is open?".to_owned(), request.to_owned());
    wait(house.ingress.admit(delivery)).unwrap().run_key
}

/// What a turn leaves that says this.
fn left(house: &House, agent: &AgentId, run: RunKey, kind: BriefKind, words: &str) -> Closing {
    let words = words.as_bytes().to_vec();
    let (kept, at) = rules::content::keep(agent.into(), Label::untrusted(), words);
    let turn = Turn {
        agent_id: agent.clone(),
        run_key: run,
        thread: rules::thread::of_run(agent, &run),
        reason: WakeReason::UserInitiated,
        continuation: None,
        workflow: "turn".to_owned(),
        version: 1,
        began_at: house.now(),
        prompt: PromptRef::default(),
        model: ModelRef::scribe(),
        exposed: false,
        dialog_act: None,
        classified: None,
        rounds: 1,
        looked: None,
        state: TurnState::Settled {
            terminal: TurnTerminal {
                turn_index: 7,
                kind: TurnKind::Completed,
                last_assistant_message: None,
                completed_at: house.now(),
                duration_ms: 1,
            },
            closure: ClosureDecision {
                outcome: ClosureOutcome::Completed,
                waiting_reason: None,
                runtime_posture: "sleeping".to_owned(),
                evidence: vec![],
            },
            brief: Brief { kind, content: at },
            spent: TurnSpent { model_calls: 1, tokens: TokenUsage::of(10, 5), cost_micros: 1_500 },
            failure: None,
            timeline: None,
            recovery: None,
            warning: None,
            grounding: None,
        },
    };
    let turn = RecordDraft::live(rules::turn::id(&run), turn);
    Closing { writes: vec![kept, Write::Record(turn)], ..Closing::default() }
}

#[test]
fn a_run_says_what_its_turn_said() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let run = prompted(&house, &agent, "p1");
    assert_eq!(wait(house.waker.told(run)).unwrap().kind, "pending");
    let closing = left(&house, &agent, run, BriefKind::Result, "two are open");
    house.script.endings.lock().unwrap().push_back(Ending::Done(closing, Rested::default()));
    house.drain();
    let told = wait(house.waker.told(run)).unwrap();
    assert_eq!((told.kind, told.text.as_str()), ("result", "two are open"));
    let runs = house.runs(&agent);
    let turns = wait(house.waker.turns(&runs)).unwrap();
    assert_eq!(turns.keys().collect::<Vec<_>>(), [&run], "the others took none");
    assert_eq!(turns[&run].model, ModelRef::scribe());
}

#[test]
fn a_run_that_failed_says_what_its_turn_left_or_how_it_failed() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let failure = |message: &str| RunFailure {
        code: types::Code::BudgetExceeded,
        message: message.to_owned(),
    };
    let run = prompted(&house, &agent, "p1");
    let closing = left(&house, &agent, run, BriefKind::Failure, "nothing more today");
    let ending = Ending::FailedForGood(failure("over the limit"), closing);
    house.script.endings.lock().unwrap().push_back(ending);
    house.drain();
    let told = wait(house.waker.told(run)).unwrap();
    assert_eq!((told.kind, told.text.as_str()), ("failure", "nothing more today"));
    let bare = prompted(&house, &agent, "p2");
    let ending = Ending::FailedForGood(failure("over the limit"), Closing::default());
    house.script.endings.lock().unwrap().push_back(ending);
    house.drain();
    let told = wait(house.waker.told(bare)).unwrap();
    assert_eq!((told.kind, told.text.as_str()), ("failure", "over the limit"));
}

#[test]
fn whoever_waits_for_a_run_is_told_when_it_is_over() {
    let house = House::new();
    let agent = house.agent("keeper", "home");
    let run = prompted(&house, &agent, "p1");
    let waker = house.waker.clone();
    let waiting = thread::spawn(move || wait(waker.wait_until_ended(run)));
    house.drain();
    waiting.join().unwrap().unwrap();
    assert_eq!(wait(house.waker.told(run)).unwrap().kind, "nothing");
    wait(house.waker.wait_until_ended(run)).expect("what is over is not waited for");
}
