//! Gathering what a turn looks at: two reads, and what an earlier attempt has recorded.

use std::sync::Arc;

use context::{
    Direction, Input, Linked, Note, Prompt, Said, Seen, Standing, Tended, Texts, Who, Woken,
};
use dispatch::Claim;
use model::ToolSpec;
use rules::turn::DialogAct;
use store::{Background, Reach, Recall, Surroundings};
use tools::Left;
use types::{
    AgentIdentity, At, Body, Content, ContentRef, Day, Delta, EnvelopeId, Label, Message,
    MessageKind, Record, RecordId, ReportId, ReportScope, Round, TaskId, ThreadId, TurnSpent,
    WakeReason,
};

use crate::Turns;
use crate::broken::Broken;
use crate::compact::Memory;
use crate::job::Job;
use crate::live::Voice;
use crate::settings::Profile;
use crate::steer::said;

/// Why an agent is awake, as far as its prompt goes.
pub(crate) struct Occasion<'a> {
    pub(crate) agent: &'a AgentIdentity,
    pub(crate) thread: &'a ThreadId,
    pub(crate) reason: WakeReason,
    pub(crate) why: &'a str,
    pub(crate) envelope: Option<&'a EnvelopeId>,
    pub(crate) hints: u64,
    pub(crate) delta: Option<&'a Delta>,
}

/// What was found for an occasion.
pub(crate) struct Found {
    pub(crate) background: Background,
    pub(crate) surroundings: Surroundings,
    pub(crate) reports: Vec<(TaskId, Content)>,
    pub(crate) task: Option<TaskId>,
}

impl Turns {
    /// Gathers all that a turn begins with. One that is taken up again begins with what it recorded.
    pub(crate) async fn gather(&self, claim: Claim, profile: Arc<Profile>) -> Result<Job, Broken> {
        let now = self.world.now();
        let draft = &claim.run.draft;
        let occasion = Occasion {
            agent: &claim.agent,
            thread: &draft.thread,
            reason: draft.reason,
            why: claim.why,
            envelope: draft.envelope.as_ref(),
            hints: claim.hints.iter().map(|hint| hint.count).sum(),
            delta: Some(&claim.journal),
        };
        let day = self.today();
        let found = self.look(&occasion, day).await?;
        let earlier = match claim.run.attempt {
            0 => None,
            _ => self.resume(&claim).await?,
        };
        if earlier.is_none() && found.is_missing_its_task() {
            return Err(Broken::TaskMissing);
        }
        let began_at = earlier.as_ref().map_or(now, |earlier| earlier.turn.began_at);
        let prompt = self.assemble(&occasion, &found, &profile, began_at);
        let voice = Voice::new(&self.live, &claim.agent.agent_id, draft.run_key, claim.run.attempt);
        let mut job = Job {
            model: self.model_of(&claim.agent),
            began_at,
            day,
            task: found.task.clone(),
            prompt: prompt.blocks,
            label: prompt.label,
            exposed: prompt.exposed,
            tools: self.offer(&profile),
            input: input_content(&found.background),
            dialog_act: dialog_act(&found.background),
            previous: previous(&found.background, &claim),
            rounds: vec![],
            recorded: 0,
            open: false,
            said: vec![],
            interjected: vec![],
            progress: rules::turn::Progress::default(),
            left: Left::default(),
            account: found.background.account,
            spent: TurnSpent::default(),
            settled: types::Amounts::default(),
            tool_calls: 0,
            failed_calls: vec![],
            memory: Memory::of(&found.background),
            state: found.background.state,
            voice,
            profile,
            claim,
        };
        if let Some(earlier) = earlier {
            earlier.take_up(&mut job);
        }
        Ok(job)
    }

    /// Reads what an agent remembers, and what it tends.
    pub(crate) async fn look(&self, occasion: &Occasion<'_>, day: Day) -> Result<Found, Broken> {
        let bounds = &self.settings.bounds;
        let recall = Recall {
            agent: occasion.agent.agent_id.clone(),
            thread: occasion.thread.clone(),
            envelope: occasion.envelope.cloned(),
            scope: ReportScope::Current,
            day,
            notes: bounds.notes.count + 1,
            messages: bounds.history.count * 2,
            tasks: vec![],
        };
        let background = self.store.background(recall.clone()).await?;
        let task = match background.state.as_ref().map(|record| &record.body) {
            Some(Body::AgentState(state)) => state.slots.active_task_id.value.clone(),
            _ => None,
        };
        let Some(id) = task.clone() else {
            let (surroundings, reports) = Default::default();
            return Ok(Found { background, surroundings, reports, task });
        };
        let reach = Reach {
            items: bounds.items.count,
            entries: bounds.entries.count,
            linked: bounds.linked.count,
        };
        let surroundings = self.store.surroundings(id, reach).await?;
        let tasks = task_ids(&surroundings.linked);
        let reports = match tasks.is_empty() {
            true => vec![],
            false => {
                let recall = Recall { tasks, notes: 0, messages: 0, ..recall };
                self.store.background(recall).await?.reports
            }
        };
        Ok(Found { background, surroundings, reports, task })
    }

