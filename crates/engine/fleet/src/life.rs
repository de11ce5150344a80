//! Pausing, stopping, resuming and destroying an agent.
//!
//! What stops raises the fences first in the journal, then among the agents, and is done when both
//! stand: from then on nothing that the agent has on its way gets through. What lifts goes the other
//! way round, so that at no moment one file lets through what the other does not.

use rules::lifecycle::{self, LifeEvent};
use rules::matching::draft;
use rules::run_key::Cause;
use rules::schedule::{self, End, ScheduleEvent};
use serde_json::json;
use store::Listing;
use types::{
    AgentId, ArmMove, AuditDraft, Author, Body, BodyType, Commit, Conflict, Domain, Epoch,
    EventDraft, EventKind, ExternalTrigger, Fence, FenceMove, FenceScope, Guard, Lifecycle, Record,
    RecordDraft, ScheduleId, ScheduleStatus, Subscription, TriggerStatus, Wait, WaitFor, WaitState,
    Write, limits,
};

use crate::steps::{FENCE, LIFE};
use crate::{AgentView, Error, Fleet};

/// How often a fence is looked at that others move meanwhile.
const LOOKS_MAX: usize = 8;

/// What those are told who wait for something of an agent that is over.
const ITS_AGENT_IS_OVER: &str = "its agent was destroyed";

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
    /// If it is not dormant, or its task is gone.
    pub async fn agent_resume(&self, id: &str) -> Result<AgentView, Error> {
        let view = self.agent_get(id).await?;
        let [journal, agent] = self.fences(&view.id).await?;
        let epoch = journal.epoch.max(agent.epoch);
        if view.identity.lifecycle.may_wake() && journal.closed && !agent.closed {
            // Resumed before, and stopped halfway: the journal did not hear of it.
            self.as_among_the_agents(&view.id).await?;
            return Ok(view);
        }
        let now = self.world.now();
        let lifecycle = lifecycle::step(view.identity.lifecycle, LifeEvent::Resume, now)?;
        self.has_its_task(&view).await?;
        let revision = view.revision.to_string();
        let tick = Cause::Tick { cause: "resume", cause_id: &revision };
        let tick = Write::QueueRun(draft(&view.id, &tick, Some("resume".to_owned())));
        let freed = vec![Write::ReleaseRuns { agent: view.id.clone() }, tick];
        let open = fence_move(&view.id, epoch, false);
        self.live(&view, lifecycle, open, freed, "agent.resume").await?;
        self.as_among_the_agents(&view.id).await?;
        self.agent_get(id).await
    }

    async fn close(&self, id: &str, event: LifeEvent) -> Result<AgentView, Error> {
        let view = self.agent_get(id).await?;
        let lifecycle = lifecycle::step(view.identity.lifecycle, event, self.world.now())?;
        let [journal, agent] = self.fences(&view.id).await?;
        let mut epoch = journal.epoch.max(agent.epoch).max(self.store.epoch());
        epoch.attempt += 1;
        self.fence_journal(fence_move(&view.id, epoch, true)).await?;
        // A dormant agent's runs are held when their turn comes; a destroyed one's are let go to
        // their end.
        let freed = match event {
            LifeEvent::Destroy => vec![Write::ReleaseRuns { agent: view.id.clone() }],
            _ => vec![],
        };
        let action = match event {
            LifeEvent::Destroy => "agent.destroy",
            LifeEvent::Stop => "agent.stop",
            _ => "agent.pause",
        };
        let fence = fence_move(&view.id, epoch, true);
        if let Err(error) = self.live(&view, lifecycle, fence, freed, action).await {
            // It was not stopped after all. If this fails too, the next start mends it.
            let _ = self.as_among_the_agents(&view.id).await;
            return Err(error);
        }
        if event == LifeEvent::Destroy {
            self.leave_behind(&view.id).await?;
        }
        self.agent_get(id).await
    }

    /// Lets the journal's fence stand as the agents' does. A run that is put back meanwhile raises both, and
    /// leaves the journal's closed if it was: then it is looked at again.
    async fn as_among_the_agents(&self, id: &AgentId) -> Result<(), Error> {
        for _ in 1..LOOKS_MAX {
            match self.copy_to_journal(id).await {
                Err(Error::Conflict(Conflict::Fenced { .. })) => {}
                other => return other,
            }
        }
        self.copy_to_journal(id).await
    }

    async fn copy_to_journal(&self, id: &AgentId) -> Result<(), Error> {
        let [journal, agent] = self.fences(id).await?;
        let epoch = journal.epoch.max(agent.epoch);
        self.fence_journal(fence_move(id, epoch, agent.closed)).await
    }

    /// Tidies up after an agent that is over: nothing of its listens, comes round or waits any more. If
    /// this is cut short, what is left wakes nobody either; it only costs a skipped run.
    async fn leave_behind(&self, agent: &AgentId) -> Result<(), Error> {
        let mut writes = vec![Write::ReleaseRuns { agent: agent.clone() }];
        let limit = limits::ROWS_PER_READ_MAX;
        for kind in [BodyType::AgentSubscription, BodyType::AgentSchedule, BodyType::AgentTrigger] {
            let listing = Listing::of(agent.as_str(), kind, limit);
            for record in self.store.records(Domain::Agent, listing).await? {
                writes.extend(self.ended_with_agent(record).await?);
            }
        }
        for record in self.store.open_waits(agent.clone(), limit).await? {
            writes.extend(self.ended_with_agent(record).await?);
        }
        for some in writes.chunks(limits::COMMIT_WRITES_MAX / 4) {
            let now = self.world.now();
            let commit = Commit::new(Domain::Agent, Author::Operator, now, some.to_vec());
            self.commit(commit.named(LIFE)).await?;
        }
        Ok(())
    }

    /// What becomes of a record whose agent is over; nothing, if it is over itself.
    async fn ended_with_agent(&self, record: Record) -> Result<Vec<Write>, Error> {
        let id = record.id;
        let again = |body: Body| Write::Record(RecordDraft::live(id.clone(), body));
        Ok(match record.body {
            Body::AgentSubscription(body) if body.active => {
                vec![again(Subscription { active: false, ..body }.into())]
            }
            Body::AgentTrigger(body) if body.status == TriggerStatus::Active => {
                let source = WaitFor::External { trigger: id.to_string() };
                let mut writes = self.nobody_waits_for(&source).await?;
                writes
                    .push(again(ExternalTrigger { status: TriggerStatus::Revoked, ..body }.into()));
                writes
            }
            Body::AgentWait(body) => {
                let why = ITS_AGENT_IS_OVER.to_owned();
                vec![again(Wait { state: WaitState::Broken { why }, ..body }.into())]
            }
            Body::AgentSchedule(body) if body.status != ScheduleStatus::Disabled => {
                let source = WaitFor::Timer { schedule: id.to_string() };
                let waits = self.waits_for(&source).await?;
                let clock = match id.as_str().parse::<ScheduleId>() {
                    Ok(schedule) => self.store.arming(schedule).await?.map(ArmMove::stop),
                    Err(_) => None,
                };
                let (event, why) = (ScheduleEvent::Disable, ITS_AGENT_IS_OVER);
                schedule::ends(id, body, End { event, clock, waits, why }).unwrap_or_default()
            }
            _ => vec![],
        })
    }

    /// What tells those who wait for something of an agent that is over.
    async fn nobody_waits_for(&self, source: &WaitFor) -> Result<Vec<Write>, Error> {
        let why = WaitState::Broken { why: ITS_AGENT_IS_OVER.to_owned() };
        Ok(rules::wait::all_end(self.waits_for(source).await?, &why))
    }

    /// Who waits for something.
    async fn waits_for(&self, source: &WaitFor) -> Result<Vec<Record>, Error> {
        Ok(self.store.waits_on(source.source(), limits::ROWS_PER_READ_MAX).await?)
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
        Ok(self.store.commit(commit).await?.done()?)
    }
}

fn fence_move(agent: &AgentId, epoch: Epoch, closed: bool) -> Write {
    Write::Fence(FenceMove { scope: FenceScope::Agent(agent.clone()), epoch, closed })
}
