//! A migration that has run somewhere is never edited.
//!
//! `LOCK` holds a line `sha256  file` for each migration, as `sha256sum` writes it in that folder.

use std::collections::BTreeMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::findings::Findings;
use crate::tree::Tree;

const FOLDER: &str = "crates/adapters/sqlite/migrations/";
/// The list of what is fixed.
pub(super) const LOCK: &str = "crates/adapters/sqlite/migrations/LOCK";

/// Counts migrations.
pub(super) fn check(tree: &Tree, findings: &mut Findings) -> usize {
    let locked = read_lock(tree, findings);
    let present = present(tree);
    for (name, entry) in &locked {
        match present.get(name) {
            None => findings.add(LOCK, entry.line, format!("{name} is locked and missing")),
            Some(text) if sha256(text) != entry.sha256 => {
                let text = "was edited after it was locked: restore it, write a new migration";
                findings.add(&format!("{FOLDER}{name}"), 1, text);
            }
            Some(_) => {}
        }
    }
    for name in present.keys().filter(|name| !locked.contains_key(*name)) {
        let text = "is not locked: run `cargo xtask tidy --lock-migrations`";
        findings.add(&format!("{FOLDER}{name}"), 1, text);
    }
    present.len()
}

/// The lines to append to the lock for the migrations that are not in it.
pub(super) fn lock_addition(tree: &Tree) -> String {
    let locked = read_lock(tree, &mut Findings::default());
    let before = tree.text(LOCK).unwrap_or_default();
    let mut addition = String::new();
    for (name, text) in present(tree) {
        if !locked.contains_key(name) {
            addition.push_str(&format!("{}  {name}\n", sha256(text)));
        }
    }
    if addition.is_empty() || before.is_empty() || before.ends_with('\n') {
        addition
    } else {
        format!("\n{addition}")
    }
}

struct Entry<'a> {
    sha256: &'a str,
    line: usize,
}

fn read_lock<'a>(tree: &'a Tree, findings: &mut Findings) -> BTreeMap<&'a str, Entry<'a>> {
    let mut entries = BTreeMap::new();
    for (index, text) in tree.text(LOCK).unwrap_or_default().lines().enumerate() {
        let line = index + 1;
        let Some((sha256, name)) = text.split_once("  ") else {
            findings.add(LOCK, line, "expected `sha256  file`");
            continue;
        };
        if entries.contains_key(name) {
            findings.add(LOCK, line, format!("{name} is locked twice"));
        } else {
            entries.insert(name, Entry { sha256, line });
        }
    }
    entries
}

/// The migrations by path from their folder.
fn present(tree: &Tree) -> BTreeMap<&str, &str> {
    tree.texts(FOLDER, ".sql").map(|(path, text)| (&path[FOLDER.len()..], text)).collect()
}

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes all that is written to it");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "crates/adapters/sqlite/migrations/0001_first.sql";
    /// SHA-256 of `abc`, from the standard that defines it.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    fn check_tree(files: &[(&str, &str)]) -> Vec<String> {
        let mut findings = Findings::default();
        check(&Tree::of(files), &mut findings);
        findings.into_lines()
    }

    #[test]
    fn a_locked_migration_passes() {
        let lock = format!("{ABC}  0001_first.sql\n");
        assert_eq!(check_tree(&[(FIRST, "abc"), (LOCK, &lock)]), [""; 0]);
        assert_eq!(check_tree(&[]), [""; 0]);
    }

    #[test]
    fn an_edited_migration_fails() {
        let lock = format!("{ABC}  0001_first.sql\n");
        let found = check_tree(&[(FIRST, "abcd"), (LOCK, &lock)]);
        assert!(found.len() == 1 && found[0].contains("was edited"), "{found:?}");
    }

    #[test]
    fn a_removed_migration_fails() {
        let lock = format!("{ABC}  0001_first.sql\n");
        let found = check_tree(&[(LOCK, &lock)]);
        assert!(found.len() == 1 && found[0].contains("locked and missing"), "{found:?}");
    }

    #[test]
    fn a_new_migration_asks_to_be_locked() {
        let found = check_tree(&[(FIRST, "abc")]);
        assert!(found.len() == 1 && found[0].contains("--lock-migrations"), "{found:?}");
    }

    #[test]
    fn a_broken_lock_fails() {
        assert_eq!(check_tree(&[(LOCK, "what\n")]).len(), 1);
        let twice = format!("{ABC}  0001_first.sql\n{ABC}  0001_first.sql\n");
        assert_eq!(check_tree(&[(FIRST, "abc"), (LOCK, &twice)]).len(), 1);
    }

    #[test]
    fn locking_adds_what_is_new_and_leaves_the_rest() {
        let second = "crates/adapters/sqlite/migrations/0002_second.sql";
        let lock = format!("{ABC}  0001_first.sql");
        let tree = Tree::of(&[(FIRST, "edited"), (second, "abc"), (LOCK, &lock)]);
        assert_eq!(lock_addition(&tree), format!("\n{ABC}  0002_second.sql\n"));
        let tree = Tree::of(&[(FIRST, "edited"), (LOCK, &lock)]);
        assert_eq!(lock_addition(&tree), "");
    }
}
