//! The rules in their order, and the decision that comes of them.

use super::rule::{budget, consent, kill_switch, lifecycle, model_access, projection, provider};
use super::{Permitted, Request, Snapshot};
use crate::{Denial, Denied};

/// A rule: a function of what is asked and how things stand.
pub type Check = fn(&Request<'_>, &Snapshot<'_>) -> Result<(), Denial>;

/// The rules, in their order: the first that objects decides. Stops come first, then whether the model
/// may be asked at all, then what it would be sent, and last what it would cost.
pub const ORDER: &[(&str, Check)] = &[
    (kill_switch::NAME, kill_switch::check),
    (lifecycle::NAME, lifecycle::check),
    (model_access::NAME, model_access::check),
    (provider::NAME, provider::check),
    (consent::NAME, consent::check),
    (projection::NAME, projection::check),
    (budget::NAME, budget::check),
];

/// Judges a call of a model.
///
/// # Errors
/// The first rule that objects, and what it says.
pub fn judge(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<Permitted, Denied> {
    for (rule, check) in ORDER {
        check(request, snapshot).map_err(|denial| Denied { rule, denial })?;
    }
    Ok(Permitted::to(request))
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
