//! The operator's words, and what comes of them.

use serde_json::{Value, json};

use crate::given::{Given, calls, task};

const ADD: &str = "add_multiple_checklist_items";
const CHECK: &str = "update_checklist_items";

fn added(items: &[&str]) -> Value {
    json!({ "taskId": "task_garden", "items": items })
}

fn checked(ids: &[&str], checked: bool) -> Value {
    let items: Vec<Value> = ids.iter().map(|id| json!({ "id": id, "checked": checked })).collect();
    json!({ "taskId": "task_garden", "items": items })
}

fn check(said: &str, tool: &str, arguments: &Value) {
    let response = Given::prompt(said).ask();
    assert_eq!(calls(&response), [(tool, arguments)], "{said}: {}", response.text);
}

#[test]
fn what_is_to_be_added_is_added_as_it_was_given() {
    let table: &[(&str, &[&str])] = &[
        ("add Water the roses", &["Water the roses"]),
        ("Add Water the roses.", &["Water the roses"]),
        ("add \"Water the roses.\"", &["Water the roses."]),
        ("please add “Call Bob & Ann (2×)” to the checklist", &["Call Bob & Ann (2×)"]),
        ("Could you add water the roses to my list?", &["water the roses"]),
        ("add bread and butter", &["bread and butter"]),
        ("add item: bread and butter", &["bread and butter"]),
        ("add an item called Rake", &["Rake"]),
        ("add the item \"a, b and c\"", &["a, b and c"]),
        ("add items: rake, hoe and spade", &["rake", "hoe", "spade"]),
        ("add item: rake, hoe, and spade", &["rake", "hoe", "spade"]),
        ("add items rake and hoe", &["rake", "hoe"]),
        ("add \"rake\" and \"hoe, small\"", &["rake", "hoe, small"]),
        ("Add these items:\n- rake\n- [ ] hoe, small\n3. spade", &["rake", "hoe, small", "spade"]),
        ("add 3 eggs", &["3 eggs"]),
        ("add review of priority", &["review of priority"]),
        ("add check off list", &["check off list"]),
        ("add pins to the list of places", &["pins to the list of places"]),
        ("add \"go to the list x\"", &["go to the list x"]),
        ("todo: rake", &["rake"]),
        ("put rake on the list", &["rake"]),
        ("Füge Brot kaufen hinzu", &["Brot kaufen"]),
        ("Bitte füge „Brot kaufen“ zur Liste hinzu.", &["Brot kaufen"]),
        ("Rechen hinzufügen", &["Rechen"]),
    ];
    for (said, items) in table {
        check(said, ADD, &added(items));
    }
}

#[test]
fn a_list_is_named_or_made() {
    let arguments = json!({ "taskId": "task_garden", "items": ["rake"],
                            "checklistId": "checklist_one" });
    check("add rake to the list \"Checklist\"", ADD, &arguments);
    let list = json!({ "taskId": "task_garden", "title": "Tools" });
    check("create a checklist called Tools", "create_checklist", &list);
    let list = json!({ "taskId": "task_garden", "title": "Tools", "items": ["rake", "hoe"] });
    check("create a checklist Tools: rake and hoe", "create_checklist", &list);
}

#[test]
fn an_item_is_found_by_its_name_or_a_part_of_it() {
    let table: &[(&str, &[&str], bool)] = &[
        ("check off Order seeds", &["item_seeds"], true),
        ("check off the seeds", &["item_seeds"], true),
        ("check off seed", &["item_seeds"], true),
        ("tick off \"order seeds\"", &["item_seeds"], true),
        ("Order seeds is done", &["item_seeds"], true),
        ("the beds are done!", &["item_beds"], true),
        ("mark order seeds as done", &["item_seeds"], true),
        ("check off seeds and beds", &["item_seeds", "item_beds"], true),
        ("check off everything", &["item_seeds", "item_beds"], true),
        ("uncheck milk", &["item_milk"], false),
        ("Buy milk is not done", &["item_milk"], false),
        ("mark milk as open", &["item_milk"], false),
        ("Hake Order seeds ab", &["item_seeds"], true),
        ("Order seeds ist erledigt", &["item_seeds"], true),
    ];
    for (said, ids, value) in table {
        check(said, CHECK, &checked(ids, *value));
    }
}

