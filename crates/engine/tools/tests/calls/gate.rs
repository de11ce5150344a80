//! Denials: by which rule, in which words, and that nothing happens.

use policy::Rights;
use serde_json::{Value, json};
use store::wait;
use tool::Call;
use tools::Registry;
use types::{
    Capability, Category, Code, FenceMove, FenceScope, InvocationState, OperationId, Quota,
    RecordDraft, WakeReason, Write,
};

use crate::house::{House, id, rights, rights_with, rule};
use crate::workshop::{self, Bench};

fn fence(house: &House, scope: FenceScope, closed: bool) -> Write {
    use store::Store;
    let epoch = types::Epoch { attempt: 1, ..house.store().epoch() };
    Write::Fence(FenceMove { scope, epoch, closed })
}

/// A way to spoil a call, with what has to be so beforehand.
type Spoil = fn(&House, Call) -> (Call, Rights);

fn spoiled() -> Vec<(&'static str, Code, Spoil)> {
    vec![
        ("registry", Code::UnknownTool, |_, call| {
            (Call { tool: "nobody|knows".to_owned(), ..call }, rights())
        }),
        ("offered", Code::CapabilityMissing, |_, call| {
            (call, Rights { tools: Some(["list_tasks".to_owned()].into()), ..rights() })
        }),
        ("schema", Code::BadArguments, |_, mut call| {
            call.arguments["title"] = json!(7);
            (call, rights())
        }),
        ("schema", Code::BadArguments, |_, mut call| {
            call.tool = "move_task".to_owned();
            call.arguments = json!({ "n": 9_007_199_254_740_993_u64 });
            (call, rights())
        }),
        ("capability", Code::CapabilityMissing, |_, call| {
            (call, Rights { capabilities: [Capability::TaskRead].into(), ..rights() })
        }),
        ("wake_reason", Code::WakeReasonNotAllowed, |_, call| {
            (Call { wake_reason: WakeReason::Tick, ..call }, rights())
        }),
        ("preview", Code::PreviewNotOffered, |_, call| (Call { preview: true, ..call }, rights())),
        ("operation_id", Code::OperationIdMissing, |_, call| {
            (Call { operation: None, ..call }, rights())
        }),
        ("kill_switch", Code::KillSwitchOn, |house, call| {
            house.write(vec![fence(house, FenceScope::Global, true)]);
            (call, rights())
        }),
        ("fence", Code::Fenced, |house, call| {
            house.write(vec![fence(house, FenceScope::Agent(id("agent_a")), false)]);
            (call, rights())
        }),
        ("tool_class", Code::ToolClassStopped, |house, call| {
            house.write(vec![fence(house, Capability::TaskWrite.fence(), true)]);
            (call, rights())
        }),
        ("category_scope", Code::OutOfScope, |house, _| {
            (house.set_title("taxes", "evade"), rights())
        }),
        ("category_scope", Code::OutOfScope, |house, _| {
            let arguments = json!({ "task": "task_ferns", "category": "category_work" });
            (house.named("move_task", arguments), rights())
        }),
        ("category_scope", Code::OutOfScope, |house, _| {
            let arguments = json!({ "title": "spy", "category": "category_work" });
            (house.named("create_task", arguments), rights())
        }),
        ("side_effects", Code::InvalidRecord, |house, _| {
            (house.named("rogue", json!({})), rights())
        }),
        ("quota", Code::ToolQuotaExceeded, |_, call| {
            (call, rights_with("set_title", Quota { max_per_day: Some(0), ..Quota::default() }))
        }),
    ]
}

#[test]
fn every_rule_denies_with_its_name_and_code_and_nothing_is_done() {
    for (expected, code, spoil) in spoiled() {
        let house = House::new();
        let (call, rights) = spoil(&house, house.set_title("ferns", "mist the ferns"));
        let before = house.journal();
        let tool = call.tool.replace('|', "_");
        let receipt = wait(house.one(call, &rights)).unwrap();
        assert_eq!(receipt.result.as_ref().unwrap_err().kind, code, "{expected}");
        let invocation = house.invocation(&receipt);
        assert_eq!(rule(&invocation), expected);
        // The error is kept as the answer, and the audit names the code and the tool.
        let result = invocation.state.result().unwrap();
        assert_eq!(house.content(result), receipt.to_json());
        assert_eq!(house.audited(), [("tool.deny".to_owned(), format!("{code}:{tool}"))]);
        assert_eq!(house.journal(), before, "{expected}: the journal was touched");
        assert_eq!(house.door.steps.lock().unwrap().len(), 1, "{expected}: one commit");
    }
}

