//! Budgets of a day: who has spent one asks nobody, and a new day is a new one.

use model::Request;
use types::{AgentId, Amounts, Code, Commit, Day, RunEnd, RunKey, Write};

use super::Book;
use super::deeds::LedgerBook;

impl Book {
    /// Nobody asks who has nothing left: with what is gone of the day, what other runs have set aside and
    /// what this question takes at least, nothing goes beyond a limit.
    pub(super) fn within_budget(&mut self, request: &Request, today: Day) {
        let agent = &request.agent;
        let Some(run) = self.in_turn.get(agent) else { return };
        let none = LedgerBook::default();
        let ledger = self.deeds.ledgers.get(agent).unwrap_or(&none);
        // Where midnight comes between the two, either is a day on which it may be counted.
        let mut days = ledger.aside.get(run).map(|(day, _)| *day).into_iter().chain([today]);
        let least = least_of(request);
        let beyond = |day: Day| self.limits.exceeded_by(&ledger.gone(day, run).plus(least));
        if days.all(|day| beyond(day).is_some()) {
            let (name, what) = (self.name(agent), beyond(today).unwrap_or("budget"));
            let what = format!("{name} asks a model, and its {what} of {today} are spent");
            self.violate("who has spent a budget asks nobody", what);
        }
    }

    /// Whoever has asked nobody on a day on which nothing was spent is not refused.
    pub(super) fn note_refused_for_budget(&mut self, commit: &Commit, run: &RunKey, end: &RunEnd) {
        let refused = |end: &RunEnd| match end {
            RunEnd::Failed(failure) => failure.code == Code::BudgetExceeded,
            _ => false,
        };
        if !refused(end) {
            return;
        }
        self.figures.count("budgets_spent");
        let Some((agent, day)) = counted_on(commit, run) else { return };
        let asked = self.deeds.asks.values().any(|ask| ask.run == Some(*run));
        let ledger = self.deeds.ledgers.get(&agent);
        let gone = ledger.map_or(Amounts::default(), |ledger| ledger.gone(day, run));
        if !asked && gone == Amounts::default() {
            let name = self.name(&agent);
            let what = format!("{name} is refused on {day}, and has spent nothing of it");
            self.violate("a new day is a new budget", what);
        }
    }
}

impl LedgerBook {
    /// What is gone of a day, and what runs other than this have set aside.
    fn gone(&self, day: Day, run: &RunKey) -> Amounts {
        let spent = self.spent.get(&day).copied().unwrap_or_default();
        let others = self.aside.iter().filter(|(other, _)| *other != run);
        others.fold(spent, |all, (_, (_, amounts))| all.plus(*amounts))
    }
}

/// What a question takes at least: what is certainly sent, and the answer that there has to be room for.
fn least_of(request: &Request) -> Amounts {
    let bytes: usize = request.prompt.iter().map(|block| block.text.len()).sum();
    let sent = u64::try_from(bytes / 4).unwrap_or(0);
    let tokens = sent + request.generation.max_output_tokens;
    Amounts { tokens, cost_micros: 1, runtime_ms: 1, ..Amounts::default() }
}

/// Who is refused, and of which day its run is counted.
fn counted_on(commit: &Commit, run: &RunKey) -> Option<(AgentId, Day)> {
    commit.writes.iter().find_map(|write| match write {
        Write::Settle { agent, day, run_key, .. } if run_key == run => Some((agent.clone(), *day)),
        _ => None,
    })
}
