//! What tools there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use policy::Rights;
use serde_json::Value;
use tool::{Contract, Risk, Tool};
use types::ToolInvocation;

use crate::RegistryError;
use crate::schema::Schema;

/// The tools there are, by name. Their schemas are compiled once, here.
#[derive(Default)]
pub struct Registry {
    entries: BTreeMap<&'static str, Arc<Entry>>,
}

/// A tool as a model is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// Its name.
    pub name: &'static str,
    /// What it does and when to use it.
    pub description: &'static str,
    /// The JSON Schema of its arguments.
    pub input: Value,
}

/// A tool with what was made ready for it.
pub(crate) struct Entry {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) input: Schema,
    pub(crate) output: Schema,
}

impl Registry {
    /// A registry of these tools.
    ///
    /// # Errors
    /// If two have one name, a schema cannot be used, or a contract contradicts itself.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Result<Registry, RegistryError> {
        let mut entries = BTreeMap::new();
        for tool in tools {
            let name = tool.contract().name;
            if entries.insert(name, Arc::new(Entry::new(tool)?)).is_some() {
                return Err(RegistryError::Twice { name });
            }
        }
        Ok(Registry { entries })
    }

    /// What somebody with these rights is offered, by name. It depends on nothing else, so that the
    /// beginning of a prompt stays the same from wake to wake.
    #[must_use]
    pub fn offer(&self, rights: &Rights) -> Vec<Offer> {
        let contracts = self.contracts().filter(|contract| rights.hold(contract.capabilities));
        let offer = |contract: &Contract| Offer {
            name: contract.name,
            description: contract.description,
            input: (contract.input)(),
        };
        contracts.map(offer).collect()
    }

    /// What every tool promises, by name.
    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.entries.values().map(|entry| entry.contract())
    }

    /// What the tool of a name promises; nothing if there is none.
    #[must_use]
    pub fn contract(&self, name: &str) -> Option<&Contract> {
        self.entries.get(name).map(|entry| entry.contract())
    }

    pub(crate) fn find(&self, name: &str) -> Option<Arc<Entry>> {
        self.entries.get(name).map(Arc::clone)
    }
}

impl Entry {
    fn new(tool: Arc<dyn Tool>) -> Result<Entry, RegistryError> {
        let contract = *tool.contract();
        agrees(&contract)?;
        let compile = |which, schema: fn() -> Value| {
            let named = |why| RegistryError::Schema { name: contract.name, which, why };
            Schema::compile(&schema()).map_err(named)
        };
        let (input, output) =
            (compile("input", contract.input)?, compile("output", contract.output)?);
        Ok(Entry { tool, input, output })
    }

    pub(crate) fn contract(&self) -> &Contract {
        self.tool.contract()
    }
}

/// Refuses a contract that contradicts itself.
fn agrees(contract: &Contract) -> Result<(), RegistryError> {
    let name = contract.name;
    if !ToolInvocation::is_tool_name(name) {
        return Err(RegistryError::Name { name });
    }
    let why = match contract.mutates() {
        false if !contract.side_effects.is_empty() => "it only reads, and has side effects",
        true if contract.risk == Risk::High && !contract.preview => {
            "its risk is high, and it offers no preview"
        }
        true if contract.side_effects.iter().any(|kind| kind.domain() != contract.domain()) => {
            "it writes into both files, and no commit does"
        }
        _ => return Ok(()),
    };
    Err(RegistryError::Contract { name, why })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tool::{Call, Idempotency, Planning, ScopeRule};
    use types::BodyType;

    struct Blank(Contract);

    impl Tool for Blank {
        fn contract(&self) -> &Contract {
            &self.0
        }

        fn plan<'a>(&'a self, _: &'a Call) -> Planning<'a> {
            unreachable!("nobody calls it")
        }
    }

    fn registry(change: fn(&mut Contract)) -> Result<Registry, RegistryError> {
        let mut contract = Contract {
            name: "set_title",
            version: 1,
            description: "",
            capabilities: &[],
            wake_reasons: &[],
            input: || json!({}),
            output: || json!({}),
            idempotency: Idempotency::OperationId,
            scope: ScopeRule::TargetsInScope,
            side_effects: &[BodyType::Task],
            risk: Risk::Low,
            preview: false,
            reversible: true,
            data_minimization: "",
        };
        change(&mut contract);
        Registry::new(vec![Arc::new(Blank(contract))])
    }

    #[test]
    fn a_contract_that_cannot_be_kept_makes_no_registry() {
        assert!(registry(|_| {}).is_ok());
        let faults: [fn(&mut Contract); 6] = [
            |contract| contract.name = "set title",
            |contract| contract.input = || json!({ "type": "song" }),
            |contract| contract.output = || json!({ "$ref": "https://example.org/x" }),
            |contract| contract.idempotency = Idempotency::ReadOnly,
            |contract| contract.risk = Risk::High,
            |contract| contract.side_effects = &[BodyType::Task, BodyType::AgentReport],
        ];
        for fault in faults {
            assert!(registry(fault).is_err());
        }
        let shown = registry(|contract| (contract.risk, contract.preview) = (Risk::High, true));
        assert!(shown.is_ok(), "what is risky can be shown first");
    }
}
