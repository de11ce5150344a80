//! Damaged, foreign, newer, locked, full, read-only: each is said clearly, and nothing is lost.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rusqlite::Connection;

use crate::shell::{Said, Shell};

/// A home with a task in it.
fn lived_in() -> Shell {
    let shell = Shell::new();
    shell.json(&["task", "add", "Water the ferns", "--category", "home"]);
    shell
}

#[expect(clippy::disallowed_methods, reason = "the file is damaged on purpose")]
fn edit(path: &Path, sql: &str) {
    Connection::open(path).unwrap().execute_batch(sql).unwrap();
}

fn tasks(shell: &Shell) -> usize {
    shell.json(&["task", "list", "--limit", "1000"]).as_array().unwrap().len()
}

#[test]
fn a_file_that_is_no_database_is_named_and_left_alone() {
    let shell = lived_in();
    let path = shell.home().join("journal.db");
    fs::write(&path, b"this is not a database, it is a shopping list, and a long one at that")
        .unwrap();
    let message = shell.refused(&["task", "list"], "store_corrupt");
    assert!(message.contains("journal.db"), "{message}");
    assert!(fs::read_to_string(&path).unwrap().starts_with("this is not"));
    shell.refused(&["backup", shell.folder().join("b").to_str().unwrap()], "store_corrupt");
}

#[test]
fn a_damaged_page_is_found_by_the_doctor_and_a_backup_brings_all_back() {
    let shell = lived_in();
    let backup = shell.folder().join("backup/");
    shell.json(&["backup", backup.to_str().unwrap()]);
    assert_eq!(shell.run(&["doctor"]).code, 0);
    let path = shell.home().join("journal.db");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xA5);
    fs::write(&path, bytes).unwrap();
    let doctor = shell.run(&["doctor"]);
    assert_eq!(doctor.code, 1, "{doctor:?}");
    assert!(doctor.err.contains("store_corrupt"), "{doctor:?}");
    assert!(!doctor.err.contains("`dormouse doctor`"), "it was asked already: {doctor:?}");
    shell.refused(&["restore", backup.to_str().unwrap()], "backup_exists");
    fs::remove_file(shell.home().join("journal.db")).unwrap();
    fs::remove_file(shell.home().join("agent.db")).unwrap();
    shell.json(&["restore", backup.to_str().unwrap()]);
    assert_eq!(tasks(&shell), 1);
    assert_eq!(shell.run(&["doctor"]).code, 0);
}

#[test]
fn a_damaged_backup_is_named_and_an_older_one_is_advised() {
    let shell = lived_in();
    let backup = shell.folder().join("backup");
    shell.json(&["backup", &text(&backup)]);
    let path = backup.join("journal.db");
    let whole = fs::read(&path).unwrap();
    let damage = |from: usize, to: usize| {
        let mut bytes = whole.clone();
        bytes[from..to].fill(0xA5);
        fs::write(&path, bytes).unwrap();
    };
    // Where it is found depends on what is damaged: when it is opened, copied, or checked.
    let end = whole.len();
    for (from, to) in [(0, 100), (end / 4, end / 2), (end / 2, end), (end - 4_096, end)] {
        damage(from, to);
        let fresh = Shell::new();
        let said = fresh.run(&["restore", &text(&backup), "--json"]);
        assert_eq!(said.code, 1, "{said:?}");
        let last: serde_json::Value =
            serde_json::from_str(said.err.lines().last().unwrap()).unwrap();
        let (error, told) = (&last["error"], said.err.clone() + &said.out);
        assert_eq!(error["code"], "store_corrupt", "{told}");
        assert!(error["message"].as_str().unwrap().contains(&text(&path)), "{told}");
        assert!(error["hint"].as_str().unwrap().contains("restore an older one"), "{told}");
        assert!(!told.contains("unfinished"), "{told}");
        assert!(!fresh.home().join("journal.db").exists());
    }
}

#[test]
fn a_folder_that_is_no_place_for_a_backup_is_named_itself_and_no_home_is_made_for_it() {
    let shell = lived_in();
    let told = |shell: &Shell, words: &[&str]| {
        let said = shell.run(words);
        assert!(said.err.contains("home_inaccessible"), "{said:?}");
        assert!(!said.err.contains("DORMOUSE_HOME"), "no other home helps: {said:?}");
        said.err
    };
    fs::write(shell.folder().join("file"), b"").unwrap();
    let inside = text(&shell.folder().join("file/x"));
    let err = told(&shell, &["backup", &inside]);
    assert!(err.contains(&format!("cannot use {inside}:")), "{err}");
    let fresh = Shell::new();
    let nowhere = text(&fresh.folder().join("nowhere"));
    let err = told(&fresh, &["restore", &nowhere]);
    assert!(err.contains(&nowhere) && err.contains("`dormouse backup` made"), "{err}");
    assert!(!fresh.home().exists(), "a restore that could not be made a home");
}

