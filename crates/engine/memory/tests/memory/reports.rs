//! What a report is held to, and what it leaves behind.

use serde_json::{Value, json};
use store::wait;
use tool::Call;
use types::{
    Body, Code, Domain, InvocationState, Label, Relation, ReportScope, Source, SourceType, Trust,
    limits,
};

use crate::house::{House, agent, id, run};

fn claiming(claims: &Value) -> Value {
    json!({ "content": "# Ferns\n\nAll is well.", "claims": claims })
}

#[test]
fn a_report_its_words_its_head_its_links_and_its_event_are_one_commit() {
    let house = House::new();
    let before = wait(house.store.head(Domain::Agent)).unwrap();
    let name = house.reports("r", "# Ferns\n\nStill dry.");
    assert_eq!(wait(house.store.head(Domain::Agent)).unwrap().0, before.0 + 1);
    let report = house.report(&name);
    assert_eq!((report.scope, report.run_key), (ReportScope::Current, run("r")));
    assert_eq!((report.model.as_str(), report.journal_seen), ("builtin/scribe", house.head()));
    let content = wait(house.store.content(Domain::Agent, report.content.clone())).unwrap();
    let content = content.unwrap();
    assert_eq!(content.bytes, b"# Ferns\n\nStill dry.", "Markdown as it was written");
    // What the model had read came from outside.
    let sources = [Source::Model, Source::External].into();
    assert_eq!(content.label, Label { trust: Trust::Untrusted, sources });
    let head = rules::report::head(&agent(), ReportScope::Current);
    let Body::AgentReportHead(standing) = house.record(head.as_str()).body else { panic!() };
    assert_eq!((standing.report_id.as_str(), standing.updated_at), (&*name, report.written_at));
    let links = house.store.links_from(Domain::Agent, agent().into(), Relation::AgentReportHead);
    let heads: Vec<String> = wait(links).unwrap().iter().map(|link| link.to.to_string()).collect();
    assert_eq!(heads, [head.to_string()]);
    let events = wait(house.store.events(agent(), Some(0), 10)).unwrap();
    let told: Vec<(&str, &Value)> =
        events.iter().map(|event| (event.kind.as_str(), &event.body["report_id"])).collect();
    assert_eq!(told, [("report_updated", &json!(name))]);
}

#[test]
fn a_new_report_takes_the_place_of_the_one_before_which_stays_as_it_was() {
    let house = House::new();
    let first = house.reports("one", "dry");
    let was = house.record(&first);
    let second = house.reports("two", "wet");
    assert_ne!(first, second);
    assert_eq!(house.record(&first), was, "never written again");
    let view = wait(house.memory.report(&agent(), ReportScope::Current)).unwrap().unwrap();
    assert_eq!((view.id.as_str(), view.content.as_str()), (second.as_str(), "wet"));
    let links = house.store.links_from(Domain::Agent, agent().into(), Relation::AgentReportHead);
    assert_eq!(wait(links).unwrap().len(), 1);
}

#[test]
fn each_scope_has_a_report_of_its_own() {
    let house = House::new();
    house.reports("r", "how it stands");
    let daily = json!({ "content": "today", "scope": "daily", "confidence": 70, "claims": [] });
    assert!(house.execute(house.call("r", "update_report", daily)).result.is_ok());
    let read = |scope| wait(house.memory.report(&agent(), scope)).unwrap();
    assert_eq!(read(ReportScope::Current).unwrap().content, "how it stands");
    let today = read(ReportScope::Daily).unwrap();
    assert_eq!((today.content.as_str(), today.report.confidence), ("today", Some(70)));
    assert_eq!(read(ReportScope::Weekly), None);
    assert_eq!(wait(house.memory.report(&id("agent_b"), ReportScope::Current)).unwrap(), None);
}