    /// Makes the prompt.
    pub(crate) fn assemble(
        &self,
        occasion: &Occasion<'_>,
        found: &Found,
        profile: &Profile,
        now: At,
    ) -> Prompt {
        let read = Words::of(occasion, found);
        let seen = Seen {
            agent: &occasion.agent.agent_id,
            now,
            texts: Texts {
                role: &profile.role,
                first: &profile.first_ask,
                later: &profile.later_ask,
                prompt: &profile.prompt_ask,
            },
            wake: Woken {
                reason: occasion.reason,
                why: occasion.why,
                first: found.background.report.is_none(),
                hints: occasion.hints,
            },
            input: read.input(found),
            task: read.tended(found),
            linked: &read.linked(found),
            report: read.standing(found),
            notes: &read.notes(),
            history: &read.history(),
            delta: occasion.delta,
        };
        context::assemble(&seen, &self.settings.bounds)
    }

    /// The tools of a profile as a model sees them, made once.
    pub(crate) fn offer(&self, profile: &Profile) -> Arc<[ToolSpec]> {
        let name = (profile.prompt_id.clone(), profile.prompt_version);
        let mut offers = self.offers.lock().expect("nobody panics while offering");
        Arc::clone(offers.entry(name).or_insert_with(|| self.specs(profile)))
    }

    fn specs(&self, profile: &Profile) -> Arc<[ToolSpec]> {
        let offers = self.executor.registry().offer(&profile.rights);
        let find = |name: &String| offers.iter().find(|offer| offer.name == name);
        let found = profile.tools.iter().filter_map(find);
        let spec = |offer: &tools::Offer| ToolSpec {
            name: offer.name.to_owned(),
            description: offer.description.to_owned(),
            input_schema: context::slim(&offer.input),
        };
        found.map(spec).collect()
    }
}

impl Found {
    /// It tends a task that is not there any more.
    fn is_missing_its_task(&self) -> bool {
        let live = self.surroundings.task.as_ref().is_some_and(|task| task.deleted_at.is_none());
        self.task.is_some() && !live
    }
}

fn task_ids(records: &[Record]) -> Vec<TaskId> {
    records.iter().filter_map(|record| record.id.as_str().parse().ok()).collect()
}

fn input_content(background: &Background) -> Option<ContentRef> {
    match background.input.as_ref().map(|(record, _)| &record.body) {
        Some(Body::AgentEnvelope(envelope)) => Some(envelope.content.clone()),
        _ => None,
    }
}

/// What somebody means, by rules. What an agent wakes for by itself means nothing of the kind.
fn dialog_act(background: &Background) -> Option<DialogAct> {
    let (_, content) = background.input.as_ref()?;
    said(&content.bytes).map(|text| rules::turn::classify(&text))
}

/// The newest message of the thread that this run has not written itself.
fn previous(background: &Background, claim: &Claim) -> Option<types::MessageId> {
    let own = Some(claim.run.draft.run_key);
    let others = background.messages.iter().filter(|(record, _)| match &record.body {
        Body::AgentMessage(message) => message.run_key != own,
        _ => false,
    });
    others.map(|(record, _)| record).next().and_then(|record| record.id.as_str().parse().ok())
}

