//! Making the prompt from what was gathered.

use context::projection::Allow;
use context::{
    Bounds, Direction, Hinted, Input, Linked, Note, Prompt, Said, Seen, Standing, Tended, Texts,
    Who, Woken,
};
use types::{
    Body, Content, EnvelopeContent, EnvelopeId, Label, MessageKind, Record, RecordId, ReportId,
    TaskId, Trust,
};

use crate::gather::{Found, Occasion};
use crate::memory::{Memory, Read};
use crate::settings::Profile;
use crate::{Turns, origins};

impl Turns {
    /// Makes the prompt.
    pub(crate) fn assemble(
        &self,
        occasion: &Occasion<'_>,
        found: &Found,
        profile: &Profile,
        bounds: &Bounds,
        now: &str,
    ) -> Prompt {
        let read = Words::of(found);
        // What was written and said about a task that was moved away tells of it, and which of its records
        // changed does too.
        let (notes, history) = match found.out_of_sight {
            true => (vec![], vec![]),
            false => (notes(&found.memory), history(occasion, &found.memory)),
        };
        let seen = Seen {
            agent: &occasion.agent.agent_id,
            scope: &occasion.agent.allowed_category_ids,
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
                // Who keeps no report is not asked for a first one.
                first: profile.main_report().is_some() && found.background.report.is_none(),
                hints: occasion.hints,
            },
            hinted: &read.hinted(found),
            input: read.input(found),
            task: read.tended(found),
            linked: &read.linked(found),
            report: read.standing(found).filter(|_| !found.out_of_sight),
            notes: &notes,
            history: &history,
            delta: (!found.out_of_sight).then_some(occasion.delta),
        };
        context::assemble(&seen, bounds).project(&Allow::turn())
    }
}

/// Words that were read, held while the prompt is made of them.
struct Words {
    input: Option<String>,
    hints: Vec<Option<String>>,
    unknown: Label,
    report: Option<(ReportId, String)>,
    category: Option<String>,
    labels: Vec<String>,
    linked: Vec<(TaskId, Label)>,
    reports: Vec<(TaskId, String)>,
    journal: Label,
}

impl Words {
    fn of(found: &Found) -> Words {
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
            input: background
                .input
                .as_ref()
                .and_then(|(_, content)| EnvelopeContent::words(&content.bytes)),
            hints: found.hinted.iter().map(|(_, said)| said.as_ref().map(text)).collect(),
            unknown: Label::untrusted(),
            report,
            category: found.surroundings.category.as_ref().and_then(name),
            labels: found.surroundings.labels.iter().filter_map(name).collect(),
            linked: origins::of_linked(&found.surroundings, &found.reports),
            reports: found.reports.iter().map(|one| (one.task.clone(), text(&one.words))).collect(),
            journal: origins::of_task(&found.surroundings),
        }
    }

    fn input<'a>(&'a self, found: &'a Found) -> Option<Input<'a>> {
        let (record, content) = found.background.input.as_ref()?;
        let Body::AgentEnvelope(envelope) = &record.body else { return None };
        Some(Input::of(envelope, self.input.as_deref()?, &content.label))
    }

    fn hinted<'a>(&'a self, found: &'a Found) -> Vec<Hinted<'a>> {
        let hints = found.hinted.iter().zip(&self.hints);
        let hinted = hints.map(|((hint, said), text)| Hinted {
            hint,
            text: text.as_deref(),
            label: said.as_ref().map_or(&self.unknown, |said| &said.label),
        });
        hinted.collect()
    }

    fn tended<'a>(&'a self, found: &'a Found) -> Option<Tended<'a>> {
        let around = &found.surroundings;
        Some(Tended {
            task: around.task.as_ref()?,
            checklists: &around.checklists,
            items: &around.items,
            items_left_out: around.items_left_out,
            entries: &around.entries,
            entries_left_out: around.entries_left_out,
            times: &around.times,
            times_left_out: around.times_left_out,
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
            let (id, label) = self.linked.iter().find(|(id, _)| id.as_str() == other.as_str())?;
            Some(Linked {
                id,
                title: &task.title,
                status: task.status,
                relation: link.relation.clone(),
                direction: if to { Direction::To } else { Direction::From },
                report: report.map(|(_, text)| text.as_str()),
                label,
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
}

/// What was said before in the thread, oldest first, with the summary of what came before that.
fn history<'a>(occasion: &Occasion<'_>, memory: &'a Memory) -> Vec<Said<'a>> {
    let spoken = |one: &'a Read| {
        let who = match one.message.kind {
            // What came through another door was not said by the operator.
            MessageKind::User if one.label.trust == Trust::Operator => Who::Operator,
            MessageKind::User => Who::Other,
            MessageKind::Thought => Who::You,
            _ => return None,
        };
        let trigger = one.message.trigger_source_id.as_deref();
        let own = trigger.is_some() && trigger == occasion.envelope.map(EnvelopeId::as_str);
        let empty = one.text.trim().is_empty();
        (!own && !empty).then(|| said_by(who, one))
    };
    let summary = memory.summary.iter().map(|one| said_by(Who::Summary, one));
    summary.chain(memory.open_said().iter().filter_map(spoken)).collect()
}

fn said_by(who: Who, one: &Read) -> Said<'_> {
    Said { who, text: &one.text, at: one.at, label: &one.label }
}

/// The agent's notes, oldest first, with the summary of older ones before them.
fn notes(memory: &Memory) -> Vec<Note<'_>> {
    let summary = memory.notes_summary.iter().map(|one| (one, true));
    let open = memory.open_notes().iter().map(|one| (one, false));
    summary.chain(open).map(|(one, summary)| note(one, summary)).collect()
}

fn note(one: &Read, summary: bool) -> Note<'_> {
    Note { at: one.at, text: &one.text, summary, label: &one.label }
}
