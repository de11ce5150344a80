//! The names of intents: what makes two mutating calls the same call.

use std::collections::BTreeSet;

use serde_json::Value;
use types::{CategoryId, Digest, InvocationId, OperationId, RecordId, RunKey};

use crate::canonical::{self, InexactNumber};
use crate::hash;

/// A record as it was when the plan was made: `id@revision`. For a creation, the parent's.
///
/// The revision makes A, then B, then A again three operations, while a retry of one is the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetRef {
    /// Which record.
    pub record: RecordId,
    /// At which revision it was read.
    pub revision: u64,
}

/// A planned call: verb, arguments, scope and targets, whatever its place in the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Action<'a> {
    /// The verb.
    pub verb: &'a str,
    /// Its arguments.
    pub arguments: &'a Value,
    /// The categories it was planned under.
    pub scope: &'a BTreeSet<CategoryId>,
    /// What it acts on.
    pub targets: &'a BTreeSet<TargetRef>,
}

/// The stable name of a planned call.
///
/// # Errors
/// If a number in the arguments has no exact canonical form.
pub fn action_id(action: &Action<'_>) -> Result<Digest, InexactNumber> {
    let arguments = canonical::to_string(action.arguments)?;
    let scope = hash::set(action.scope.iter().map(CategoryId::as_str));
    let targets = hash::set(action.targets.iter().map(|t| format!("{}@{}", t.record, t.revision)));
    Ok(hash::fields([
        b"action".as_slice(),
        action.verb.as_bytes(),
        hash::bytes(arguments.as_bytes()).as_bytes(),
        scope.as_bytes(),
        targets.as_bytes(),
    ]))
}

/// The name of a planned call within a run; it never depends on the call's place in the plan.
#[must_use]
pub fn id_in_run(run: &RunKey, action: &Digest) -> OperationId {
    OperationId(hash::fields([b"operation".as_slice(), run.0.as_bytes(), action.as_bytes()]))
}

/// The name of a call within a run whose plan never came: nobody knows what it rests on, so that only the very same call
/// is the same. If it is asked for again, that is another operation.
#[must_use]
pub fn id_of_given_up(run: &RunKey, action: &Digest, call: &str) -> OperationId {
    let fields = [b"given up".as_slice(), run.0.as_bytes(), action.as_bytes(), call.as_bytes()];
    OperationId(hash::fields(fields))
}

/// The name of the call that carries out an operation: trying again is the same call.
#[must_use]
pub fn invocation_of_operation(run: &RunKey, operation: &OperationId) -> InvocationId {
    named_in_run("by operation", run, operation.0.as_bytes())
}

/// The name of a call that carries out none, by what it is called in its run.
#[must_use]
pub fn invocation_of_call(run: &RunKey, call: &str) -> InvocationId {
    named_in_run("by call", run, call.as_bytes())
}

fn named_in_run(how: &str, run: &RunKey, name: &[u8]) -> InvocationId {
    let digest = hash::fields([b"invocation", how.as_bytes(), run.0.as_bytes(), name]);
    InvocationId::from_family(&run.0, &digest)
}

/// The name of something the operator does, by the request it came with.
#[must_use]
pub fn id_of_request(verb: &str, request: &str) -> OperationId {
    OperationId(hash::fields(["request", verb, request]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn id(arguments: &Value, revision: u64) -> OperationId {
        let scope = BTreeSet::from(["category_home".parse().unwrap()]);
        let record: RecordId = "task_1".parse().unwrap();
        let targets = BTreeSet::from([TargetRef { record, revision }]);
        let action = Action { verb: "set_task_title", arguments, scope: &scope, targets: &targets };
        id_in_run(&RunKey(Digest::ZERO), &action_id(&action).unwrap())
    }

    #[test]
    fn the_order_of_argument_keys_does_not_matter() {
        let one: Value = serde_json::from_str(r#"{"title": "A", "note": 1.0}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"note": 1, "title": "A"}"#).unwrap();
        assert_eq!(id(&one, 1), id(&other, 1));
    }

    #[test]
    fn a_then_b_then_a_again_are_three_operations() {
        let (a, b) = (json!({"title": "A"}), json!({"title": "B"}));
        let ids = BTreeSet::from([id(&a, 1), id(&b, 2), id(&a, 3)]);
        assert_eq!(ids.len(), 3);
        assert_eq!(id(&a, 1), id(&a, 1), "a retry is the same operation");
    }

    #[test]
    fn another_tool_or_another_scope_is_another_action() {
        let named = |verb: &str, scope: &[&str]| {
            let scope = scope.iter().map(|category| category.parse().unwrap()).collect();
            let (arguments, targets) = (&json!({"title": "A"}), &BTreeSet::new());
            action_id(&Action { verb, arguments, scope: &scope, targets }).unwrap()
        };
        let one = named("set_task_title", &["category_home"]);
        assert_eq!(one, named("set_task_title", &["category_home"]));
        assert_ne!(one, named("create_task", &["category_home"]));
        assert_ne!(one, named("set_task_title", &["category_work"]));
        assert_ne!(one, named("set_task_title", &[]));
    }

    #[test]
    fn the_same_intent_is_the_same_invocation() {
        let (run, other) = (RunKey(Digest::ZERO), RunKey(hash::bytes(b"run")));
        let operation = OperationId(hash::bytes(b"operation"));
        let first = invocation_of_operation(&run, &operation);
        assert_eq!(first, invocation_of_operation(&run, &operation));
        let others = [
            invocation_of_operation(&other, &operation),
            invocation_of_call(&run, "call_1"),
            invocation_of_call(&run, "call_2"),
            invocation_of_call(&other, "call_1"),
        ];
        let all: BTreeSet<InvocationId> = others.into_iter().chain([first]).collect();
        assert_eq!(all.len(), 5);
    }

    #[test]
    fn what_was_given_up_is_another_operation_with_every_call() {
        let (run, action) = (RunKey(Digest::ZERO), hash::bytes(b"action"));
        let first = id_of_given_up(&run, &action, "0:call_1");
        assert_eq!(first, id_of_given_up(&run, &action, "0:call_1"));
        assert_ne!(first, id_of_given_up(&run, &action, "1:call_1"));
        assert_ne!(first, id_in_run(&run, &action), "what it would be called by its plan");
    }

    #[test]
    fn another_run_is_another_operation() {
        let action = hash::bytes(b"action");
        let other = RunKey(hash::bytes(b"run"));
        assert_ne!(id_in_run(&RunKey(Digest::ZERO), &action), id_in_run(&other, &action));
    }
}
