//! The table of arrows, held against small made-up workspaces.

use super::*;

fn ours(place: &str, uses: &[&str], outside: &[&str]) -> Package {
    let inside = uses.iter().map(|to| Dependency {
        name: to.rsplit('/').next().unwrap().to_owned(),
        for_tests: false,
        folder: Some(folder(to)),
        features: vec![],
    });
    let outside = outside.iter().map(|name| Dependency {
        name: (*name).to_owned(),
        for_tests: false,
        folder: None,
        features: vec![],
    });
    Package {
        name: place.rsplit('/').next().unwrap().to_owned(),
        version: "0.1.0".to_owned(),
        folder: Some(folder(place)),
        licence: None,
        dependencies: inside.chain(outside).collect(),
    }
}

fn folder(place: &str) -> String {
    if place == "xtask" { place.to_owned() } else { format!("crates/{place}") }
}

fn theirs(licence: Option<&str>) -> Package {
    Package {
        name: "theirs".to_owned(),
        version: "1.0.0".to_owned(),
        folder: None,
        licence: licence.map(str::to_owned),
        dependencies: Vec::new(),
    }
}

fn findings(packages: &[Package]) -> Vec<String> {
    let mut findings = Findings::default();
    check(packages, &mut findings);
    findings.into_lines()
}

/// What is said when `from` uses `to` and nothing else.
fn arrow(from: &str, to: &str) -> Vec<String> {
    findings(&[ours(from, &[to], &[]), ours(to, &[], &[])])
}

#[test]
fn arrows_of_the_table_pass() {
    for (from, to) in [
        ("bin/dormouse", "adapters/sqlite"),
        ("bin/dormouse", "engine/runtime"),
        ("bin/dormouse", "ports/store"),
        ("bin/dormouse", "kernel/types"),
        ("surfaces/router", "engine/runtime"),
        ("surfaces/http", "surfaces/router"),
        ("surfaces/mcp", "kernel/types"),
        ("surfaces/cli", "surfaces/client"),
        ("surfaces/client", "surfaces/api-types"),
        ("surfaces/api-types", "kernel/types"),
        ("engine/runtime", "engine/wake"),
        ("engine/wake", "kernel/rules"),
        ("adapters/sqlite", "ports/store"),
        ("adapters/providers", "adapters/egress"),
        ("ports/store", "kernel/types"),
        ("kernel/rules", "kernel/types"),
        ("testing/crash", "adapters/sqlite"),
        ("testing/crash", "testing/testkit"),
    ] {
        assert_eq!(arrow(from, to), [""; 0], "{from} -> {to}");
    }
}

#[test]
fn other_arrows_fail() {
    for (from, to) in [
        ("bin/dormouse", "engine/wake"),
        ("bin/dormouse", "kernel/rules"),
        ("surfaces/http", "engine/wake"),
        ("surfaces/http", "ports/store"),
        ("surfaces/cli", "engine/runtime"),
        ("surfaces/cli", "kernel/types"),
        ("surfaces/client", "kernel/types"),
        ("surfaces/api-types", "ports/store"),
        ("engine/runtime", "adapters/sqlite"),
        ("engine/wake", "engine/journal"),
        ("engine/wake", "engine/runtime"),
        ("adapters/sqlite", "adapters/host"),
        ("adapters/sqlite", "engine/wake"),
        ("ports/store", "ports/world"),
        ("ports/store", "kernel/rules"),
        ("kernel/rules", "kernel/policy"),
        ("kernel/types", "kernel/rules"),
        ("kernel/types", "ports/world"),
        ("engine/wake", "testing/testkit"),
        ("bin/dormouse", "testing/testkit"),
        ("xtask", "kernel/types"),
    ] {
        let expected = format!("{}/Cargo.toml:1: `{from}` may not use `{to}`", folder(from));
        assert_eq!(arrow(from, to), [expected]);
    }
}

#[test]
fn tests_may_use_everything() {
    let mut store = ours("ports/store", &["testing/testkit"], &["rusqlite"]);
    store.dependencies.iter_mut().for_each(|d| d.for_tests = true);
    assert_eq!(findings(&[store, ours("testing/testkit", &[], &[])]), [""; 0]);
}

