//! What a turn could have gathered, owned, with a verb for each thing that a test wants in it.

use std::collections::BTreeSet;

use context::{
    Bounds, Direction, Hinted, Input, Linked, Note, Prompt, Said, Seen, Standing, Tended, Texts,
    Who, Woken, assemble,
};
use types::{
    AgentId, At, Author, AuthorityClass, Body, CategoryId, ChangeRecord, Checklist, ChecklistItem,
    ContentRef, Counter, DeliverySurface, Delta, Digest, Entry, EntryKind, Epoch, Hint, HostId,
    Image, Label, Origin, Position, Properties, Record, RecordId, Relation, Report, ReportId,
    ReportScope, RunKey, Source, Task, TaskId, TaskStatus, TimeEntry, Trust, VectorClock,
    WakeReason,
};

/// As long as the role of a real template.
pub(crate) const ROLE: &str =
    "You tend one task. Keep its report current and its records in order.";

/// A model's own words.
pub(crate) fn of_model() -> Label {
    Label::new(Trust::Untrusted, Source::Model)
}

/// Words from outside.
pub(crate) fn from_outside() -> Label {
    Label::new(Trust::Untrusted, Source::External)
}

pub(crate) fn at(minute: i64) -> At {
    At::from_millis(1_794_700_800_000 + minute * 60_000)
}

pub(crate) fn record(id: &str, body: impl Into<Body>, minute: i64) -> Record {
    Record {
        id: id.parse().unwrap(),
        body: body.into(),
        schema_version: 1,
        revision: 1,
        created_at: at(minute),
        updated_at: at(minute),
        deleted_at: None,
        clock: VectorClock::default(),
    }
}

pub(crate) struct Beside {
    pub(crate) id: TaskId,
    pub(crate) title: String,
    pub(crate) status: TaskStatus,
    pub(crate) report: Option<String>,
}

