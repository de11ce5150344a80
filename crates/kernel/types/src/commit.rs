//! Commits: a write as a value.

use std::collections::BTreeSet;
use std::fmt;

use crate::{
    AgentId, Amounts, Arming, At, AuditDraft, Author, Body, BodyType, ContentDraft, Day, Domain,
    Epoch, EventDraft, FenceMove, FenceScope, Gate, Hint, Invalid, InvocationId, Label, LinkDraft,
    Occurrence, OperationDraft, Position, Quota, Record, RecordId, Rest, RunDraft, RunEnd, RunKey,
    ScheduleId, SkipReason, SlotName, ThreadId, Token, TriggerId, Usage, limits,
};

/// One atomic write: what to do, in whose name, and on which conditions.
///
/// Rules and services return it; the store applies it whole or not at all. Vector clocks,
/// revisions, change log, outbox, sequence log and the audit chain are the store's to write, in
/// the same transaction, so nobody can forget them.
#[derive(Debug, Clone, PartialEq)]
pub struct Commit {
    /// Which step of the program this is, such as `wake.match`: for traces, and for the simulator,
    /// which crashes before and after every one of them.
    pub step: &'static str,
    /// The file it goes to; no commit spans both.
    pub domain: Domain,
    /// In whose name.
    pub author: Author,
    /// What the author had read before it wrote this; nothing besides its own if that is absent.
    pub read: Option<Label>,
    /// When, by the caller's clock.
    pub at: At,
    /// What must still hold.
    pub guards: Vec<Guard>,
    /// What to do, in order.
    pub writes: Vec<Write>,
    /// The operation it carries out, if it is one: done once per id.
    pub operation: Option<OperationDraft>,
    /// What goes into the audit chain.
    pub audit: Vec<AuditDraft>,
    /// When it has to be on the disk.
    pub durability: Durability,
}

/// When a commit has to be on the disk.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// Before it is answered: somebody outside is about to rely on it.
    #[default]
    Barrier,
    /// With the next commit that must: the whole of it or nothing, in its order. A power cut may take
    /// it back, the death of the process does not.
    Soon,
}

/// A condition, evaluated inside the transaction; if it fails, nothing of the commit happens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Guard {
    /// The record is still at this revision; 0 means that it does not exist.
    Revision {
        /// Which record.
        record: RecordId,
        /// The revision that the caller has seen.
        expected: u64,
    },
    /// The fence admits this epoch. An agent's own and the global fence are checked always.
    Fence {
        /// Which fence.
        scope: FenceScope,
        /// The epoch that the caller was given.
        epoch: Epoch,
    },
    /// Nothing was merged into the run after this number of the log: then what the caller has looked
    /// at is all that the run stands for.
    NothingMergedSince {
        /// Which run.
        run_key: RunKey,
        /// The last run of the log when the caller looked.
        number: u64,
    },
    /// The run waits: nobody has begun it.
    Waiting {
        /// Which run.
        run_key: RunKey,
    },
    /// The agent has fewer unread envelopes than this.
    Mailbox {
        /// Whose.
        agent: AgentId,
        /// The limit.
        max: usize,
    },
    /// Nothing that carries the token was written after this position: what was listed is all there is.
    Quiet {
        /// About what.
        token: Token,
        /// The end of the log before the caller looked.
        since: Position,
    },
    /// No live record of the kind bears the mark: a name is free, no timer runs.
    Unmarked {
        /// Of which kind.
        kind: BodyType,
        /// Which mark; see `rules::mark`.
        mark: String,
    },
    /// With what the commit itself counts, the agent has called the tool no more often than it may.
    ToolQuota {
        /// Who calls.
        agent: AgentId,
        /// In which session.
        thread: ThreadId,
        /// Which tool.
        tool: String,
        /// How often it may.
        quota: Quota,
    },
}

