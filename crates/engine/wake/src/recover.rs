//! Taking up what was left behind: after a start, after a stop, after a clock was set back.

use std::sync::atomic::Ordering;

use dispatch::Closing;
use rules::pace;
use serde_json::json;
use types::{
    AgentId, At, Author, Code, Commit, Conflict, Domain, Epoch, EventDraft, EventKind,
    FailedActivity, Fence, FenceMove, FenceScope, Position, Run, RunFailure, Write, limits,
};

use crate::metrics::count;
use crate::steps::{FENCE, REOPEN, RETRY};
use crate::{Error, Waker};

/// A step back by less than this is a clock being trimmed, not set.
const SET_BACK_MS: i64 = 1_000;

/// Why a run that began did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fell {
    /// It took its process down, or what it rests on moved.
    ByItself,
    /// Its turn failed, and said what is done about that.
    For(Option<FailedActivity>),
    /// Somebody stopped it.
    Stopped,
}

impl Waker {
    /// Puts back every run that had begun, under the same key and thread. Runs that wait for a time go on waiting
    /// for it, unless the clock was set back while nobody was there; schedules are for the first look.
    pub(crate) async fn recover_all(&self) -> Result<(), Error> {
        if !self.mended.load(Ordering::Relaxed) {
            self.mend_fences().await?;
            self.mended.store(true, Ordering::Relaxed);
        }
        // Before anything is written: that would bear the new time, and hide the old one.
        if self.store.any_gated().await? && self.was_set_back().await? {
            self.reopen().await?;
        }
        for run in self.store.begun_runs(limits::ROWS_PER_READ_MAX).await? {
            self.put_back(&run).await?;
        }
        Ok(())
    }

    /// Whether the agents' file bears a time that is still to come: of the last change in its log, or of
    /// a run that was queued or begun.
    async fn was_set_back(&self) -> Result<bool, Error> {
        let latest = self.world.now().plus_millis(SET_BACK_MS);
        let head = self.store.head(Domain::Agent).await?;
        let before_last = Position(head.0.saturating_sub(1));
        let last = self.store.changes(Domain::Agent, before_last, 1).await?;
        let queued = self.store.queued_runs(limits::ROWS_PER_READ_MAX).await?;
        let runs = queued.iter().flat_map(|run| run.started_at.into_iter().chain([run.created_at]));
        Ok(last.iter().map(|change| change.at).chain(runs).any(|at| at > latest))
    }

    /// Has the journal's fences stand as they stand among the agents: whoever moved them died between
    /// the two files, before a stop was acknowledged or after it was lifted. Once per start, before
    /// anybody can be in the middle of moving one.
    async fn mend_fences(&self) -> Result<(), Error> {
        let journal = self.store.closed_fences(Domain::Journal).await?;
        let agents = self.store.closed_fences(Domain::Agent).await?;
        let among = |fences: &[(FenceScope, Fence)], scope: &FenceScope| {
            fences.iter().any(|(other, _)| other == scope)
        };
        for (scope, fence) in &journal {
            if !among(&agents, scope) {
                self.fence_journal(scope, fence.epoch, false).await?;
            }
        }
        for (scope, fence) in &agents {
            if !among(&journal, scope) {
                let own = self.store.fence(Domain::Journal, scope.clone()).await?;
                self.fence_journal(scope, fence.epoch.max(own.epoch), true).await?;
            }
        }
        Ok(())
    }

    async fn fence_journal(
        &self,
        scope: &FenceScope,
        epoch: Epoch,
        closed: bool,
    ) -> Result<(), Error> {
        let (scope, now) = (scope.clone(), self.world.now());
        let writes = vec![Write::Fence(FenceMove { scope, epoch, closed })];
        self.commit(Commit::new(Domain::Journal, Author::Runtime, now, writes).named(FENCE))
            .await?;
        Ok(())
    }

    /// Lets runs that wait for a time be judged anew.
    pub(crate) async fn reopen(&self) -> Result<(), Error> {
        let (now, writes) = (self.world.now(), vec![Write::ReopenRuns]);
        let commit = Commit::new(Domain::Agent, Author::Runtime, now, writes).named(REOPEN);
        self.commit(commit).await?;
        Ok(())
    }

