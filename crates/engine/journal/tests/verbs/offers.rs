//! What holds for every tool of the journal.

use serde_json::json;
use tool::{Contract, Risk};

use crate::desk::Desk;

fn contracts(desk: &Desk) -> Vec<Contract> {
    desk.journal.tools().iter().map(|tool| *tool.contract()).collect()
}

#[test]
fn whatever_can_go_badly_wrong_can_be_shown_first_and_put_back() {
    for contract in contracts(&Desk::new()) {
        let risky = contract.risk == Risk::High;
        assert!(!risky || (contract.preview && contract.reversible), "{}", contract.name);
        assert_eq!(contract.mutates(), !contract.side_effects.is_empty(), "{}", contract.name);
    }
}

#[test]
fn a_tool_takes_an_object_without_strangers_and_knows_what_it_requires() {
    for contract in contracts(&Desk::new()) {
        let input = (contract.input)();
        assert_eq!(input["additionalProperties"], false, "{}", contract.name);
        for field in input["required"].as_array().unwrap() {
            let known = &input["properties"][field.as_str().unwrap()];
            assert!(known.is_object(), "{} requires {field}", contract.name);
        }
        assert!(contract.description.ends_with('.'), "{}", contract.name);
    }
}

#[test]
fn an_agent_goes_through_the_same_verb_as_the_operator() {
    let desk = Desk::new();
    let task = desk.task("ferns", "home");
    let items = desk.items(&task, &["a", "b"]);
    for (verb, arguments) in [
        ("set_task_title", json!({ "taskId": task, "title": "moss" })),
        ("update_checklist_items", json!({ "items": [{ "id": items[0], "checked": true }] })),
        ("list_tasks_in_scope", json!({ "query": "ferns" })),
        ("resolve_task_reference", json!({ "reference": "fern" })),
    ] {
        let (_, planned) = desk.plan(verb, &["category_home"], &arguments);
        assert_eq!(planned.unwrap().answer, desk.preview(verb, arguments), "{verb}");
    }
}

/// The words between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn verbs_that_are_no_tools_are_in_the_guide_with_their_fields() {
    const GUIDE: &str = include_str!("../../../../../docs/guides/serving.md");
    let desk = Desk::new();
    let refused = |verb: &str| desk.ask(verb, json!({ "?": 0 })).unwrap_err();
    let hint = refused("?").hint;
    let verbs: Vec<&str> = hint.trim_start_matches("it has ").split(", ").collect();
    let tools: Vec<&str> = desk.journal.tools().iter().map(|tool| tool.contract().name).collect();
    let own: Vec<&str> = verbs.into_iter().filter(|verb| !tools.contains(verb)).collect();
    assert!(own.len() > 15, "{own:?}");
    let (_, rows) = GUIDE.split_once("\n### Verbs of your own\n").unwrap();
    let rows: Vec<Vec<&str>> =
        rows.lines().take_while(|line| !line.starts_with('#')).map(quoted).collect();
    for verb in own {
        let row = rows.iter().find(|row| row.contains(&verb));
        let row = row.unwrap_or_else(|| panic!("{verb} is not in the guide"));
        let message = refused(verb).message;
        let (_, fields) = message.split_once("expected").unwrap();
        for field in quoted(fields) {
            assert!(row.contains(&field), "{field} of {verb} is not in the guide");
        }
    }
}