/// Who speaks, through which door, and what that may claim.
type Door = (&'static str, DeliverySurface, AuthorityClass);

pub(crate) struct Given {
    pub(crate) agent: AgentId,
    pub(crate) scope: BTreeSet<CategoryId>,
    pub(crate) role: String,
    pub(crate) reason: WakeReason,
    pub(crate) why: String,
    pub(crate) first: bool,
    pub(crate) input: Option<(Door, String, Label)>,
    pub(crate) hinted: Vec<(Hint, Option<String>)>,
    pub(crate) task: Option<Record>,
    pub(crate) checklists: Vec<Record>,
    pub(crate) items: Vec<Record>,
    pub(crate) items_left_out: usize,
    pub(crate) entries: Vec<Record>,
    pub(crate) entries_left_out: usize,
    pub(crate) times: Vec<Record>,
    pub(crate) times_left_out: usize,
    pub(crate) labels: Vec<String>,
    pub(crate) label: Label,
    pub(crate) linked: Vec<Beside>,
    pub(crate) report: Option<String>,
    pub(crate) notes: Vec<(At, String, bool, Label)>,
    pub(crate) history: Vec<(Who, String, At, Label)>,
    pub(crate) delta: Delta,
}

impl Given {
    /// A task of which only the title is known, and an agent that wakes for the first time.
    pub(crate) fn fresh() -> Given {
        let category: CategoryId = "category_home".parse().unwrap();
        Given {
            agent: "agent_a".parse().unwrap(),
            scope: ["category_home".parse().unwrap()].into(),
            role: ROLE.to_owned(),
            reason: WakeReason::Subscription,
            why: "the task changed".to_owned(),
            first: true,
            input: None,
            hinted: vec![],
            task: Some(record("task_t", Task::new("Paint the fence", category), 0)),
            checklists: vec![],
            items: vec![],
            items_left_out: 0,
            entries: vec![],
            entries_left_out: 0,
            times: vec![],
            times_left_out: 0,
            labels: vec![],
            label: Label::operator(),
            linked: vec![],
            report: None,
            notes: vec![],
            history: vec![],
            delta: Delta::default(),
        }
    }

    /// The operator says something.
    pub(crate) fn prompted(mut self, text: &str) -> Given {
        self.reason = WakeReason::UserInitiated;
        self.why = "the operator spoke".to_owned();
        let door = ("operator", DeliverySurface::CliPrompt, AuthorityClass::OperatorInstruction);
        self.input = Some((door, text.to_owned(), Label::operator()));
        self
    }

    /// Somebody outside says something.
    pub(crate) fn told_from_outside(mut self, text: &str) -> Given {
        self.reason = WakeReason::Trigger;
        let door = ("webhook", DeliverySurface::HttpWebhook, AuthorityClass::ExternalEvidence);
        self.input = Some((door, text.to_owned(), from_outside()));
        self
    }

    /// A hint comes that says something, unless that is erased by now.
    pub(crate) fn hint(&mut self, minute: i64, text: Option<&str>) {
        let hint = Hint {
            agent: self.agent.clone(),
            trigger: format!("trigger_{minute:06}").parse().unwrap(),
            at: at(minute),
            count: 2,
            source: Some("forge".to_owned()),
            content_type: Some("application/json".to_owned()),
            payload: None,
            correlation_id: None,
            causation_id: None,
        };
        self.hinted.insert(0, (hint, text.map(str::to_owned)));
    }

    pub(crate) fn checklist(mut self, id: &str, title: &str) -> Given {
        let body = Checklist { task_id: "task_t".parse().unwrap(), title: title.to_owned() };
        self.checklists.push(record(id, body, 1));
        self
    }

    pub(crate) fn item(&mut self, list: &str, n: usize, title: &str, checked: bool) {
        let body = ChecklistItem {
            checklist_id: list.parse().unwrap(),
            task_id: "task_t".parse().unwrap(),
            title: title.to_owned(),
            checked,
            rank: format!("r{n:06}"),
        };
        self.items.push(record(&format!("item_{n:06}"), body, i64::try_from(n).unwrap()));
    }

    pub(crate) fn entry(&mut self, n: usize, kind: EntryKind, text: &str) {
        let minute = i64::try_from(n).unwrap();
        let body = Entry {
            kind,
            text: text.to_owned(),
            media: None,
            category_id: "category_home".parse().unwrap(),
            task_id: Some("task_t".parse().unwrap()),
            at: at(minute),
            day: "2026-11-15".parse().unwrap(),
        };
        self.entries.push(record(&format!("entry_{n:06}"), body, minute));
    }

    pub(crate) fn time(mut self, id: &str, minutes: Option<i64>) -> Given {
        let body = TimeEntry {
            task_id: "task_t".parse().unwrap(),
            started_at: at(0),
            ended_at: minutes.map(at),
            day: "2026-11-15".parse().unwrap(),
            description: String::new(),
            source_entry_id: None,
        };
        self.times.push(record(id, body, 0));
        self
    }

    pub(crate) fn beside(mut self, id: &str, title: &str, report: Option<&str>) -> Given {
        let (id, title) = (id.parse().unwrap(), title.to_owned());
        let report = report.map(ToOwned::to_owned);
        self.linked.push(Beside { id, title, status: TaskStatus::Open, report });
        self
    }

    pub(crate) fn note(&mut self, minute: i64, text: &str) {
        self.notes.push((at(minute), text.to_owned(), false, of_model()));
    }

    pub(crate) fn said(&mut self, who: Who, minute: i64, text: &str) {
        let label = if who == Who::Operator { Label::operator() } else { of_model() };
        self.history.push((who, text.to_owned(), at(minute), label));
    }

    /// Something happened to a record.
    pub(crate) fn change(&mut self, author: Author, id: &str, kind: &str, fields: &[&str]) {
        let minute = i64::try_from(self.delta.changes.len()).unwrap();
        let task = Properties::from([("task".to_owned(), "task_t".to_owned())]);
        let before = (!fields.is_empty()).then(|| task.clone());
        let fields = fields.iter().map(|field| (*field).to_owned()).collect();
        let id: RecordId = id.parse().unwrap();
        let image = Image { id, kind: kind.to_owned(), before, after: Some(task), fields };
        self.changed(author, minute, image);
    }

    pub(crate) fn changed(&mut self, author: Author, minute: i64, image: Image) {
        let host: HostId = "host_a".parse().unwrap();
        self.delta.changes.push(ChangeRecord {
            position: Position(1),
            host,
            counter: Counter(1),
            origin: Origin::Local,
            author,
            at: at(minute),
            logical_change_key: Digest::ZERO,
            tokens: vec![],
            images: vec![image],
        });
    }

    pub(crate) fn prompt(&self) -> Prompt {
        self.prompt_within(&Bounds::default())
    }

    pub(crate) fn prompt_within(&self, bounds: &Bounds) -> Prompt {
        let report = self.standing();
        let report_id: ReportId = "report_r".parse().unwrap();
        let model = of_model();
        let linked: Vec<Linked<'_>> = self.linked.iter().map(|it| linked(it, &model)).collect();
        let notes = self.notes.iter();
        let notes: Vec<Note<'_>> = notes
            .map(|(at, text, summary, label)| Note { at: *at, text, summary: *summary, label })
            .collect();
        let history = self.history.iter();
        let history: Vec<Said<'_>> = history
            .map(|(who, text, at, label)| Said { who: *who, text, at: *at, label })
            .collect();
        let outside = from_outside();
        let hinted: Vec<Hinted<'_>> = self
            .hinted
            .iter()
            .map(|(hint, text)| Hinted { hint, text: text.as_deref(), label: &outside })
            .collect();
        let seen = Seen {
            agent: &self.agent,
            scope: &self.scope,
            now: "2026-11-15T17:40:00+01:00",
            texts: Texts {
                role: &self.role,
                first: "Write a first report and your first notes.",
                later: "Bring the report up to date, note what matters, call tools as needed.",
                prompt: "Answer the input.",
            },
            wake: Woken { reason: self.reason, why: &self.why, first: self.first, hints: 0 },
            hinted: &hinted,
            input: self.input.as_ref().map(|((from, via, authority), text, label)| Input {
                from,
                via: *via,
                authority: *authority,
                text,
                label,
            }),
            task: self.task.as_ref().map(|task| self.tended(task)),
            linked: &linked,
            report: self.report.as_ref().map(|content| Standing {
                id: &report_id,
                report: &report,
                content,
                label: &model,
            }),
            notes: &notes,
            history: &history,
            delta: Some(&self.delta),
        };
        assemble(&seen, bounds)
    }

    fn tended<'a>(&'a self, task: &'a Record) -> Tended<'a> {
        Tended {
            task,
            checklists: &self.checklists,
            items: &self.items,
            items_left_out: self.items_left_out,
            entries: &self.entries,
            entries_left_out: self.entries_left_out,
            times: &self.times,
            times_left_out: self.times_left_out,
            labels: &self.labels,
            category: Some("Home"),
            label: &self.label,
        }
    }

    fn standing(&self) -> Report {
        Report {
            agent_id: self.agent.clone(),
            scope: ReportScope::Current,
            run_key: RunKey(Digest::ZERO),
            content: ContentRef { subject: "agent_a".parse().unwrap(), hash: Digest::ZERO },
            confidence: None,
            model: "builtin/scribe".to_owned(),
            journal_seen: Position(1),
            written_at: at(500),
            claims: vec![],
            based_on: None,
        }
    }
}

fn linked<'a>(beside: &'a Beside, label: &'a Label) -> Linked<'a> {
    Linked {
        id: &beside.id,
        title: &beside.title,
        status: beside.status,
        relation: Relation::ParentOf,
        direction: Direction::From,
        report: beside.report.as_deref(),
        label,
    }
}

/// The agent of the prompt, writing.
pub(crate) fn itself() -> Author {
    agent("agent_a")
}

pub(crate) fn agent(id: &str) -> Author {
    let run = RunKey(Digest::ZERO);
    Author::Agent { agent: id.parse().unwrap(), run, epoch: Epoch::default() }
}