#[test]
fn a_report_that_the_template_does_not_list_is_refused_and_the_model_is_told_which_it_keeps() {
    let house = House::new();
    let daily = json!({ "content": "today", "scope": "daily", "claims": [] });
    for (kept, hint) in [
        (vec![ReportScope::Current, ReportScope::Weekly], "write one of scope current or weekly"),
        (vec![], "write no report"),
    ] {
        let reports = kept.into_iter().collect();
        let call = Call { reports, ..house.call("r", "update_report", daily.clone()) };
        let failure = house.execute(call).result.unwrap_err();
        assert_eq!(failure.kind, Code::BadArguments);
        assert_eq!(failure.details.unwrap()["field"], "scope");
        assert_eq!(failure.message, "you keep no daily report");
        assert_eq!(failure.recovery_hint.as_deref(), Some(hint));
    }
    assert_eq!(wait(house.memory.report(&agent(), ReportScope::Daily)).unwrap(), None);
}

#[test]
fn a_claim_names_its_sources_or_that_it_was_concluded() {
    let house = House::new();
    let claims = json!([
        { "text": "it is open", "section": "Status", "sources": ["task_ferns", "item_can"] },
        { "text": "it will rain", "inferred": true, "confidence": 40 },
    ]);
    let receipt = house.execute(house.call("r", "update_report", claiming(&claims)));
    let payload = receipt.result.unwrap().payload;
    assert_eq!(payload["claims"], 2);
    let report = house.report(payload["reportId"].as_str().unwrap());
    let [open, rain] = &report.claims[..] else { panic!("{report:?}") };
    assert_eq!((open.id.as_str(), open.section.as_str(), open.inferred), ("c1", "Status", false));
    let source = &open.sources[0];
    assert_eq!(
        (source.source_type, source.source_locator.as_str()),
        (SourceType::Journal, "task_ferns")
    );
    assert_eq!(source.captured_at, report.written_at, "it looked in the same moment");
    assert!(source.freshness_at < source.captured_at);
    assert!(rain.inferred && rain.sources.is_empty() && rain.confidence == Some(40));
    let unsourced =
        json!([{ "text": "it is open", "sources": ["task_ferns"] }, { "text": "it is blue" }]);
    let (code, field, message) = house.refused(claiming(&unsourced));
    assert_eq!((code, field.as_str()), (Code::UnsourcedClaim, "claims.1"));
    assert!(message.contains("claim 2") && message.contains("it is blue"), "{message}");
    let view = wait(house.memory.report(&agent(), ReportScope::Current)).unwrap().unwrap();
    assert_eq!(view.report, report, "what was refused changed nothing");
}

#[test]
fn a_source_is_a_record_that_the_agent_can_see_and_nothing_is_told_of_others() {
    let house = House::new();
    let of = |source: &str| claiming(&json!([{ "text": "so it is", "sources": [source] }]));
    for seen in ["task_ferns", "item_can", "category_home", "subscription_a"] {
        assert!(house.execute(house.call("r", "update_report", of(seen))).result.is_ok(), "{seen}");
    }
    let hidden = house.refused(of("task_taxes"));
    let nothing = house.refused(of("task_nothing"));
    assert_eq!((hidden.0, hidden.1.as_str()), (Code::UnknownRecord, "claims.0.sources"));
    assert_eq!(hidden.2.replace("taxes", "nothing"), nothing.2, "the same words for both");
    for unseen in ["item_form", "category_work", "agent_b"] {
        assert_eq!(house.refused(of(unseen)).0, Code::UnknownRecord, "{unseen}");
    }
    let gone = house.record("subscription_a");
    let Body::AgentSubscription(wish) = gone.body else { panic!() };
    let write = types::Write::Record(types::RecordDraft::gone(gone.id, wish));
    house.commit(Domain::Agent, types::Author::Operator, vec![write]);
    let removed = house.call("r", "update_report", of("subscription_a"));
    assert!(house.execute(removed).result.is_ok(), "what was removed still tells that it was");
}