impl Guard {
    /// The record is still as it was read.
    #[must_use]
    pub fn unchanged(record: &Record) -> Guard {
        Guard::Revision { record: record.id.clone(), expected: record.revision }
    }
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Writes a record, new or again.
    Record(RecordDraft),
    /// Writes a link, new or again.
    Link(LinkDraft),
    /// Keeps a content; the same again is the same row.
    Content(ContentDraft),
    /// Raises, closes or opens a fence.
    Fence(FenceMove),
    /// Raises a fence and leaves it as open or closed as it stands; a conflict if it stands as high already.
    RaiseFence {
        /// Which fence.
        scope: FenceScope,
        /// The epoch to raise it to.
        epoch: Epoch,
    },
    /// Moves a durable cursor.
    Cursor(CursorMove),
    /// Lets go of the changes of the file's own log up to a position, and of all that is known of them there. This
    /// host's last one stays: the log goes on from it.
    Trim {
        /// Which was the last.
        up_to: Position,
    },
    /// Tells an agent's followers.
    Event(EventDraft),
    /// Queues a wake, unless its key is already in the log. One that only says "look" is merged
    /// into the agent's oldest queued run that has not been tried.
    QueueRun(RunDraft),
    /// Begins a queued run; a conflict if its agent has another one begun.
    StartRun {
        /// Which.
        run_key: RunKey,
    },
    /// Puts a begun run back into the queue, to be tried once more.
    RetryRun {
        /// Which.
        run_key: RunKey,
        /// Not before this time.
        not_before: Option<At>,
        /// It failed; otherwise it was stopped from outside.
        failed: bool,
        /// What it spent since it began, besides what its end will name.
        usage: Usage,
    },
    /// Sets what a queued run waits for.
    GateRun {
        /// Which.
        run_key: RunKey,
        /// What for.
        gate: Gate,
    },
    /// Lets every run be judged anew that waits for a time, except envelopes that wait for theirs:
    /// when the clock was set back, nobody is to wait until it has caught up.
    ReopenRuns,
    /// Lets an agent's queued runs go that were held, or that waited for a cooldown or a barrier.
    ReleaseRuns {
        /// Whose.
        agent: AgentId,
    },
    /// Ends a run that has not ended.
    EndRun {
        /// Which.
        run_key: RunKey,
        /// How.
        end: RunEnd,
        /// What it spent, on top of what it was put back with.
        usage: Usage,
    },
    /// Keeps how an agent went to sleep.
    Rest(Rest),
    /// Keeps a hint until its agent has looked.
    Hint(Hint),
    /// Lets go of a hint that an agent has seen; one that came since stays.
    SeenHint {
        /// Whose.
        agent: AgentId,
        /// Through which trigger.
        trigger: TriggerId,
        /// How many had come.
        count: u64,
    },
    /// Sets a schedule's clock from where the caller saw it.
    Arm(ArmMove),
    /// Records an occurrence, unless its slot is recorded already.
    Occur(Occurrence),
    /// Ends an occurrence by policy; its run, if any, goes on for others.
    SkipOccurrence {
        /// Of which schedule.
        schedule: ScheduleId,
        /// Which.
        slot: SlotName,
        /// Why.
        why: SkipReason,
    },
    /// Sets aside what a run is about to spend. What it had set aside before and never settled counts
    /// as spent.
    Reserve {
        /// Whose.
        agent: AgentId,
        /// The person's local day.
        day: Day,
        /// For which run.
        run_key: RunKey,
        /// How much.
        amounts: Amounts,
    },
    /// Lets go of what a run has set aside, and counts what it spent instead.
    Settle {
        /// Whose.
        agent: AgentId,
        /// The person's local day.
        day: Day,
        /// Of which run.
        run_key: RunKey,
        /// How much was spent.
        amounts: Amounts,
    },
    /// Counts a call of a tool, once per call: in its session, and in the day that is open.
    CountTool {
        /// Who calls.
        agent: AgentId,
        /// In which session.
        thread: ThreadId,
        /// Which tool.
        tool: String,
        /// Which call.
        call: InvocationId,
    },
}

/// Sets a schedule's clock. If the last slot is not the one that the caller saw, somebody else has
/// dealt with it: a conflict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmMove {
    /// The last slot that the caller saw as dealt with.
    pub from: Option<SlotName>,
    /// Where the clock goes.
    pub to: Arming,
}

impl ArmMove {
    /// Stops a clock: time alone makes its schedule due no more.
    #[must_use]
    pub fn stop(arming: Arming) -> ArmMove {
        let from = arming.last_slot.clone();
        ArmMove { from, to: Arming { next_at: None, local_zone: None, ..arming } }
    }
}

/// A record as it goes into a commit; the store adds revision, times and clock.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordDraft {
    /// Its id.
    pub id: RecordId,
    /// What it is.
    pub body: Body,
    /// Leaves a tombstone instead of a live record.
    pub deleted: bool,
    /// When it was first written elsewhere, if it comes from there. Absent means now for a new record,
    /// and for others that it stays.
    pub created_at: Option<At>,
}

