//! Counting what a question may cost while it is under way: each further attempt at it sends all of it again, and may
//! be answered as long. What those before it took is known by then, and one that would go beyond a budget is not made.

use std::sync::Arc;

use model::{Heard, Listen, Price};
use types::{Account, BudgetLimits, ModelRef, RunKey, TokenUsage, TurnSpent};

use crate::Turns;
use crate::job::Job;

use super::{UnderWay, amounts};

/// Whoever listens to a question, with what one attempt at it may cost, and what there is for it.
struct Counted {
    run: RunKey,
    attempt: TurnSpent,
    price: Option<Price>,
    account: Account,
    limits: BudgetLimits,
    under_way: UnderWay,
    listen: Arc<dyn Listen>,
}

impl Turns {
    /// Listens for whoever listens, and counts.
    pub(crate) fn counted(
        &self,
        job: &Job,
        (model, attempt): (&ModelRef, TurnSpent),
        listen: Arc<dyn Listen>,
    ) -> Arc<dyn Listen> {
        Arc::new(Counted {
            run: job.claim.run.draft.run_key,
            attempt,
            price: self.model.price(model),
            account: self.spent_so_far(job),
            limits: self.limits(&job.profile),
            under_way: self.under_way.clone(),
            listen,
        })
    }
}

impl Counted {
    /// What another attempt comes to, together with those before it.
    fn with_another(&self, calls: u32, taken: TokenUsage) -> TurnSpent {
        let cost_micros = self.price.as_ref().map_or(0, |price| price.of(&taken));
        TurnSpent { model_calls: calls, tokens: taken, cost_micros }.plus(self.attempt)
    }
}

impl Listen for Counted {
    fn heard(&self, heard: Heard) {
        if let Heard::Restart { attempt: number @ 2.., taken } = heard {
            self.under_way.try_again(&self.run, self.with_another(number - 1, taken));
        }
        self.listen.heard(heard);
    }

    fn may_try_again(&self, taken: TokenUsage) -> bool {
        let all = self.account.with(amounts(self.with_another(0, taken)));
        self.limits.exceeded_by(&all).is_none()
    }
}
