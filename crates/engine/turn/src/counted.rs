//! Counting what a question may cost while it is under way: each further attempt at it sends all of it again, and may
//! be answered as long.

use std::sync::Arc;

use model::{Heard, Listen};
use types::{RunKey, TurnSpent};

use crate::Turns;
use crate::under_way::UnderWay;

/// Whoever listens to a question, with what one attempt at it may cost.
struct Counted {
    run: RunKey,
    attempt: TurnSpent,
    under_way: UnderWay,
    listen: Arc<dyn Listen>,
}

impl Turns {
    /// Listens for whoever listens, and counts.
    pub(crate) fn counted(
        &self,
        run: RunKey,
        attempt: TurnSpent,
        listen: Arc<dyn Listen>,
    ) -> Arc<dyn Listen> {
        Arc::new(Counted { run, attempt, under_way: self.under_way.clone(), listen })
    }
}

impl Listen for Counted {
    fn heard(&self, heard: Heard) {
        if matches!(heard, Heard::Restart { attempt } if attempt > 1) {
            self.under_way.try_again(&self.run, self.attempt);
        }
        self.listen.heard(heard);
    }
}