#[test]
fn a_restore_beside_a_left_over_log_is_refused() {
    let shell = lived_in();
    let backup = shell.folder().join("backup");
    shell.json(&["backup", backup.to_str().unwrap()]);
    for file in ["journal.db", "agent.db"] {
        fs::remove_file(shell.home().join(file)).unwrap();
    }
    fs::write(shell.home().join("journal.db-wal"), b"left over").unwrap();
    shell.refused(&["restore", backup.to_str().unwrap()], "backup_exists");
    assert!(!shell.home().join("journal.db").exists());
}

#[test]
fn a_changed_audit_entry_is_found() {
    let shell = lived_in();
    let path = shell.home().join("journal.db");
    edit(
        &path,
        "DROP TRIGGER audit_is_never_changed; UPDATE audit SET subject = 'x' WHERE number = 1;",
    );
    let doctor = shell.run(&["doctor"]);
    assert_eq!(doctor.code, 1);
    assert!(doctor.out.contains("audit entry 1"), "{doctor:?}");
    // The last link is looked at whenever the file is opened.
    edit(&path, "UPDATE audit SET subject = 'y' WHERE number = (SELECT MAX(number) FROM audit);");
    shell.refused(&["task", "list"], "store_corrupt");
}

#[test]
fn a_newer_file_is_refused_and_left_as_it_was() {
    let shell = lived_in();
    let path = shell.home().join("agent.db");
    edit(&path, "PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE);");
    let before = fs::read(&path).unwrap();
    let message = shell.refused(&["task", "list"], "store_newer");
    assert!(message.contains("agent.db") && message.contains("99"), "{message}");
    let doctor = shell.run(&["doctor"]);
    assert!(doctor.err.contains("store_newer"), "{doctor:?}");
    assert_eq!(fs::read(&path).unwrap(), before, "the newer file was touched");
}

#[test]
fn a_database_of_another_program_is_refused_and_left_as_it_was() {
    let shell = Shell::new();
    fs::create_dir_all(shell.home()).unwrap();
    let path = shell.home().join("journal.db");
    edit(&path, "PRAGMA journal_mode = WAL; CREATE TABLE recipes (name TEXT);");
    let before = fs::read(&path).unwrap();
    let message = shell.refused(&["task", "list"], "store_foreign");
    assert!(message.contains("journal.db"), "{message}");
    assert_eq!(fs::read(&path).unwrap(), before);
    let other = lived_in();
    fs::copy(other.home().join("agent.db"), &path).unwrap();
    let message = shell.refused(&["task", "list"], "store_foreign");
    assert!(message.contains("agent file"), "{message}");
}

#[test]
fn files_of_two_homes_do_not_go_together() {
    let (shell, other) = (lived_in(), lived_in());
    fs::copy(other.home().join("agent.db"), shell.home().join("agent.db")).unwrap();
    let before = fs::read(shell.home().join("journal.db")).unwrap();
    let message = shell.refused(&["task", "list"], "store_foreign");
    assert!(message.contains("different homes"), "{message}");
    assert_eq!(fs::read(shell.home().join("journal.db")).unwrap(), before);
}

#[test]
fn a_missing_file_is_missed_and_not_made_anew() {
    for missing in ["journal.db", "agent.db"] {
        let shell = lived_in();
        let away = shell.folder().join("away");
        fs::rename(shell.home().join(missing), &away).unwrap();
        let message = shell.refused(&["task", "list"], "home_incomplete");
        assert!(message.contains(missing), "{message}");
        assert!(!shell.home().join(missing).exists());
        fs::rename(&away, shell.home().join(missing)).unwrap();
        assert_eq!(tasks(&shell), 1);
    }
}

#[test]
fn a_journal_that_is_older_than_the_agents_have_seen_is_noticed() {
    let shell = lived_in();
    shell.json(&["agent", "create", "--template", "watcher", "--category", "home"]);
    let backup = shell.folder().join("backup");
    shell.json(&["backup", &text(&backup)]);
    for title in ["one", "two"] {
        shell.json(&["task", "add", title, "--category", "home"]);
    }
    shell.json(&["wake", "--drain"]);
    fs::copy(backup.join("journal.db"), shell.home().join("journal.db")).unwrap();
    let message = shell.refused(&["task", "list"], "store_foreign");
    assert!(message.contains("older than"), "{message}");
    assert!(shell.run(&["doctor"]).err.contains("store_foreign"));
}

