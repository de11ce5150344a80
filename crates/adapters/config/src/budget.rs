//! What agents may spend.

use types::BudgetLimits;

use crate::section::{Section, Wrong};

/// What each agent may spend in a day, and when to say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// The limits. One that is absent was set to `"unlimited"`.
    pub limits: BudgetLimits,
    /// From which hundredth of a limit on somebody is told.
    pub warn_at_percent: u64,
}

impl Default for Budget {
    /// More than a busy agent needs on a busy day, and less than a loop that nobody notices would spend
    /// over a weekend.
    fn default() -> Budget {
        let limits = BudgetLimits {
            tokens: Some(2_000_000),
            cost_micros: Some(5_000_000),
            tool_calls: Some(2_000),
            runtime_ms: Some(240 * MINUTE_MS),
        };
        Budget { limits, warn_at_percent: 80 }
    }
}

const MINUTE_MS: u64 = 60_000;

impl Budget {
    pub(crate) fn of(section: &Section<'_>) -> Result<Budget, Wrong> {
        section.only(&[
            "tokens_per_day",
            "cost_per_day",
            "tool_calls_per_day",
            "minutes_per_day",
            "warn_at_percent",
        ])?;
        let usual = Budget::default();
        let number = |key: &str| section.number(key);
        let minutes = |key: &str| Ok(section.number(key)?.map(|n| n.saturating_mul(MINUTE_MS)));
        let limits = BudgetLimits {
            tokens: limit(section, "tokens_per_day", usual.limits.tokens, number)?,
            cost_micros: limit(section, "cost_per_day", usual.limits.cost_micros, |key| {
                section.micros(key)
            })?,
            tool_calls: limit(section, "tool_calls_per_day", usual.limits.tool_calls, number)?,
            runtime_ms: limit(section, "minutes_per_day", usual.limits.runtime_ms, minutes)?,
        };
        let warn_at_percent = section.number("warn_at_percent")?.unwrap_or(usual.warn_at_percent);
        if warn_at_percent > 100 {
            return Err(section.refuse("warn_at_percent", "is more than 100"));
        }
        Ok(Budget { limits, warn_at_percent })
    }
}

/// A limit: a number, `"unlimited"`, or the usual one.
fn limit(
    section: &Section<'_>,
    key: &str,
    usual: Option<u64>,
    read: impl FnOnce(&str) -> Result<Option<u64>, Wrong>,
) -> Result<Option<u64>, Wrong> {
    if section.is_unlimited(key) {
        return Ok(None);
    }
    Ok(read(key)?.or(usual))
}