#[test]
fn a_denied_call_keeps_what_it_was_called_with_and_under_which_policy() {
    let house = House::new();
    let call = house.set_title("taxes", "evade");
    let receipt = house.execute(call.clone());
    let invocation = house.invocation(&receipt);
    assert_eq!(house.content(&invocation.arguments), call.arguments);
    assert_eq!(house.label(&invocation.arguments), call.label());
    assert_eq!(house.label(invocation.state.result().unwrap()), call.label());
    let sources = [types::Source::Model, types::Source::External].into();
    assert_eq!(call.label(), types::Label { trust: types::Trust::Untrusted, sources });
    assert_eq!((invocation.policy.as_str(), invocation.tool_version), ("profile", 3));
    assert_eq!((invocation.thread, invocation.scope), (call.thread, call.scope));
    assert_eq!((invocation.wake_reason, invocation.run_key), (call.wake_reason, call.run));
    assert_eq!(invocation.operation, call.operation);
}

#[test]
fn what_lies_outside_of_the_scope_is_not_told_by_any_answer() {
    let house = House::new();
    // One plan would succeed and one fails after it has looked; both had looked outside.
    let answers: Vec<Value> = ["evade", "forbidden"]
        .map(|title| house.execute(house.set_title("taxes", title)))
        .into_iter()
        .map(|receipt| serde_json::from_str(&receipt.model_text()).unwrap())
        .collect();
    assert_eq!(answers[0], answers[1]);
    let told = answers[0].to_string();
    assert_eq!(answers[0]["kind"], "out_of_scope");
    for secret in ["secret", "taxes", "work", "revision"] {
        assert!(!told.contains(secret), "{told}");
    }
    // Inside, a failure says what it is.
    let inside = house.execute(house.set_title("ferns", "forbidden"));
    assert!(inside.model_text().contains("water the ferns"), "{}", inside.model_text());
}

#[test]
fn a_task_that_was_moved_away_cannot_be_pulled_back_or_read() {
    let house = House::new();
    let pull =
        house.named("move_task", json!({ "task": "task_taxes", "category": "category_home" }));
    assert_eq!(house.execute(pull).result.unwrap_err().kind, Code::OutOfScope);
    let listed = house.execute(house.call("list_tasks", json!({})));
    let titles = json!({ "titles": ["brush the moss", "water the ferns"] });
    assert_eq!(listed.result.unwrap().payload, titles);
}

#[test]
fn what_was_done_is_answered_though_it_would_be_denied_by_now() {
    let house = House::new();
    let call = house.set_title("ferns", "mist the ferns");
    let done = house.execute(call.clone());
    let kept = house.invocation(&done);
    let late = Call { wake_reason: WakeReason::Tick, ..call.clone() };
    for again in [house.execute(late), wait(house.one(call, &Rights::default())).unwrap()] {
        assert_eq!((again.repeated, &again.result), (true, &done.result));
    }
    assert_eq!(house.invocation(&done), kept);
}

#[test]
fn what_had_failed_and_is_denied_now_is_recorded_as_whoever_asked_was_told() {
    let house = House::new();
    let call = house.set_title("nobody", "x");
    let failed = house.execute(call.clone());
    assert!(matches!(house.invocation(&failed).state, InvocationState::Failed { .. }));
    let denied = wait(house.one(call.clone(), &Rights::default())).unwrap();
    let InvocationState::Denied { rule, .. } = house.invocation(&denied).state else {
        panic!("{denied:?}");
    };
    assert_eq!(rule, "capability");
    let recalled = wait(house.executor.recall(&call)).unwrap().unwrap();
    assert_eq!(recalled.result, denied.result);
}

