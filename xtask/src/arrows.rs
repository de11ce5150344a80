//! `cargo xtask arrows`: the dependencies between rooms are those of the table, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use crate::arrows_table::{ARROWS, BANS, FEATURES, HOMES, LICENCES};
use crate::failure::Failure;
use crate::findings::Findings;
use crate::licences;
use crate::metadata::{self, Dependency, Depth, Package};

/// Checks the workspace; prints every finding, or one line of counts.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let packages = metadata::packages(root, Depth::Everything)?;
    let mut findings = Findings::default();
    check(&packages, &mut findings);
    findings.report("arrows")?;
    let ours = packages.iter().filter(|p| p.folder.is_some()).count();
    let arrows = drawn_arrows(&packages).len();
    println!(
        "arrows: {ours} crates, {arrows} arrows, {} packages of others",
        packages.len() - ours
    );
    Ok(())
}

/// Prints the rooms and the arrows that exist as a Mermaid graph.
pub(crate) fn draw(root: &Path) -> Result<(), Failure> {
    print!("{}", mermaid(&metadata::packages(root, Depth::Workspace)?));
    Ok(())
}

fn check(packages: &[Package], findings: &mut Findings) {
    for package in packages {
        match &package.folder {
            Some(folder) => check_ours(package, folder, packages, findings),
            None => check_licence(package, findings),
        }
    }
}

fn check_ours(package: &Package, folder: &str, packages: &[Package], findings: &mut Findings) {
    let manifest = format!("{folder}/Cargo.toml");
    let from = place(folder);
    let Some(row) = ARROWS.iter().find(|arrow| covers(arrow.from, from)) else {
        let text = format!("`{from}` has no row in xtask/src/arrows_table.rs");
        return findings.add(&manifest, 1, text);
    };
    for dependency in &package.dependencies {
        check_features(from, dependency, &manifest, findings);
    }
    for dependency in package.dependencies.iter().filter(|d| !d.for_tests) {
        match target(dependency, packages) {
            Some(to) if !row.to.iter().any(|pattern| covers(pattern, to)) => {
                findings.add(&manifest, 1, format!("`{from}` may not use `{to}`"));
            }
            Some(_) => {}
            None => check_outside(from, &dependency.name, &manifest, findings),
        }
    }
}

fn check_features(from: &str, dependency: &Dependency, manifest: &str, findings: &mut Findings) {
    for only in FEATURES.iter().filter(|only| dependency.features.iter().any(|f| f == only.name)) {
        if !only.places.iter().any(|pattern| covers(pattern, from)) {
            let text = format!("`{from}` may not ask for the feature `{}`", only.name);
            findings.add(manifest, 1, text);
        }
    }
}

fn check_outside(from: &str, name: &str, manifest: &str, findings: &mut Findings) {
    for ban in BANS {
        let is_here = ban.places.iter().any(|pattern| covers(pattern, from));
        if is_here && ban.crates.iter().any(|pattern| covers(pattern, name)) {
            findings.add(manifest, 1, format!("`{from}` may not use `{name}`: {}", ban.reason));
        }
    }
    for home in HOMES.iter().filter(|home| home.name == name) {
        if !home.places.iter().any(|pattern| covers(pattern, from)) {
            let places = home.places.join(", ");
            findings.add(manifest, 1, format!("`{name}` is used in {places} only"));
        }
    }
}

fn check_licence(package: &Package, findings: &mut Findings) {
    let Package { name, version, licence, .. } = package;
    let expression = licence.as_deref().unwrap_or_default();
    if !licences::is_allowed(expression, LICENCES) {
        let text = format!("{name} {version} has the licence `{expression}`, which is not allowed");
        findings.add("Cargo.lock", 1, text);
    }
}

/// The place of the workspace crate that a dependency names, if it is one of ours.
fn target<'a>(dependency: &'a Dependency, packages: &[Package]) -> Option<&'a str> {
    let folder = dependency.folder.as_deref()?;
    packages.iter().any(|p| p.folder.as_deref() == Some(folder)).then(|| place(folder))
}

fn place(folder: &str) -> &str {
    folder.strip_prefix("crates/").unwrap_or(folder)
}

fn covers(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == pattern,
    }
}

/// Every normal or build dependency between two places.
fn drawn_arrows(packages: &[Package]) -> BTreeSet<(&str, &str)> {
    let mut arrows = BTreeSet::new();
    for package in packages {
        let Some(folder) = &package.folder else { continue };
        let used = package.dependencies.iter().filter(|d| !d.for_tests);
        arrows.extend(used.filter_map(|d| Some((place(folder), target(d, packages)?))));
    }
    arrows
}

fn mermaid(packages: &[Package]) -> String {
    let mut rooms: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for folder in packages.iter().filter_map(|p| p.folder.as_deref()) {
        let (room, _) = place(folder).split_once('/').unwrap_or((folder, ""));
        rooms.entry(room).or_default().push(place(folder));
    }
    let mut graph = String::from("graph TD\n");
    for (room, mut places) in rooms {
        places.sort_unstable();
        let nodes: String = places.iter().map(|p| format!("    {}\n", node(p))).collect();
        write!(graph, "  subgraph room_{room}[{room}]\n{nodes}  end\n").expect(TAKES_ALL);
    }
    for (from, to) in drawn_arrows(packages) {
        writeln!(graph, "  {} --> {}", node_id(from), node_id(to)).expect(TAKES_ALL);
    }
    graph
}

const TAKES_ALL: &str = "a string takes all that is written to it";

fn node(place: &str) -> String {
    let name = place.rsplit('/').next().unwrap_or(place);
    format!("{}[{name}]", node_id(place))
}

fn node_id(place: &str) -> String {
    place.replace(['/', '-'], "_")
}

#[cfg(test)]
#[path = "arrows_tests.rs"]
mod tests;
