//! The rules in their order, and the decision that comes of them.

use crate::rule::{
    capability, category_scope, fence, kill_switch, offered, operation_id, own_task, preview,
    quota, recorded, schema, side_effects, tool_class, wake_reason,
};
use crate::{Admitted, Denied, Request, Snapshot, Verdict};

/// A rule: a function of what is asked and how things stand.
pub type Check = fn(&Request<'_>, &Snapshot<'_>) -> Verdict;

/// The rules, in their order: the first that does not pass decides. What was done before is answered
/// after the stops and before everything that may have changed since, such as what an agent is offered.
pub const ORDER: &[(&str, Check)] = &[
    (kill_switch::NAME, kill_switch::check),
    (fence::NAME, fence::check),
    (recorded::NAME, recorded::check),
    (offered::NAME, offered::check),
    (schema::NAME, schema::check),
    (capability::NAME, capability::check),
    (wake_reason::NAME, wake_reason::check),
    (preview::NAME, preview::check),
    (operation_id::NAME, operation_id::check),
    (tool_class::NAME, tool_class::check),
    (category_scope::NAME, category_scope::check),
    (own_task::NAME, own_task::check),
    (side_effects::NAME, side_effects::check),
    (quota::NAME, quota::check),
];

/// The rules that go by how things stood in that moment: what was stopped, what was done before, how often, and
/// which records would have been touched. All others go by the call, its tool and its caller's rights alone.
const OF_THE_MOMENT: &[&str] = &[
    kill_switch::NAME,
    fence::NAME,
    recorded::NAME,
    tool_class::NAME,
    category_scope::NAME,
    own_task::NAME,
    side_effects::NAME,
    quota::NAME,
];

/// Whether a rule goes by how things stood in that moment, so that it may speak otherwise later.
#[must_use]
pub fn is_of_the_moment(rule: &str) -> bool {
    OF_THE_MOMENT.contains(&rule)
}

/// What is to become of a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Decision {
    /// Nothing against it so far: the tool may be asked what it would do, and the call judged again.
    Plan,
    /// Every rule passed: it may be done.
    Admitted(Admitted),
    /// It was done before and is answered from the record.
    Recorded,
    /// It may not be done.
    Denied(Denied),
}

/// Judges a call. Without a plan it never admits.
#[must_use]
pub fn judge(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Decision {
    for (rule, check) in ORDER {
        match check(request, snapshot) {
            Verdict::Pass => {}
            Verdict::Deny(denial) => return Decision::Denied(Denied { rule, denial }),
            Verdict::Recorded => return Decision::Recorded,
            Verdict::NeedsPlan => return Decision::Plan,
        }
    }
    Decision::Admitted(Admitted::to(request))
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
