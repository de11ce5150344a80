//! Gathering what a turn looks at: a read of each file, a second one of the agents' where tasks are linked,
//! and what an earlier attempt has recorded.

use std::sync::Arc;

use dispatch::Claim;
use rules::planted::{self, Fault};
use rules::turn::DialogAct;
use store::{Background, Reach, Recall, Surroundings, TaskReport};
use types::{
    AgentIdentity, Body, Content, ContentRef, Day, Delta, EnvelopeContent, EnvelopeId, Hint,
    ModelRef, Record, ReportScope, RunKey, Session, SessionStatus, TaskId, ThreadId, WakeReason,
    limits,
};

use crate::Turns;
use crate::broken::Broken;
use crate::job::{Deeds, Given, Job, Meaning, Origin, Page, Talk};
use crate::ledger::Purse;
use crate::live::Voice;
use crate::memory::Memory;
use crate::resume::Earlier;
use crate::settings::Profile;

/// Why an agent is awake, as far as its prompt goes.
pub(crate) struct Occasion<'a> {
    pub(crate) run: &'a RunKey,
    pub(crate) agent: &'a AgentIdentity,
    pub(crate) thread: &'a ThreadId,
    pub(crate) reason: WakeReason,
    pub(crate) why: &'a str,
    pub(crate) envelope: Option<&'a EnvelopeId>,
    pub(crate) hints: u64,
    /// Those of them that say something, and maybe others.
    pub(crate) hinted: &'a [Hint],
    pub(crate) delta: &'a Delta,
}

impl<'a> Occasion<'a> {
    /// That of a run.
    pub(crate) fn of(claim: &'a Claim) -> Occasion<'a> {
        let draft = &claim.run.draft;
        Occasion {
            run: &draft.run_key,
            agent: &claim.agent,
            thread: &draft.thread,
            reason: draft.reason,
            why: claim.why,
            envelope: draft.envelope.as_ref(),
            hints: claim.hints.iter().map(|hint| hint.count).sum(),
            hinted: &claim.hints,
            delta: &claim.journal,
        }
    }

    /// Whether what another agent reports is for this one: whatever that may have seen, this one may see too. Where
    /// its task lies today says nothing of where it has looked.
    fn may_hear(&self, report: &TaskReport) -> bool {
        report.sees.is_subset(&self.agent.allowed_category_ids)
    }

    /// Whether a task lies where the agent may look.
    fn may_see(&self, record: &Record) -> bool {
        match &record.body {
            Body::Task(task) => self.agent.allowed_category_ids.contains(&task.category_id),
            _ => false,
        }
    }
}

/// What was found for an occasion.
pub(crate) struct Found {
    pub(crate) background: Background,
    pub(crate) memory: Memory,
    pub(crate) surroundings: Surroundings,
    pub(crate) reports: Vec<TaskReport>,
    /// Hints that say something, newest first; without what they say if that was erased, or if there is no
    /// room for so many.
    pub(crate) hinted: Vec<(Hint, Option<Content>)>,
    pub(crate) task: Option<TaskId>,
    /// The task was moved to a category that the agent may not look into. Nothing of it is told.
    pub(crate) out_of_sight: bool,
}

impl Turns {
    /// Gathers while the beginning of the run is being written. One that is taken up again waits for that: with
    /// it, what an earlier attempt had set aside counts as spent.
    pub(crate) async fn gather_meanwhile(
        &self,
        claim: Claim,
        profile: Arc<Profile>,
        begun: impl Future<Output = ()>,
    ) -> Result<Job, Broken> {
        if claim.run.attempt > 0 {
            begun.await;
            return self.gather(claim, profile).await;
        }
        let gathered = self.gather(claim, profile).await;
        begun.await;
        gathered
    }

    /// Gathers all that a turn begins with. One that is taken up again begins with what it recorded.
    async fn gather(&self, claim: Claim, profile: Arc<Profile>) -> Result<Job, Broken> {
        let (now, day) = (self.world.now(), self.today());
        let (draft, occasion) = (&claim.run.draft, Occasion::of(&claim));
        let mut found = self.look(&occasion, &profile, day).await?;
        let earlier = match claim.run.attempt {
            0 => None,
            _ => self.resume(&claim).await?,
        };
        found.may_be_worked_on(earlier.is_none())?;
        let began_at = earlier.as_ref().map_or(now, |earlier| earlier.turn.began_at);
        let model = self.chosen(&claim);
        let tools = self.offer(&profile);
        let capacity = found.session().map(|session| session.token_capacity);
        let bounds = self.bounds(&model, &tools, capacity);
        let began_here = rules::day::local(began_at, &self.world.zone());
        let prompt = self.fitted(&occasion, &mut found, &profile, &bounds, &began_here);
        let recorded = earlier.as_ref().map_or(0, Earlier::rounds);
        let voice = Voice::new(&self.live, draft.run_key, claim.run.attempt, recorded);
        let given = Given {
            began_at,
            taken_up_at: now,
            task: found.task.clone(),
            out_of_sight: found.out_of_sight,
            capacity,
            input: input_content(&found.background),
            correlation: correlation(&found.background, &claim),
            previous: previous(&found.memory, &claim),
            state: found.background.state.take(),
        };
        let mut job = Job {
            model,
            tools,
            given,
            page: Page::of((prompt.blocks, prompt.tokens), self.settings.tool_output_tokens),
            meaning: Meaning { act: dialog_act(&found.background), classified: None },
            talk: Talk::default(),
            origin: Origin::of(prompt.label, prompt.exposed),
            deeds: Deeds::default(),
            purse: Purse::of(day, found.background.account),
            memory: found.memory,
            voice,
            profile,
            claim,
        };
        if let Some(earlier) = earlier {
            earlier.take_up(&mut job);
            job.tools = self.offer(&job.profile);
        }
        self.add_before(&mut job);
        Ok(job)
    }

