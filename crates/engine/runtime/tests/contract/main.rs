//! The contract file and the registry say the same, entry by entry.
//!
//! The file is what people review. When a tool changes on purpose, write it anew with
//! `DORMOUSE_REFRESH=1 cargo test -p runtime --test contract` and read the difference.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod emitted;
mod entry;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use journal::Journal;
use memory::Memory;
use serde_json::Value;
use sqlite::Config;
use store::Store;
use testkit::{FakeWorld, TempHome};
use tool::{Capability, Contract, Risk};

use entry::Spec;

const FILE: &str = "agent_tool_contract_spec.yaml";
const SCHEMA: &str = "agent_tool_contract_spec.schema.json";

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../docs/agent_tools").join(name)
}

fn contracts() -> Vec<Contract> {
    let home = TempHome::new();
    let store: Arc<dyn Store> = Arc::new(home.open(&Config::default()));
    let world = Arc::new(FakeWorld::seeded(1));
    let journal = Journal::new(Arc::clone(&store), Arc::clone(&world) as _);
    let tools = journal.tools().into_iter().chain(Memory::new(store, world).tools());
    tools.map(|tool| *tool.contract()).collect()
}

fn written() -> Value {
    if std::env::var_os("DORMOUSE_REFRESH").is_some() {
        fs::write(path(FILE), Spec::of(&contracts()).text()).unwrap();
    }
    serde_yaml_ng::from_str(&fs::read_to_string(path(FILE)).unwrap()).unwrap()
}

#[test]
fn the_contract_file_is_valid_by_its_schema() {
    let schema: Value = serde_json::from_str(&fs::read_to_string(path(SCHEMA)).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let wrong: Vec<String> = validator
        .iter_errors(&written())
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn the_contract_file_and_the_registry_are_equal_one_to_one() {
    let registered = serde_json::to_value(Spec::of(&contracts())).unwrap();
    let written = written();
    let names = |spec: &Value| -> Vec<String> {
        let tools = spec["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&written), names(&registered));
    let unique: BTreeSet<String> = names(&written).into_iter().collect();
    assert_eq!(unique.len(), names(&written).len(), "a name stands twice");
    let pairs =
        written["tools"].as_array().unwrap().iter().zip(registered["tools"].as_array().unwrap());
    for (file, registry) in pairs {
        assert_eq!(file, registry);
    }
    assert_eq!(written["schemas"], registered["schemas"]);
}

#[test]
fn every_schema_is_a_schema_and_takes_nothing_unknown() {
    for contract in contracts() {
        let input = (contract.input)();
        jsonschema::validator_for(&input).unwrap();
        jsonschema::validator_for(&(contract.output)()).unwrap();
        assert_eq!(input["additionalProperties"], false, "{}", contract.name);
        for required in input["required"].as_array().unwrap() {
            let known = input["properties"].get(required.as_str().unwrap());
            assert!(
                known.is_some(),
                "{} asks for {required}, which it does not know",
                contract.name
            );
        }
    }
}

#[test]
fn every_capability_is_asked_for_by_some_tool_and_high_risk_offers_a_preview() {
    let contracts = contracts();
    for capability in Capability::ALL {
        let asked = contracts.iter().any(|contract| contract.capabilities.contains(&capability));
        assert!(asked, "{capability:?}");
    }
    assert!(contracts.iter().all(|contract| contract.risk < Risk::High || contract.preview));
}

#[test]
fn no_tool_takes_an_address_or_a_command_and_none_changes_anything_but_records() {
    fn names(schema: &Value) -> Vec<String> {
        let properties = schema["properties"].as_object().into_iter().flatten();
        let own = properties.clone().map(|(name, _)| name.to_lowercase());
        let inner = properties.flat_map(|(_, property)| names(property));
        let items = schema.get("items").map(names).unwrap_or_default();
        own.chain(inner).chain(items).collect()
    }
    for contract in contracts() {
        for name in names(&(contract.input)()) {
            for word in ["url", "uri", "address", "host", "command", "shell", "path"] {
                assert!(!name.contains(word), "{} takes {name}", contract.name);
            }
        }
        // What it changes are records, and the executor holds every plan to these kinds.
        assert_eq!(contract.mutates(), !contract.side_effects.is_empty(), "{}", contract.name);
    }
}