/// The words of a message as they are read again.
pub(crate) fn words_of(message: &Message, bytes: &[u8]) -> String {
    match message.kind {
        MessageKind::User => said(bytes).unwrap_or_default(),
        MessageKind::Thought => {
            serde_json::from_slice::<Round>(bytes).map(|round| round.text).unwrap_or_default()
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Words that were read, held while the prompt is made of them.
struct Words {
    input: Option<String>,
    history: Vec<(Who, String, At, Label)>,
    notes: Vec<(At, String, bool, Label)>,
    report: Option<(ReportId, String)>,
    category: Option<String>,
    labels: Vec<String>,
    linked: Vec<TaskId>,
    reports: Vec<(TaskId, String)>,
    journal: Label,
}

impl Words {
    fn of(occasion: &Occasion<'_>, found: &Found) -> Words {
        let background = &found.background;
        let text = |content: &Content| String::from_utf8_lossy(&content.bytes).into_owned();
        let name = |record: &Record| match &record.body {
            Body::Category(category) => Some(category.name.clone()),
            Body::TaskLabel(label) => Some(label.name.clone()),
            _ => None,
        };
        let report = background
            .report
            .as_ref()
            .and_then(|(record, content)| Some((record.id.as_str().parse().ok()?, text(content))));
        Words {
            input: background.input.as_ref().and_then(|(_, content)| said(&content.bytes)),
            history: history(occasion, background),
            notes: notes(background),
            report,
            category: found.surroundings.category.as_ref().and_then(name),
            labels: found.surroundings.labels.iter().filter_map(name).collect(),
            linked: task_ids(&found.surroundings.linked),
            reports: found.reports.iter().map(|(id, one)| (id.clone(), text(one))).collect(),
            journal: Label::operator(),
        }
    }

    fn input<'a>(&'a self, found: &'a Found) -> Option<Input<'a>> {
        let (record, content) = found.background.input.as_ref()?;
        let Body::AgentEnvelope(envelope) = &record.body else { return None };
        Some(Input::of(envelope, self.input.as_deref()?, &content.label))
    }

    fn tended<'a>(&'a self, found: &'a Found) -> Option<Tended<'a>> {
        let around = &found.surroundings;
        Some(Tended {
            task: around.task.as_ref()?,
            checklists: &around.checklists,
            items: &around.items,
            entries: &around.entries,
            times: &around.times,
            labels: &self.labels,
            category: self.category.as_deref(),
            label: &self.journal,
        })
    }

    fn linked<'a>(&'a self, found: &'a Found) -> Vec<Linked<'a>> {
        let own = found.task.as_ref().map(RecordId::from);
        let linked = found.surroundings.links.iter().filter_map(|link| {
            let to = Some(&link.from) == own.as_ref();
            let other = if to { &link.to } else { &link.from };
            let record = found.surroundings.linked.iter().find(|record| record.id == *other)?;
            let Body::Task(task) = &record.body else { return None };
            let report = self.reports.iter().find(|(id, _)| id.as_str() == other.as_str());
            let id = self.linked.iter().find(|id| id.as_str() == other.as_str())?;
            Some(Linked {
                id,
                title: &task.title,
                status: task.status,
                relation: link.relation.clone(),
                direction: if to { Direction::To } else { Direction::From },
                report: report.map(|(_, text)| text.as_str()),
                label: &self.journal,
            })
        });
        linked.collect()
    }

    fn standing<'a>(&'a self, found: &'a Found) -> Option<Standing<'a>> {
        let (record, content) = found.background.report.as_ref()?;
        let (id, text) = self.report.as_ref()?;
        let Body::AgentReport(report) = &record.body else { return None };
        Some(Standing { id, report, content: text, label: &content.label })
    }

    fn notes(&self) -> Vec<Note<'_>> {
        self.notes
            .iter()
            .map(|(at, text, summary, label)| Note { at: *at, text, summary: *summary, label })
            .collect()
    }

    fn history(&self) -> Vec<Said<'_>> {
        self.history
            .iter()
            .map(|(who, text, at, label)| Said { who: *who, text, at: *at, label })
            .collect()
    }
}

/// What was said before in the thread, oldest first, with the summary of what came before that.
fn history(occasion: &Occasion<'_>, background: &Background) -> Vec<(Who, String, At, Label)> {
    let spoken = |(record, content): &(Record, Content)| {
        let Body::AgentMessage(message) = &record.body else { return None };
        let who = match message.kind {
            MessageKind::User => Who::Operator,
            MessageKind::Thought => Who::You,
            _ => return None,
        };
        let own = message.trigger_source_id.as_deref() == occasion.envelope.map(EnvelopeId::as_str);
        if own && occasion.envelope.is_some() {
            return None;
        }
        let text = words_of(message, &content.bytes);
        let said = (who, text, record.created_at, content.label.clone());
        (!said.1.trim().is_empty()).then_some(said)
    };
    let summary = background.summary.as_ref().map(|(record, content)| {
        let text = String::from_utf8_lossy(&content.bytes).into_owned();
        (Who::Summary, text, record.created_at, content.label.clone())
    });
    let open = open(&background.messages, background.summary.as_ref());
    summary.into_iter().chain(open.into_iter().rev().filter_map(spoken)).collect()
}

/// The agent's notes, oldest first, with the summary of older ones before them.
fn notes(background: &Background) -> Vec<(At, String, bool, Label)> {
    let note = |(record, content): &(Record, Content), summary: bool| {
        let text = String::from_utf8_lossy(&content.bytes).into_owned();
        (record.created_at, text, summary, content.label.clone())
    };
    let summary = background.notes_summary.as_ref().map(|one| note(one, true));
    let open = open(&background.notes, background.notes_summary.as_ref());
    summary.into_iter().chain(open.into_iter().rev().map(|one| note(one, false))).collect()
}

/// Of messages, newest first, those that a summary does not stand for.
fn open<'a>(
    messages: &'a [(Record, Content)],
    summary: Option<&(Record, Content)>,
) -> Vec<&'a (Record, Content)> {
    let end = summary.and_then(|(record, _)| match &record.body {
        Body::AgentMessage(message) => message.summary.as_ref().map(|span| span.end.as_str()),
        _ => None,
    });
    messages.iter().take_while(|(record, _)| Some(record.id.as_str()) != end).collect()
}
