//! Names that say nothing, and names that promise to go away.

use crate::findings::Findings;
use crate::items::named;
use crate::source::{Source, line_at};
use crate::tree::Tree;

/// A file of this name takes everything and is found by nobody.
const EMPTY: [&str; 6] = ["utils", "util", "helpers", "helper", "misc", "common"];

/// A word of this kind means that two generations live side by side.
const GENERATIONS: [&str; 3] = ["legacy", "v2", "neo"];

const KEYWORDS: [&str; 5] = ["fn", "struct", "enum", "trait", "mod"];

/// Counts files and identifiers.
pub(super) fn check(tree: &Tree, findings: &mut Findings) -> usize {
    let mut count = 0;
    for path in tree.paths() {
        count += 1;
        check_path(path, findings);
    }
    for (path, text) in tree.texts("", "Cargo.toml") {
        check_crate(path, text, findings);
    }
    for (path, text) in tree.texts("", ".rs") {
        count += check_identifiers(path, text, findings);
    }
    count
}

fn check_path(path: &str, findings: &mut Findings) {
    for part in path.split('/') {
        let stem = part.split('.').next().unwrap_or(part);
        if EMPTY.contains(&stem) {
            findings.add(path, 1, format!("`{stem}` says nothing: name it after what it does"));
        }
    }
    let file = path.rsplit('/').next().unwrap_or(path);
    if let Some(word) = file.strip_suffix(".rs").and_then(generation) {
        findings.add(path, 1, two_generations(word, file));
    }
}

fn check_crate(path: &str, text: &str, findings: &mut Findings) {
    for (index, line) in text.lines().enumerate() {
        let name = line.strip_prefix("name = \"").and_then(|rest| rest.strip_suffix('"'));
        if let Some(name) = name.filter(|name| EMPTY.contains(name)) {
            let text = format!("crate `{name}` says nothing: name it after what it does");
            findings.add(path, index + 1, text);
        }
    }
}

fn check_identifiers(path: &str, text: &str, findings: &mut Findings) -> usize {
    let code = Source::read(text).code;
    let items = named(&code, &KEYWORDS);
    for item in &items {
        let line = line_at(&code, item.start);
        if item.keyword == "mod" && EMPTY.contains(&item.name) {
            let text = format!("module `{}` says nothing: name it after what it does", item.name);
            findings.add(path, line, text);
        }
        if let Some(word) = generation(item.name) {
            findings.add(path, line, two_generations(word, item.name));
        }
    }
    items.len()
}

fn two_generations(word: &str, name: &str) -> String {
    format!("`{word}` in `{name}`: two generations may not live side by side")
}

/// The forbidden word in a `snake_case`, `CamelCase` or `dashed-name`, if one is there.
fn generation(name: &str) -> Option<&'static str> {
    let words = split_words(name);
    GENERATIONS.into_iter().find(|word| words.iter().any(|w| w == word))
}

fn split_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && after_lower) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        after_lower = c.is_lowercase();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_file(path: &str, text: &str) -> Vec<String> {
        let mut findings = Findings::default();
        check(&Tree::of(&[(path, text)]), &mut findings);
        findings.into_lines()
    }

    #[test]
    fn names_with_a_meaning_pass() {
        assert_eq!(check_file("crates/a/src/backoff.rs", "mod lease; struct Neon;"), [""; 0]);
        assert_eq!(check_file("a.rs", "fn simultaneous_v20() {} // legacy"), [""; 0]);
        assert_eq!(check_file("crates/a/Cargo.toml", "name = \"store\""), [""; 0]);
    }

    #[test]
    fn empty_names_fail() {
        for path in ["a/utils.rs", "a/helpers/b.rs", "a/common/Cargo.toml", "docs/misc.md"] {
            assert_eq!(check_file(path, "").len(), 1, "{path}");
        }
        assert_eq!(check_file("a.rs", "mod util;").len(), 1);
        assert_eq!(check_file("a/Cargo.toml", "name = \"helper\"").len(), 1);
    }

    #[test]
    fn second_generations_fail() {
        for path in ["a/store_v2.rs", "a/legacy.rs", "a/neo_store.rs"] {
            assert_eq!(check_file(path, "").len(), 1, "{path}");
        }
        for text in
            ["fn read_legacy() {}", "struct StoreV2;", "enum Neo {}", "trait LegacyStore {}"]
        {
            assert_eq!(check_file("a.rs", text).len(), 1, "{text}");
        }
    }
}
