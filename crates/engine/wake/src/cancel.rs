//! Cancelling a run at somebody's word.

use dispatch::Again;
use rules::naming::begins_so;
use rules::planted::{self, Fault};
use types::{
    AgentId, AuditDraft, Author, Code, Conflict, Guard, Run, RunFailure, RunState, limits,
};

use crate::begin::Looked;
use crate::end::{failing, found};
use crate::steps::END;
use crate::{Error, Waker};

/// How often a run is looked at anew because it moved under whoever cancels it.
const TRIES: u32 = 4;

impl Waker {
    /// Ends a run of an agent for good: the one whose name begins so, or the one that is under way. What
    /// it still has on its way comes too late once this is answered; what it did before stays done, and
    /// its turn says so. If it carried words, one more look follows for what else it stood for.
    ///
    /// # Errors
    /// If there is no such run, or none that is not over; or if the store cannot.
    pub async fn run_cancel(&self, agent: &AgentId, run: Option<&str>) -> Result<Run, Error> {
        let mut moved = None;
        let mut name = run.map(str::to_owned);
        for _ in 0..TRIES {
            let found = self.open_run(agent, name.as_deref()).await?;
            // From here on it is this one that is meant, wherever it goes meanwhile.
            name = Some(found.draft.run_key.to_string());
            match self.cancel(&found).await {
                // It ended or was put back meanwhile, or its turn wrote something: looked at anew, that
                // is seen.
                Err(
                    error @ (Error::Conflict(
                        Conflict::Revision { .. } | Conflict::Run { .. } | Conflict::Fenced { .. },
                    )
                    | Error::Unsettled(_)),
                ) => moved = Some(error),
                other => {
                    other?;
                    let over = self.store.run(found.draft.run_key).await?;
                    return Ok(over.unwrap_or(found));
                }
            }
        }
        Err(moved.expect("it is cancelled unless it moved"))
    }

    async fn open_run(&self, agent: &AgentId, name: Option<&str>) -> Result<Run, Error> {
        let runs = self.store.open_runs(agent.clone(), limits::ROWS_PER_READ_MAX).await?;
        let is = |run: &Run| match name {
            Some(name) => begins_so(&run.draft.run_key, name),
            None => matches!(run.state, RunState::Started { .. }),
        };
        let (queued, agent) = (runs.len(), agent.clone());
        let mut found = runs.into_iter().filter(is);
        match (found.next(), found.next()) {
            (Some(run), None) => Ok(run),
            (None, _) if name.is_none() => Err(Error::NoneUnderWay { agent, queued }),
            (None, _) => Err(Error::NothingToCancel { agent }),
            (Some(_), Some(_)) => Err(Error::AmbiguousRun { agent }),
        }
    }

    /// The journal's fence of one that is under way first: from then on it changes nothing. What it did until
    /// then is settled, and with what is left of its turn the run is over. One that waits stops nobody: another
    /// run of its agent goes on.
    async fn cancel(&self, run: &Run) -> Result<(), Error> {
        let (fence, waits) = match run.state {
            RunState::Started { .. } if planted::is(Fault::CancelWithoutFence) => (None, None),
            RunState::Started { .. } => (Some(self.raise_fence(&run.draft.agent).await?), None),
            _ => (None, Some(Guard::Waiting { run_key: run.draft.run_key })),
        };
        let message = "it was cancelled".to_owned();
        let failure = RunFailure { code: Code::RunCancelled, message };
        let mut remains = self.remains(run, &failure, waits.iter().cloned().collect()).await?;
        // Whoever cancels a look wants none: what it was to see is for the next wake.
        if run.draft.only_looks() {
            remains.looks_again = Again::Never;
        }
        let mut commit = failing(run, failure.clone(), remains, Author::Operator, self.world.now());
        commit.writes.splice(0..0, fence);
        commit.guards.extend(waits);
        let (subject, detail) = (run.draft.run_key.to_string(), run.draft.agent.to_string());
        commit.audit.insert(0, AuditDraft { action: "run.cancel", subject, detail });
        self.commit(commit).await?;
        self.body.over(&run.draft.run_key);
        // What its turn was still writing among the agents while the first fence stood alone. It is over, whether
        // or not this can be written now.
        let _ = self.conclude(run, &failure, vec![]).await;
        Ok(())
    }

    /// A turn was stopped under way. If its run was a look and was cancelled, its agent has looked all the same,
    /// so that the next look does not begin it anew; what words were cancelled with is still to be looked at.
    /// Otherwise it is put back.
    pub(crate) async fn interrupted(&self, looked: &Looked) -> Result<(), Error> {
        let run = self.store.run(looked.run.draft.run_key).await?;
        match run.map(|run| run.state) {
            Some(RunState::Ended { .. }) => {
                // It may have begun to count what it spends after whoever cancelled it had looked.
                self.body.over(&looked.run.draft.run_key);
                if !looked.run.draft.only_looks() {
                    return Ok(());
                }
                // What else there was to see is for the next wake.
                let writes = found(looked, self.rest(looked, types::RestReason::Done, None));
                match self.write(END, writes, vec![]).await {
                    // Somebody else has looked since, or everything is stopped: nothing is lost.
                    Err(Error::Conflict(_)) => Ok(()),
                    other => other,
                }
            }
            _ => self.stopped(&looked.run).await,
        }
    }
}
