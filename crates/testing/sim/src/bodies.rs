//! What agents do when they are awake: watchers follow a script, those who tend a task take real turns.

use std::sync::Arc;

use dispatch::{Begun, Body, Claim, Concluding, Remains, Turn};
use types::{Guard, Run, RunFailure, RunKey, Write};

use crate::body::{InTurn, Script};
use crate::shared::Shared;
use turn::Turns;

/// The name of the template whose agents take turns.
pub(crate) const TENDER: &str = "task_agent";

/// The body of every agent.
pub(crate) struct Bodies {
    pub(crate) shared: Arc<Shared>,
    pub(crate) script: Script,
    pub(crate) turns: Turns,
}

impl Body for Bodies {
    fn opening(&self, claim: &Claim) -> Vec<Write> {
        if claim.agent.template == TENDER { self.turns.opening(claim) } else { vec![] }
    }

    fn turn(&self, claim: Claim, begun: Begun) -> Turn {
        if claim.agent.template != TENDER {
            return self.script.turn(claim, begun);
        }
        let (shared, of) = (Arc::clone(&self.shared), claim.clone());
        let in_turn = InTurn::new(&self.shared, &claim);
        let begun = async move {
            begun.await;
            shared.book().turn_begins(&of);
            shared.book().figures.count("turns_with_a_model");
        };
        let turn = self.turns.turn(claim, Box::pin(begun));
        Box::pin(async move {
            let ending = turn.await;
            drop(in_turn);
            ending
        })
    }

    fn conclude(&self, run: Run, failure: RunFailure, guards: Vec<Guard>) -> Concluding {
        self.turns.conclude(run, failure, guards)
    }

    fn give_up(&self, run: Run, failure: RunFailure) -> Remains {
        self.shared.book().figures.count("turns_given_up");
        self.turns.give_up(run, failure)
    }

    fn put_back(&self, run: Run) -> Remains {
        self.turns.put_back(run)
    }

    fn over(&self, run: &RunKey) {
        self.turns.over(run);
    }
}
