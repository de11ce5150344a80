//! The contract file as a value.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use tool::{Capability, Contract, Idempotency, Risk, ScopeRule};

/// The whole file.
#[derive(Serialize)]
pub(crate) struct Spec {
    version: u32,
    tools: Vec<Entry>,
    schemas: BTreeMap<String, Value>,
}

/// One tool.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    name: &'static str,
    version: u32,
    description: &'static str,
    capabilities_required: &'static [Capability],
    allowed_wake_reasons: Vec<&'static str>,
    input_schema_ref: String,
    output_schema_ref: String,
    idempotency_strategy: Idempotency,
    scope_rules: ScopeRule,
    side_effects: SideEffects,
    risk_level: Risk,
    preview: bool,
    reversible: bool,
    data_minimization_policy_ref: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SideEffects {
    entity_types: Vec<&'static str>,
    notification_tokens: Vec<&'static str>,
}

impl Spec {
    /// What these contracts say.
    pub(crate) fn of(contracts: &[Contract]) -> Spec {
        let schemas = contracts.iter().flat_map(|contract| {
            [
                (format!("{}.input", contract.name), (contract.input)()),
                (format!("{}.output", contract.name), (contract.output)()),
            ]
        });
        Spec {
            version: 1,
            schemas: schemas.collect(),
            tools: contracts.iter().map(entry).collect(),
        }
    }

    /// As it is written.
    pub(crate) fn text(&self) -> String {
        let head = "# What each tool promises. A test holds this file equal to the registry; the schema\n\
                    # of the file lies beside it.\n";
        head.to_owned() + &serde_yaml_ng::to_string(self).unwrap()
    }
}

fn entry(contract: &Contract) -> Entry {
    let kinds = || contract.side_effects.iter().copied();
    Entry {
        name: contract.name,
        version: contract.version,
        description: contract.description,
        capabilities_required: contract.capabilities,
        allowed_wake_reasons: contract.wake_reasons.iter().map(|reason| reason.as_str()).collect(),
        input_schema_ref: format!("#/schemas/{}.input", contract.name),
        output_schema_ref: format!("#/schemas/{}.output", contract.name),
        idempotency_strategy: contract.idempotency,
        scope_rules: contract.scope,
        side_effects: SideEffects {
            entity_types: kinds().map(types::BodyType::as_str).collect(),
            notification_tokens: kinds().map(types::BodyType::semantic_key).collect(),
        },
        risk_level: contract.risk,
        preview: contract.preview,
        reversible: contract.reversible,
        data_minimization_policy_ref: contract.data_minimization,
    }
}
