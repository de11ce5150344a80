//! Sessions: how they start, go on and end, and what their turns come to.

use store::wait;
use testkit::model::{asks, fails, says};
use types::{
    AgentId, At, Author, BlockKind, Body, Code, Commit, ContextWindow, DeliverySurface, Domain,
    ModelFailureKind, Participant, Problem, RecordDraft, Session, SessionStatus, TokenUsage,
    TurnKind, Write, limits,
};

use runtime::{Delivery, SessionView, StartSession};

use crate::house::{House, words};

/// What the house calls its session.
const TALK: &str = "talk";

pub(crate) fn talk(house: &House) -> SessionView {
    wait(house.runtime.sessions.get(&house.agent, TALK)).unwrap()
}

fn refused(house: &House, text: &str, request: &str) -> Problem {
    let words = words(&house.agent, text, request);
    wait(house.runtime.ingress.admit(words)).map_err(Problem::from).unwrap_err()
}

/// A session with so much room, begun so much later, of which nobody asks whether that is enough.
fn begun(house: &House, name: &str, token_capacity: u64, later_ms: i64) -> Write {
    let (id, session) = rules::session::began(rules::session::Beginning {
        agent: &house.agent,
        name,
        conversation: None,
        channel: DeliverySurface::CliPrompt,
        token_capacity,
        now: At::from_millis(house.now().millis() + later_ms),
    });
    Write::Record(RecordDraft::live(&id, session))
}

fn write(house: &House, writes: Vec<Write>) {
    let commit = Commit::new(Domain::Agent, Author::Operator, house.now(), writes);
    wait(house.runtime.store.commit(commit)).unwrap().done().unwrap();
}

/// Begins a session with less room than is taken today: its agent was offered fewer tools then.
pub(crate) fn begin_narrow(house: &House, name: &str, token_capacity: u64) {
    write(house, vec![begun(house, name, token_capacity, 0)]);
}

fn record(house: &House) -> (u64, Session) {
    let id = rules::session::id(&house.agent, TALK);
    let record = wait(house.runtime.store.record(Domain::Agent, id.into())).unwrap().unwrap();
    let Body::AgentSession(session) = record.body else { panic!("{record:?}") };
    (record.revision, session)
}

fn commits(house: &House) -> u64 {
    wait(house.runtime.store.head(Domain::Agent)).unwrap().0
}

#[test]
fn a_first_prompt_starts_its_session_in_the_commit_that_lets_it_in_and_no_turn_writes_it_again() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let before = commits(&house);
    let began = house.now();
    house.prompt("what is open?", "r1");
    assert_eq!(commits(&house), before + 1, "one commit for all of it");
    let (revision, session) = record(&house);
    let expected = Session {
        agent_id: house.agent.clone(),
        name: TALK.to_owned(),
        conversation_id: session.conversation_id.clone(),
        status: SessionStatus::Active,
        participants: [Participant::Operator, Participant::Agent(house.agent.clone())].into(),
        continued_from: None,
        continued_by: None,
        began_at: began,
        over_at: None,
        channel: DeliverySurface::CliPrompt,
        token_capacity: limits::CONTEXT_TOKENS,
    };
    assert_eq!((revision, &session), (1, &expected));
    house.drain();
    house.prompt("and tomorrow?", "r2");
    house.drain();
    assert_eq!(record(&house), (1, session), "what grows is not kept there");
    let view = talk(&house);
    assert_eq!(view.turns, 2);
    assert!(view.working_memory.iter().any(|block| block.kind == BlockKind::History));
}

