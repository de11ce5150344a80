//! What a writer will do: a pure function of a seed.

use testkit::Random;
use types::{
    AgentId, AgentState, At, AuditDraft, Author, Commit, Domain, Guard, MessageId, OperationDraft,
    OperationId, RecordId, RunKey, StateId, TaskId, Write,
};

use crate::left::{Counts, Left};
use crate::write::IN_FLIGHT;

/// The commits of one writer, one after the other, without end.
///
/// Every record, run and cursor that it names is this writer's alone, so no other writer can stand
/// in its way and each commit must be applied.
#[derive(Debug, Clone)]
pub struct Plan {
    pub(crate) tag: String,
    pub(crate) random: Random,
    pub(crate) number: u64,
    pub(crate) tasks: Vec<TaskId>,
    pub(crate) agents: Vec<Tended>,
    /// Which commits went to the journal.
    journaled: Vec<u64>,
    counts: Counts,
}

/// An agent of this writer.
#[derive(Debug, Clone)]
pub(crate) struct Tended {
    pub(crate) agent: AgentId,
    pub(crate) state_id: StateId,
    pub(crate) state: AgentState,
    pub(crate) cursor: u64,
    pub(crate) open_runs: Vec<RunKey>,
    pub(crate) head: Option<MessageId>,
}

/// A commit, and what it must leave.
#[derive(Debug, Clone)]
pub struct Step {
    /// Which of the writer's commits, from zero.
    pub number: u64,
    /// What it does.
    pub verb: Verb,
    /// The commit.
    pub commit: Commit,
    /// What it must leave.
    pub left: Left,
}

/// What a commit does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// A new task.
    CreateTask,
    /// A task written again.
    UpdateTask,
    /// A task's tombstone.
    DeleteTask,
    /// An agent with its state, link, subscription and event.
    CreateAgent,
    /// Some runs, local rows only.
    QueueRuns,
    /// A run's end with the agent's new state, cursor and event.
    EndRun,
    /// A content and the message that points to it, now and then a large one.
    Say,
    /// A cursor, and nothing else.
    MoveCursor,
}

impl Verb {
    /// The verb as operations and audit entries spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Verb::CreateTask => "create_task",
            Verb::UpdateTask => "update_task",
            Verb::DeleteTask => "delete_task",
            Verb::CreateAgent => "create_agent",
            Verb::QueueRuns => "queue_runs",
            Verb::EndRun => "end_run",
            Verb::Say => "say",
            Verb::MoveCursor => "move_cursor",
        }
    }
}

/// A commit before guards, operation and audit entry are put to it.
pub(crate) struct Draft {
    pub(crate) domain: Domain,
    pub(crate) subject: RecordId,
    pub(crate) run_key: Option<RunKey>,
    pub(crate) writes: Vec<Write>,
}