#[test]
fn a_crate_without_a_room_fails() {
    for place in ["attic/box", "surfaces/carrier-pigeon"] {
        let found = findings(&[ours(place, &[], &[])]);
        assert!(found.len() == 1 && found[0].contains("has no row"), "{found:?}");
    }
}

#[test]
fn rooms_keep_the_outside_out() {
    for (place, outside) in [
        ("kernel/rules", "tokio"),
        ("kernel/types", "getrandom"),
        ("kernel/policy", "async-trait"),
        ("adapters/host", "rusqlite"),
        ("bin/dormouse", "rusqlite"),
        ("engine/wake", "reqwest"),
        ("ports/model", "reqwest"),
    ] {
        assert_eq!(findings(&[ours(place, &[], &[outside])]).len(), 1, "{place} uses {outside}");
    }
}

#[test]
fn the_outside_is_used_where_it_belongs() {
    for (place, outside) in [
        ("kernel/rules", "sha2"),
        ("engine/runtime", "tokio"),
        ("adapters/sqlite", "rusqlite"),
        ("testing/crash", "rusqlite"),
        ("adapters/egress", "hyper"),
        ("adapters/egress", "reqwest"),
    ] {
        assert_eq!(findings(&[ours(place, &[], &[outside])]), [""; 0], "{place} uses {outside}");
    }
}

#[test]
fn one_room_alone_opens_connections_to_others() {
    for place in ["adapters/providers", "engine/runtime", "surfaces/client", "bin/dormouse"] {
        for client in ["hyper", "hyper-util", "tokio-rustls", "reqwest", "ureq", "curl"] {
            assert_eq!(findings(&[ours(place, &[], &[client])]).len(), 1, "{place} uses {client}");
        }
    }
}

#[test]
fn nobody_writes_past_the_verbs_and_their_executor() {
    for surface in ["surfaces/router", "surfaces/cli", "surfaces/http", "surfaces/client"] {
        assert_eq!(arrow(surface, "ports/store").len(), 1, "{surface}");
    }
    assert_eq!(arrow("engine/turn", "engine/journal").len(), 1);
}

#[test]
fn licences_are_checked() {
    assert_eq!(findings(&[theirs(Some("MIT OR Apache-2.0"))]), [""; 0]);
    for licence in [Some("AGPL-3.0"), None] {
        assert_eq!(findings(&[theirs(licence)]).len(), 1, "{licence:?}");
    }
}

#[test]
fn the_graph_shows_rooms_and_arrows() {
    let packages =
        [ours("surfaces/api-types", &["kernel/types"], &["serde"]), ours("kernel/types", &[], &[])];
    let expected = "\
graph TD
  subgraph room_kernel[kernel]
    kernel_types[types]
  end
  subgraph room_surfaces[surfaces]
    surfaces_api_types[api-types]
  end
  surfaces_api_types --> kernel_types
";
    assert_eq!(mermaid(&packages), expected);
}

#[test]
fn only_testing_asks_for_planted_faults() {
    let asks = |from: &str, for_tests: bool| {
        let mut package = ours(from, &["kernel/rules"], &[]);
        package.dependencies[0].features = vec!["planted".to_owned()];
        package.dependencies[0].for_tests = for_tests;
        findings(&[package, ours("kernel/rules", &[], &[])])
    };
    assert!(asks("testing/sim", false).is_empty());
    for for_tests in [false, true] {
        let said = asks("engine/wake", for_tests);
        assert_eq!(said.len(), 1);
        assert!(said[0].contains("feature `planted`"), "{said:?}");
    }
}

#[test]
fn no_room_that_makes_or_calls_tools_reaches_the_network() {
    for room in ["engine/journal", "engine/memory", "engine/tools", "engine/turn", "ports/tool"] {
        for way_out in ["adapters/egress", "adapters/providers"] {
            assert_eq!(arrow(room, way_out).len(), 1, "{room} to {way_out}");
        }
        for outside in ["hyper", "reqwest", "tokio-rustls"] {
            assert_eq!(findings(&[ours(room, &[], &[outside])]).len(), 1, "{room} uses {outside}");
        }
    }
}