#[test]
fn a_session_tells_its_turns_in_ascending_order_and_how_full_it_is() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.prompt("one", "r1");
    house.drain();
    assert_eq!(talk(&house).window.tokens_used, 110);
    let mut long = says("Second.").unwrap();
    long.usage = TokenUsage::of(400, 20);
    house.model.then(Ok(long));
    house.prompt("two", "r2");
    house.drain();
    let capacity = limits::CONTEXT_TOKENS;
    let window = ContextWindow { token_capacity: capacity, tokens_used: 420 };
    assert_eq!(talk(&house).window, window);
    let history = |limit| wait(house.runtime.sessions.history(&house.agent, TALK, limit)).unwrap();
    let told = history(10);
    let said: Vec<&str> = told.iter().flat_map(|turn| &turn.said).map(String::as_str).collect();
    assert_eq!(said, ["one", "two"]);
    assert!(told[0].turn_index < told[1].turn_index);
    assert_eq!(told[1].answered, "Second.");
    assert_eq!(history(1), told[1..], "the newest");
    // What it does by itself is no part of it.
    house.does(
        "create_task",
        serde_json::json!({ "title": "Else", "categoryId": category(&house) }),
    );
    house.drain();
    assert_eq!(history(10), told);
}

fn category(house: &House) -> String {
    wait(house.runtime.journal.category_find("home")).unwrap().id.to_string()
}

#[test]
fn a_session_that_ended_takes_nothing_more_and_answers_what_it_had_taken() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let run = house.prompt("what is open?", "r1");
    let ended = wait(house.runtime.sessions.end(&house.agent, TALK)).unwrap();
    assert_eq!(ended.session.status, SessionStatus::Ended);
    assert!(ended.session.over_at.is_some());
    let before = commits(&house);
    assert_eq!(refused(&house, "and now?", "r2").code, Code::SessionOver);
    assert_eq!(commits(&house), before, "nothing of it is stored");
    let again = wait(house.runtime.ingress.admit(words(&house.agent, "what is open?", "r1")));
    assert!(again.unwrap().again, "what was let in before is known");
    house.drain();
    assert_eq!(house.end(&run), ("completed", None));
    let summary = wait(house.runtime.sessions.end(&house.agent, TALK)).unwrap();
    assert_eq!(
        (summary.turns, &summary.session),
        (1, &ended.session),
        "ending it again is nothing"
    );
    let elsewhere = Delivery {
        session: Some("elsewhere".to_owned()),
        ..words(&house.agent, "and here?", "r3")
    };
    wait(house.runtime.ingress.admit(elsewhere)).unwrap();
}

#[test]
fn breaking_a_session_off_stops_its_turn_at_the_next_step_and_what_waits_in_it() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let (runtime, agent) = (house.runtime.clone(), house.agent.clone());
    house.model.meanwhile(1, move || {
        wait(runtime.session_interrupt(&agent, TALK)).map(drop).unwrap();
    });
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(asks(&[("b", "add_multiple_checklist_items", house.item("bread"))]));
    house.model.then(says("Elsewhere."));
    let run = house.prompt("add milk and bread", "r1");
    let waiting = house.prompt("and butter", "r2");
    let other =
        Delivery { session: Some("other".to_owned()), ..words(&house.agent, "elsewhere", "r3") };
    let other = wait(house.runtime.ingress.admit(other)).unwrap().run_key;
    house.drain();
    assert_eq!(house.items(), ["fill it", "find the can", "milk"], "what was done stays done");
    for run in [&run, &waiting] {
        assert_eq!(house.end(run), ("failed", Some(Code::RunCancelled)));
    }
    assert_eq!(house.end(&other), ("completed", None), "another session goes on");
    assert_eq!(talk(&house).session.status, SessionStatus::Interrupted);
    assert_eq!(refused(&house, "hello?", "r4").code, Code::SessionOver);
    let history = wait(house.runtime.sessions.history(&house.agent, TALK, 10)).unwrap();
    let said: Vec<&str> = history.iter().flat_map(|turn| &turn.said).map(String::as_str).collect();
    assert_eq!(said, ["add milk and bread", "and butter"], "what was said stays said");
    assert!(history.iter().all(|turn| turn.kind == TurnKind::Aborted && turn.grounding.is_none()));
    let end = wait(house.runtime.sessions.end(&house.agent, TALK)).map_err(Problem::from);
    assert_eq!(end.unwrap_err().code, Code::SessionOver);
}

