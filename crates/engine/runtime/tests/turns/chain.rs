//! From what somebody said to what was done and remembered: every step can be followed, from the files
//! alone.

use runtime::Delivery;
use serde_json::json;
use store::wait;
use testkit::model::{asks, says};
use types::{
    Author, BlockKind, Body, Digest, Domain, EnvelopeBody, InvocationState, Message, MessageKind,
    Record, RecordId, RunKey, ToolInvocation,
};

use crate::house::House;

impl House {
    fn everything(&self) -> Vec<Record> {
        let all = wait(self.runtime.store.scan(Domain::Agent, 0, 1_000)).unwrap();
        all.into_iter().map(|(_, record)| record).collect()
    }

    fn messages_of(&self, run: &RunKey) -> Vec<(String, Message)> {
        let of_run = self.everything().into_iter().filter_map(|record| match record.body {
            Body::AgentMessage(message) if message.run_key == Some(*run) => {
                Some((record.id.to_string(), *message))
            }
            _ => None,
        });
        of_run.collect()
    }

    fn calls_of(&self, run: &RunKey) -> Vec<(RecordId, ToolInvocation)> {
        let of_run = self.everything().into_iter().filter_map(|record| match record.body {
            Body::AgentToolInvocation(call) if call.run_key == *run => Some((record.id, *call)),
            _ => None,
        });
        of_run.collect()
    }

    /// What the audit says about something.
    fn said_of(&self, subject: &str) -> Vec<String> {
        let about = self.audited().into_iter().filter(|(_, of, _)| of == subject);
        about.map(|(action, ..)| action).collect()
    }
}

/// A turn that adds an item, keeps a note, writes the report, and is refused something.
fn busy() -> (House, RunKey) {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    let category = wait(house.runtime.journal.category_find("home")).unwrap().id;
    let other = house.does("create_task", json!({ "title": "Other", "categoryId": category }));
    let note = json!({ "notes": ["milk is a favourite"] });
    let report = json!({ "content": "Milk was added.", "claims": [] });
    house.model.then(asks(&[
        ("a", "add_multiple_checklist_items", house.item("milk")),
        ("b", "record_observations", note),
        ("c", "update_report", report),
        ("d", "set_task_title", json!({ "taskId": other["id"], "title": "mine" })),
    ]));
    house.model.then(says("Milk is on the list."));
    let run = house.prompt("add milk", "r1");
    house.drain();
    assert_eq!(house.brief(&run), "Milk is on the list.");
    (house, run)
}

#[test]
fn a_turn_can_be_followed_from_the_words_that_woke_it_to_all_it_did_and_remembers() {
    let (house, run) = busy();
    // The words: let in, and the first of the turn's messages.
    let logged = wait(house.runtime.store.run(run)).unwrap().unwrap();
    let envelope = logged.draft.envelope.expect("somebody spoke");
    assert_eq!(house.said_of(envelope.as_str()), ["envelope.admit"]);
    let messages = house.messages_of(&run);
    let (first, said) = messages.iter().find(|(_, one)| one.kind == MessageKind::User).unwrap();
    assert_eq!(said.trigger_source_id.as_deref(), Some(envelope.as_str()));
    // Every answer leads back to them.
    let thoughts = messages.iter().filter(|(_, one)| one.kind == MessageKind::Thought);
    let before: Vec<&str> =
        thoughts.map(|(_, one)| one.previous.as_ref().unwrap().as_str()).collect();
    assert_eq!((before.len(), before[0]), (2, first.as_str()));
    assert!(messages.iter().any(|(id, _)| id == before[1]), "the second follows on the first");
    assert_eq!(house.said_of(rules::turn::id(&run).as_str()).len(), 3, "two questions and the end");
    // Every decision about a call, and what came of it.
    let calls = house.calls_of(&run);
    assert_eq!(calls.len(), 4);
    for (id, call) in &calls {
        let told = house.said_of(id.as_str());
        let expected = match call.tool.as_str() {
            "set_task_title" => vec!["tool.deny"],
            _ => vec!["tool.allow", "tool.done"],
        };
        assert_eq!(told, expected, "{}", call.tool);
        let done = matches!(call.state, InvocationState::Done { .. });
        assert_eq!(done, call.tool != "set_task_title");
    }
    // The one that changed the journal is known there by the same name.
    let operation =
        wait(house.runtime.store.operations_of_run(Domain::Journal, run)).unwrap().remove(0);
    assert!(matches!(operation.author, Author::Agent { run: by, .. } if by == run));
    let effects = wait(house.runtime.store.audit(Domain::Journal, 0, 1_000)).unwrap();
    let effect = effects.iter().find(|entry| entry.action == "tool.effect").unwrap();
    assert!(calls.iter().any(|(id, _)| effect.detail.ends_with(id.as_str())));
    // What it remembers names the run, and both chains hold.
    assert!(messages.iter().any(|(_, one)| one.kind == MessageKind::Observation));
    let wrote = |record: &Record| match &record.body {
        Body::AgentReport(report) => report.run_key == run,
        _ => false,
    };
    assert!(house.everything().iter().any(wrote));
    for domain in Domain::ALL {
        let entries = wait(house.runtime.store.audit(domain, 0, 1_000)).unwrap();
        rules::audit::follow(0, Digest::ZERO, &entries).expect("nothing is missing or changed");
    }
}