    /// Sees whether the clock was set back since the last look. Then nobody is to wait until it has
    /// caught up: all that wait for a time are judged anew.
    pub(crate) async fn mind_the_clock(&self) -> Result<(), Error> {
        let now = self.world.now().millis();
        if self.latest_ms.load(Ordering::Relaxed).saturating_sub(now) > SET_BACK_MS {
            self.reopen().await?;
            self.astray.store(true, Ordering::Relaxed);
        }
        // Only now: if that could not be written, the next look tries again.
        self.latest_ms.store(now, Ordering::Relaxed);
        Ok(())
    }

    /// Puts a run back that was interrupted. One that has taken its process down too often ends
    /// instead.
    pub(crate) async fn put_back(&self, run: &Run) -> Result<(), Error> {
        let times = self.interruptions(run).await?;
        if times < self.settings.policy.interruptions_max {
            return self.retry(run, None, Fell::ByItself).await;
        }
        let message = format!("it was interrupted {times} times");
        let failure = RunFailure { code: Code::RunInterrupted, message };
        let remains = self.remains(run, &failure, vec![]).await?;
        self.fail(run, failure, remains).await
    }

    /// Puts a run back whose claim is over because somebody stopped it. That is no failure of its own,
    /// so it is not given up; it comes back a little later each time, in case the stop is one that
    /// nobody lifts.
    pub(crate) async fn stopped(&self, run: &Run) -> Result<(), Error> {
        let at = pace::back_off(&run.draft.run_key, run.attempt, self.world.now());
        self.retry(run, Some(at), Fell::Stopped).await
    }

    /// Puts back what has begun and is cut off because this process is told to stop: that is nobody's
    /// failure. Only when nobody works on any of it any more. What cannot be put back now is found at the
    /// next start, and is taken for a crash.
    pub async fn lay_down(&self) {
        let begun = self.store.begun_runs(limits::ROWS_PER_READ_MAX).await.unwrap_or_default();
        for run in begun {
            // It may have come to its end after all.
            let _ = self.retry(&run, None, Fell::Stopped).await;
        }
    }

    /// Puts a begun run back into the queue under a higher epoch, the journal's fence first: from
    /// then on, whatever the earlier attempt still has on its way comes too late.
    pub(crate) async fn retry(
        &self,
        run: &Run,
        not_before: Option<At>,
        fell: Fell,
    ) -> Result<(), Error> {
        let raise = self.raise_fence(&run.draft.agent).await?;
        // Where that cannot be read, the run goes back all the same, and what it set aside counts as spent.
        let left = self.body.put_back(run.clone()).await.unwrap_or_default();
        let Closing { usage, mut writes, audit, .. } = left;
        let (run_key, failed) = (run.draft.run_key, fell != Fell::Stopped);
        let event = Write::Event(told(run, &fell));
        writes.extend([raise, Write::RetryRun { run_key, not_before, failed, usage }, event]);
        let commit = Commit::new(Domain::Agent, Author::Runtime, self.world.now(), writes);
        self.commit(Commit { audit, ..commit.named(RETRY) }).await?;
        self.body.over(&run_key);
        count(&self.counters.runs_retried, 1);
        Ok(())
    }

    /// Raises an agent's fence in the journal, and answers with what raises it among the agents. Raised
    /// and no more: whether it is open is for whoever stops and resumes the agent.
    pub(crate) async fn raise_fence(&self, agent: &AgentId) -> Result<Write, Error> {
        let scope = FenceScope::Agent(agent.clone());
        loop {
            let journal = self.store.fence(Domain::Journal, scope.clone()).await?;
            let agent = self.store.fence(Domain::Agent, scope.clone()).await?;
            let mut epoch = journal.epoch.max(agent.epoch).max(self.store.epoch());
            epoch.attempt += 1;
            let raise = Write::RaiseFence { scope: scope.clone(), epoch };
            let (now, writes) = (self.world.now(), vec![raise.clone()]);
            let commit = Commit::new(Domain::Journal, Author::Runtime, now, writes).named(FENCE);
            match self.commit(commit).await {
                // Somebody else has raised it since: each who does has an epoch of its own.
                Err(Error::Conflict(Conflict::Fenced { .. })) => {}
                other => return other.map(|_| raise),
            }
        }
    }
}

/// The word to whoever follows the agent: that the run is tried again, and what is done about its failure
/// if its turn has said so.
fn told(run: &Run, fell: &Fell) -> EventDraft {
    let mut body = json!({ "run_key": run.draft.run_key, "attempt": run.attempt + 1 });
    if let Fell::For(Some(failed)) = fell {
        body["failed"] = json!(failed);
    }
    EventDraft { agent: run.draft.agent.clone(), kind: EventKind::RunRetried, body }
}
