//! Notes, labels and categories, what was done to them, and the way back.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::shell::{Said, Shell};

impl Shell {
    /// Runs with something piped in.
    pub(crate) fn piped(&self, words: &[&str], input: &str) -> Said {
        let mut child = self
            .command(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Said::from(child.wait_with_output().unwrap())
    }
}

fn id(value: &Value) -> &str {
    value["id"].as_str().unwrap()
}

#[test]
fn a_note_is_written_from_words_or_from_standard_input_and_shown() {
    let shell = Shell::new();
    let task = shell.json(&["task", "add", "Ferns", "--category", "home"]);
    let note = shell.json(&["note", "add", "Bought moss", "--task", id(&task)]);
    assert_eq!((&note["text"], &note["task_title"]), (&"Bought moss".into(), &"Ferns".into()));
    assert!(note["when"].as_str().unwrap().starts_with("today "), "{note}");
    for words in [
        &["note", "add", "-", "--category", "work", "--json"][..],
        &["note", "add", "--category", "work", "--json"],
    ] {
        let said = shell.piped(words, "a letter\nin two lines\n");
        let note: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(note["text"], "a letter\nin two lines", "{said:?}");
    }
    let short = &id(&note)[id(&note).len() - 6..];
    let shown = shell.run(&["note", "show", short]);
    assert!(shown.out.contains("Bought moss") && shown.out.contains("Ferns"), "{shown:?}");
    let listed = shell.json(&["note", "list", "--task", id(&task)]);
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let listed = shell.run(&["note", "list", "--day", "today"]);
    assert!(listed.out.contains("a letter") && listed.out.contains("home: Ferns"), "{listed:?}");
}

#[test]
fn a_note_is_changed_removed_and_brought_back() {
    let shell = Shell::new();
    let note = shell.json(&["note", "add", "one", "--category", "home", "--at", "yesterday 9:00"]);
    let edited = shell.json(&["note", "edit", id(&note), "two", "--category", "work"]);
    assert_eq!((&edited["text"], &edited["category"]), (&"two".into(), &"work".into()));
    assert_eq!(edited["at"], note["at"]);
    assert!(note["operation"].is_string() && edited["operation"].is_string());
    let again = shell.run(&["note", "edit", id(&note), "two"]);
    assert!(again.out.starts_with("nothing to change: "), "{again:?}");
    let removed = shell.json(&["note", "rm", id(&note)]);
    let gone = shell.refused(&["note", "show", id(&note)], "unknown_record");
    assert!(gone.starts_with("there is no note "), "{gone}");
    let operation = removed["operation"].as_str().unwrap();
    let undone = shell.run(&["undo", &operation[..8]]);
    assert!(undone.out.contains("undid remove_entry"), "{undone:?}");
    assert!(undone.out.contains("two") && undone.out.contains("is there again"), "{undone:?}");
    assert_eq!(shell.json(&["note", "show", id(&note)])["text"], "two");
}

#[test]
fn a_recording_refers_to_a_file_that_is_there() {
    let shell = Shell::new();
    let memo = shell.folder().join("memo.ogg");
    std::fs::write(&memo, b"sound").unwrap();
    let memo = memo.to_str().unwrap();
    let add =
        ["note", "add", "--category", "home", "--audio", memo, "--transcript", "Call the vet"];
    let note = shell.json(&add);
    assert_eq!((&note["kind"], &note["media_type"]), (&"audio".into(), &"audio/ogg".into()));
    assert_eq!((&note["media_uri"], &note["text"]), (&memo.into(), &"Call the vet".into()));
    let missing = ["note", "add", "--category", "home", "--image", "no-such.png"];
    shell.refused(&missing, "invalid_record");
    assert_eq!(shell.json(&["note", "list"]).as_array().unwrap().len(), 1);
}

#[test]
fn a_note_that_says_nothing_or_belongs_nowhere_is_refused() {
    let shell = Shell::new();
    shell.piped(&["note", "add", "--category", "home", "--json"], "\n").refused("invalid_record");
    let nowhere = shell.run(&["note", "add", "x", "--json"]);
    assert_eq!(nowhere.code, 2, "{nowhere:?}");
    assert!(
        nowhere.err.contains("wrong_usage") && nowhere.err.contains("--category"),
        "{nowhere:?}"
    );
}

#[test]
fn labels_are_added_listed_edited_and_removed() {
    let shell = Shell::new();
    shell.json(&["label", "add", "urgent", "--colour", "#c0392b"]);
    let taken = shell.refused(&["label", "add", "Urgent"], "name_taken");
    assert!(taken.starts_with("the name \"urgent\" is taken already, by label_"), "{taken}");
    let label = shell.json(&["label", "edit", "urgent", "--name", "now", "--colour", "none"]);
    assert_eq!(label["label"]["name"], "now");
    let listed = shell.json(&["label", "list"]);
    assert_eq!((&listed[0]["open_tasks"], &listed[0]["colour"]), (&0.into(), &Value::Null));
    shell.json(&["task", "add", "x", "--category", "home", "--label", "now"]);
    assert_eq!(shell.refused(&["label", "rm", "now"], "not_empty"), "1 task bears \"now\"");
    shell.json(&["label", "rm", "now", "--force"]);
    assert!(shell.json(&["label", "list"]).as_array().unwrap().is_empty());
}

#[test]
fn categories_are_renamed_and_removed_when_they_are_empty() {
    let shell = Shell::begun();
    let renamed = shell.json(&["category", "rename", "work", "office", "--colour", "#112233"]);
    assert_eq!((&renamed["name"], &renamed["colour"]), (&"office".into(), &"#112233".into()));
    shell.refused(&["category", "rename", "office", "home"], "name_taken");
    shell.json(&["task", "add", "Ship it", "--category", "office"]);
    let message = shell.refused(&["category", "rm", "office"], "not_empty");
    assert!(message.contains("1 task"), "{message}");
    shell.json(&["category", "rm", "home"]);
    assert_eq!(shell.json(&["category", "list"]).as_array().unwrap().len(), 1);
    assert_eq!(shell.run(&["category", "rename", "office"]).code, 2);
}

#[test]
fn history_tells_who_did_what_when_and_undo_says_why_it_cannot() {
    let shell = Shell::new();
    let task = shell.json(&["task", "add", "Ferns", "--category", "home"]);
    let note = shell.json(&["note", "add", "moss", "--task", id(&task)]);
    shell.json(&["note", "edit", id(&note), "more moss"]);
    let history = shell.json(&["history", id(&note)]);
    let (last, first) = (&history[0], &history[1]);
    assert_eq!((&last["verb"], &first["verb"]), (&"edit_entry".into(), &"write_entry".into()));
    assert_eq!(
        (&last["author"], &last["records"][0]["fields"][0]),
        (&"operator".into(), &"text".into())
    );
    let told = shell.run(&["history", "--limit", "2"]);
    assert!(told.out.contains("edit_entry") && told.out.contains("more moss"), "{told:?}");
    assert!(told.out.contains("(text)") && told.out.contains("today"), "{told:?}");
    let writing = first["operation"].as_str().unwrap();
    let message = shell.refused(&["undo", writing], "cannot_undo");
    assert!(message.contains("edit_entry"), "{message}");
    let undone = shell.json(&["undo", last["operation"].as_str().unwrap()]);
    assert_eq!(undone["undone"][0], last["operation"]);
    assert_eq!(undone["records"][0]["what"], "restored");
    shell.refused(&["undo", "000000000000"], "unknown_operation");
}

#[test]
fn a_search_takes_its_options_before_and_after_the_words() {
    let shell = Shell::new();
    shell.json(&["task", "add", "Send the report", "--category", "work"]);
    shell.json(&["task", "add", "Draft of the report", "--category", "home"]);
    assert_eq!(shell.json(&["search", "rep"])["total"], 2);
    for words in [
        &["search", "report", "--category", "work"][..],
        &["search", "--category", "work", "report"],
        &["search", "report", "--without", "draft"],
        &["search", "--without", "draft", "rep", "--kind", "task"],
        &["search", "report -draft"],
        &["search", "report", "--", "-draft"],
    ] {
        let said = shell.run(&[&["--json"], words].concat());
        let found: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(
            (&found["total"], &found["hits"][0]["title"]),
            (&json!(1), &json!("Send the report"))
        );
    }
    shell.refused(&["search", "report", "--kind", "nonsense"], "wrong_usage");
    shell.refused(&["search", "report", "--category", "gym"], "unknown_category");
}

#[test]
fn whatever_is_removed_says_on_standard_error_how_to_get_it_back() {
    let shell = Shell::new();
    let made = |words: &[&str]| id(&shell.json(words)).to_owned();
    let task = made(&["task", "add", "Ferns", "--category", "home", "--item", "water"]);
    let item = id(&shell.json(&["task", "show", &task])["items"][0]).to_owned();
    let list = made(&["task", "checklist", "add", &task, "Soil", "--item", "moss"]);
    let note = made(&["note", "add", "dry", "--task", &task]);
    let time = made(&["time", "log", &task, "--for", "5m"]);
    shell.json(&["rate", "today", "4"]);
    shell.json(&["label", "add", "plants"]);
    for words in [
        &["task", "item", "rm", &item][..],
        &["task", "checklist", "rm", &list],
        &["note", "rm", &note],
        &["time", "rm", &time],
        &["rate", "rm", "today"],
        &["label", "rm", "plants"],
        &["category", "rm", "work"],
        &["task", "rm", &task],
    ] {
        let said = shell.run(words);
        assert_eq!((said.code, said.out.lines().count()), (0, 1), "{said:?}");
        assert!(!said.out.contains("undo") && !said.out.contains("1 items"), "{said:?}");
        let operation = said.err.split('`').nth(1).unwrap().rsplit_once(' ').unwrap().1.to_owned();
        assert_eq!(shell.run(&["undo", &operation]).code, 0, "{words:?}: {said:?}");
    }
}

#[test]
fn a_change_that_names_nothing_to_change_is_wrong_usage() {
    let shell = Shell::new();
    for words in [
        &["task", "edit", "nobody"][..],
        &["note", "edit", "nobody"],
        &["label", "edit", "nobody"],
        &["category", "rename", "nobody"],
        &["time", "edit", "nobody"],
        &["plan", "block", "move", "nobody", "--day", "tomorrow"],
    ] {
        shell.refused(words, "wrong_usage");
    }
    assert!(!shell.home().exists());
}

#[test]
fn the_last_thing_somebody_did_is_undone_without_its_id_and_again_goes_further_back() {
    let shell = Shell::begun();
    shell.refused(&["undo", "--last"], "no_such_step");
    let ferns = shell.json(&["task", "add", "Ferns", "--category", "home"]);
    shell.json(&["task", "done", id(&ferns)]);
    let undone = shell.json(&["undo", "--last"]);
    assert_eq!(undone["verbs"][0], "update_task_fields");
    assert_eq!(shell.json(&["task", "show", id(&ferns)])["status"], "open");
    let undone = shell.json(&["undo", "--last"]);
    assert_eq!(undone["verbs"][0], "create_task");
    assert!(shell.json(&["task", "list"]).as_array().unwrap().is_empty());
    shell.refused(&["undo", "--last"], "no_such_step");
    shell.refused(&["undo"], "wrong_usage");
    shell.refused(&["undo", "--last", "--request-id", "x"], "wrong_usage");
}