#[test]
fn all_that_is_remembered_names_the_run_that_made_it_and_the_agent_it_is_of() {
    let (house, _) = busy();
    for number in 0..20 {
        house.model.then(says(&format!("answer {number}")));
        house.prompt(&format!("question {number}"), &format!("q{number}"));
        house.drain();
    }
    let (mut kinds, mut others) = (vec![], 0);
    for record in house.everything() {
        let (run, agent) = match record.body {
            Body::AgentMessage(message) => {
                kinds.push(message.kind);
                (message.run_key, message.agent_id)
            }
            Body::AgentReport(report) => (Some(report.run_key), report.agent_id),
            Body::AgentTurn(turn) => (Some(turn.run_key), turn.agent_id),
            _ => continue,
        };
        others += 1;
        let run = run.unwrap_or_else(|| panic!("{} names no run", record.id));
        assert_eq!(agent, house.agent);
        let made_by = wait(house.runtime.store.run(run)).unwrap();
        assert_eq!(made_by.unwrap().draft.agent, house.agent, "and the log knows that run");
    }
    for kind in [MessageKind::Observation, MessageKind::Summary, MessageKind::User] {
        assert!(kinds.contains(&kind), "there was no {kind:?}");
    }
    assert!(others > kinds.len(), "reports and turns were among them");
}

/// Who spoke, through which door, what that checked and what may be claimed there: the event, the audit and
/// the prompt say the same.
fn came_through(house: &House, run: &RunKey, door: &str) {
    let admitted = house.told("message_admitted");
    let event = admitted.iter().find(|body| body["run_key"] == json!(run)).unwrap();
    let words = [
        &event["origin"]["from"],
        &event["delivery_surface"],
        &event["admission_context"],
        &event["authority_class"],
    ];
    let words: Vec<&str> = words.map(|word| word.as_str().unwrap()).into();
    assert_eq!(words.join(":"), door);
    let audited = house.audited().into_iter();
    let entry = audited.into_iter().find(|(action, subject, _)| {
        action == "envelope.admit" && event["envelope"] == json!(subject)
    });
    assert_eq!(entry.unwrap().2, door);
    let prompt = house.prompt_of(&house.turn(run).unwrap());
    let input = prompt.blocks.iter().find(|(part, _)| part.kind == BlockKind::Input).unwrap();
    let shown = input.1.as_deref().unwrap();
    for (field, word) in [("from", words[0]), ("via", words[1]), ("authority", words[3])] {
        assert!(shown.contains(&format!("\"{field}\":\"{word}\"")), "{shown}");
    }
}

#[test]
fn the_logs_alone_say_why_an_agent_woke_who_spoke_and_what_each_action_goes_back_to() {
    let house = House::new(vec![says("First look.")]);
    house.drain();
    house.model.then(asks(&[("a", "add_multiple_checklist_items", house.item("milk"))]));
    house.model.then(says("Done."));
    let body = EnvelopeBody::Text { text: "built".to_owned() };
    let job = Delivery::job_result(house.agent.clone(), "job_7", 1, body);
    let job = wait(house.runtime.ingress.admit(job)).unwrap().run_key;
    house.drain();
    let outside = house.hear("do as I say", "d1");
    let operator = house.prompt("hello", "r1");
    house.drain();
    // Each message: its name, who it is from, how far it is trusted, how urgent, of which work.
    let admitted = house.told("message_admitted");
    let told = |run: &RunKey| {
        let found = admitted.iter().find(|body| body["run_key"] == json!(run)).unwrap();
        assert!(found["envelope"].is_string(), "{found}");
        let word = |field: &str| found[field].as_str().unwrap_or_default().to_owned();
        let from = found["origin"]["from"].as_str().unwrap().to_owned();
        [from, word("trust"), word("authority_class"), word("priority"), word("task_id")]
    };
    let row = |words: [&str; 5]| words.map(str::to_owned);
    let own = ["operator", "trusted_operator", "operator_instruction", "normal", ""];
    assert_eq!(told(&operator), row(own));
    let theirs = ["channel", "untrusted_external", "external_evidence", "normal", ""];
    assert_eq!(told(&outside), row(theirs));
    let result = ["task", "trusted_system", "runtime_instruction", "normal", "job_7"];
    assert_eq!(told(&job), row(result));
    came_through(&house, &operator, "operator:cli_prompt:local_process:operator_instruction");
    let door = "channel:http_public_enqueue:public_unauthenticated:external_evidence";
    came_through(&house, &outside, door);
    came_through(&house, &job, "task:task_rejoin:runtime_owned:runtime_instruction");
    // Each wake: why, and every step it took.
    for (run, reason) in
        [(&operator, "user_initiated"), (&outside, "trigger"), (&job, "job_result")]
    {
        let logged = wait(house.runtime.store.run(*run)).unwrap().unwrap();
        assert_eq!(logged.draft.reason.as_str(), reason);
        for kind in ["run_started", "turn_settled", "run_ended"] {
            let steps = house.told(kind);
            let own = steps.iter().filter(|body| body["run_key"] == json!(run));
            assert_eq!(own.count(), 1, "{kind}");
        }
    }
    // Each action: under which rule it was allowed, in which run, and so for which work.
    let entries = wait(house.runtime.store.audit(Domain::Agent, 0, 1_000)).unwrap();
    let allowed = entries.iter().find(|entry| entry.action == "tool.allow").unwrap();
    assert_eq!(allowed.detail, "capability:add_multiple_checklist_items");
    let actor: serde_json::Value = serde_json::from_str(&allowed.actor).unwrap();
    assert_eq!(actor["run"], json!(job));
    let behind = wait(house.runtime.store.run(job)).unwrap().unwrap();
    assert_eq!(behind.draft.reason_id.as_deref(), Some("job_7"));
}
