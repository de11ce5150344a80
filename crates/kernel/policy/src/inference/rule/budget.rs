//! With what the call may cost at most, the agent stays within what it may spend in a day. What runs have
//! set aside counts as spent until they settle.

use types::{Account, Amounts, BudgetLimits, Code};

use crate::inference::{Request, Snapshot};
use crate::{Denial, Denied};

pub(crate) const NAME: &str = "budget";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<(), Denial> {
    // Nobody knows how long an answer takes; it takes some time.
    let runtime_ms = request.estimate.runtime_ms.max(1);
    let estimate = Amounts { runtime_ms, ..request.estimate };
    within(&snapshot.limits, &snapshot.account.with(estimate))
}

/// Whether an agent that has spent so much today may make so many calls of tools. What the model asks for is
/// known only after it was asked.
///
/// # Errors
/// If that would go beyond its limit of a day.
pub fn allows_calls(limits: &BudgetLimits, account: &Account, calls: u64) -> Result<(), Denied> {
    let limits = BudgetLimits { tool_calls: limits.tool_calls, ..BudgetLimits::default() };
    let all = account.with(Amounts { tool_calls: calls, ..Amounts::default() });
    within(&limits, &all).map_err(|denial| Denied { rule: NAME, denial })
}

fn within(limits: &BudgetLimits, all: &Amounts) -> Result<(), Denial> {
    let Some(what) = limits.exceeded_by(all) else { return Ok(()) };
    let limit = setting(what);
    let message = format!("it would go beyond its limit of a day, {limit}");
    let hint = "raise the limit under [budget] in config.toml and wake it with `dormouse wake AGENT`, or wait for tomorrow";
    Err(Denial { limit: Some(limit), ..Denial::of(Code::BudgetExceeded, message, hint) })
}

/// A limit as people set it.
fn setting(what: &'static str) -> &'static str {
    match what {
        "tokens" => "tokens_per_day",
        "cost" => "cost_per_day",
        "tool_calls" => "tool_calls_per_day",
        "runtime" => "minutes_per_day",
        other => other,
    }
}
