//! Budgets: which day is being spent, what a call may cost at most, and what is almost spent.

use std::fmt;

use types::{Amounts, At, BudgetLimits, Day, TokenUsage};

use crate::day;

/// The day that an instant is accounted to: the person's own, by the clock where they are.
#[must_use]
pub fn day(at: At, zone: &str) -> Day {
    day::of(at, zone)
}

/// What a call of a model may cost at most: all of its prompt, and as long an answer as it may give. The
/// price is a function, so that whoever knows the table rounds it the same way here and afterwards. Calls of tools are
/// not part of it: whoever has an answer knows how many it asks for.
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

/// A limit that is almost reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Near {
    /// Which.
    pub what: &'static str,
    /// Hundredths of it that are gone.
    pub percent: u64,
}

impl fmt::Display for Near {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = match self.what {
            "cost" => "money",
            "tool_calls" => "calls of tools",
            "runtime" => "time at work",
            other => other,
        };
        write!(f, "{} % of the {of} of this day are spent", self.percent)
    }
}

/// The limit of which the most is gone, if that is more than so many hundredths: worth a warning, and
/// nothing else. What is only set aside does not count: it may never be spent.
#[must_use]
pub fn near(limits: &BudgetLimits, spent: &Amounts, percent: u64) -> Option<Near> {
    let gone = |what, limit: Option<u64>, spent: u64| {
        let (spent, limit) = (u128::from(spent) * 100, u128::from(limit?));
        let share = spent.checked_div(limit).unwrap_or(100);
        let beyond = spent > limit * u128::from(percent);
        beyond.then_some(Near { what, percent: u64::try_from(share).unwrap_or(u64::MAX) })
    };
    let all = [
        gone("tokens", limits.tokens, spent.tokens),
        gone("cost", limits.cost_micros, spent.cost_micros),
        gone("tool_calls", limits.tool_calls, spent.tool_calls),
        gone("runtime", limits.runtime_ms, spent.runtime_ms),
    ];
    // Of several the first: `max_by_key` would take the last.
    all.into_iter().flatten().rev().max_by_key(|near| near.percent)
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
    }

    #[test]
    fn a_warning_comes_before_the_limit_and_names_the_one_that_is_nearest() {
        let limits =
            BudgetLimits { tokens: Some(100), tool_calls: Some(10), ..BudgetLimits::default() };
        let warned = |tokens: u64, tool_calls: u64| {
            let spent = Amounts { tokens, tool_calls, ..Amounts::default() };
            near(&limits, &spent, 80).map(|near| near.to_string())
        };
        assert_eq!(warned(80, 8), None, "the line itself is not crossed");
        let of_tokens = "81 % of the tokens of this day are spent";
        assert_eq!(warned(81, 0).as_deref(), Some(of_tokens));
        let of_calls = "90 % of the calls of tools of this day are spent";
        assert_eq!(warned(81, 9).as_deref(), Some(of_calls));
        let everything = Amounts { tokens: u64::MAX, ..Amounts::default() };
        assert_eq!(near(&BudgetLimits::default(), &everything, 0), None, "no limit, no warning");
        let none = BudgetLimits { tokens: Some(0), ..BudgetLimits::default() };
        assert_eq!(near(&none, &Amounts::default(), 80), None);
    }
}
