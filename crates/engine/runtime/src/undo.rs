//! Undoing by the name of a run.

use journal::Answer;
use types::{Code, Problem, RunKey};

use crate::Runtime;

impl Runtime {
    /// Puts back what an operation, or all of a run, did to the journal. The journal knows no runs but by
    /// what they did there; one that did nothing is no unknown one.
    ///
    /// # Errors
    /// If there is no such operation or run, it changed nothing, or something newer rests on what it did.
    pub async fn undo(&self, what: &str, request: Option<String>) -> Result<Answer, Problem> {
        let problem = match self.journal.undo(what, request).await {
            Ok(answer) => return Ok(answer),
            Err(error) => Problem::from(error),
        };
        match what.trim().to_lowercase().parse::<RunKey>() {
            Ok(run) if problem.code == Code::UnknownOperation => {
                let known = self.store.run(run).await?.is_some();
                Err(if known { changed_nothing(run) } else { problem })
            }
            _ => Err(problem),
        }
    }
}

fn changed_nothing(run: RunKey) -> Problem {
    let message = format!("run {run} changed nothing in the journal");
    Problem::new(Code::CannotUndo, message, "there is nothing to put back")
}