#[test]
fn fields_of_the_task_are_set() {
    let of = |name: &str, value: Value| {
        let mut arguments = json!({ "taskId": "task_garden" });
        arguments[name] = value;
        arguments
    };
    let table: &[(&str, &str, Value)] = &[
        ("rename to Plan the garden", "set_task_title", of("title", json!("Plan the garden"))),
        ("Rename the task to “A b”.", "set_task_title", of("title", json!("A b"))),
        ("set priority p0", "update_task_priority", of("priority", json!("p0"))),
        ("set the priority to high", "update_task_priority", of("priority", json!("p1"))),
        ("low priority", "update_task_priority", of("priority", json!("p3"))),
        ("Priorität hoch", "update_task_priority", of("priority", json!("p1"))),
        ("due 2026-12-24", "update_task_due_date", of("dueDate", json!("2026-12-24"))),
        (
            "set the due date to 2026-12-24T18:00.",
            "update_task_due_date",
            of("dueDate", json!("2026-12-24T18:00")),
        ),
        ("fällig am 2026-12-24", "update_task_due_date", of("dueDate", json!("2026-12-24"))),
        ("remove the due date", "update_task_due_date", of("dueDate", Value::Null)),
        ("estimate 2h", "update_task_estimate", of("estimateMinutes", json!(120))),
        ("estimate: 90 min", "update_task_estimate", of("estimateMinutes", json!(90))),
        ("set the estimate to 1.5 hours", "update_task_estimate", of("estimateMinutes", json!(90))),
        ("estimate 1h30", "update_task_estimate", of("estimateMinutes", json!(90))),
        (
            "estimate 1 hour and 15 minutes",
            "update_task_estimate",
            of("estimateMinutes", json!(75)),
        ),
        ("no estimate", "update_task_estimate", of("estimateMinutes", Value::Null)),
        ("set status to on hold", "update_task_fields", of("status", json!("on_hold"))),
        ("status: blocked", "update_task_fields", of("status", json!("blocked"))),
        ("Status: open.", "update_task_fields", of("status", json!("open"))),
        ("status: in progress", "update_task_fields", of("status", json!("in_progress"))),
        ("the task is done", "update_task_fields", of("status", json!("done"))),
        ("close the task", "update_task_fields", of("status", json!("done"))),
    ];
    for (said, tool, arguments) in table {
        check(said, tool, arguments);
    }
    let reworded = json!({ "taskId": "task_garden",
                           "items": [{ "id": "item_seeds", "title": "Order bulbs" }] });
    check("rename Order seeds to Order bulbs", CHECK, &reworded);
    let next = json!({ "sourceTaskId": "task_garden", "newTaskTitle": "Harvest",
                       "carryOverOpenChecklistItems": false, "preserveCategoryAndLabels": true });
    check("create a follow-up task: Harvest", "create_follow_up_task", &next);
    check(
        "note: the shop is shut on Mondays",
        "record_observations",
        &json!({ "notes": ["the shop is shut on Mondays"] }),
    );
}

#[test]
fn several_orders_are_followed_together_or_not_at_all() {
    let response = Given::prompt("add rake\ncheck off seeds and set priority p0").ask();
    let tools: Vec<&str> = calls(&response).iter().map(|(tool, _)| *tool).collect();
    assert_eq!(tools, [ADD, CHECK, "update_task_priority"]);
    let response = Given::prompt("add rake\ncheck off the unicorn").ask();
    assert_eq!(calls(&response), []);
    assert!(response.text.contains("no item like “the unicorn”"), "{}", response.text);
    assert!(response.text.contains("done nothing"), "{}", response.text);
    let response = Given::prompt("add rake\nlove is a battlefield").ask();
    assert_eq!(calls(&response), []);
    assert!(response.text.contains("did not understand all"), "{}", response.text);
}

#[test]
fn of_more_orders_than_it_follows_at_once_none_is_followed() {
    let orders = |number: usize| -> Vec<String> {
        (1..=number).map(|number| format!("add rake {number}")).collect()
    };
    for between in ["\n", "; "] {
        let response = Given::prompt(&orders(12).join(between)).ask();
        assert_eq!(response.calls.len(), 12, "{}", response.text);
        let response = Given::prompt(&orders(13).join(between)).ask();
        assert_eq!(calls(&response), []);
        assert!(response.text.contains("at most 12 orders"), "{}", response.text);
    }
}

#[test]
fn of_a_message_that_was_cut_nothing_is_done() {
    let input = json!({ "from": "operator", "authority": "operator_instruction",
                        "text": "add items: rake, ho… [9260 bytes left out]", "left_out": 9_260 });
    let response = Given::wake().input(&input, types::Trust::Operator).ask();
    assert_eq!(calls(&response), []);
    let told = "Your message was too long: I was not shown the last 9260 bytes of it";
    assert!(response.text.starts_with(told), "{}", response.text);
}