    fn chosen(&self, claim: &Claim) -> ModelRef {
        match claim.run.attempt > 0 && planted::is(Fault::ChoiceForgotten) {
            true => self.model_of(&claim.agent),
            false => self.model_for(&claim.run.draft, &claim.agent),
        }
    }

    /// Reads what an agent remembers, and what it tends.
    pub(crate) async fn look(
        &self,
        occasion: &Occasion<'_>,
        profile: &Profile,
        day: Day,
    ) -> Result<Found, Broken> {
        let bounds = &self.settings.bounds;
        let recall = Recall {
            agent: occasion.agent.agent_id.clone(),
            state: occasion.agent.current_state_id.clone(),
            thread: occasion.thread.clone(),
            session: rules::session::of_thread(&occasion.agent.agent_id, occasion.thread),
            envelope: occasion.envelope.cloned(),
            scope: profile.main_report().unwrap_or(ReportScope::Current),
            day: self.accounted(day),
            run: *occasion.run,
            // Back to the last summary, however much was noted and said since.
            notes: limits::ROWS_PER_READ_MAX,
            messages: limits::ROWS_PER_READ_MAX,
            tasks: vec![],
        };
        let mut background = self.store.background(recall.clone()).await?;
        let hinted = self.hinted(occasion.hinted).await?;
        let memory = Memory::taken_from(&mut background);
        let task = match background.state.as_ref().map(|record| &record.body) {
            Some(Body::AgentState(state)) => state.slots.active_task_id.value.clone(),
            _ => None,
        };
        let Some(id) = task.clone() else {
            let (surroundings, reports, out_of_sight) = Default::default();
            return Ok(Found {
                background,
                memory,
                surroundings,
                reports,
                hinted,
                task,
                out_of_sight,
            });
        };
        let reach = Reach { items: bounds.items.count, entries: bounds.entries.count };
        let mut surroundings = self.store.surroundings(id, reach).await?;
        // What lies in another category is neither for this agent nor for the model that it asks.
        let out_of_sight = surroundings.task.as_ref().is_some_and(|task| !occasion.may_see(task));
        if out_of_sight {
            surroundings = Surroundings::default();
        }
        surroundings.linked.retain(|record| occasion.may_see(record));
        let tasks = most_telling(&surroundings.linked, bounds.linked.count);
        let reports = match tasks.is_empty() {
            true => vec![],
            false => {
                let recall = Recall { tasks, notes: 0, messages: 0, session: None, ..recall };
                let mut reports = self.store.background(recall).await?.reports;
                reports.retain(|report| occasion.may_hear(report));
                reports
            }
        };
        Ok(Found { background, memory, surroundings, reports, hinted, task, out_of_sight })
    }
}

impl Found {
    /// The session that is spoken in.
    pub(crate) fn session(&self) -> Option<&Session> {
        match self.background.session.as_ref().map(|record| &record.body) {
            Some(Body::AgentSession(session)) => Some(session),
            _ => None,
        }
    }

    /// Not in a session that was broken off. A turn that begins anew needs its task; one that is taken up
    /// again has seen it.
    fn may_be_worked_on(&self, anew: bool) -> Result<(), Broken> {
        let session = self.session();
        if session.is_some_and(|session| session.status == SessionStatus::Interrupted) {
            return Err(Broken::SessionOver);
        }
        let live = self.surroundings.task.as_ref().is_some_and(|task| task.deleted_at.is_none());
        let gone = self.task.is_some() && !live && !self.out_of_sight;
        if anew && gone { Err(Broken::TaskMissing) } else { Ok(()) }
    }
}

/// The tasks whose reports there is room for: open ones first, as they are shown.
fn most_telling(linked: &[Record], most: usize) -> Vec<TaskId> {
    let is_closed = |record: &&Record| match &record.body {
        Body::Task(task) => task.status.is_closed(),
        _ => true,
    };
    let mut all: Vec<&Record> = linked.iter().collect();
    all.sort_by_key(is_closed);
    all.into_iter().take(most).filter_map(|record| record.id.as_str().parse().ok()).collect()
}

fn input_content(background: &Background) -> Option<ContentRef> {
    match background.input.as_ref().map(|(record, _)| &record.body) {
        Some(Body::AgentEnvelope(envelope)) => Some(envelope.content.clone()),
        _ => None,
    }
}

/// What all that a turn does belongs to: what whoever spoke called it, or its run.
fn correlation(background: &Background, claim: &Claim) -> Option<String> {
    let named = match background.input.as_ref().map(|(record, _)| &record.body) {
        Some(Body::AgentEnvelope(envelope)) => envelope.correlation_id.clone(),
        _ => None,
    };
    named.or_else(|| Some(claim.run.draft.run_key.to_string()))
}

/// What somebody means, by rules. What an agent wakes for by itself means nothing of the kind.
fn dialog_act(background: &Background) -> Option<DialogAct> {
    let (_, content) = background.input.as_ref()?;
    EnvelopeContent::words(&content.bytes).map(|text| rules::turn::classify(&text))
}

/// The newest message of the thread that this run has not written itself.
fn previous(memory: &Memory, claim: &Claim) -> Option<types::MessageId> {
    let own = Some(claim.run.draft.run_key);
    let other = memory.said.iter().rfind(|one| one.message.run_key != own);
    other.map(|one| one.id.clone())
}
