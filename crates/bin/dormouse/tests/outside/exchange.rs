//! A journal goes out and comes in.

use std::fmt::Write;

use serde_json::Value;

use crate::shell::Shell;

impl Shell {
    /// A file beside the home.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn exported(&self, format: &str) -> String {
        let said = self.run(&["export", "--format", format]);
        assert_eq!(said.code, 0, "{said:?}");
        said.out
    }
}

#[test]
fn a_home_moves_to_another_machine_in_either_format() {
    let old = Shell::new();
    let task = old.json(&["task", "add", "Water the *ferns* -->", "--category", "home"]);
    old.json(&["note", "add", "# moss\n> bought", "--task", task["id"].as_str().unwrap()]);
    old.json(&["category", "rm", "work"]);
    for format in ["json", "markdown"] {
        let new = Shell::new();
        let file = new.file("journal", &old.exported(format));
        let imported = new.json(&["import", "--format", format, &file]);
        assert_eq!(
            (&imported["added"]["tasks"], &imported["added"]["entries"]),
            (&1.into(), &1.into())
        );
        for format in ["json", "markdown"] {
            assert_eq!(new.exported(format), old.exported(format));
        }
        let again = new.json(&["import", "--format", format, &file]);
        assert_eq!(again["added"], serde_json::json!({}));
        assert_eq!(again["unchanged"]["tasks"], 1);
    }
    let shown = old.json(&["export", "--format", "markdown"]);
    assert!(shown["text"].as_str().unwrap().contains("- [ ] Water the"), "{shown}");
    assert_eq!(old.json(&["export", "--format", "json"])["dormouse"], 1);
}

#[test]
fn what_other_programs_keep_comes_in() {
    let shell = Shell::new();
    let tasks = r#"[{"uuid":"7f1c9c0e-3a64-4f1e-9a55-1f2d6a0b7c01","description":"Repot the ferns",
        "status":"pending","entry":"20261101T081500Z","project":"home","tags":["plants"]}]"#;
    let said = shell.piped(&["import", "--format", "taskwarrior", "-"], tasks);
    assert!(said.out.contains("added 1 label, 1 task"), "{said:?}");
    let todo = shell.file("todo.txt", "(A) Buy milk @shop\nx 2026-11-15 Call mum\n");
    shell.json(&["import", "--format", "todotxt", &todo, "--category", "home"]);
    let listed = shell.json(&["task", "list", "--category", "home", "--all"]);
    assert_eq!(listed.as_array().unwrap().len(), 3);
    assert_eq!(shell.json(&["task", "list", "--label", "@shop"])[0]["title"], "Buy milk");
}

#[test]
fn a_file_that_is_not_whole_changes_nothing_and_says_where_it_breaks() {
    let old = Shell::new();
    old.json(&["task", "add", "Ferns", "--category", "home"]);
    let shell = Shell::begun();
    let before = shell.exported("json");
    for format in ["json", "markdown"] {
        let text = old.exported(format);
        let half = shell.file("half", &text[..text.len() - 20]);
        shell.refused(&["import", "--format", format, &half], "bad_import");
    }
    let wrong = shell.file("wrong", "{\"dormouse\":1,\"tasks\":[{\"id\":\"task_a\"}]}");
    let message = shell.refused(&["import", "--format", "json", &wrong], "bad_import");
    assert!(message.contains("tasks[0]") && message.starts_with(&wrong), "{message}");
    shell.refused(&["import", "--format", "json", "no-such-file"], "bad_import");
    assert_eq!(shell.run(&["import", "--format", "csv", &wrong]).code, 2);
    assert_eq!(shell.exported("json"), before);
}

#[test]
fn what_the_journal_says_otherwise_is_refused_unless_somebody_decides() {
    let shell = Shell::new();
    let task = shell.json(&["task", "add", "Ferns", "--category", "home"]);
    let page = shell.exported("markdown");
    let edited = shell.file("edited.md", &page.replace("- [ ] Ferns", "- [x] Moss"));
    shell.refused(&["import", "--format", "markdown", &edited], "import_conflict");
    let shown = shell.json(&["import", "--format", "markdown", &edited, "--replace", "--dry-run"]);
    assert_eq!((&shown["replaced"]["tasks"], &shown["preview"]), (&1.into(), &true.into()));
    shell.json(&["import", "--format", "markdown", &edited, "--replace"]);
    let now = shell.json(&["task", "show", task["id"].as_str().unwrap()]);
    assert_eq!((&now["title"], &now["status"]), (&"Moss".into(), &"done".into()));
}

#[test]
fn no_home_is_made_for_what_is_only_looked_at_or_cannot_be_read() {
    let shell = Shell::new();
    let todo = shell.file("todo.txt", "Water the ferns\n");
    for (rest, code) in [
        (&[todo.as_str(), "--dry-run"][..], "home_inaccessible"),
        (&["/nowhere/at/all"], "bad_import"),
    ] {
        shell.refused(&[&["import", "--format", "todotxt"], rest].concat(), code);
        assert!(!shell.home().exists(), "{rest:?}");
    }
}

#[test]
fn a_file_that_is_too_large_for_one_request_comes_in_pieces() {
    let mut todo = String::new();
    for n in 0..3_000 {
        writeln!(todo, "{n} {}", "a line of äöü and some more words ".repeat(25)).unwrap();
    }
    assert!(todo.len() > 2 * 1024 * 1024);
    let shell = Shell::new();
    let file = shell.file("todo.txt", &todo);
    let imported: Value = shell.json(&["import", "--format", "todotxt", &file]);
    assert_eq!(imported["added"]["tasks"], 3_000);
    assert_eq!(imported["operations"].as_array().unwrap().len(), 2);
    let last = imported["operations"][0].as_str().unwrap();
    let undone = shell.json(&["undo", last]);
    assert_eq!(undone["changed"].as_array().unwrap().len(), 1_001);
    let first = imported["operations"][1].as_str().unwrap();
    shell.json(&["undo", first]);
    assert!(shell.json(&["task", "list", "--all"]).as_array().unwrap().is_empty());
}
