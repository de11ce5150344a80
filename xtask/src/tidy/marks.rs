//! Work left for later is written down in a tracker, not in the code; a test that does not run is none.

use crate::findings::Findings;
use crate::items::words;
use crate::source::{Source, line_at};
use crate::tree::Tree;

/// Marks of unfinished work, in code or comment.
const MARKS: [&str; 3] = ["TODO", "FIXME", "XXX"];

/// Macros that stand in for code.
const STAND_INS: [&str; 2] = ["todo", "unimplemented"];

/// Counts Rust files.
pub(super) fn check(tree: &Tree, findings: &mut Findings) -> usize {
    tree.texts("", ".rs").map(|(path, text)| check_file(path, text, findings)).count()
}

fn check_file(path: &str, text: &str, findings: &mut Findings) {
    let source = Source::read(text);
    for view in [&source.code, &source.comments] {
        for (at, word) in words(view).filter(|(_, word)| MARKS.contains(word)) {
            let text = format!("`{word}`: finish it, or open an issue and say nothing here");
            findings.add(path, line_at(view, at), text);
        }
    }
    let code = &source.code;
    for (at, word) in words(code).filter(|(_, word)| STAND_INS.contains(word)) {
        if code[at + word.len()..].starts_with('!') {
            findings.add(path, line_at(code, at), format!("`{word}!` is not an implementation"));
        }
    }
    for at in skipped_tests(code) {
        findings.add(path, line_at(code, at), "a test that is skipped proves nothing");
    }
}

/// Offsets of attributes that keep a test from running.
fn skipped_tests(code: &str) -> Vec<usize> {
    words(code)
        .filter(|(at, word)| *word == "ignore" && in_attribute(&code[..*at]))
        .map(|(at, _)| at)
        .collect()
}

/// Whether the text ends inside `#[` itself or inside `#[cfg_attr(…`.
fn in_attribute(before: &str) -> bool {
    let open = before.rfind("#[").map(|at| &before[at + 2..]);
    open.is_some_and(|inside| {
        inside.trim().is_empty() || (inside.starts_with("cfg_attr(") && !inside.contains(']'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_text(text: &str) -> Vec<String> {
        let mut findings = Findings::default();
        check(&Tree::of(&[("a.rs", text)]), &mut findings);
        findings.into_lines()
    }

    #[test]
    fn finished_code_passes() {
        let text = "// todo lists are fine\nfn todo() { let ignore = [1]; say(\"TODO\"); }";
        assert_eq!(check_text(text), [""; 0]);
        assert_eq!(check_text("#[test]\nfn ignore() {}"), [""; 0]);
    }

    #[test]
    fn unfinished_code_fails() {
        for text in ["// TODO: later", "/// FIXME", "fn a() {} /* XXX */", "const TODO: u8 = 1;"] {
            assert_eq!(check_text(text).len(), 1, "{text}");
        }
        for text in ["fn a() { todo!() }", "fn a() { unimplemented!(\"x\") }"] {
            assert_eq!(check_text(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn skipped_tests_fail() {
        let attributes =
            ["#[ignore]", "#[ignore = \"slow\"]", "#[ ignore]", "#[cfg_attr(unix, ignore)]"];
        for attribute in attributes {
            let text = format!("#[test]\n{attribute}\nfn a() {{}}");
            assert_eq!(check_text(&text), ["a.rs:2: a test that is skipped proves nothing"]);
        }
    }
}
