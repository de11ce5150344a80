//! Where the line runs that `docs/guides/security.md` draws.

use std::fs;
use std::path::Path;

use crate::server::Server;
use crate::shell::Shell;

fn guide() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).unwrap();
    let text = fs::read_to_string(root.join("docs/guides/security.md")).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a file holds some words as they are.
fn holds(path: &Path, words: &str) -> bool {
    let bytes = fs::read(path).unwrap();
    bytes.windows(words.len()).any(|window| window == words.as_bytes())
}

fn tended(shell: &Shell) -> String {
    let add = ["task", "add", "Water the aardvark", "--category", "home"];
    let task = shell.json(&add)["id"].as_str().unwrap().to_owned();
    let agent = shell.json(&["agent", "create", "--template", "task_agent", "--task", &task]);
    shell.json(&["wake", "--drain"]);
    agent["id"].as_str().unwrap().to_owned()
}

#[test]
fn the_files_are_plain_and_the_guide_says_so_with_what_protects_them_instead() {
    let shell = Shell::new();
    tended(&shell);
    for file in ["journal.db", "agent.db"] {
        assert!(holds(&shell.home().join(file), "aardvark"), "{file} is not as the guide says");
    }
    let guide = guide();
    for said in [
        "does not encrypt `journal.db`, `agent.db`",
        "The disk is encrypted by the operating system",
        "makes the home `0700` and the files with your words in it `0600`",
        "The boundary therefore is your account on a running machine.",
        "**To be done:** encryption of both databases",
    ] {
        assert!(guide.contains(said), "the guide no longer says: {said}");
    }
}

/// The addresses that a process speaks to or listens on, by the system's own account.
fn peers(process: &str) -> Vec<String> {
    let folder = format!("/proc/{process}/fd");
    let sockets: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| fs::read_link(entry.ok()?.path()).ok())
        .filter_map(|link| {
            let name = link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
            Some(name.to_owned())
        })
        .collect();
    let mut found = vec![];
    for table in ["tcp", "tcp6", "udp", "udp6"] {
        let table = fs::read_to_string(format!("/proc/{process}/net/{table}")).unwrap_or_default();
        for line in table.lines().skip(1) {
            let cells: Vec<&str> = line.split_whitespace().collect();
            if cells.get(9).is_some_and(|inode| sockets.iter().any(|own| own == inode)) {
                found.push(cells[2].to_owned());
            }
        }
    }
    found
}

#[test]
fn what_is_known_of_agents_stays_in_the_home_until_somebody_carries_it_out() {
    let shell = Shell::new();
    let server = Server::start(&shell);
    let agent = tended(&shell);
    shell.json(&["prompt", &agent, "what is open?", "--wait"]);
    // It listens on this machine, and speaks to nobody: every other side is nobody or this machine.
    let peers = peers(&server.process());
    assert!(!peers.is_empty(), "a server listens");
    for peer in &peers {
        let here = ["00000000:", "0100007F:", "00000000000000000000000000000000:"];
        assert!(here.iter().any(|here| peer.starts_with(here)), "{peers:?}");
    }
    server.stop();
    // What it knows of what it did is in the home's own files, and comes out when somebody asks.
    let runs = shell.json(&["runs", &agent]);
    assert!(runs.as_array().unwrap().iter().all(|run| run["model"] == "builtin/scribe"));
    let mut files: Vec<String> = fs::read_dir(shell.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files, ["home"], "nothing lies beside it");
    let copy = shell.home().join("copy");
    shell.json(&["backup", copy.to_str().unwrap()]);
    let carried = Shell::at("carried");
    carried.json(&["restore", copy.to_str().unwrap()]);
    assert_eq!(carried.json(&["runs", &agent]), runs, "all of it is in what is carried away");
}
