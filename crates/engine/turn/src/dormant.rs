//! Going dormant in a turn: the task is gone, or there were too many failures in a row.

use dispatch::{Again, Claim, Closing, Ending};
use rules::dormancy::Dormancy;
use rules::failures;
use rules::lifecycle::LifeEvent;
use types::{Body, Domain, Record, RecordId};

use crate::Turns;
use crate::artifact::failure;
use crate::broken::Broken;
use crate::job::Job;
use crate::standing::Barred;

impl Turns {
    /// What the agent tends is gone: it rests until that is back, and nothing of it is lost.
    pub(crate) async fn task_is_missing(&self, claim: &Claim) -> Ending {
        let why = Broken::TaskMissing.to_string();
        let Some(dormancy) = self.dormancy(claim, LifeEvent::LoseTask, &why).await else {
            return Ending::Failed(failure(&Broken::TaskMissing), Closing::default());
        };
        if claim.run.draft.envelope.is_none() {
            let mut closing = self.closing_unasked(claim);
            go_dormant(&mut closing, dormancy);
            return Ending::Nothing("task_missing", closing);
        }
        // Whoever spoke is told that it was in vain, and why.
        let failure = failure(&Broken::TaskMissing);
        let attempt = self.under_way.of(&claim.run.draft.run_key);
        let notice = Some(dormancy.notice.clone());
        let mut closing = self.abandon(&claim.run, &failure, Again::Once, attempt, notice).await;
        go_dormant(&mut closing, dormancy);
        Ending::FailedForGood(failure, closing)
    }

    /// The way of an agent to dormancy, from where it stands now.
    async fn dormancy(&self, claim: &Claim, event: LifeEvent, why: &str) -> Option<Dormancy> {
        let id = RecordId::from(&claim.agent.agent_id);
        let record = self.store.record(Domain::Agent, id).await.ok().flatten()?;
        rules::dormancy::of(&record, event, why, self.world.now()).ok()
    }

    /// An agent whose turn has failed rests if that was once too often. What it was not permitted is not its
    /// failure.
    pub(crate) async fn rest_after_failures(&self, job: &Job, broken: &Broken) -> Option<Dormancy> {
        let once = job.is_choice();
        if once || broken.barred() == Some(Barred::Refused) {
            return None;
        }
        let id = RecordId::from(&job.claim.agent.agent_id);
        let agent = self.store.record(Domain::Agent, id).await.ok().flatten()?;
        self.rest_if_it_must(&agent, job.given.state.as_ref(), &failure(broken).message)
    }

    /// An agent that has failed too often in a row rests until somebody resumes it. `last` is what went
    /// wrong this time.
    pub(crate) fn rest_if_it_must(
        &self,
        agent: &Record,
        state: Option<&Record>,
        last: &str,
    ) -> Option<Dormancy> {
        let Some(Body::AgentState(state)) = state.map(|record| &record.body) else { return None };
        let (counted, now) = (failures::bounded(state), self.world.now());
        failures::dormancy(agent, &counted, self.settings.failures_max, last, now).ok().flatten()
    }
}

/// Writes that an agent goes dormant. Whoever resumes it lets it look; it does not do so by itself.
pub(crate) fn go_dormant(closing: &mut Closing, dormancy: Dormancy) {
    closing.writes.extend(dormancy.writes);
    closing.guards.extend(dormancy.guards);
    closing.audit.extend(dormancy.audit);
    closing.looks_again = Again::Once;
}