#[test]
fn a_backup_of_two_homes_is_not_restored() {
    let (shell, other) = (lived_in(), lived_in());
    let (one, two) = (shell.folder().join("one"), shell.folder().join("two"));
    shell.json(&["backup", &text(&one)]);
    other.json(&["backup", &text(&two)]);
    fs::copy(two.join("agent.db"), one.join("agent.db")).unwrap();
    let fresh = Shell::new();
    fresh.refused(&["restore", &text(&one)], "store_foreign");
    assert!(!fresh.home().join("journal.db").exists());
}

#[test]
fn a_log_without_its_file_is_not_thrown_away() {
    let shell = lived_in();
    for file in ["journal.db", "agent.db"] {
        fs::remove_file(shell.home().join(file)).unwrap();
    }
    for log in ["journal.db-log", "journal.db-wal"].map(|name| shell.home().join(name)) {
        fs::write(&log, b"commits that are nowhere else").unwrap();
        shell.refused(&["task", "list"], "home_incomplete");
        assert!(log.exists());
        fs::remove_file(log).unwrap();
    }
}

#[test]
fn the_doctor_blames_the_file_that_is_broken_and_not_its_neighbour() {
    let shell = lived_in();
    fs::write(shell.home().join("journal.db"), [7_u8; 5_000]).unwrap();
    let said = shell.run(&["doctor", "--json"]);
    let reports: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&reports[0]["ok"], &reports[1]["ok"]), (&false.into(), &true.into()), "{said:?}");
    fs::remove_file(shell.home().join("journal.db")).unwrap();
    let said = shell.run(&["doctor"]);
    assert!(said.err.contains("home_incomplete"), "{said:?}");
}

#[test]
fn a_home_whose_making_was_cut_short_is_made_in_full() {
    let shell = Shell::new();
    fs::create_dir_all(shell.home()).unwrap();
    fs::write(shell.home().join("journal.db"), b"").unwrap();
    shell.refused(&["task", "list"], "home_inaccessible");
    shell.json(&["category", "add", "garden"]);
    assert_eq!(tasks(&shell), 0);
    let shell = Shell::new();
    shell.json(&["category", "add", "garden"]);
    fs::remove_file(shell.home().join("agent.db")).unwrap();
    // Only the categories are in the journal of a home that nobody has used, and they are enough to
    // know that the agents' file was there.
    shell.refused(&["task", "list"], "home_incomplete");
}

