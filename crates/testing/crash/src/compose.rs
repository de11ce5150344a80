//! The writes of each verb of a plan.

use types::{
    AgentConfig, AgentId, AgentIdentity, AgentKind, AgentState, Code, CursorMove, CursorName,
    Domain, EventDraft, EventKind, Label, Lifecycle, LinkDraft, Message, MessageId, MessageKind,
    Mode, Ownership, Position, Priority, Profile, Receipt, RecordDraft, RecordId, Relation,
    RunDraft, RunEnd, RunFailure, RunKey, StateId, Subscription, SubscriptionId, Task, TaskId,
    TaskStatus, Token, Usage, Visibility, WakeReason, Write,
};

use crate::plan::{Draft, Plan, Tended};

/// Bytes of an ordinary content, at most.
const SMALL_BYTES: u64 = 600;
/// Bytes of a large content, at most: some fifty pages in the log.
const LARGE_BYTES: u64 = 200_000;

impl Plan {
    pub(crate) fn create_task(&mut self) -> Draft {
        let id: TaskId = self.id("task");
        self.tasks.push(id.clone());
        self.put_task(&id, false)
    }

    pub(crate) fn update_task(&mut self) -> Draft {
        let index = self.pick(self.tasks.len());
        let id = self.tasks[index].clone();
        self.put_task(&id, false)
    }

    pub(crate) fn delete_task(&mut self) -> Draft {
        let index = self.pick(self.tasks.len());
        let id = self.tasks.swap_remove(index);
        self.put_task(&id, true)
    }

    fn put_task(&mut self, id: &TaskId, deleted: bool) -> Draft {
        let statuses = [TaskStatus::Open, TaskStatus::InProgress, TaskStatus::Done];
        let body = Task {
            status: statuses[self.pick(statuses.len())],
            ..Task::new(self.text(), parsed("category_crash"))
        };
        let record = RecordDraft { deleted, ..RecordDraft::live(id, body) };
        Draft {
            domain: Domain::Journal,
            subject: id.into(),
            run_key: None,
            writes: vec![Write::Record(record)],
        }
    }

    pub(crate) fn create_agent(&mut self) -> Draft {
        let (agent, state_id) = (self.id::<AgentId>("agent"), self.id::<StateId>("state"));
        let state = AgentState::newborn(agent.clone());
        let token = Token::entity(&self.id::<TaskId>("task").into());
        let subscription = Subscription::to(agent.clone(), vec![token]);
        let identity = identity(&agent, &state_id, self.text());
        let writes = vec![
            Write::Record(RecordDraft::live(&agent, identity)),
            Write::Record(RecordDraft::live(&state_id, state.clone())),
            self.link(&agent, (&state_id).into(), Relation::AgentState),
            Write::Record(RecordDraft::live(
                self.id::<SubscriptionId>("subscription"),
                subscription,
            )),
            self.event(&agent, EventKind::AgentCreated),
        ];
        self.agents.push(Tended {
            agent: agent.clone(),
            state_id,
            state,
            cursor: 0,
            open_runs: Vec::new(),
            head: None,
        });
        of_agent(&agent, None, writes)
    }

    pub(crate) fn queue_runs(&mut self) -> Draft {
        let index = self.pick(self.agents.len());
        let agent = self.agents[index].agent.clone();
        let mut writes = Vec::new();
        for run in 0..=self.random.below(4) {
            let name = format!("{}-{}-{run}", self.tag, self.number);
            let run_key = RunKey(rules::hash::fields(["crash run", &name]));
            self.agents[index].open_runs.push(run_key);
            writes.push(Write::QueueRun(RunDraft {
                run_key,
                agent: agent.clone(),
                // Wakes that only look are merged, and then end with others: the simulator's matter.
                reason: [WakeReason::Manual, WakeReason::JobResult][self.pick(2)],
                reason_id: Some(name),
                thread: rules::thread::of_run(&agent, &run_key),
                logical_change_key: None,
                priority: Priority::Normal,
                envelope: None,
                not_before: None,
                insist: false,
                model: None,
            }));
        }
        writes.push(self.event(&agent, EventKind::WakeQueued));
        of_agent(&agent, None, writes)
    }

    pub(crate) fn end_run(&mut self) -> Draft {
        let readable = self.readable();
        let has_run = |tended: &&mut Tended| !tended.open_runs.is_empty();
        let tended = self.agents.iter_mut().find(has_run).expect("chosen if there is a run");
        let run_key = tended.open_runs.remove(0);
        let (from, to) = (tended.cursor, readable.max(tended.cursor).min(tended.cursor + 3));
        tended.cursor = to;
        tended.state.wake_counter += 1;
        let (agent, state_id, state) =
            (tended.agent.clone(), tended.state_id.clone(), tended.state.clone());
        let usage = Usage { model_calls: 0, tokens_in: self.random.below(99), tokens_out: 7 };
        let mut writes = vec![
            Write::EndRun { run_key, end: self.end(from, to), usage },
            Write::Record(RecordDraft::live(&state_id, state)),
            self.event(&agent, EventKind::RunEnded),
        ];
        if from < to {
            writes.push(move_cursor(&agent, from, to));
        }
        of_agent(&agent, Some(run_key), writes)
    }