#[test]
fn a_session_that_was_broken_off_by_a_process_that_died_takes_no_turn() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let run = house.prompt("what is open?", "r1");
    let asked = house.model.asked().len();
    // The record is there; whoever wrote it died before it cancelled anything.
    wait(house.runtime.sessions.interrupt(&house.agent, TALK)).unwrap();
    let house = house.restarted(|_| {});
    house.drain();
    assert_eq!(house.end(&run), ("failed", Some(Code::SessionOver)));
    assert_eq!(house.model.asked().len(), asked, "nobody was asked");
    assert!(house.brief(&run).contains("session was broken off"));
    let state = house.state();
    assert_eq!((state.consecutive_failure_count, state.next_wake_at), (0, None), "it did not fail");
}

#[test]
fn a_session_is_gone_on_from_once_and_a_conversation_is_its_sessions_in_their_order() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.prompt("one", "r1");
    house.drain();
    let sessions = &house.runtime.sessions;
    let channel = DeliverySurface::HttpControlPrompt;
    let next = wait(sessions.go_on(&house.agent, TALK, channel)).unwrap();
    let first = talk(&house);
    assert_eq!(next.session.continued_from.as_ref(), Some(&first.id));
    assert_eq!(first.session.continued_by.as_ref(), Some(&next.id));
    assert_eq!((next.session.status, next.session.channel), (SessionStatus::Active, channel));
    assert_eq!(first.session.status, SessionStatus::Ended);
    assert_eq!(refused(&house, "still here?", "r2").code, Code::SessionOver);
    let again = wait(sessions.go_on(&house.agent, first.id.as_str(), channel)).unwrap();
    assert_eq!(again, next, "the same one");
    house.world.advance_ms(1);
    let third = wait(sessions.go_on(&house.agent, &next.session.name, channel)).unwrap();
    assert_eq!(third.session.name, "talk-3");
    let start = |name: &str, agent: &AgentId, token_capacity| StartSession {
        agent: agent.clone(),
        name: name.to_owned(),
        conversation: Some(first.session.conversation_id.clone()),
        token_capacity,
        channel,
    };
    let aside = wait(sessions.start(start("aside", &house.agent, Some(9_000)))).unwrap();
    assert_eq!(aside.window, ContextWindow { token_capacity: 9_000, tokens_used: 0 });
    let taken = wait(sessions.start(start("aside", &house.agent, None))).map_err(Problem::from);
    assert_eq!(taken.unwrap_err().code, Code::NameTaken);
    let whole = wait(sessions.conversation(first.session.conversation_id.as_str())).unwrap();
    let names: Vec<&str> = whole.sessions.iter().map(|one| one.session.name.as_str()).collect();
    assert_eq!(names, ["talk", "talk-2", "talk-3", "aside"]);
    assert_eq!(whole.whole.participants, first.session.participants);
    assert_eq!((whole.whole.began_at, whole.whole.over_at), (first.session.began_at, None));
    assert_eq!(wait(sessions.list(&house.agent)).unwrap().len(), 4);
    let unknown = wait(sessions.conversation("conversation_x")).map_err(Problem::from);
    assert_eq!(unknown.unwrap_err().code, Code::UnknownSession);
}

#[test]
fn of_more_sessions_than_are_told_the_newest_are_and_the_next_name_is_free_among_all() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.prompt("one", "r1");
    house.drain();
    let began = |name: String, later| begun(&house, &name, 9_000, later);
    let talks = (2..=700).map(|number| began(format!("talk-{number}"), number));
    let asides = (1..=400).map(|number| began(format!("aside-{number}"), 1_000 + number));
    write(&house, talks.chain(asides).collect());
    let sessions = &house.runtime.sessions;
    let told = wait(sessions.list(&house.agent)).unwrap();
    let names: Vec<&str> = told.iter().map(|one| one.session.name.as_str()).collect();
    assert_eq!((names.len(), names[0], names[499]), (500, "talk-601", "aside-400"));
    let next = wait(sessions.go_on(&house.agent, TALK, DeliverySurface::CliPrompt)).unwrap();
    assert_eq!(next.session.name, "talk-701");
}