#[test]
fn a_second_process_waits_and_then_says_who_has_the_home() {
    let shell = lived_in();
    let lock = fs::File::options().write(true).open(shell.home().join("lock")).unwrap();
    lock.lock().unwrap();
    let said = shell.run(&["task", "list"]);
    assert_eq!(said.code, 1);
    assert!(said.err.contains("waiting up to 5 s") && said.err.contains("home_locked"), "{said:?}");
    drop(lock);
    assert_eq!(tasks(&shell), 1);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let shell = lived_in();
    fs::set_permissions(shell.home(), fs::Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(shell.folder(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = shell.command(&["task", "list", "--json"]);
    if is_root() {
        // Nothing is read-only for root, so somebody else tries.
        command.uid(65_534).gid(65_534);
    }
    let said = Said::from(command.output().unwrap());
    let message = said.refused("home_inaccessible");
    assert!(message.contains("home"), "{message}");
    fs::set_permissions(shell.home(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(tasks(&shell), 1);
}

#[test]
fn a_home_that_is_a_file_and_a_doctor_without_a_home_are_told_so() {
    let shell = Shell::new();
    shell.refused(&["doctor"], "home_inaccessible");
    shell.refused(&["backup", "b"], "home_inaccessible");
    assert!(!shell.home().exists(), "looking after a home made one");
    fs::write(shell.home(), b"").unwrap();
    let message = shell.refused(&["task", "list"], "home_inaccessible");
    assert!(message.contains("a folder is needed"), "{message}");
}

#[test]
fn a_home_that_was_mistyped_is_not_made_by_whoever_only_needs_one() {
    let shell = Shell::new();
    let need_one: [&[&str]; 14] = [
        &["today"],
        &["task", "list"],
        &["task", "done", "abcd"],
        &["time", "start", "abcd"],
        &["search", "ferns"],
        &["export", "--format", "json"],
        &["undo", "--last"],
        &["agent", "list"],
        &["agent", "create", "--template", "task_agent", "--task", "abcd"],
        &["runs", "agent_1"],
        &["debug", "prompt", "agent_1"],
        &["consent", "grant", "local/m", "--yes"],
        &["wake", "--drain"],
        &["kill", "on"],
    ];
    for words in need_one {
        let message = shell.refused(words, "home_inaccessible");
        assert!(message.starts_with("there is no home at "), "{words:?}: {message}");
    }
    assert!(!shell.home().exists(), "one of them made a home");
    let said = shell.run(&["task", "list"]);
    assert!(said.err.contains("`dormouse up` makes one there"), "{said:?}");
}

#[test]
fn whoever_begins_something_makes_a_home_and_so_does_whoever_sets_one_up() {
    let first: [&[&str]; 6] = [
        &["task", "add", "Water the ferns", "--category", "home"],
        &["note", "add", "Bought moss", "--category", "home"],
        &["category", "add", "garden"],
        &["plan", "block", "add", "9:00-11:00", "--category", "work"],
        &["rate", "today", "4"],
        &["agent", "create", "--template", "watcher", "--category", "home"],
    ];
    for words in first {
        let shell = Shell::new();
        shell.json(words);
        assert_eq!(shell.run(&["doctor"]).code, 0, "{words:?}");
    }
    let none = serde_json::json!([]);
    assert_eq!(Shell::begun().json(&["agent", "list"]), none);
    let shell = Shell::new();
    fs::create_dir_all(shell.home().join("templates")).unwrap();
    assert_eq!(shell.json(&["agent", "list"]), none);
    let other = Shell::begun();
    fs::write(other.home().join("letter.txt"), b"of another program").unwrap();
    other.refused(&["agent", "list"], "home_inaccessible");
}

#[test]
fn a_full_disk_refuses_whole_commits_and_loses_none() {
    let shell = Shell::new();
    let disk = SmallDisk::at(&shell.home());
    let (mut added, mut refused) = (0, 0);
    for n in 0..600 {
        let title = format!("{n}: {}", "fern ".repeat(150));
        let said = Said::from(disk.limit(&shell, &title).output().unwrap());
        if said.code == 0 {
            added += 1;
            continue;
        }
        let code = if disk.mounted { "disk_full" } else { "store_io" };
        assert!(said.err.contains(code), "{said:?}");
        refused += 1;
        if refused == 3 {
            break;
        }
    }
    assert_eq!(refused, 3, "the disk never filled up");
    assert!(added > 10, "{added} were added");
    disk.grow();
    assert_eq!(shell.run(&["doctor"]).code, 0);
    assert_eq!(tasks(&shell), added);
    shell.json(&["task", "add", "room again", "--category", "home"]);
}

/// A file system with little room. Where the machine does not let us mount one, a limit on the size
/// of files, which the program meets as an I/O error.
struct SmallDisk {
    home: std::path::PathBuf,
    mounted: bool,
}

impl SmallDisk {
    fn at(home: &Path) -> SmallDisk {
        fs::create_dir_all(home).unwrap();
        let mounted = run("mount", &["-t", "tmpfs", "-o", "size=700k", "tmpfs", &text(home)]);
        SmallDisk { home: home.to_owned(), mounted }
    }

    fn limit(&self, shell: &Shell, title: &str) -> Command {
        let words = ["task", "add", title, "--category", "home", "--json"];
        if self.mounted {
            return shell.command(&words);
        }
        let mut command = Command::new("sh");
        let script = "ulimit -f 400; exec \"$0\" \"$@\"";
        command.args(["-c", script, env!("CARGO_BIN_EXE_dormouse"), "--home", &text(&self.home)]);
        command.args(words);
        command
    }

    fn grow(&self) {
        if self.mounted {
            assert!(run("mount", &["-o", "remount,size=50m", &text(&self.home)]));
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if self.mounted {
            run("umount", &[&text(&self.home)]);
        }
    }
}

fn run(program: &str, words: &[&str]) -> bool {
    Command::new(program).args(words).output().is_ok_and(|output| output.status.success())
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|me| std::os::unix::fs::MetadataExt::uid(&me) == 0)
}

#[test]
fn nobody_else_on_the_machine_reads_a_home() {
    use std::os::unix::fs::PermissionsExt;
    let shell = lived_in();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&shell.home()), 0o700);
    for file in ["journal.db", "agent.db"] {
        assert_eq!(mode(&shell.home().join(file)), 0o600, "{file}");
    }
    // Nor a copy of it.
    let copy = shell.folder().join("copy");
    shell.json(&["backup", &text(&copy)]);
    fs::remove_dir_all(shell.home()).unwrap();
    fs::create_dir(shell.home()).unwrap();
    shell.json(&["restore", &text(&copy)]);
    assert_eq!(mode(&copy), 0o700);
    for file in ["journal.db", "agent.db"] {
        assert_eq!(mode(&copy.join(file)), 0o600, "{file} of the copy");
        assert_eq!(mode(&shell.home().join(file)), 0o600, "{file} put back");
    }
}
