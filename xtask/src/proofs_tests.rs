//! Which functions count as tests, and which names find them.

use super::*;

fn package(name: &str, folder: &str) -> Package {
    Package {
        name: name.to_owned(),
        version: "0.1.0".to_owned(),
        folder: Some(folder.to_owned()),
        licence: None,
        dependencies: Vec::new(),
    }
}

fn tests(files: &[(&str, &str)]) -> Tests {
    let packages = [
        package("rules", "crates/kernel/rules"),
        package("store", "crates/ports/store"),
        package("api-types", "crates/surfaces/api-types"),
    ];
    Tests::find(&Tree::of(files), &packages)
}

const CLOCK: (&str, &str) = (
    "crates/kernel/rules/src/clock.rs",
    "fn plain() {}\n#[cfg(test)]\nmod tests {\n\
     /// Why.\n#[test]\n#[expect(x)]\nfn holds() {}\n\
     #[tokio::test(start_paused = true)]\nasync fn waits() {}\n\
     proptest! { fn is_total(x in 0..9) {} }\n\
     fn setup() {}\n// #[test]\nfn commented() {} }",
);

#[test]
fn a_test_is_found_by_its_name() {
    let tests = tests(&[CLOCK]);
    for name in ["holds", "waits", "is_total"] {
        assert!(tests.has(&format!("rules::clock::tests::{name}")), "{name}");
        assert!(tests.has(&format!("rules::{name}")), "{name}");
    }
}

#[test]
fn what_is_no_test_is_not_found() {
    let tests = tests(&[CLOCK]);
    for name in ["plain", "setup", "commented", "gone"] {
        assert!(!tests.has(&format!("rules::{name}")), "{name}");
    }
}

#[test]
fn crate_and_modules_must_match() {
    let tests = tests(&[CLOCK]);
    for name in [
        "store::clock::tests::holds",
        "rules::merge::tests::holds",
        "rules::tests::clock::holds",
        "rules::clock::clock::holds",
        "holds",
        "",
    ] {
        assert!(!tests.has(name), "{name}");
    }
}

#[test]
fn integration_tests_and_dashed_crates_are_found() {
    let tests = tests(&[
        ("crates/surfaces/api-types/tests/wire/main.rs", "#[test] fn holds() {}"),
        ("crates/surfaces/api-types/src/turn/mod.rs", "#[test]\nfn turns() {}"),
    ]);
    assert!(tests.has("api_types::wire::holds"));
    assert!(tests.has("api-types::tests::wire::holds"));
    assert!(tests.has("api_types::turn::turns"));
}

#[test]
fn a_file_of_tests_goes_by_both_of_its_names() {
    let tests = tests(&[("crates/kernel/rules/src/sync/merge_tests.rs", "#[test] fn holds() {}")]);
    assert!(tests.has("rules::sync::merge::tests::holds"));
    assert!(tests.has("rules::sync::merge_tests::holds"));
    assert!(!tests.has("rules::sync::other::tests::holds"));
}

const SUITE: (&str, &str) = (
    "crates/ports/store/src/conformance/mod.rs",
    "mod atomicity;\npub use atomicity::exported;\n\
     #[macro_export]\nmacro_rules! store_conformance { ($o:expr) => { cases!($o, holds, closed) } }",
);
const CASES: (&str, &str) = (
    "crates/ports/store/src/conformance/atomicity.rs",
    "pub async fn holds() {}\npub fn exported() {}\npub(crate) fn closed() {}\nfn hidden() {}",
);
const RUN: (&str, &str) =
    ("crates/adapters/sqlite/tests/suite.rs", "store::store_conformance!(open);");

#[test]
fn a_conformance_case_is_public_and_listed() {
    let tests = tests(&[SUITE, CASES, RUN]);
    assert!(tests.has("store::conformance::atomicity::holds"));
    for name in ["exported", "closed", "hidden"] {
        assert!(!tests.has(&format!("store::conformance::atomicity::{name}")), "{name}");
    }
}

#[test]
fn a_suite_that_nobody_runs_proves_nothing() {
    assert!(!tests(&[SUITE, CASES]).has("store::conformance::atomicity::holds"));
}
