//! With what the call may cost at most, the agent stays within what it may spend in a day. What runs have
//! set aside counts as spent until they settle.

use types::{Account, AgentId, Amounts, BudgetLimits, Code};

use crate::inference::{Request, Snapshot};
use crate::{Denial, Denied};

pub(crate) const NAME: &str = "budget";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<(), Denial> {
    within(request.agent, &snapshot.limits, &snapshot.account.with(request.estimate))
}

/// Whether an agent that has spent so much today may make so many calls of tools. What the model asks for is
/// known only after it was asked.
///
/// # Errors
/// If that would go beyond its limit of a day.
pub fn allows_calls(
    agent: &AgentId,
    limits: &BudgetLimits,
    account: &Account,
    calls: u64,
) -> Result<(), Denied> {
    let limits = BudgetLimits { tool_calls: limits.tool_calls, ..BudgetLimits::default() };
    let all = account.with(Amounts { tool_calls: calls, ..Amounts::default() });
    within(agent, &limits, &all).map_err(|denial| Denied { rule: NAME, denial })
}

fn within(agent: &AgentId, limits: &BudgetLimits, all: &Amounts) -> Result<(), Denial> {
    let Some(what) = limits.exceeded_by(all) else { return Ok(()) };
    let message = format!("{agent} would go beyond its limit of a day: {what}");
    let hint = "raise the limit under [budget] in config.toml, or wait for tomorrow";
    Err(Denial::of(Code::BudgetExceeded, message, hint))
}
