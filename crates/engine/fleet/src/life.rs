//! Pausing, stopping, resuming and destroying an agent.
//!
//! What stops raises the fences first in the journal, then among the agents, and is done when both
//! stand: from then on nothing that the agent has on its way gets through. What lifts goes the other
//! way round, so that at no moment one file lets through what the other does not.

use rules::lifecycle::{self, LifeEvent};
use rules::matching::draft;
use rules::run_key::Cause;
use serde_json::json;
use store::Listing;
use types::{
    AgentId, ArmMove, Arming, AuditDraft, Author, Body, BodyType, Commit, Domain, Epoch,
    EventDraft, EventKind, Fence, FenceMove, FenceScope, Guard, Lifecycle, Outcome, RecordDraft,
    Schedule, ScheduleId, ScheduleStatus, Wait, WaitState, Write, limits,
};

use crate::steps::{FENCE, LIFE};
use crate::{AgentView, Error, Fleet};

impl Fleet {
    /// Stops an agent until it is resumed; what is queued for it is held.
    ///
    /// # Errors
    /// If it is over.
    pub async fn agent_pause(&self, id: &str) -> Result<AgentView, Error> {
        self.close(id, LifeEvent::Pause).await
    }

    /// The same, and refuses everything from outside until an explicit resume.
    ///
    /// # Errors
    /// If it is over.
    pub async fn agent_stop(&self, id: &str) -> Result<AgentView, Error> {
        self.close(id, LifeEvent::Stop).await
    }

    /// Ends an agent for good. Its records stay for the audit; what is queued for it ends.
    ///
    /// # Errors
    /// If it is over already.
    pub async fn agent_destroy(&self, id: &str) -> Result<AgentView, Error> {
        self.close(id, LifeEvent::Destroy).await
    }

    /// Lets a dormant agent go on: what was held is let go, and one look catches up with what it
    /// slept through.
    ///
    /// # Errors
    /// If it is not dormant.
    pub async fn agent_resume(&self, id: &str) -> Result<AgentView, Error> {
        let view = self.agent_get(id).await?;
        let lifecycle =
            lifecycle::step(view.identity.lifecycle, LifeEvent::Resume, self.world.now())?;
        let fences = self.fences(&view.id).await?;
        let epoch = fences[0].epoch.max(fences[1].epoch);
        let revision = view.revision;
        let tick = Cause::Tick { cause: "resume", cause_id: &revision.to_string() };
        let tick = Write::QueueRun(draft(&view.id, &tick, Some("resume".to_owned())));
        let freed = vec![Write::ReleaseRuns { agent: view.id.clone() }, tick];
        self.live(&view, lifecycle, fence_move(&view.id, epoch, false), freed, "agent.resume")
            .await?;
        self.fence_journal(fence_move(&view.id, epoch, false)).await?;
        self.agent_get(id).await
    }

    async fn close(&self, id: &str, event: LifeEvent) -> Result<AgentView, Error> {
        let view = self.agent_get(id).await?;
        let lifecycle = lifecycle::step(view.identity.lifecycle, event, self.world.now())?;
        let [journal, agent] = self.fences(&view.id).await?;
        let mut epoch = journal.epoch.max(agent.epoch).max(self.store.epoch());
        epoch.attempt += 1;
        self.fence_journal(fence_move(&view.id, epoch, true)).await?;
        // A dormant agent's runs are held when their turn comes.
        let freed = match event {
            LifeEvent::Destroy => self.leave_behind(&view.id).await?,
            _ => vec![],
        };
        let action = match event {
            LifeEvent::Destroy => "agent.destroy",
            LifeEvent::Stop => "agent.stop",
            _ => "agent.pause",
        };
        self.live(&view, lifecycle, fence_move(&view.id, epoch, true), freed, action).await?;
        self.agent_get(id).await
    }

    /// What an agent that is over leaves behind: its runs are let go to their end, its schedules come
    /// round no more, and nobody waits for it to be woken.
    async fn leave_behind(&self, agent: &AgentId) -> Result<Vec<Write>, Error> {
        let mut writes = vec![Write::ReleaseRuns { agent: agent.clone() }];
        let limit = limits::ROWS_PER_READ_MAX;
        let listing = Listing::of(agent.as_str(), BodyType::AgentSchedule, limit);
        for record in self.store.records(Domain::Agent, listing).await? {
            let Body::AgentSchedule(schedule) = record.body else { continue };
            let Ok(id) = record.id.as_str().parse::<ScheduleId>() else { continue };
            if let Some(arming) = self.store.arming(id).await? {
                let (from, to) = (
                    arming.last_slot.clone(),
                    Arming { next_at: None, local_zone: None, ..arming },
                );
                writes.push(Write::Arm(ArmMove { from, to }));
            }
            let over = Schedule { status: ScheduleStatus::Disabled, ..schedule };
            writes.push(Write::Record(RecordDraft::live(record.id, over)));
        }
        for record in self.store.open_waits(agent.clone(), limit).await? {
            if let Body::AgentWait(wait) = record.body {
                let why = "its agent was destroyed".to_owned();
                let wait = Wait { state: WaitState::Broken { why }, ..wait };
                writes.push(Write::Record(RecordDraft::live(record.id, wait)));
            }
        }
        Ok(writes)
    }

    /// The agent's fence in both files.
    async fn fences(&self, agent: &AgentId) -> Result<[Fence; 2], Error> {
        let scope = FenceScope::Agent(agent.clone());
        let journal = self.store.fence(Domain::Journal, scope.clone()).await?;
        Ok([journal, self.store.fence(Domain::Agent, scope).await?])
    }

    async fn live(
        &self,
        view: &AgentView,
        lifecycle: Lifecycle,
        fence: Write,
        more: Vec<Write>,
        action: &'static str,
    ) -> Result<(), Error> {
        let mut identity = view.identity.clone();
        identity.lifecycle = lifecycle;
        let event = EventDraft {
            agent: view.id.clone(),
            kind: EventKind::LifecycleChanged,
            body: json!({ "lifecycle": lifecycle }),
        };
        let mut writes =
            vec![fence, Write::Record(RecordDraft::live(&view.id, identity)), Write::Event(event)];
        writes.extend(more);
        let audit = AuditDraft { action, subject: view.id.to_string(), detail: String::new() };
        let commit = Commit {
            audit: vec![audit],
            ..Commit::new(Domain::Agent, Author::Operator, self.world.now(), writes).named(LIFE)
        };
        let guard = Guard::Revision { record: (&view.id).into(), expected: view.revision };
        self.commit(commit.guarded(guard)).await
    }

    pub(crate) async fn fence_journal(&self, fence: Write) -> Result<(), Error> {
        let now = self.world.now();
        let commit = Commit::new(Domain::Journal, Author::Operator, now, vec![fence]).named(FENCE);
        self.commit(commit).await
    }

    pub(crate) async fn commit(&self, commit: Commit) -> Result<(), Error> {
        match self.store.commit(commit).await? {
            Outcome::Applied(_) | Outcome::Idempotent(_) => Ok(()),
            Outcome::Conflict(conflict) => Err(conflict.into()),
        }
    }
}

fn fence_move(agent: &AgentId, epoch: Epoch, closed: bool) -> Write {
    Write::Fence(FenceMove { scope: FenceScope::Agent(agent.clone()), epoch, closed })
}
