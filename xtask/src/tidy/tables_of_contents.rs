//! `lib.rs` and `mod.rs` are tables of contents: they name files, and the files do the work.

use std::ops::Range;

use crate::findings::Findings;
use crate::items::{functions, macro_calls, test_modules, within};
use crate::source::{Source, line_at};
use crate::tree::Tree;

/// Counts the tables of contents.
pub(super) fn check(tree: &Tree, findings: &mut Findings) -> usize {
    let tables = tree.texts("", "/lib.rs").chain(tree.texts("", "/mod.rs"));
    tables
        .filter(|(path, _)| !path.contains("/tests/"))
        .map(|(path, text)| check_file(path, text, findings))
        .count()
}

fn check_file(path: &str, text: &str, findings: &mut Findings) {
    let code = Source::read(text).code;
    let elsewhere: Vec<Range<usize>> = macro_calls(&code)
        .into_iter()
        .filter(|call| call.defines.is_some())
        .map(|call| call.span)
        .chain(test_modules(&code))
        .collect();
    for function in functions(&code) {
        if function.body.is_some() && !within(&elsewhere, function.start) {
            let text = format!("`fn {}` belongs in a file of its own", function.name);
            findings.add(path, line_at(&code, function.start), text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_text(path: &str, text: &str) -> Vec<String> {
        let mut findings = Findings::default();
        check(&Tree::of(&[(path, text)]), &mut findings);
        findings.into_lines()
    }

    #[test]
    fn a_table_of_contents_passes() {
        let text = "//! fn a() {}\nmod a;\npub use a::b;\npub trait T { fn c(&self); }\n\
            macro_rules! d { () => { fn e() {} } }\n#[cfg(test)] mod tests { fn f() {} }";
        assert_eq!(check_text("src/lib.rs", text), [""; 0]);
    }

    #[test]
    fn a_function_with_a_body_fails() {
        for path in ["crates/a/src/lib.rs", "src/b/mod.rs"] {
            let found = check_text(path, "mod a;\npub fn work() {}");
            assert_eq!(found, [format!("{path}:2: `fn work` belongs in a file of its own")]);
        }
    }

    #[test]
    fn other_files_may_work() {
        assert_eq!(check_text("src/glib.rs", "fn work() {}"), [""; 0]);
    }
}
