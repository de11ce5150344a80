//! What a commit must leave in the store, derived from the commit itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use types::{
    AgentId, At, AuditDraft, Author, Body, Commit, ContentRef, CursorName, Domain, EventKind,
    LinkDraft, OperationDraft, OperationId, Position, RecordDraft, RecordId, Relation, RunDraft,
    RunEnd, RunKey, Token, Usage, Write,
};

/// How often a writer has written each of its records, and how many events each of its agents has.
///
/// A writer's records are its own and its commits are applied in their order, so it can count along
/// without asking the store.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    revisions: BTreeMap<RecordId, u64>,
    events: BTreeMap<AgentId, u64>,
}

impl Counts {
    /// The revision of a record after all commits so far; zero if it does not exist.
    #[must_use]
    pub fn revision(&self, record: &RecordId) -> u64 {
        self.revisions.get(record).copied().unwrap_or(0)
    }
}

/// What one commit must leave.
#[derive(Debug, Clone)]
pub struct Left {
    /// In which file.
    pub domain: Domain,
    /// The records and links that other hosts have to hear of.
    pub units: BTreeSet<RecordId>,
    /// Each thing that must be there.
    pub traces: Vec<Trace>,
}

/// One thing that a commit leaves.
#[derive(Debug, Clone)]
pub enum Trace {
    /// A record at a revision, or at a later one.
    Record {
        /// What was written.
        draft: Box<RecordDraft>,
        /// Which of its writes this was.
        revision: u64,
    },
    /// A link.
    Link {
        /// From which record.
        from: RecordId,
        /// To which.
        to: RecordId,
        /// How.
        relation: Relation,
    },
    /// A row in the index of listeners.
    Listener {
        /// For what it listens.
        token: Token,
        /// Whose.
        agent: AgentId,
    },
    /// A content.
    Content(ContentRef),
    /// A cursor at a position, or further.
    Cursor {
        /// Which.
        name: CursorName,
        /// Over which log.
        log: Domain,
        /// Where it was moved to.
        to: Position,
    },
    /// An event.
    Event {
        /// Whose.
        agent: AgentId,
        /// Its number among the agent's.
        number: u64,
        /// What happened.
        kind: EventKind,
        /// Its particulars.
        body: serde_json::Value,
    },
    /// A run in the log.
    RunQueued(RunDraft),
    /// A run that has ended.
    RunEnded {
        /// Which.
        run_key: RunKey,
        /// How.
        end: RunEnd,
        /// What it spent.
        usage: Usage,
    },
    /// An operation with its result and its pre-image.
    Operation {
        /// What was done.
        draft: OperationDraft,
        /// The records it replaced, each with its revision.
        before: Vec<(RecordId, u64)>,
    },
    /// The operation's change: in the change log, the sequence log and the outbox.
    Change {
        /// Whose change.
        operation: OperationId,
        /// Who wrote it.
        author: Author,
        /// When.
        at: At,
        /// The records it must name in its tokens: those that somebody can be woken by.
        about: BTreeSet<RecordId>,
    },
    /// An audit entry.
    Audit {
        /// What was written.
        draft: AuditDraft,
        /// Who, as the chain spells it.
        actor: String,
        /// When.
        at: At,
    },
}

impl Left {
    /// What a commit leaves, if all of the writer's earlier ones are applied.
    #[must_use]
    pub fn by(commit: &Commit, counts: &mut Counts) -> Left {
        let (mut units, mut about) = (BTreeSet::new(), BTreeSet::new());
        let (mut traces, mut before) = (Vec::new(), Vec::new());
        for write in &commit.writes {
            match write {
                Write::Record(draft) => {
                    units.insert(draft.id.clone());
                    if draft.body.body_type().is_some_and(rules::token::is_heard) {
                        about.insert(draft.id.clone());
                    }
                    before.extend(replaced(draft, counts));
                    traces.extend(of_record(draft, counts));
                }
                Write::Link(link) => {
                    units.insert((&link.id).into());
                    traces.push(of_link(link));
                }
                other => traces.extend(of_local(other, counts)),
            }
        }
        if let Some(draft) = commit.operation.clone() {
            let operation = draft.id;
            traces.push(Trace::Operation { draft, before });
            if !units.is_empty() {
                let (author, at) = (commit.author.clone(), commit.at);
                traces.push(Trace::Change { operation, author, at, about });
            }
        }
        traces.extend(of_audit(commit));
        Left { domain: commit.domain, units, traces }
    }

    /// How many runs it queues.
    #[must_use]
    pub fn runs_queued(&self) -> usize {
        self.traces.iter().filter(|trace| matches!(trace, Trace::RunQueued(_))).count()
    }
}

fn replaced(draft: &RecordDraft, counts: &Counts) -> Option<(RecordId, u64)> {
    let revision = counts.revision(&draft.id);
    (revision > 0).then(|| (draft.id.clone(), revision))
}

fn of_record(draft: &RecordDraft, counts: &mut Counts) -> Vec<Trace> {
    let revision = counts.revisions.entry(draft.id.clone()).or_default();
    *revision += 1;
    let mut traces = vec![Trace::Record { draft: Box::new(draft.clone()), revision: *revision }];
    if let Body::AgentSubscription(subscription) = &draft.body {
        let agent = &subscription.agent_id;
        let listener =
            |token: &Token| Trace::Listener { token: token.clone(), agent: agent.clone() };
        traces.extend(subscription.tokens.iter().map(listener));
    }
    traces
}

fn of_link(link: &LinkDraft) -> Trace {
    Trace::Link { from: link.from.clone(), to: link.to.clone(), relation: link.relation.clone() }
}

/// Rows that stay on this host.
fn of_local(write: &Write, counts: &mut Counts) -> Vec<Trace> {
    vec![match write {
        Write::Content(content) => Trace::Content(content.at()),
        Write::Cursor(cursor) => {
            Trace::Cursor { name: cursor.name.clone(), log: cursor.log, to: cursor.to }
        }
        Write::Event(event) => counts.next_event(&event.agent, event.kind, event.body.clone()),
        Write::QueueRun(draft) => {
            // The store tells the agent's followers of it by itself.
            let body = json!({ "run_key": draft.run_key, "reason": draft.reason });
            let told = counts.next_event(&draft.agent, EventKind::WakeQueued, body);
            return vec![Trace::RunQueued(draft.clone()), told];
        }
        Write::EndRun { run_key, end, usage } => {
            Trace::RunEnded { run_key: *run_key, end: end.clone(), usage: *usage }
        }
        // Records and links have traces of their own. The rest is the simulator's matter: no plan
        // here has it.
        _ => return vec![],
    }]
}

impl Counts {
    fn next_event(&mut self, agent: &AgentId, kind: EventKind, body: Value) -> Trace {
        let number = self.events.entry(agent.clone()).or_default();
        *number += 1;
        Trace::Event { agent: agent.clone(), number: *number, kind, body }
    }
}

fn of_audit(commit: &Commit) -> Vec<Trace> {
    let actor = serde_json::to_string(&commit.author).expect("authors are JSON");
    let trace = |draft: &AuditDraft| Trace::Audit {
        draft: draft.clone(),
        actor: actor.clone(),
        at: commit.at,
    };
    commit.audit.iter().map(trace).collect()
}
