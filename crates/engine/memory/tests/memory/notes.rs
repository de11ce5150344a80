//! Notes: kept in their order, never changed, never told.

use policy::Rights;
use serde_json::json;
use store::wait;
use tool::Capability;
use types::{
    Author, Body, Code, Domain, Label, Message, MessageId, MessageKind, RecordDraft, ReportScope,
    SummarySpan, Write,
};

use crate::house::{House, agent, id, run};

const SECRET: &str = "The owner is tired of this task.";

#[test]
fn notes_gather_over_runs_and_are_never_written_again() {
    let house = House::new();
    let journal = house.head();
    house.notes("one", &["the can leaks", "  the tap drips  "]);
    let first = wait(house.memory.observations(&agent(), 10)).unwrap();
    let was = house.record(first[0].id.as_str());
    house.notes("two", &["the moss grows"]);
    let texts: Vec<String> = wait(house.memory.observations(&agent(), 10))
        .unwrap()
        .into_iter()
        .map(|note| note.text)
        .collect();
    assert_eq!(texts, ["the can leaks", "the tap drips", "the moss grows"]);
    let newest = wait(house.memory.observations(&agent(), 1)).unwrap();
    assert_eq!(newest[0].text, "the moss grows");
    assert_eq!(house.record(first[0].id.as_str()), was);
    let Body::AgentMessage(message) = was.body else { panic!() };
    assert_eq!((message.kind, message.run_key), (MessageKind::Observation, Some(run("one"))));
    assert_eq!(message.tokens_approx, 4);
    assert_eq!(house.head(), journal, "the journal knows nothing of it");
    assert!(wait(house.memory.observations(&id("agent_b"), 10)).unwrap().is_empty());
    assert!(wait(house.memory.summaries(&agent(), 10)).unwrap().is_empty());
    let standing = wait(house.memory.report(&agent(), ReportScope::Current)).unwrap();
    assert_eq!(standing, None, "a note is no report");
}

#[test]
fn notes_need_no_category_and_leave_a_call_and_its_answer() {
    let house = House::new();
    let call = house.call("r", "record_observations", json!({ "notes": ["the can leaks"] }));
    let call = tool::Call { scope: [].into(), operation: None, ..call };
    let call = tool::Call {
        operation: wait(house.executor.name(&call)).map(|named| named.operation),
        ..call
    };
    let receipt = house.execute(call);
    assert_eq!(receipt.result.as_ref().unwrap().payload["recorded"], 1);
    let record = house.record(receipt.tool_action_id.as_str());
    let Body::AgentToolInvocation(invocation) = record.body else { panic!() };
    let result = invocation.state.result().unwrap().clone();
    for kept in [invocation.arguments, result] {
        assert!(wait(house.store.content(Domain::Agent, kept)).unwrap().is_some());
    }
    let audit = wait(house.store.audit(Domain::Agent, 0, 100)).unwrap();
    let actions: Vec<&str> = audit.iter().map(|entry| entry.action.as_str()).collect();
    assert!(actions.ends_with(&["tool.allow", "tool.done"]), "{actions:?}");
}

#[test]
fn no_report_repeats_a_private_note() {
    let house = House::new();
    assert!(house.notes("one", &[SECRET, "dry"]).result.is_ok());
    let quoted = format!("# Ferns\n\nDry, as always. {}", SECRET.to_uppercase());
    let (code, field, message) = house.refused(json!({ "content": quoted, "claims": [] }));
    assert_eq!((code, field.as_str()), (Code::BadArguments, "content"));
    assert!(!message.contains("tired"), "{message}");
    let claims = json!([{ "text": SECRET, "inferred": true }]);
    let (code, ..) = house.refused(json!({ "content": "# Ferns", "claims": claims }));
    assert_eq!(code, Code::BadArguments);
    let headed = json!([{ "text": "dry", "section": SECRET, "inferred": true }]);
    let (code, ..) = house.refused(json!({ "content": "# Ferns", "claims": headed }));
    assert_eq!(code, Code::BadArguments);
    let fine = json!({ "content": "# Ferns\n\nDry, as always.", "claims": [] });
    assert!(house.execute(house.call("two", "update_report", fine)).result.is_ok());
}