#[test]
fn what_is_not_clear_is_asked_back_and_nothing_is_called() {
    let mut twice = task();
    twice["checklists"][0]["items"] = json!([
        { "id": "item_a", "title": "Order red seeds", "checked": false },
        { "id": "item_b", "title": "Order blue seeds", "checked": false },
    ]);
    let which = Given::prompt("check off seeds").task(&twice).ask();
    assert_eq!(calls(&which), []);
    assert_eq!(
        which.text,
        "Which one do you mean by “seeds”: “Order red seeds”, “Order blue seeds”?"
    );
    let table = [
        ("due tomorrow", "I need the date as YYYY-MM-DD"),
        ("due 2026-02-30", "I need the date as YYYY-MM-DD"),
        ("estimate soon", "I need the estimate as hours or minutes"),
        ("set priority to purple", "Which priority"),
        ("set status to purple", "Which status"),
        ("status: waiting", "Which status"),
        ("due: today", "I need the date as YYYY-MM-DD"),
        (
            "check off unicorn",
            "I found no item like “unicorn”. Open: “Order seeds”, “Dig the beds”.",
        ),
        ("check off milk", "“Buy milk” is checked off already."),
        ("add", "What shall I add?"),
        ("done", "Which item do you mean?"),
        ("add rake to the list Nowhere", "I found no checklist called “Nowhere”"),
        ("remove Order seeds", "I cannot remove anything"),
        ("add label urgent", "I cannot assign labels"),
    ];
    for (said, expected) in table {
        let response = Given::prompt(said).ask();
        assert_eq!(calls(&response), [], "{said}");
        assert!(response.text.starts_with(expected), "{said}: {}", response.text);
    }
    let mut shipping = task();
    shipping["checklists"][0]["items"][1]["title"] = json!("Ship it");
    for said in ["finish it", "it is done", "check off this one"] {
        let response = Given::prompt(said).task(&shipping).ask();
        assert_eq!(calls(&response), [], "{said}");
        assert!(response.text.starts_with("I found no item like"), "{said}: {}", response.text);
    }
    let long = format!("add {}", "x".repeat(1_001));
    let response = Given::prompt(&long).ask();
    assert_eq!(calls(&response), []);
    assert!(response.text.contains("at most 1000 bytes"), "{}", response.text);
}

#[test]
fn what_the_task_says_is_answered_at_once() {
    let table = [
        ("what is open?", "Open are 2 of 3 items: “Order seeds”, “Dig the beds”."),
        ("What's left?", "Open are 2 of 3 items: “Order seeds”, “Dig the beds”."),
        ("was ist noch offen?", "Open are 2 of 3 items: “Order seeds”, “Dig the beds”."),
        ("What is not done yet?", "Open are 2 of 3 items: “Order seeds”, “Dig the beds”."),
        ("what is done", "Done are 1 of 3 items: “Buy milk”."),
        ("was ist erledigt?", "Done are 1 of 3 items: “Buy milk”."),
        ("what's next?", "Next on the list: “Order seeds”."),
        ("when is it due?", "It is due on 2026-12-01."),
        ("how long?", "It is estimated at 2 h; 45 min were spent."),
        ("how long will it take?", "It is estimated at 2 h; 45 min were spent."),
        ("How much time is left?", "It is estimated at 2 h; 45 min were spent."),
        ("what is the priority?", "Its priority is p1."),
        ("is the milk done?", "“Buy milk” is done."),
        ("are the seeds done?", "“Order seeds” is open."),
        ("is it blocked?", "I see nothing that it waits for."),
        ("what changed?", "Nothing changed since I last looked."),
        ("thanks!", "You are welcome."),
    ];
    for (said, expected) in table {
        let response = Given::prompt(said).ask();
        assert_eq!((response.text.as_str(), calls(&response)), (expected, vec![]), "{said}");
    }
    let summary = "“Plan the spring garden”: in progress, priority p1, due 2026-12-01.\n\
                   1 of 3 items done; open: “Order seeds”, “Dig the beds”.\n\
                   45 min were spent.";
    for said in ["status?", "summarise", "report", "How is it going?", "Zusammenfassung bitte"] {
        assert_eq!(Given::prompt(said).ask().text, summary, "{said}");
    }
}

#[test]
fn what_it_cannot_do_it_says_and_says_what_it_is() {
    for said in ["help", "Who are you?", "Hello!", "write me a poem about the sea", "qwertz", "?!"]
    {
        let response = Given::prompt(said).ask();
        assert_eq!(calls(&response), [], "{said}");
        let who = "I am scribe, Dormouse's built-in rule-based model";
        assert!(response.text.starts_with(who), "{said}: {}", response.text);
        assert!(response.text.contains("“add ITEM”"), "{}", response.text);
    }
}

#[test]
fn a_tool_that_is_not_offered_is_named() {
    let response = Given::prompt("add rake").without_tool(ADD).ask();
    assert_eq!(calls(&response), []);
    assert_eq!(response.text, format!("I may not call {ADD} in this wake, so I did not."));
}