impl RecordDraft {
    /// A live record.
    pub fn live(id: impl Into<RecordId>, body: impl Into<Body>) -> RecordDraft {
        RecordDraft { id: id.into(), body: body.into(), deleted: false, created_at: None }
    }

    /// A tombstone of a record that was.
    pub fn gone(id: impl Into<RecordId>, body: impl Into<Body>) -> RecordDraft {
        RecordDraft { deleted: true, ..RecordDraft::live(id, body) }
    }
}

/// The name of a durable cursor over a change log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CursorName(String);

impl CursorName {
    /// The cursor of a part of Dormouse.
    #[must_use]
    pub fn of_service(name: &'static str) -> CursorName {
        CursorName(name.to_owned())
    }

    /// An agent's own cursor: up to where it has looked.
    #[must_use]
    pub fn of_agent(agent: &crate::AgentId) -> CursorName {
        CursorName(agent.to_string())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CursorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Moves a cursor from where the caller saw it. Somewhere else by now, or backwards, is a conflict:
/// two consumers under one name would each believe to have done the other's work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CursorMove {
    /// Which cursor.
    pub name: CursorName,
    /// Over which file's log.
    pub log: Domain,
    /// Where it was seen.
    pub from: Position,
    /// Where it goes.
    pub to: Position,
}

impl Commit {
    /// A commit without conditions.
    #[must_use]
    pub fn new(domain: Domain, author: Author, at: At, writes: Vec<Write>) -> Commit {
        let step = "unnamed";
        Commit {
            step,
            domain,
            author,
            read: None,
            at,
            guards: vec![],
            writes,
            operation: None,
            audit: vec![],
            durability: Durability::Barrier,
        }
    }

    /// The same, named after the step that it is.
    #[must_use]
    pub fn named(self, step: &'static str) -> Commit {
        Commit { step, ..self }
    }

    /// The same, on the disk only with the next commit that has to be there.
    #[must_use]
    pub fn soon(self) -> Commit {
        Commit { durability: Durability::Soon, ..self }
    }

    /// The same, on one more condition.
    #[must_use]
    pub fn guarded(mut self, guard: Guard) -> Commit {
        self.guards.push(guard);
        self
    }

    /// Where the words came from that it writes.
    #[must_use]
    pub fn label(&self) -> Label {
        match &self.read {
            Some(read) => self.author.having_read(read),
            None => self.author.label(),
        }
    }

    /// Refuses what must never reach a file: records of the other domain, records that break their
    /// own rules, and more than the limits allow.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), Invalid> {
        let writes = self.writes.len();
        Invalid::unless_within("writes", writes, limits::COMMIT_WRITES_MAX, "writes")?;
        self.writes.iter().try_for_each(|write| self.check_write(write))?;
        self.check_repeats()
    }

    /// Guards look at what is stored, so a commit that moves the same thing twice would be judged by
    /// its first move only.
    fn check_repeats(&self) -> Result<(), Invalid> {
        let mut moved = BTreeSet::new();
        for write in &self.writes {
            let what = match write {
                Write::Cursor(cursor) => format!("cursor {} over {}", cursor.name, cursor.log),
                Write::Fence(FenceMove { scope, .. }) | Write::RaiseFence { scope, .. } => {
                    format!("fence {scope}")
                }
                Write::StartRun { run_key }
                | Write::RetryRun { run_key, .. }
                | Write::GateRun { run_key, .. }
                | Write::EndRun { run_key, .. } => format!("run {run_key}"),
                Write::Arm(arm) => format!("clock of {}", arm.to.schedule),
                _ => continue,
            };
            if !moved.insert(what.clone()) {
                return Err(Invalid::new("writes", format!("move {what} twice")));
            }
        }
        Ok(())
    }