#[test]
fn a_report_that_rests_on_messages_and_answers_is_linked_with_the_first_and_the_last_of_them() {
    let house = House::new();
    let kept = house.notes("r", &["the first thing", "the second thing"]);
    let third = house.notes("r", &["the third thing"]);
    let messages = |receipt: &tools::Receipt| -> Vec<String> {
        serde_json::from_value(receipt.result.as_ref().unwrap().payload["changed"].clone()).unwrap()
    };
    let (first, last) = (messages(&kept), messages(&third));
    let sources = json!([last[0], first[0], kept.tool_action_id]);
    let claims = claiming(&json!([{ "text": "I watched", "sources": sources }]));
    let receipt = house.execute(house.call("r", "update_report", claims));
    let name = receipt.result.unwrap().payload["reportId"].as_str().unwrap().to_owned();
    let report = house.report(&name);
    assert_eq!(report.based_on.as_ref().unwrap().as_str(), first[0]);
    let types: Vec<SourceType> =
        report.claims[0].sources.iter().map(|source| source.source_type).collect();
    assert_eq!(types, [SourceType::Agent, SourceType::Agent, SourceType::ToolOutput]);
    let links = house.store.links_from(Domain::Agent, id(&name), Relation::ReportSourceSpan);
    let mut ends: Vec<String> =
        wait(links).unwrap().iter().map(|link| link.to.to_string()).collect();
    ends.sort_unstable();
    let mut expected = vec![first[0].clone(), last[0].clone()];
    expected.sort_unstable();
    assert_eq!(ends, expected);
}

#[test]
fn reports_are_found_by_what_they_rest_on_and_by_agent() {
    let house = House::new();
    let first = house.reports("one", "dry");
    let second = house.reports("two", "wet");
    let names = |found: Vec<memory::Resting>| -> Vec<(String, bool)> {
        found.into_iter().map(|one| (one.id.to_string(), one.stands)).collect()
    };
    let (first, second) = ((first.to_string(), false), (second.to_string(), true));
    let task = id("task_ferns");
    let about = wait(house.memory.reports_about(&task, 10)).unwrap();
    assert_eq!(names(about), std::slice::from_ref(&second), "the newest of each agent");
    let all = wait(house.memory.reports_of(&agent(), &task, 10)).unwrap();
    assert_eq!(names(all), [second.clone(), first]);
    let newest = wait(house.memory.reports_of(&agent(), &task, 1)).unwrap();
    assert_eq!(names(newest), [second]);
    assert!(wait(house.memory.reports_about(&id("task_taxes"), 10)).unwrap().is_empty());
    assert!(wait(house.memory.reports_of(&id("agent_b"), &task, 10)).unwrap().is_empty());
}

#[test]
fn a_denied_report_is_kept_with_the_scope_it_was_judged_in_and_audited() {
    let house = House::new();
    let call = house.call("r", "update_report", claiming(&json!([])));
    let receipt = house.carry_out(vec![call], &policy::Rights::default()).remove(0);
    assert_eq!(receipt.result.unwrap_err().kind, Code::CapabilityMissing);
    let record = house.record(receipt.tool_action_id.as_str());
    let Body::AgentToolInvocation(invocation) = record.body else { panic!() };
    assert!(matches!(invocation.state, InvocationState::Denied { .. }));
    assert_eq!(invocation.scope, [id("category_home")].into());
    let audit = wait(house.store.audit(Domain::Agent, 0, 100)).unwrap();
    let last = audit.last().unwrap();
    assert_eq!(
        (last.action.as_str(), last.detail.as_str()),
        ("tool.deny", "capability_missing:update_report")
    );
}

#[test]
fn a_report_that_its_agent_could_not_read_whole_is_refused() {
    let house = House::new();
    let words = |lines: usize| json!({ "content": "a line\n".repeat(lines), "claims": [] });
    let fits = limits::REPORT_BYTES_MAX / "a line\\n".len();
    let (code, field, message) = house.refused(words(fits + 1));
    assert_eq!((code, field.as_str()), (Code::BadArguments, "content"));
    assert!(message.contains(&limits::REPORT_BYTES_MAX.to_string()), "{message}");
    assert!(house.execute(house.call("r", "update_report", words(fits))).result.is_ok());
}

#[test]
fn what_is_changed_after_the_look_was_not_what_was_read() {
    let house = House::new();
    let claims = json!([{ "text": "it is open", "sources": ["task_ferns"] }]);
    let call = house.call("r", "update_report", claiming(&claims));
    let looked_at = call.looked_at;
    house.world.advance_ms(60_000);
    house.put_task("ferns", "home", "changed meanwhile");
    house.world.advance_ms(60_000);
    let payload = house.execute(call).result.unwrap().payload;
    let source = house.report(payload["reportId"].as_str().unwrap()).claims[0].sources[0].clone();
    assert_eq!((source.captured_at, source.freshness_at), (looked_at, looked_at));
}