    fn end(&mut self, from: u64, to: u64) -> RunEnd {
        match self.random.below(4) {
            0 => RunEnd::SkippedSleeping,
            1 => RunEnd::Failed(RunFailure { code: Code::DiskFull, message: self.text() }),
            _ => RunEnd::NothingToDo(Receipt {
                rule: "nothing_changed".to_owned(),
                changes_seen: to - from,
                journal_from: Position(from),
                journal_to: Position(to),
                agent_from: Position(0),
                agent_to: Position(0),
            }),
        }
    }

    pub(crate) fn say(&mut self) -> Draft {
        let most = if self.random.chance(1, 20) { LARGE_BYTES } else { SMALL_BYTES };
        let mut bytes = vec![0; self.pick_to(most) + 1];
        self.random.fill(&mut bytes);
        let id: MessageId = self.id("message");
        let index = self.pick(self.agents.len());
        let tended = &mut self.agents[index];
        let (agent, previous) = (tended.agent.clone(), tended.head.replace(id.clone()));
        tended.state.recent_head_message_id = Some(id.clone());
        let (state_id, state) = (tended.state_id.clone(), tended.state.clone());
        let (kept, content) = rules::content::keep((&agent).into(), Label::operator(), bytes);
        let thread = rules::thread::of_session(&agent, "crash");
        let message = Message::of(agent.clone(), thread, MessageKind::User, content);
        let message = Message { previous, ..message };
        let writes = vec![
            kept,
            Write::Record(RecordDraft::live(&id, message)),
            self.link(&agent, (&id).into(), Relation::AgentHead),
            Write::Record(RecordDraft::live(&state_id, state)),
        ];
        of_agent(&agent, None, writes)
    }

    pub(crate) fn move_cursor(&mut self) -> Draft {
        let index = self.unread().expect("chosen if a cursor can move");
        let tended = &mut self.agents[index];
        let (from, to) = (tended.cursor, tended.cursor + 1);
        tended.cursor = to;
        let agent = tended.agent.clone();
        of_agent(&agent, None, vec![move_cursor(&agent, from, to)])
    }

    fn event(&mut self, agent: &AgentId, kind: EventKind) -> Write {
        let body = serde_json::json!({ "commit": self.number, "words": self.text() });
        Write::Event(EventDraft { agent: agent.clone(), kind, body })
    }

    fn link(&self, from: &AgentId, to: RecordId, relation: Relation) -> Write {
        Write::Link(LinkDraft {
            id: self.id("link"),
            from: from.into(),
            to,
            relation,
            hidden: false,
            body: serde_json::Map::new(),
            deleted: false,
        })
    }

    /// An id that only this commit of this writer makes.
    fn id<T: std::str::FromStr<Err: std::fmt::Debug>>(&self, kind: &str) -> T {
        parsed(&format!("{kind}_{}-{}", self.tag, self.number))
    }

    fn text(&mut self) -> String {
        const WORDS: [&str; 6] = ["sleep", "wake", "Übung", "nap", "夢", "winter"];
        let mut text = format!("{:x}", self.random.next_u64());
        for _ in 0..self.random.below(20) {
            text.push(' ');
            text.push_str(WORDS[self.pick(WORDS.len())]);
        }
        text
    }

    fn pick(&mut self, below: usize) -> usize {
        self.pick_to(below as u64)
    }

    fn pick_to(&mut self, below: u64) -> usize {
        usize::try_from(self.random.below(below)).expect("an index below a length fits")
    }
}

fn of_agent(agent: &AgentId, run_key: Option<RunKey>, writes: Vec<Write>) -> Draft {
    Draft { domain: Domain::Agent, subject: agent.into(), run_key, writes }
}

fn move_cursor(agent: &AgentId, from: u64, to: u64) -> Write {
    Write::Cursor(CursorMove {
        name: CursorName::of_agent(agent),
        log: Domain::Journal,
        from: Position(from),
        to: Position(to),
    })
}

fn identity(agent: &AgentId, state: &StateId, words: String) -> AgentIdentity {
    AgentIdentity {
        agent_id: agent.clone(),
        template: "watcher".to_owned(),
        kind: AgentKind::Named,
        display_name: words,
        lifecycle: Lifecycle::Active,
        mode: Mode::Autonomous,
        visibility: Visibility::Public,
        ownership: Ownership::SelfOwned,
        profile: Profile::PublicNamed,
        agent_home: format!("agents/{agent}"),
        lineage_parent_agent_id: None,
        task_id: None,
        allowed_category_ids: [parsed("category_crash")].into(),
        current_state_id: state.clone(),
        config: AgentConfig::default(),
    }
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> T {
    text.parse().expect("plans spell ids right")
}
