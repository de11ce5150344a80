//! Verbs that agents may be offered: what each promises.

use std::sync::Arc;

use serde_json::{Value, json};
use tool::{Call, Contract, Failure, Idempotency, Planning, Risk, ScopeRule, Tool};
use types::WakeReason;

use crate::Journal;
use crate::desk::{Desk, Reach};
use crate::verb::{AnyVerb, Verb};

/// A verb that agents may be offered.
pub(crate) trait Offered: Verb {
    /// What it promises.
    const CONTRACT: Contract;
}

/// What tools that change something have in common.
pub(crate) const CHANGE: Contract = Contract {
    name: "",
    version: 1,
    description: "",
    capabilities: &[],
    wake_reasons: &WakeReason::ALL,
    input: nothing,
    output: changed,
    idempotency: Idempotency::OperationId,
    scope: ScopeRule::TargetsInScope,
    side_effects: &[],
    risk: Risk::Low,
    preview: false,
    reversible: true,
    data_minimization: "changed_records_only",
};

/// What tools that only read have in common.
pub(crate) const READ: Contract = Contract {
    output: anything,
    idempotency: Idempotency::ReadOnly,
    scope: ScopeRule::ResultsFiltered,
    data_minimization: "in_scope_records_only",
    ..CHANGE
};

/// Wakes in which a person has spoken: for what should not happen behind anybody's back.
pub(crate) const SPOKEN: &[WakeReason] = &[WakeReason::UserInitiated, WakeReason::Manual];

fn nothing() -> Value {
    super::schema::object(&[], &[])
}

fn anything() -> Value {
    json!({ "type": "object" })
}

/// Every answer of a change names the records that it changed.
fn changed() -> Value {
    let changed = json!({ "type": "array", "items": { "type": "string" } });
    json!({ "type": "object", "properties": { "changed": changed }, "required": ["changed"] })
}

/// A verb as a tool.
pub(crate) struct JournalTool {
    journal: Journal,
    verb: AnyVerb,
    contract: Contract,
}

impl JournalTool {
    /// The verb as a tool over a journal.
    pub(crate) fn of<V: Offered>(journal: &Journal) -> Arc<dyn Tool> {
        let (journal, verb, contract) = (journal.clone(), AnyVerb::of::<V>(), V::CONTRACT);
        Arc::new(JournalTool { journal, verb, contract })
    }
}

impl Tool for JournalTool {
    fn contract(&self) -> &Contract {
        &self.contract
    }

    fn plan<'a>(&'a self, call: &'a Call) -> Planning<'a> {
        Box::pin(async move {
            let (store, world) = (Arc::clone(&self.journal.store), Arc::clone(&self.journal.world));
            let mut desk = Desk::new(store, world, Reach::Within(call.scope.clone()));
            let plan = (self.verb.plan)(call.arguments.clone(), &mut desk).await;
            let plan = plan.map(crate::plan::Plan::planned);
            (desk.targets(), plan.map_err(|error| Failure::from(error.told_to_an_agent())))
        })
    }
}