#[test]
fn a_session_with_the_longest_name_is_gone_on_from_too() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let (sessions, channel) = (&house.runtime.sessions, DeliverySurface::CliPrompt);
    let name = "ä".repeat(limits::NAME_BYTES_MAX / 2);
    let start = StartSession {
        agent: house.agent.clone(),
        name: name.clone(),
        conversation: None,
        token_capacity: None,
        channel,
    };
    wait(sessions.start(start)).unwrap();
    let second = wait(sessions.go_on(&house.agent, &name, channel)).unwrap().session.name;
    assert_eq!(second, "ä".repeat(limits::NAME_BYTES_MAX / 2 - 1) + "-2");
    let third = wait(sessions.go_on(&house.agent, &second, channel)).unwrap().session.name;
    assert_eq!(third, second.replace("-2", "-3"));
}

#[test]
fn a_prompt_or_an_answer_beyond_the_room_of_its_session_is_refused_and_the_window_stays() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let start = |name: &str, token_capacity| StartSession {
        agent: house.agent.clone(),
        name: name.to_owned(),
        conversation: None,
        token_capacity: Some(token_capacity),
        channel: DeliverySurface::CliPrompt,
    };
    let sessions = &house.runtime.sessions;
    let agent = wait(house.runtime.fleet.agent_get(house.agent.as_str())).unwrap().identity;
    let least = house.runtime.turns.least_of(&agent);
    for (capacity, why) in
        [(limits::CONTEXT_TOKENS + 1, "large"), (least - 1, "small"), (1, "small")]
    {
        let refused = wait(sessions.start(start("other", capacity))).map_err(Problem::from);
        let problem = refused.unwrap_err();
        assert_eq!(problem.code, Code::InvalidRecord);
        let said = format!("the token_capacity {capacity} is too {why}");
        assert!(problem.message.starts_with(&said), "{}", problem.message);
        assert!(problem.hint.contains(&format!("{least} to 32000")), "{}", problem.hint);
    }
    wait(sessions.start(start("least", least))).unwrap();
    begin_narrow(&house, "narrow", least - limits::PROMPT_TOKENS_MIN);
    let say = |session: &str, text: &str, request: &str| {
        let session = Some(session.to_owned());
        let delivery = Delivery { session, ..words(&house.agent, text, request) };
        let run = wait(house.runtime.ingress.admit(delivery)).unwrap().run_key;
        house.drain();
        run
    };
    let asked = house.model.asked().len();
    let run = say("narrow", "hello", "r0");
    assert_eq!(house.end(&run), ("failed", Some(Code::ContextLengthExceeded)));
    assert_eq!(house.model.asked().len(), asked, "it is not asked");
    say("least", "hello", "r1");
    assert_eq!(
        house.model.asked().len(),
        asked + 1,
        "a word fits, with the tools that it is offered"
    );
    // A model that counts more than fits: its answer is not recorded.
    let first = say(TALK, "one", "r2");
    let before = talk(&house).window;
    let mut wide = says("Too much.").unwrap();
    wide.usage = TokenUsage::of(limits::CONTEXT_TOKENS, 1);
    house.model.then(Ok(wide));
    let run = say(TALK, "two", "r3");
    assert_eq!(house.end(&run), ("failed", Some(Code::ContextLengthExceeded)));
    assert_eq!(talk(&house).window, before);
    assert_eq!((house.rounds(&first).len(), house.rounds(&run).len()), (1, 0));
}