    fn check_write(&self, write: &Write) -> Result<(), Invalid> {
        match write {
            Write::Record(draft) => {
                draft.body.check(&draft.id)?;
                match draft.body.body_type().map(crate::BodyType::domain) {
                    Some(domain) if domain == self.domain => Ok(()),
                    _ => Err(self.misplaced(draft.body.kind())),
                }
            }
            Write::Link(link) if link.relation.domain().is_some_and(|own| own != self.domain) => {
                Err(Invalid::new(
                    "domain",
                    format!(
                        "{} does not hold links that say {}",
                        self.domain,
                        link.relation.as_str()
                    ),
                ))
            }
            Write::Content(content) => {
                let max = limits::CONTENT_BYTES_MAX;
                Invalid::unless_within("content", content.bytes.len(), max, "bytes")
            }
            Write::Cursor(cursor) if cursor.to < cursor.from => {
                Err(Invalid::new("cursor", "would move backwards"))
            }
            Write::Event(_) if self.domain == Domain::Journal => Err(self.misplaced("event")),
            Write::QueueRun(_)
            | Write::StartRun { .. }
            | Write::RetryRun { .. }
            | Write::GateRun { .. }
            | Write::ReopenRuns
            | Write::ReleaseRuns { .. }
            | Write::EndRun { .. }
                if self.domain == Domain::Journal =>
            {
                Err(self.misplaced("wake run"))
            }
            Write::Rest(_)
            | Write::Hint(_)
            | Write::SeenHint { .. }
            | Write::Arm(_)
            | Write::Occur(_)
            | Write::SkipOccurrence { .. }
                if self.domain == Domain::Journal =>
            {
                Err(self.misplaced("wake state"))
            }
            Write::CountTool { .. } | Write::Reserve { .. } | Write::Settle { .. }
                if self.domain == Domain::Journal =>
            {
                Err(self.misplaced("account"))
            }
            _ => Ok(()),
        }
    }

    fn misplaced(&self, what: &str) -> Invalid {
        Invalid::new("domain", format!("{} does not hold a record of kind {what}", self.domain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentId, AgentState, Category, EventKind};

    fn commit(domain: Domain, write: Write) -> Commit {
        Commit::new(domain, Author::Operator, At::EPOCH, vec![write])
    }

    #[test]
    fn the_journal_refuses_everything_of_agents() {
        let agent: AgentId = "agent_a".parse().unwrap();
        let id: RecordId = "state_a".parse().unwrap();
        let state = RecordDraft::live(id, AgentState::newborn(agent.clone()));
        let event =
            EventDraft { agent, kind: EventKind::AgentCreated, body: serde_json::Value::Null };
        for write in [Write::Record(state), Write::Event(event)] {
            assert!(commit(Domain::Agent, write.clone()).check().is_ok());
            let refused = commit(Domain::Journal, write).check().unwrap_err();
            assert_eq!(refused.field, "domain");
        }
        let id: RecordId = "category_home".parse().unwrap();
        let category = RecordDraft::live(id, Category::named("home"));
        assert!(commit(Domain::Agent, Write::Record(category)).check().is_err());
    }

    #[test]
    fn the_links_of_agents_stay_with_the_agents() {
        let link = |relation| {
            Write::Link(LinkDraft {
                id: "link_1".parse().unwrap(),
                from: "agent_a".parse().unwrap(),
                to: "task_1".parse().unwrap(),
                relation,
                hidden: false,
                body: serde_json::Map::new(),
                deleted: false,
            })
        };
        let agents = link(crate::Relation::AgentTask);
        assert!(commit(Domain::Agent, agents.clone()).check().is_ok());
        assert_eq!(commit(Domain::Journal, agents).check().unwrap_err().field, "domain");
        let tasks = link(crate::Relation::Blocks);
        assert!(commit(Domain::Journal, tasks.clone()).check().is_ok());
        assert!(commit(Domain::Agent, tasks).check().is_err());
    }

    #[test]
    fn what_exceeds_a_limit_is_refused() {
        let subject: RecordId = "x".parse().unwrap();
        let bytes = vec![0; limits::CONTENT_BYTES_MAX + 1].into();
        let content = ContentDraft { subject, label: Label::operator(), bytes };
        assert_eq!(
            commit(Domain::Agent, Write::Content(content)).check().unwrap_err().field,
            "content"
        );
        let cursor = CursorMove {
            name: CursorName::of_service("x"),
            log: Domain::Journal,
            from: Position(2),
            to: Position(1),
        };
        let mut many = commit(Domain::Agent, Write::Cursor(cursor.clone()));
        assert_eq!(many.check().unwrap_err().field, "cursor");
        let forwards = Write::Cursor(CursorMove { to: Position(3), ..cursor });
        let mut twice = commit(Domain::Agent, forwards.clone());
        assert_eq!(twice.check(), Ok(()));
        twice.writes.push(forwards);
        assert_eq!(twice.check().unwrap_err().field, "writes");
        many.writes = vec![many.writes[0].clone(); limits::COMMIT_WRITES_MAX + 1];
        assert_eq!(many.check().unwrap_err().field, "writes");
    }
}
