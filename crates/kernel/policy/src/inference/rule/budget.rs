//! With what the call may cost at most, the agent stays within what it may spend in a day. What runs have
//! set aside counts as spent until they settle.

use types::Code;

use crate::Denial;
use crate::inference::{Request, Snapshot};

pub(crate) const NAME: &str = "budget";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<(), Denial> {
    let all = snapshot.account.with(request.estimate);
    let Some(what) = snapshot.limits.exceeded_by(&all) else { return Ok(()) };
    let agent = request.agent;
    let message = format!("{agent} would go beyond its limit of a day: {what}");
    let hint = "raise the limit under [budget] in config.toml, or wait for tomorrow";
    Err(Denial::of(Code::BudgetExceeded, message, hint))
}
