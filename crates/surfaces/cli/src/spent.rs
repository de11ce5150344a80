//! What was spent, and what is left of a day.

use api_types::{AllowanceReply, BudgetReply};

use crate::journal::say;

/// Money, with as many places as it takes and at least two: `5.00`, `0.0015`.
pub(crate) fn money(micros: u64) -> String {
    let whole = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    let kept = whole.trim_end_matches('0').len().max(whole.len() - 4);
    whole[..kept].to_owned()
}

/// What is gone of the budgets of a day, in one line.
pub(crate) fn budget(budget: &BudgetReply) -> String {
    let number = |number: u64| number.to_string();
    let time = |ms: u64| say::minutes(i64::try_from(ms / 60_000).unwrap_or(i64::MAX));
    [
        (budget.tokens, share(budget.tokens, number), "tokens"),
        (budget.tool_calls, share(budget.tool_calls, number), "calls of tools"),
        (budget.runtime_ms, share(budget.runtime_ms, time), "at work"),
        (budget.cost_micros, share(budget.cost_micros, money), "in money"),
    ]
    .map(|(allowance, share, what)| match allowance.set_aside {
        0 => format!("{share} {what}"),
        _ => format!("{share} {what} (and more set aside)"),
    })
    .join(", ")
}

fn share(allowance: AllowanceReply, say: impl Fn(u64) -> String) -> String {
    let spent = say(allowance.spent);
    match allowance.limit {
        Some(limit) => format!("{spent} of {}", say(limit)),
        None => spent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_no_more_places_than_it_takes_and_no_fewer_than_two() {
        let said = [0, 5_000_000, 1_500, 1, 2_340_000].map(money);
        assert_eq!(said, ["0.00", "5.00", "0.0015", "0.000001", "2.34"]);
    }

    #[test]
    fn what_is_not_limited_is_said_without_a_limit_and_what_is_set_aside_is_not_hidden() {
        let of = |spent, set_aside, limit| AllowanceReply { spent, set_aside, limit };
        let reply = BudgetReply {
            day: "2026-11-18".parse().unwrap(),
            tokens: of(6_012, 24_000, Some(2_000_000)),
            cost_micros: of(1_500, 0, Some(5_000_000)),
            tool_calls: of(3, 0, None),
            runtime_ms: of(150_000, 0, Some(14_400_000)),
        };
        assert_eq!(
            budget(&reply),
            "6012 of 2000000 tokens (and more set aside), 3 calls of tools, 2m of 4h at work, \
             0.0015 of 5.00 in money"
        );
    }
}