#[test]
fn after_a_crash_a_session_is_what_it_was_and_goes_on_with_what_was_said() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    for number in 0..3 {
        house.model.then(says(&format!("Answer {number}.")));
        house.prompt(&format!("question {number}"), &format!("r{number}"));
        house.drain();
    }
    let all = |house: &House| {
        let history = wait(house.runtime.sessions.history(&house.agent, TALK, 10)).unwrap();
        (talk(house), history)
    };
    let before = all(&house);
    assert_eq!((before.0.turns, before.0.window.tokens_used), (3, 110));
    // It dies in the middle of the next turn, of which nothing is recorded yet.
    let run = house.prompt("question 3", "r3");
    let house = house.dies(0);
    assert_eq!(all(&house), before, "nothing has to be brought back");
    house.model.then(says("Answer 3."));
    house.world.advance_ms(600_000);
    house.drain();
    assert_eq!(house.brief(&run), "Answer 3.");
    let asked = house.model.asked();
    let history = |asked: &model::Request| {
        let of = asked.prompt.iter().find(|block| block.kind == BlockKind::History);
        of.map(|block| block.text.clone()).unwrap()
    };
    let (died, after) = (&asked[asked.len() - 2], &asked[asked.len() - 1]);
    assert_eq!(history(died), history(after));
    for number in 0..3 {
        for said in [format!("question {number}"), format!("Answer {number}.")] {
            assert!(history(after).contains(&said), "{said}");
        }
    }
    let (view, told) = all(&house);
    assert_eq!((view.turns, &told[..3]), (4, &before.1[..]));
}

#[test]
fn who_was_spoken_to_answers_in_a_session_and_who_woke_by_itself_looks_after_what_changed() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let alone = house.runs()[0].draft.run_key;
    let spoken = house.prompt("what is open?", "r1");
    house.drain();
    let (alone, spoken) = (house.turn(&alone).unwrap(), house.turn(&spoken).unwrap());
    assert_eq!((alone.workflow.as_str(), spoken.workflow.as_str()), ("turn", "session"));
    assert_eq!((alone.dialog_act, alone.thread.as_str().contains(":run:")), (None, true));
    assert!(spoken.dialog_act.is_some() && spoken.thread.as_str().ends_with(":session:talk"));
    let has = |turn: &types::Turn, kind| {
        house.prompt_of(turn).blocks.iter().any(|(block, _)| block.kind == kind)
    };
    assert!(has(&spoken, BlockKind::Input) && !has(&alone, BlockKind::Input));
}

#[test]
fn a_prompt_is_kept_before_it_is_answered_in_numbered_pieces_or_with_a_typed_failure() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let run = house.prompt("what is open?", "r1");
    // It is durable: another process answers it.
    let house = house.restarted(|_| {});
    let mut live = house.runtime.turns.live().follow(run, None);
    house.model.then(says("Two of two."));
    house.drain();
    let mut heard = Vec::new();
    while let Some(chunk) = live.try_next() {
        heard.push((chunk.id.n, chunk.happened));
    }
    let numbers: Vec<u64> = heard.iter().map(|(n, _)| *n).collect();
    assert_eq!(numbers, (0..heard.len() as u64).collect::<Vec<_>>(), "in order, without a gap");
    let text: String = heard
        .into_iter()
        .filter_map(|(_, happened)| match happened {
            runtime::Happened::Text(text) => Some(text),
            _ => None,
        })
        .collect();
    assert_eq!((text.as_str(), house.brief(&run).as_str()), ("Two of two.", "Two of two."));
    house.model.then(fails(ModelFailureKind::Authentication));
    let run = house.prompt("and now?", "r2");
    house.drain();
    let told = wait(house.runtime.waker.told(run)).unwrap();
    assert_eq!(told.kind, "failure");
    assert!(told.failure.is_some_and(|failure| !failure.kind.is_empty()));
}

#[test]
fn with_an_agent_that_is_over_no_session_begins() {
    let house = House::new(vec![says("First look."), says("Here.")]);
    house.drain();
    house.prompt("are you there?", "r1");
    house.drain();
    wait(house.runtime.fleet.agent_destroy(house.agent.as_str())).unwrap();
    let (sessions, channel) = (&house.runtime.sessions, DeliverySurface::CliPrompt);
    let start = StartSession {
        agent: house.agent.clone(),
        name: "later".to_owned(),
        conversation: None,
        token_capacity: None,
        channel,
    };
    let started = wait(sessions.start(start)).map_err(Problem::from);
    assert_eq!(started.unwrap_err().code, Code::AgentDestroyed);
    let gone_on = wait(sessions.go_on(&house.agent, TALK, channel)).map_err(Problem::from);
    assert_eq!(gone_on.unwrap_err().code, Code::AgentDestroyed);
    assert_eq!(talk(&house).session.name, TALK, "what was said can still be read");
}
