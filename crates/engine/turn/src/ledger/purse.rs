//! What a turn spends of what its agent may.

use rules::planted::{self, Fault};
use types::{Account, Amounts, Day, TurnSpent};

/// What there was to spend, and what is gone.
pub(crate) struct Purse {
    /// The day it is accounted to.
    pub(crate) day: Day,
    /// What its agent has of the day: as it was when it began, and what was settled since.
    pub(crate) account: Account,
    /// What questions have taken, those of earlier attempts included.
    pub(crate) spent: TurnSpent,
    /// Calls of tools.
    pub(crate) tool_calls: u64,
    /// What of all this is counted already.
    settled: Amounts,
}

impl Purse {
    pub(crate) fn of(day: Day, account: Account) -> Purse {
        let (spent, settled) = (TurnSpent::default(), Amounts::default());
        Purse { day, account, spent, tool_calls: 0, settled }
    }

    /// What earlier attempts had spent, and had counted with so many calls.
    pub(crate) fn resume(&mut self, spent: TurnSpent, calls: u64) {
        self.spent = spent;
        self.settled = Amounts { tool_calls: calls, ..amounts(spent) };
    }

    /// Adds what was spent and counted before.
    pub(crate) fn add_counted(&mut self, before: TurnSpent) {
        self.spent = self.spent.plus(before);
        self.settled = self.settled.plus(amounts(before));
    }

    /// What the agent has of the day, with all that is not counted yet and so much time at work.
    pub(crate) fn account_with(&self, runtime_ms: u64) -> Account {
        let Account { spent: before, reserved } = self.account;
        Account { spent: before.plus(self.all(runtime_ms).less(self.settled)), reserved }
    }

    /// Counts what was spent since it was last counted, and says how much that is.
    pub(crate) fn settle(&mut self, runtime_ms: u64) -> Amounts {
        let all = self.all(runtime_ms);
        let had = std::mem::replace(&mut self.settled, all);
        let counted = if planted::is(Fault::SpendingUncounted) { had } else { all };
        let amounts = counted.less(had);
        self.account.spent = self.account.spent.plus(amounts);
        amounts
    }

    /// All that it has spent, with so much time at work.
    fn all(&self, runtime_ms: u64) -> Amounts {
        Amounts { tool_calls: self.tool_calls, runtime_ms, ..amounts(self.spent) }
    }
}

/// What questions have taken of a budget.
pub(crate) fn amounts(spent: TurnSpent) -> Amounts {
    let (tokens, cost_micros) = (spent.tokens.total_tokens, spent.cost_micros);
    Amounts { tokens, cost_micros, ..Amounts::default() }
}
