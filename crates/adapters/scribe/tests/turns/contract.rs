//! Every call is one that its tool takes.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use jsonschema::Validator;
use model::Response;
use serde_json::Value;

/// The contract file of the journal's tools, by name of schema.
static SCHEMAS: LazyLock<BTreeMap<String, Value>> = LazyLock::new(|| {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../docs/agent_tools/agent_tool_contract_spec.yaml");
    let spec: Value = serde_yaml_ng::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    serde_json::from_value(spec["schemas"].clone()).unwrap()
});

/// The same, compiled, by name of tool.
static VALIDATORS: LazyLock<BTreeMap<String, Validator>> = LazyLock::new(|| {
    let inputs = SCHEMAS.iter().filter_map(|(name, schema)| {
        Some((name.strip_suffix(".input")?.to_owned(), jsonschema::validator_for(schema).unwrap()))
    });
    inputs.collect()
});

/// The schema of a tool's arguments.
pub(crate) fn schema(tool: &str) -> Value {
    SCHEMAS[&format!("{tool}.input")].clone()
}

/// What holds of every answer, whatever was asked.
pub(crate) fn check(response: &Response) {
    for call in &response.calls {
        let arguments = call.arguments.as_ref().unwrap();
        let wrong: Vec<String> =
            VALIDATORS[&call.tool].iter_errors(arguments).map(|error| error.to_string()).collect();
        assert_eq!(wrong, Vec::<String>::new(), "{}: {arguments}", call.tool);
        if call.tool == "update_report" {
            report(arguments);
        }
    }
    let stop = response.calls.is_empty();
    assert_eq!(response.finish == types::FinishReason::Stop, stop);
    assert!(!(stop && response.text.is_empty()), "it says something or does something");
    assert!(response.text.len() < 8_000, "{}", response.text.len());
}

/// A report is bounded, and each of its lines is a claim that names a source or is concluded.
fn report(arguments: &Value) {
    let content = arguments["content"].as_str().unwrap();
    assert!(content.len() <= 6_000, "{}", content.len());
    let claims = arguments["claims"].as_array().unwrap();
    assert!(claims.len() <= 40, "{}", claims.len());
    for claim in claims {
        let sources = claim["sources"].as_array().unwrap();
        assert!(!sources.is_empty() || claim["inferred"] == true, "{claim}");
    }
    let lines = content.lines().filter(|line| {
        let heading = line.is_empty() || line.starts_with('#') || line.starts_with("*Put together");
        !heading && !line.starts_with("- … and ")
    });
    assert_eq!(lines.count(), claims.len(), "every line is a claim:\n{content}");
}
