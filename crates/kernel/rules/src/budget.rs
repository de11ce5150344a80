//! Budgets: which day is being spent, what a call may cost at most, and whether that is too much.

use types::{Account, Amounts, At, BudgetLimits, Day, TokenUsage};

use crate::day;

/// The day that an instant is accounted to: the person's own, by the clock where they are.
#[must_use]
pub fn day(at: At, zone: &str) -> Day {
    day::of(at, zone)
}

/// What a call of a model may cost at most: all of its prompt, and as long an answer as it may give. The
/// price is a function, so that whoever knows the table rounds it the same way here and afterwards.
#[must_use]
pub fn at_most(
    prompt_tokens: u64,
    max_output_tokens: u64,
    price: impl FnOnce(&TokenUsage) -> u64,
) -> Amounts {
    let total_tokens = prompt_tokens.saturating_add(max_output_tokens);
    let usage =
        TokenUsage { input_tokens: prompt_tokens, output_tokens: max_output_tokens, total_tokens };
    Amounts { tokens: total_tokens, cost_micros: price(&usage), ..Amounts::default() }
}

/// What a call of a model did cost. A provider that counts more than the two parts is believed, one that
/// counts less is not: a budget is never undercounted.
#[must_use]
pub fn of_call(usage: &TokenUsage, cost_micros: u64) -> Amounts {
    let parts = usage.input_tokens.saturating_add(usage.output_tokens);
    Amounts { tokens: usage.total_tokens.max(parts), cost_micros, ..Amounts::default() }
}

/// The first limit that so much more would go beyond.
#[must_use]
pub fn beyond(limits: &BudgetLimits, account: &Account, more: &Amounts) -> Option<&'static str> {
    limits.exceeded_by(&account.with(*more))
}

/// The first limit of which more than so many hundredths are gone: worth a warning, and nothing else.
#[must_use]
pub fn near(limits: &BudgetLimits, account: &Account, percent: u64) -> Option<&'static str> {
    let part = |limit: Option<u64>| {
        let part = limit.map(|limit| u128::from(limit) * u128::from(percent) / 100);
        part.map(|part| u64::try_from(part).unwrap_or(u64::MAX))
    };
    let soft = BudgetLimits {
        tokens: part(limits.tokens),
        cost_micros: part(limits.cost_micros),
        tool_calls: part(limits.tool_calls),
        runtime_ms: part(limits.runtime_ms),
    };
    soft.exceeded_by(&account.with(Amounts::default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_spent_by_the_clock_where_the_person_is() {
        let at: At = "2026-11-15T23:30:00Z".parse().unwrap();
        assert_eq!(day(at, "UTC").to_string(), "2026-11-15");
        assert_eq!(day(at, "Europe/Berlin").to_string(), "2026-11-16");
    }

    #[test]
    fn a_call_may_cost_its_prompt_and_the_longest_answer() {
        let price = |usage: &TokenUsage| usage.input_tokens * 2 + usage.output_tokens * 5;
        let most = at_most(100, 40, price);
        assert_eq!(most, Amounts { tokens: 140, cost_micros: 400, ..Amounts::default() });
        assert_eq!(at_most(u64::MAX, 1, |_| 0).tokens, u64::MAX);
        let counted = TokenUsage { total_tokens: 20, ..TokenUsage::of(7, 5) };
        assert_eq!(of_call(&counted, 3).tokens, 20);
        assert_eq!(of_call(&TokenUsage { total_tokens: 1, ..counted }, 3).tokens, 12);
    }

    #[test]
    fn what_is_set_aside_counts_and_a_warning_comes_before_the_limit() {
        let tokens = |tokens: u64| Amounts { tokens, ..Amounts::default() };
        let limits = BudgetLimits { tokens: Some(100), ..BudgetLimits::default() };
        let account = Account { spent: tokens(50), reserved: tokens(31) };
        assert_eq!(beyond(&limits, &account, &tokens(19)), None);
        assert_eq!(beyond(&limits, &account, &tokens(20)), Some("tokens"));
        assert_eq!(beyond(&BudgetLimits::default(), &account, &tokens(u64::MAX)), None);
        assert_eq!(near(&limits, &account, 80), Some("tokens"));
        assert_eq!(near(&limits, &account, 81), None);
    }
}