impl Plan {
    /// The plan of one writer of a seed.
    #[must_use]
    pub fn new(seed: u64, writer: u64) -> Plan {
        // One step of the generator first: neighbouring seeds and writers must not run in parallel.
        let random = Random::seeded(Random::seeded(seed).next_u64() ^ writer);
        Plan {
            tag: format!("{seed:x}-{writer:x}"),
            random,
            number: 0,
            tasks: Vec::new(),
            agents: Vec::new(),
            journaled: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// The next commit.
    pub fn step(&mut self) -> Step {
        let verb = self.choose();
        let draft = match verb {
            Verb::CreateTask => self.create_task(),
            Verb::UpdateTask => self.update_task(),
            Verb::DeleteTask => self.delete_task(),
            Verb::CreateAgent => self.create_agent(),
            Verb::QueueRuns => self.queue_runs(),
            Verb::EndRun => self.end_run(),
            Verb::Say => self.say(),
            Verb::MoveCursor => self.move_cursor(),
        };
        let number = self.number;
        if draft.domain == Domain::Journal {
            self.journaled.push(number);
        }
        let commit = self.dress(verb, draft);
        let left = Left::by(&commit, &mut self.counts);
        self.number += 1;
        Step { number, verb, commit, left }
    }

    /// How far anybody can have read in the journal, whoever else writes there: as far as this
    /// writer has been answered. A cursor beyond it may name a change that a death takes away.
    pub(crate) fn readable(&self) -> u64 {
        self.journaled.partition_point(|number| number + IN_FLIGHT <= self.number) as u64
    }

    /// An agent whose cursor can move.
    pub(crate) fn unread(&self) -> Option<usize> {
        self.agents.iter().position(|tended| tended.cursor < self.readable())
    }

    fn choose(&mut self) -> Verb {
        let verb = match self.random.below(100) {
            0..25 => Verb::CreateTask,
            25..47 => Verb::UpdateTask,
            47..52 => Verb::DeleteTask,
            52..59 => Verb::CreateAgent,
            59..72 => Verb::QueueRuns,
            72..84 => Verb::EndRun,
            84..94 => Verb::Say,
            _ => Verb::MoveCursor,
        };
        let has_run = self.agents.iter().any(|agent| !agent.open_runs.is_empty());
        match verb {
            Verb::UpdateTask | Verb::DeleteTask if self.tasks.is_empty() => Verb::CreateTask,
            Verb::QueueRuns | Verb::EndRun | Verb::Say | Verb::MoveCursor
                if self.agents.is_empty() =>
            {
                Verb::CreateAgent
            }
            Verb::EndRun if !has_run => Verb::QueueRuns,
            Verb::MoveCursor if self.unread().is_none() => Verb::CreateTask,
            possible => possible,
        }
    }

    /// Guards every record by its revision, and leaves the witnesses by which a commit is found:
    /// an operation where others hear of it, an audit entry nearly always.
    fn dress(&mut self, verb: Verb, draft: Draft) -> Commit {
        let Draft { domain, subject, run_key, writes } = draft;
        let name = format!("{}-{}", self.tag, self.number);
        let guards = writes.iter().filter_map(|write| match write {
            Write::Record(record) => Some(Guard::Revision {
                record: record.id.clone(),
                expected: self.counts.revision(&record.id),
            }),
            _ => None,
        });
        let guards = guards.collect();
        let synced = writes.iter().any(|w| matches!(w, Write::Record(_) | Write::Link(_)));
        let operation = synced.then(|| OperationDraft {
            id: OperationId(rules::hash::fields(["crash operation", &name])),
            verb: verb.as_str(),
            subject: subject.clone(),
            run_key,
            result: serde_json::json!({ "subject": subject, "commit": name }),
        });
        let audit = match verb {
            Verb::MoveCursor => vec![],
            _ => vec![AuditDraft {
                action: verb.as_str(),
                subject: name,
                detail: format!("{:x}", self.random.next_u64()),
            }],
        };
        let author = if self.random.chance(1, 2) { Author::Operator } else { Author::Runtime };
        let step = "crash.write";
        Commit {
            guards,
            operation,
            audit,
            ..Commit::new(domain, author, self.at(), writes).named(step)
        }
    }

    fn at(&self) -> At {
        let millis = i64::try_from(self.number).expect("no plan gets that far");
        At::from_millis(1_800_000_000_000).plus_millis(millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_writer_give_the_same_commits() {
        let commits = |seed, writer| -> Vec<Commit> {
            let mut plan = Plan::new(seed, writer);
            (0..200).map(|_| plan.step().commit).collect()
        };
        assert_eq!(commits(7, 1), commits(7, 1));
        assert_ne!(commits(7, 1), commits(7, 2));
        assert_ne!(commits(7, 1), commits(8, 1));
    }

    #[test]
    fn no_cursor_names_a_change_that_may_not_be_there() {
        let mut plan = Plan::new(0, 0xfff);
        let mut steps = Vec::new();
        let mut moved = 0;
        for number in 0..2_000 {
            let step = plan.step();
            let answered = |earlier: &&Step| earlier.number + IN_FLIGHT <= number;
            let journaled = steps.iter().filter(answered);
            let journaled = journaled.filter(|step| step.commit.domain == Domain::Journal).count();
            for write in &step.commit.writes {
                if let Write::Cursor(cursor) = write {
                    assert!(cursor.to.0 <= journaled as u64, "{number}: {cursor:?}, {journaled}");
                    assert!(cursor.from < cursor.to);
                    moved += 1;
                }
            }
            steps.push(step);
        }
        assert!(moved > 100, "{moved}");
    }

    #[test]
    fn every_verb_comes_up_and_every_commit_is_valid() {
        let mut plan = Plan::new(1, 0);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..400 {
            let step = plan.step();
            assert_eq!(step.commit.check(), Ok(()));
            assert!(!step.left.traces.is_empty());
            seen.insert(step.verb.as_str());
        }
        assert_eq!(seen.len(), 8, "{seen:?}");
    }
}