#[test]
fn no_report_repeats_a_line_of_a_summary_of_notes() {
    let house = House::new();
    let name: MessageId = id("message_summary");
    let bytes = format!("Two notes.\n- {SECRET}\n- dry\n").into_bytes();
    let (content, at) = rules::content::keep((&name).into(), Label::runtime(), bytes);
    let thread = rules::thread::of_notes(&agent());
    let span = SummarySpan {
        start: id("message_a"),
        end: id("message_b"),
        depth: 1,
        made_by: "test/1".to_owned(),
        content_hash: at.hash,
    };
    let summary = Message::of(agent(), thread, MessageKind::Summary, at);
    let summary = Message { summary: Some(span), ..summary };
    let writes = vec![content, Write::Record(RecordDraft::live(&name, summary))];
    house.commit(Domain::Agent, Author::Runtime, writes);
    assert_eq!(wait(house.memory.summaries(&agent(), 10)).unwrap()[0].id, name);
    let quoted = json!({ "content": format!("Dry. {SECRET}"), "claims": [] });
    assert_eq!(house.refused(quoted).0, Code::BadArguments);
}

#[test]
fn what_the_journal_says_where_a_report_looks_is_no_secret_though_it_was_noted() {
    let house = House::new();
    assert!(house.notes("one", &[SECRET]).result.is_ok());
    let item = |title: &str, deleted: bool| {
        let body = types::ChecklistItem {
            checklist_id: id("checklist_1"),
            task_id: id("task_ferns"),
            title: title.to_owned(),
            checked: false,
            rank: "o".to_owned(),
        };
        let name: types::RecordId = id("item_rest");
        types::Write::Record(match deleted {
            false => types::RecordDraft::live(name, body),
            true => types::RecordDraft::gone(name, body),
        })
    };
    let content = format!("# Ferns\n\n- [ ] {SECRET}");
    let naming = |source: &str| {
        let claims = json!([{ "text": format!("Open: {SECRET}"), "sources": [source] }]);
        json!({ "content": content, "claims": claims })
    };
    house.edit(item(&SECRET.to_lowercase(), false));
    let told = house.execute(house.call("two", "update_report", naming("item_rest")));
    assert!(told.result.is_ok(), "{:?}", told.result);
    assert_eq!(house.refused(naming("task_ferns")).0, Code::BadArguments, "it says nothing of it");
    house.edit(item(SECRET, true));
    assert_eq!(house.refused(naming("item_rest")).0, Code::BadArguments, "it stands no longer");
}

#[test]
fn a_note_of_the_same_answer_is_private_already() {
    let house = House::new();
    let rights = Rights { capabilities: Capability::ALL.into(), ..Rights::default() };
    let report = json!({ "content": format!("Dry. {SECRET}"), "claims": [] });
    let calls = vec![
        house.call("r", "update_report", report),
        house.call("r", "record_observations", json!({ "notes": [SECRET] })),
    ];
    let receipts = house.carry_out(calls, &rights);
    assert_eq!(receipts[0].result.as_ref().unwrap_err().kind, Code::BadArguments);
    assert!(receipts[1].result.is_ok());
    assert_eq!(wait(house.memory.report(&agent(), ReportScope::Current)).unwrap(), None);
}

#[test]
fn what_stands_in_the_report_is_not_kept_as_a_private_note() {
    let house = House::new();
    house.reports("one", "# Ferns\n\nThe can has a hole in its bottom.");
    let failure =
        house.notes("two", &["fine", "the can has a hole in its bottom."]).result.unwrap_err();
    assert_eq!(failure.details.unwrap()["field"], "notes.1");
    assert!(wait(house.memory.observations(&agent(), 10)).unwrap().is_empty(), "all or nothing");
}

#[test]
fn empty_notes_are_refused() {
    let house = House::new();
    for notes in [json!([]), json!(["  "]), json!([""]), json!([1])] {
        let call = house.call("r", "record_observations", json!({ "notes": notes }));
        assert_eq!(house.execute(call).result.unwrap_err().kind, Code::BadArguments);
    }
}
