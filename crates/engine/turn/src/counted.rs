//! Counting what a question may cost while it is under way: each further attempt at it sends all of it again, and may
//! be answered as long. What those before it took is known by then.

use std::sync::Arc;

use model::{Heard, Listen, Price};
use types::{ModelRef, RunKey, TurnSpent};

use crate::Turns;
use crate::under_way::UnderWay;

/// Whoever listens to a question, with what one attempt at it may cost.
struct Counted {
    run: RunKey,
    attempt: TurnSpent,
    price: Option<Price>,
    under_way: UnderWay,
    listen: Arc<dyn Listen>,
}

impl Turns {
    /// Listens for whoever listens, and counts.
    pub(crate) fn counted(
        &self,
        run: RunKey,
        (model, attempt): (&ModelRef, TurnSpent),
        listen: Arc<dyn Listen>,
    ) -> Arc<dyn Listen> {
        let (price, under_way) = (self.model.price(model), self.under_way.clone());
        Arc::new(Counted { run, attempt, price, under_way, listen })
    }
}

impl Listen for Counted {
    fn heard(&self, heard: Heard) {
        if let Heard::Restart { attempt: number @ 2.., taken } = heard {
            let cost_micros = self.price.as_ref().map_or(0, |price| price.of(&taken));
            let before = TurnSpent { model_calls: number - 1, tokens: taken, cost_micros };
            self.under_way.try_again(&self.run, before.plus(self.attempt));
        }
        self.listen.heard(heard);
    }
}
