//! Which tests exist, so that a promise can name them.
//!
//! A name is `crate::module::test`. The crate and the test must match; the modules between them
//! must appear, in that order, among the folders, the file and the inline modules around the test.

use std::ops::Range;

use crate::items::{Function, functions, inline_modules, macro_calls, within, words};
use crate::metadata::Package;
use crate::source::Source;
use crate::tree::Tree;

/// Each public function here that the macros of its `mod.rs` list is a test of every store.
const CONFORMANCE: &str = "crates/ports/store/src/conformance/";

/// A test that exists.
#[derive(Debug, PartialEq, Eq)]
struct Test {
    package: String,
    modules: Vec<String>,
    name: String,
}

/// All tests of the workspace.
#[derive(Debug, Default)]
pub(crate) struct Tests(Vec<Test>);

impl Tests {
    /// Finds the tests in the files of the packages.
    pub(crate) fn find(tree: &Tree, packages: &[Package]) -> Self {
        let cases = conformance_cases(tree);
        let mut tests = Vec::new();
        for package in packages {
            let Some(folder) = package.folder.as_ref().map(|folder| format!("{folder}/")) else {
                continue;
            };
            for (path, text) in tree.texts(&folder, ".rs") {
                let found = tests_in(path, text, &cases);
                tests.extend(found.into_iter().map(|(mut inner, name)| {
                    let mut modules = modules_of(&path[folder.len()..]);
                    modules.append(&mut inner);
                    Test { package: package.name.replace('-', "_"), modules, name }
                }));
            }
        }
        Self(tests)
    }

    /// Whether a test of this name exists.
    pub(crate) fn has(&self, name: &str) -> bool {
        let parts: Vec<&str> = name.split("::").collect();
        let [package, modules @ .., function] = parts.as_slice() else { return false };
        self.0.iter().any(|test| {
            test.package == package.replace('-', "_")
                && test.name == *function
                && in_order(modules, &test.modules)
        })
    }
}

fn in_order(wanted: &[&str], there: &[String]) -> bool {
    let mut rest = there.iter();
    wanted.iter().all(|module| rest.any(|candidate| candidate == module))
}

/// The modules that a path in a package stands for: `src/a/mod.rs` is `a`, `tests/b.rs` is
/// `tests::b`. A file `c_tests.rs` is `c_tests`, and `c::tests` where `c.rs` takes it in under
/// that name.
fn modules_of(path: &str) -> Vec<String> {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let mut modules: Vec<&str> =
        stem.split('/').filter(|p| !matches!(*p, "src" | "lib" | "mod" | "main")).collect();
    if let Some(tested) = modules.last().and_then(|last| last.strip_suffix("_tests")) {
        modules.insert(modules.len() - 1, tested);
        modules.push("tests");
    }
    modules.into_iter().map(str::to_owned).collect()
}

/// The tests of a file, each with the inline modules around it.
fn tests_in(path: &str, text: &str, cases: &[String]) -> Vec<(Vec<String>, String)> {
    let code = Source::read(text).code;
    let properties: Vec<Range<usize>> = macro_calls(&code)
        .into_iter()
        .filter(|call| call.name == "proptest")
        .map(|call| call.span)
        .collect();
    let modules = inline_modules(&code);
    functions(&code)
        .into_iter()
        .filter(|f| {
            is_marked(f)
                || within(&properties, f.start)
                || (is_case(path, f) && cases.iter().any(|case| case == f.name))
        })
        .map(|f| {
            let around = modules.iter().filter(|(_, body)| body.contains(&f.start));
            (around.map(|(name, _)| (*name).to_owned()).collect(), f.name.to_owned())
        })
        .collect()
}

/// Whether an attribute makes the function a test.
fn is_marked(function: &Function<'_>) -> bool {
    let prefix: String = function.prefix.split_whitespace().collect();
    prefix.contains("#[test]")
        || prefix.contains("#[tokio::test]")
        || prefix.contains("#[tokio::test(")
}

/// Whether the function may be a conformance case: public, in a file of the suite.
fn is_case(path: &str, function: &Function<'_>) -> bool {
    let attributes_end = function.prefix.rfind(']').map_or(0, |at| at + 1);
    let qualifiers: Vec<&str> = function.prefix[attributes_end..].split_whitespace().collect();
    let in_suite = path.strip_prefix(CONFORMANCE).is_some_and(|file| !file.contains('/'));
    in_suite && matches!(qualifiers[..], ["pub"] | ["pub", "async"])
}

/// The words in the macros of the suite, if somebody outside of it runs one of them.
fn conformance_cases(tree: &Tree) -> Vec<String> {
    let code = Source::read(tree.text(&format!("{CONFORMANCE}mod.rs")).unwrap_or_default()).code;
    let calls = macro_calls(&code);
    let is_run = calls.iter().filter_map(|call| call.defines).any(|name| is_used(tree, name));
    if !is_run {
        return Vec::new();
    }
    calls
        .into_iter()
        .flat_map(|call| words(&code[call.span]).map(|(_, word)| word.to_owned()))
        .collect()
}

fn is_used(tree: &Tree, macro_name: &str) -> bool {
    tree.texts("crates/", ".rs").filter(|(path, _)| !path.starts_with(CONFORMANCE)).any(
        |(_, text)| {
            let code = Source::read(text).code;
            macro_calls(&code).iter().any(|call| call.name == macro_name)
        },
    )
}

#[cfg(test)]
#[path = "proofs_tests.rs"]
mod tests;
