//! Sessions with an agent, from the command line.

use serde_json::{Value, json};

use crate::shell::Shell;

fn text(reply: &Value, field: &str) -> String {
    reply[field].as_str().unwrap_or_else(|| panic!("{field} of {reply}")).to_owned()
}

#[test]
fn a_session_is_led_from_the_command_line_from_its_first_prompt_to_its_end() {
    let shell = Shell::new();
    let task = text(&shell.json(&["task", "add", "Water the ferns", "--category", "home"]), "id");
    let create = ["agent", "create", "--template", "task_agent", "--task", &task];
    let agent = text(&shell.json(&create), "id");
    shell.json(&["wake", "--drain"]);
    shell.refused(&["session", "show", &agent, "evening"], "unknown_session");
    let say = |words: &str, session: &str| {
        shell.json(&["prompt", &agent, words, "--session", session, "--wait"])
    };
    assert_eq!(say("what is open?", "evening")["brief"]["kind"], "result");
    say("we have two cans", "evening");
    let shown = shell.json(&["session", "show", &agent, "evening"]);
    assert_eq!((&shown["status"], &shown["turns"]), (&json!("active"), &json!(2)));
    assert_eq!(shown["participants"], json!(["operator", agent]));
    let window = &shown["context_window"];
    assert!(window["tokens_used"].as_u64().unwrap() > 0, "{window}");
    assert!(window["tokens_used"].as_u64() < window["token_capacity"].as_u64(), "{window}");
    let history = shell.json(&["session", "history", &agent, "evening"]);
    assert_eq!(history[0]["said"], json!(["what is open?"]));
    assert_eq!(history[1]["said"], json!(["we have two cans"]));
    // Its id means the session that has it, also where a name may be new.
    let id = text(&shown, "id");
    say("and two pots", &id);
    assert_eq!(shell.json(&["session", "show", &agent, &id])["turns"], 3);
    let nobodys = format!("session_{}", "0".repeat(32));
    shell.refused(&["prompt", &agent, "hello?", "--session", &nobodys], "unknown_session");
    shell.refused(&["session", "start", &agent, &nobodys], "invalid_record");
    let conversation = text(&shown, "conversation");
    let whole = shell.json(&["session", "conversation", &conversation]);
    assert_eq!(whole["common_ground"].as_array().unwrap().len(), 3);
    let turn = text(&whole["common_ground"][1], "turn");
    let moved = shell.json(&["session", "ground", &conversation, &turn, "cancel"]);
    assert_eq!(moved["common_ground"][1]["standing"], "withdrawn");
    let lost = shell.run(&["session", "ground", &conversation, "nosuch", "cancel"]);
    assert_eq!((lost.code, lost.err.contains("`dormouse session history ")), (1, true), "{lost:?}");
    let next = shell.json(&["session", "continue", &agent, "evening"]);
    assert_eq!((&next["name"], &next["continued_from"]), (&json!("evening-2"), &shown["id"]));
    shell.refused(&["prompt", &agent, "and now?", "--session", "evening"], "session_over");
    say("and now?", "evening-2");
    let ended = shell.json(&["session", "end", &agent, "evening-2"]);
    assert_eq!((&ended["status"], &ended["turns"]), (&json!("ended"), &json!(1)));
    shell.json(&["session", "start", &agent, "morning", "--tokens", "9000"]);
    let broken_off = shell.json(&["session", "interrupt", &agent, "morning"]);
    assert_eq!(broken_off["status"], "interrupted");
    let all = shell.json(&["session", "list", &agent]);
    let names: Vec<&Value> = all.as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["evening", "evening-2", "morning"]);
    let listed = shell.run(&["session", "list", &agent]).out;
    assert!(listed.starts_with("SESSION") && listed.contains("interrupted"), "{listed}");
    let told = shell.run(&["session", "history", &agent, "evening"]).out;
    assert!(told.contains("  > what is open?\n"), "{told}");
    let shared = shell.run(&["session", "conversation", &conversation]).out;
    assert!(shared.contains("withdrawn") && shared.contains("evening-2"), "{shared}");
}
