//! Files and functions have a size at which they must be split.
//!
//! `xtask/budgets.txt` lists what is over today. It is a ratchet: a listed size may only go down,
//! and leaves the list once it is within the budget.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::findings::Findings;
use crate::items::{functions, test_modules, within};
use crate::source::{Source, line_at};
use crate::tree::Tree;

const FILE_LINES_MAX: usize = 600;
const FUNCTION_LINES_MAX: usize = 70;
const EXCEPTIONS: &str = "xtask/budgets.txt";

/// Counts the functions outside tests.
pub(super) fn check(tree: &Tree, findings: &mut Findings) -> usize {
    let mut sizes = Sizes::default();
    let mut count = 0;
    for (path, text) in tree.texts("", ".rs").filter(|(path, _)| !is_test(path)) {
        count += measure(path, text, &mut sizes);
    }
    let exceptions = read_exceptions(tree, findings);
    for (key, size) in &sizes {
        judge(key, size, exceptions.get(key), findings);
    }
    for (key, exception) in &exceptions {
        if sizes.get(key).is_none_or(|size| size.lines <= size.max) {
            let text = format!("{key} is within its budget or gone: remove this line");
            findings.add(EXCEPTIONS, exception.line, text);
        }
    }
    count
}

/// By `path` for a file and `path::fn` for a function; of functions of one name, the longest.
type Sizes = BTreeMap<String, Size>;

struct Size {
    path: String,
    line: usize,
    lines: usize,
    max: usize,
}

struct Exception {
    lines: usize,
    /// Where it stands in the list.
    line: usize,
}

fn is_test(path: &str) -> bool {
    path.ends_with("_tests.rs") || path.starts_with("tests/") || path.contains("/tests/")
}

/// Adds the file and its functions to the sizes; returns the number of functions.
fn measure(path: &str, text: &str, sizes: &mut Sizes) -> usize {
    let code = Source::read(text).code;
    let tests = test_modules(&code);
    let lines = lines_outside(&code, &tests);
    let file = Size { path: path.to_owned(), line: 1, lines, max: FILE_LINES_MAX };
    sizes.insert(path.to_owned(), file);

    let outside: Vec<_> =
        functions(&code).into_iter().filter(|f| !within(&tests, f.start)).collect();
    for function in &outside {
        let size = Size {
            path: path.to_owned(),
            line: line_at(&code, function.start),
            lines: function.lines(&code),
            max: FUNCTION_LINES_MAX,
        };
        let key = format!("{path}::{}", function.name);
        if sizes.get(&key).is_none_or(|longest| longest.lines < size.lines) {
            sizes.insert(key, size);
        }
    }
    outside.len()
}

/// Lines of which no part is in one of the ranges.
fn lines_outside(code: &str, ranges: &[Range<usize>]) -> usize {
    let numbered: Vec<_> =
        ranges.iter().map(|r| line_at(code, r.start)..=line_at(code, r.end - 1)).collect();
    (1..=code.lines().count()).filter(|line| !numbered.iter().any(|n| n.contains(line))).count()
}

fn judge(key: &str, size: &Size, exception: Option<&Exception>, findings: &mut Findings) {
    let Size { path, line, lines, max } = size;
    match exception.map(|e| e.lines) {
        None if lines > max => {
            findings.add(path, *line, format!("{key} has {lines} lines, the budget is {max}"));
        }
        Some(listed) if *lines > listed => {
            let text = format!("{key} grew from {listed} to {lines} lines, the budget is {max}");
            findings.add(path, *line, text);
        }
        Some(listed) if lines > max && *lines < listed => {
            let text = format!("{key} shrank: write {lines} for {listed} in {EXCEPTIONS}");
            findings.add(path, *line, text);
        }
        _ => {}
    }
}