#[test]
fn a_name_that_stands_for_another_call_is_refused() {
    let house = House::new();
    let first = house.set_title("ferns", "mist the ferns");
    house.execute(first.clone());
    let before = house.journal();
    let others = [
        Call { tool: "create_task".to_owned(), ..first.clone() },
        Call { arguments: json!({ "task": "task_moss", "title": "x" }), ..first.clone() },
    ];
    for other in others {
        let receipt = house.execute(other);
        assert_eq!(receipt.result.unwrap_err().kind, Code::Conflict);
    }
    assert_eq!(house.journal(), before);
    // A read is known by what it was called in its run.
    let read = house.call("list_tasks", json!({}));
    house.execute(read.clone());
    let other = house.execute(Call { arguments: json!({ "all": true }), ..read });
    assert_eq!(other.result.unwrap_err().kind, Code::Conflict);
}

#[test]
fn an_operation_of_another_agent_is_refused_and_not_shown() {
    let house = House::new();
    let first = house.set_title("ferns", "mist the ferns");
    house.execute(first.clone());
    let thief = Call { agent: id("agent_b"), ..first };
    let receipt = house.execute(thief);
    assert!(!receipt.model_text().contains("mist"), "{}", receipt.model_text());
    assert_eq!(receipt.result.unwrap_err().kind, Code::Conflict);
}

#[test]
fn an_answer_that_breaks_its_contract_is_a_failure_before_anything_is_done() {
    let house = House::new();
    let before = house.journal();
    let call =
        Call { operation: Some(OperationId(types::Digest::ZERO)), ..house.call("liar", json!({})) };
    let receipt = house.execute(call);
    assert!(matches!(house.invocation(&receipt).state, InvocationState::Failed { .. }));
    assert_eq!(receipt.result.unwrap_err().kind, Code::InvalidRecord);
    assert_eq!(house.journal(), before);
}

#[test]
fn bad_arguments_are_told_by_their_field() {
    let house = House::new();
    let call = house.call("set_title", json!({ "task": "task_ferns", "colour": "green" }));
    let shown: Value = serde_json::from_str(&house.execute(call).model_text()).unwrap();
    assert_eq!((&shown["ok"], &shown["kind"]), (&json!(false), &json!("bad_arguments")));
    assert_eq!(shown["details"]["complaints"].as_array().unwrap().len(), 2);
    assert!(["title", "colour"].contains(&shown["field"].as_str().unwrap()), "{shown}");
    assert!(!shown.to_string().contains("green"), "{shown}");
}

#[test]
fn the_offer_follows_from_the_profile_alone_and_is_sorted() {
    let house = House::new();
    let names = |rights: &Rights| -> Vec<&str> {
        let offers = house.executor.registry().offer(rights);
        offers.into_iter().map(|offer| offer.name).collect()
    };
    let all = [
        "ask_operator",
        "create_many",
        "create_task",
        "keep_note",
        "liar",
        "list_tasks",
        "move_task",
        "rogue",
        "set_title",
        "stuck",
        "title_alone",
        "title_once",
    ];
    assert_eq!(names(&rights()), all);
    let reader = Rights { capabilities: [Capability::TaskRead].into(), ..Rights::default() };
    assert_eq!(names(&reader), ["ask_operator", "list_tasks"]);
    assert_eq!(names(&Rights::default()), Vec::<&str>::new());
    let offers = house.executor.registry().offer(&rights());
    let offer = offers.iter().find(|offer| offer.name == "set_title").unwrap();
    assert_eq!(offer.description, "Gives a task another title.");
    assert_eq!(offer.input["required"], json!(["task", "title"]));
}

#[test]
fn two_tools_of_one_name_make_no_registry() {
    let house = House::new();
    let bench = || Bench { store: house.door.clone(), world: house.world.clone() };
    let mut twice = workshop::tools(&bench());
    twice.extend(workshop::tools(&bench()));
    let refused = Registry::new(twice).err().unwrap().to_string();
    assert!(refused.contains("two tools are called"), "{refused}");
}

#[test]
fn a_category_that_nobody_may_touch_is_out_of_scope_even_for_a_new_task() {
    let house = House::new();
    let secret: types::RecordId = id("category_secret");
    house.write(vec![Write::Record(RecordDraft::live(secret, Category::named("secret")))]);
    let call = house.named("create_task", json!({ "title": "t", "category": "category_secret" }));
    let receipt = house.execute(Call { scope: [].into(), ..call });
    assert_eq!(receipt.result.unwrap_err().kind, Code::OutOfScope);
}
