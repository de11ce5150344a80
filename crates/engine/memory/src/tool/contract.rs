//! What both tools promise alike.

use serde_json::{Value, json};
use tool::{Contract, Failure, Idempotency, Risk, ScopeRule};
use types::{Code, WakeReason};

/// What both have in common: they write the caller's own records and nothing of the journal, so there is
/// nothing to put back there.
pub(crate) const OWN: Contract = Contract {
    name: "",
    version: 1,
    description: "",
    capabilities: &[],
    wake_reasons: &WakeReason::ALL,
    input: nothing,
    output: nothing,
    idempotency: Idempotency::OperationId,
    scope: ScopeRule::OwnRecords,
    side_effects: &[],
    risk: Risk::Low,
    preview: false,
    reversible: false,
    data_minimization: "changed_records_only",
};

fn nothing() -> Value {
    json!({ "type": "object" })
}

/// Arguments that passed the schema and are wrong all the same.
pub(crate) fn wrong(field: &str, message: String, hint: &str) -> Failure {
    Failure::of(Code::BadArguments, message, hint).about(field)
}

/// The store could not be read.
pub(crate) fn unread(error: store::StoreError) -> Failure {
    types::Problem::from(error).into()
}