fn read_exceptions(tree: &Tree, findings: &mut Findings) -> BTreeMap<String, Exception> {
    let mut exceptions = BTreeMap::new();
    for (index, text) in tree.text(EXCEPTIONS).unwrap_or_default().lines().enumerate() {
        let line = index + 1;
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let entry = text.split_once(' ').and_then(|(key, lines)| {
            Some((key.to_owned(), Exception { lines: lines.trim().parse().ok()?, line }))
        });
        match entry {
            Some((key, _)) if exceptions.contains_key(&key) => {
                findings.add(EXCEPTIONS, line, format!("{key} is listed twice"));
            }
            Some((key, exception)) => drop(exceptions.insert(key, exception)),
            None => findings.add(EXCEPTIONS, line, "expected `path lines` or `path::fn lines`"),
        }
    }
    exceptions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_texts(path: &str, text: &str, exceptions: &str) -> Vec<String> {
        let mut findings = Findings::default();
        check(&Tree::of(&[(path, text), (EXCEPTIONS, exceptions)]), &mut findings);
        findings.into_lines()
    }

    fn function(lines: usize) -> String {
        format!("fn long() {{\n{}}}\n", "    step();\n".repeat(lines - 2))
    }

    #[test]
    fn what_is_within_the_budget_passes() {
        assert_eq!(check_texts("a.rs", &function(70), ""), [""; 0]);
        assert_eq!(check_texts("a.rs", &"\n".repeat(600), "# a remark\n\n"), [""; 0]);
    }

    #[test]
    fn what_is_over_the_budget_fails() {
        assert_eq!(
            check_texts("a.rs", &function(71), ""),
            ["a.rs:1: a.rs::long has 71 lines, the budget is 70"]
        );
        assert_eq!(
            check_texts("a.rs", &"\n".repeat(601), ""),
            ["a.rs:1: a.rs has 601 lines, the budget is 600"]
        );
    }

    #[test]
    fn tests_are_not_counted() {
        let long = function(700);
        assert_eq!(check_texts("src/a_tests.rs", &long, ""), [""; 0]);
        assert_eq!(check_texts("tests/a.rs", &long, ""), [""; 0]);
        assert_eq!(
            check_texts("a.rs", &format!("#[cfg(test)]\nmod tests {{\n{long}}}\n"), ""),
            [""; 0]
        );
    }

    #[test]
    fn a_test_module_in_another_is_taken_off_once() {
        let nested = "a\n#[cfg(test)]\nmod tests {\n#[cfg(test)]\nmod more {\n}\n}\nb\n";
        assert_eq!(lines_outside(nested, &test_modules(nested)), 2);
    }

    #[test]
    fn a_brace_in_a_string_ends_no_function() {
        let text = function(71).replacen("step();", "call(\"}\", '}'); // }", 1);
        assert_eq!(check_texts("a.rs", &text, "").len(), 1);
    }

    #[test]
    fn an_exception_holds_at_its_size() {
        assert_eq!(check_texts("a.rs", &function(90), "a.rs::long 90\n"), [""; 0]);
    }

    #[test]
    fn an_exception_may_not_grow() {
        assert_eq!(
            check_texts("a.rs", &function(91), "a.rs::long 90\n"),
            ["a.rs:1: a.rs::long grew from 90 to 91 lines, the budget is 70"]
        );
    }

    #[test]
    fn an_exception_that_shrank_is_tightened() {
        assert_eq!(
            check_texts("a.rs", &function(80), "a.rs::long 90\n"),
            ["a.rs:1: a.rs::long shrank: write 80 for 90 in xtask/budgets.txt"]
        );
    }

    #[test]
    fn an_exception_without_need_is_removed() {
        for exceptions in ["a.rs::long 90\n", "b.rs 700\n"] {
            let found = check_texts("a.rs", &function(70), exceptions);
            assert!(found.len() == 1 && found[0].ends_with("remove this line"), "{found:?}");
        }
    }

    #[test]
    fn a_line_without_a_number_is_an_error() {
        assert_eq!(check_texts("a.rs", "", "a.rs many\n").len(), 1);
        assert_eq!(check_texts("a.rs", &function(90), "a.rs::long 90\na.rs::long 90\n").len(), 1);
    }
}
