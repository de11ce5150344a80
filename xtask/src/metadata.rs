//! The packages of the workspace and their dependencies, as `cargo metadata` tells them.

use std::env;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::failure::Failure;

/// A package of the workspace or of somebody else.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// The folder from the root of the workspace; none for a package of somebody else.
    pub(crate) folder: Option<String>,
    pub(crate) licence: Option<String>,
    pub(crate) dependencies: Vec<Dependency>,
}

/// A line of a manifest.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Only tests need it.
    pub(crate) for_tests: bool,
    /// The folder from the root of the workspace, if it is a path in it.
    pub(crate) folder: Option<String>,
    /// The features that it asks for.
    pub(crate) features: Vec<String>,
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// The packages of the workspace.
    Workspace,
    /// These and all that they need.
    Everything,
}

/// Asks cargo.
pub(crate) fn packages(root: &Path, depth: Depth) -> Result<Vec<Package>, Failure> {
    let mut command = cargo();
    command.args(["metadata", "--format-version", "1"]).current_dir(root);
    if depth == Depth::Workspace {
        command.arg("--no-deps");
    }
    let output =
        command.output().map_err(|e| Failure::step("failed to start cargo metadata", e))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Failure::step("cargo metadata failed", said));
    }
    let value: Value = serde_json::from_slice(&output.stdout)
        .map_err(|e| Failure::step("failed to read what cargo metadata printed", e))?;
    parse(&value).ok_or_else(|| Failure::step("cargo metadata", "a field is missing"))
}

/// The cargo that runs this command, so that all steps use one toolchain.
pub(crate) fn cargo() -> Command {
    Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Reads the answer of `cargo metadata --format-version 1`.
pub(crate) fn parse(value: &Value) -> Option<Vec<Package>> {
    let root = value["workspace_root"].as_str()?;
    value["packages"].as_array()?.iter().map(|package| parse_package(package, root)).collect()
}

fn parse_package(package: &Value, root: &str) -> Option<Package> {
    let manifest = package["manifest_path"].as_str()?;
    let ours = package["source"].is_null();
    let dependencies = package["dependencies"].as_array()?.iter();
    Some(Package {
        name: package["name"].as_str()?.to_owned(),
        version: package["version"].as_str()?.to_owned(),
        folder: ours.then(|| relative(Path::new(manifest).parent()?.to_str()?, root)).flatten(),
        licence: package["license"].as_str().map(str::to_owned),
        dependencies: dependencies.map(|d| parse_dependency(d, root)).collect::<Option<_>>()?,
    })
}

fn parse_dependency(dependency: &Value, root: &str) -> Option<Dependency> {
    Some(Dependency {
        name: dependency["name"].as_str()?.to_owned(),
        for_tests: dependency["kind"].as_str() == Some("dev"),
        folder: dependency["path"].as_str().and_then(|path| relative(path, root)),
        features: dependency["features"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|feature| feature.as_str().map(str::to_owned))
            .collect(),
    })
}

/// The path from the root, with `/` between folders; none when it is elsewhere.
fn relative(path: &str, root: &str) -> Option<String> {
    let path = Path::new(path).strip_prefix(root).ok()?;
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_read_from_the_answer() {
        let value = serde_json::json!({
            "workspace_root": "/w",
            "packages": [{
                "name": "rules", "version": "0.1.0", "source": null, "license": "Apache-2.0",
                "manifest_path": "/w/crates/kernel/rules/Cargo.toml",
                "dependencies": [
                    { "name": "types", "kind": null, "path": "/w/crates/kernel/types",
                      "features": ["planted"] },
                    { "name": "proptest", "kind": "dev" }
                ]
            }, {
                "name": "sha2", "version": "0.11.1", "source": "registry", "license": null,
                "manifest_path": "/r/sha2/Cargo.toml", "dependencies": []
            }]
        });
        let packages = parse(&value).unwrap();
        assert_eq!(packages[0].folder.as_deref(), Some("crates/kernel/rules"));
        let types = &packages[0].dependencies[0];
        assert_eq!(
            (types.for_tests, types.folder.as_deref()),
            (false, Some("crates/kernel/types"))
        );
        assert_eq!(types.features, ["planted"]);
        assert!(packages[0].dependencies[1].for_tests);
        assert_eq!((&packages[1].folder, &packages[1].licence), (&None, &None));
    }

    #[test]
    fn a_missing_field_is_noticed() {
        assert_eq!(parse(&serde_json::json!({ "packages": [] })), None);
        let value = serde_json::json!({ "workspace_root": "/w", "packages": [{ "name": "a" }] });
        assert_eq!(parse(&value), None);
    }
}
