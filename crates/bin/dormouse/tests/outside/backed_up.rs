//! Backups of a home that is in use.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use rusqlite::Connection;
use serde_json::json;

use crate::server::Server;
use crate::shell::{Said, Shell};

/// Who adds tasks at the same time.
const WRITERS: usize = 3;

/// How many backups are made meanwhile.
const BACKUPS: usize = 3;

/// How many tasks are acknowledged before each.
const BETWEEN: usize = 10;

fn titles(shell: &Shell) -> BTreeSet<String> {
    let tasks = shell.json(&["task", "list", "--limit", "1000"]);
    tasks
        .as_array()
        .unwrap()
        .iter()
        .map(|task| task["title"].as_str().unwrap().to_owned())
        .collect()
}

/// Restores a backup into a home of its own.
fn restored(backup: &str) -> Shell {
    let fresh = Shell::new();
    fresh.json(&["restore", backup]);
    let found = fresh.json(&["doctor"]);
    let whole = found.as_array().unwrap().iter().all(|file| file["findings"] == json!([]));
    assert!(whole, "{found}");
    fresh
}

#[test]
fn a_backup_under_load_holds_all_that_was_acknowledged_before_it_began() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    let over = AtomicBool::new(false);
    let (tell, told) = mpsc::channel();
    let write = |writer: usize, tell: mpsc::Sender<String>| {
        for n in 0.. {
            if over.load(Ordering::Acquire) {
                break;
            }
            let title = format!("{writer} adds {n}");
            shell.json(&["task", "add", &title, "--category", "home"]);
            tell.send(title).unwrap();
        }
    };
    let mut acknowledged = BTreeSet::new();
    let mut backups = Vec::new();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (write, tell) = (&write, tell.clone());
            scope.spawn(move || write(writer, tell));
        }
        for n in 0..BACKUPS {
            acknowledged.extend(told.iter().take(BETWEEN));
            acknowledged.extend(told.try_iter());
            let into = shell.folder().join(format!("backup {n}")).to_str().unwrap().to_owned();
            assert_eq!(shell.json(&["backup", &into]), json!({ "backup": into }));
            backups.push((into, acknowledged.clone()));
        }
        over.store(true, Ordering::Release);
    });
    acknowledged.extend(told.try_iter());
    for (backup, before) in &backups {
        let fresh = restored(backup);
        assert!(titles(&fresh).is_superset(before), "{:?} of {before:?}", titles(&fresh));
    }
    assert_eq!(titles(&shell), acknowledged, "nobody was held up");
    assert_eq!(server.stop().0.code(), Some(0));
    assert_eq!(shell.run(&["doctor"]).code, 0);
}

#[test]
fn a_server_backs_up_into_a_new_folder_named_from_where_the_command_is() {
    let shell = Shell::new();
    let _server = Server::start(&shell);
    shell.json(&["task", "add", "Water the ferns", "--category", "home"]);
    let mut relative = shell.command(&["backup", "monday/", "--json"]);
    let said = relative.current_dir(shell.folder()).output().unwrap();
    assert_eq!(String::from_utf8(said.stdout).unwrap(), "{\"backup\":\"monday/\"}\n");
    let monday = shell.folder().join("monday");
    let monday = monday.to_str().unwrap();
    assert_eq!(titles(&restored(monday)).len(), 1);
    shell.refused(&["backup", monday], "backup_exists");
    let nowhere = shell.folder().join("a file");
    fs::write(&nowhere, "").unwrap();
    let said = shell.run(&["backup", nowhere.join("b").to_str().unwrap(), "--json"]);
    said.refused("home_inaccessible");
    assert!(said.err.contains("a folder that does not exist yet"), "{said:?}");
}

#[test]
fn a_token_lets_nobody_write_files() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    let into = shell.folder().join("b");
    let call = json!({ "call": "backup", "into": into }).to_string();
    server.call("", &call).refused(422, "not_admissible");
    assert!(!into.exists());
}

/// Makes a journal so large that its copy takes a while.
#[expect(
    clippy::disallowed_methods,
    reason = "to write as much through the program would take long"
)]
fn fatten(shell: &Shell) {
    shell.json(&["task", "add", "Water the ferns", "--category", "home"]);
    let journal = Connection::open(shell.home().join("journal.db")).unwrap();
    journal.execute_batch("CREATE TABLE fat AS SELECT ZEROBLOB(100000000) AS bytes").unwrap();
}

/// Whether something lies in a folder whose name begins so.
fn lies_there(folder: &Path, start: &str) -> bool {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.into_iter().any(|name| name.to_str().unwrap().starts_with(start))
}

#[test]
fn a_stop_gives_a_backup_up_and_the_files_are_closed() {
    let shell = Shell::new();
    fatten(&shell);
    let server = Server::start(&shell);
    let into = shell.folder().join("backup");
    let mut asks = shell.command(&["backup", into.to_str().unwrap(), "--json"]);
    let asks = asks.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !lies_there(shell.folder(), "backup.unfinished") {
        thread::yield_now();
    }
    assert_eq!(server.stop().0.code(), Some(0));
    let said = Said::from(asks.wait_with_output().unwrap());
    let message = said.refused("server_gone");
    assert!(message.contains("gave the backup up"), "{message}");
    assert!(!lies_there(shell.folder(), "backup"), "nothing of it is left");
    let next = shell.run(&["task", "list"]);
    assert_eq!((next.code, next.err.as_str()), (0, ""), "the stop was clean");
}

#[test]
fn what_a_killed_backup_left_goes_with_the_next_one_and_what_is_a_persons_own_stays() {
    let shell = Shell::new();
    fatten(&shell);
    let into = shell.folder().join("backup");
    let own = shell.folder().join("backup.unfinished");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("novel"), "Chapter one").unwrap();
    let mut makes = shell.command(&["backup", into.to_str().unwrap()]).spawn().unwrap();
    let second = || fs::read_dir(shell.folder().join("backup.unfinished-2"));
    while !second().is_ok_and(|mut files| files.any(|file| file.unwrap().file_name() == "agent.db"))
    {
        thread::yield_now();
    }
    makes.kill().unwrap();
    makes.wait().unwrap();
    assert!(lies_there(shell.folder(), "backup.unfinished-2"));
    shell.json(&["backup", into.to_str().unwrap()]);
    assert!(!lies_there(shell.folder(), "backup.unfinished-"));
    assert_eq!(fs::read_to_string(own.join("novel")).unwrap(), "Chapter one");
    let names = fs::read_dir(&into).unwrap().map(|entry| entry.unwrap().file_name());
    let names: BTreeSet<_> = names.collect();
    assert_eq!(names, ["agent.db", "journal.db"].map(Into::into).into());
}
