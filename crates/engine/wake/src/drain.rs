//! Running what is queued, here and now, until nothing is that could begin: for a command line
//! without a server, and for tests. A server's dispatcher does the same, many at a time; the two are
//! never in one process, since each takes itself for the only one who works for an agent.

use dispatch::Work;
use rules::order::{self, Served};
use std::collections::BTreeSet;
use types::Problem;

use crate::Waker;

impl Waker {
    /// Runs until nothing is left that could begin now; says how many runs ended, merged ones not
    /// counted.
    ///
    /// # Errors
    /// If the store cannot. What was not run stays queued.
    pub async fn drain(&self) -> Result<u64, Problem> {
        let mut served = Served::default();
        let before = self.metrics().runs_ended();
        loop {
            let look = self.look().await?;
            if let Some(problem) = look.problem {
                return Err(problem);
            }
            let newest = look.ready.iter().map(|run| run.number).max().unwrap_or(0);
            let next = order::choose(&look.ready, &BTreeSet::new(), &served, 1).pop();
            let Some(agent) = next else { return Ok(self.metrics().runs_ended() - before) };
            served.note(agent.clone(), newest);
            self.work(agent).await?;
        }
    }
}
