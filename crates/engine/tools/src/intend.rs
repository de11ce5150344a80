//! Writing down what is about to be done, before it is: one commit for all calls of a group. What has
//! its answer already, a denial above all, is written down with it in the same commit.

use std::collections::BTreeSet;

use policy::{Denied, Rights};
use serde_json::{Value, json};
use tool::{Failure, Planned};
use types::{
    AuditDraft, Author, Commit, Compliance, Conflict, ContentRef, Domain, Guard, InvocationState,
    Outcome, RecordDraft, Write,
};

use crate::executor::Case;
use crate::judge::{Judged, told};
use crate::steps::{ANSWER, DENY, INTEND};
use crate::work::Work;
use crate::{Error, Executor, Receipt, Success};

/// Whether it was written down.
pub(crate) enum Intended {
    /// It was, or there was nothing to write.
    Written,
    /// Something stood in the way that was not there when the calls were judged.
    Moved(Conflict),
}

impl Executor {
    /// Writes down what is about to be done.
    pub(crate) async fn intend(&self, cases: &[Case], rights: &Rights) -> Result<Intended, Error> {
        let Some(first) = cases.first() else { return Ok(Intended::Written) };
        // The stopped cannot write, so that they were stopped is the runtime's to say.
        let author =
            if cases.iter().any(is_stopped) { Author::Runtime } else { first.work.author() };
        let now = self.world.now();
        let mut commit = Commit::new(Domain::Agent, author, now, vec![]).named(step(cases));
        for case in cases {
            add(&mut commit, case, rights);
        }
        if commit.audit.is_empty() {
            return Ok(Intended::Written);
        }
        match self.store.commit(commit).await? {
            Outcome::Conflict(conflict) => Ok(Intended::Moved(conflict)),
            Outcome::Applied(_) | Outcome::Idempotent(_) => Ok(Intended::Written),
        }
    }
}

fn is_stopped(case: &Case) -> bool {
    matches!(&case.judged, Judged::Denied(denied) if denied.is_stop())
}

fn step(cases: &[Case]) -> &'static str {
    let any = |wanted: fn(&Judged) -> bool| cases.iter().any(|case| wanted(&case.judged));
    if any(|judged| matches!(judged, Judged::Change(..))) {
        INTEND
    } else if any(|judged| matches!(judged, Judged::Answered(..))) {
        ANSWER
    } else {
        DENY
    }
}

fn add(commit: &mut Commit, case: &Case, rights: &Rights) {
    let Case { work, standing, judged } = case;
    let (state, place) = match judged {
        Judged::Recorded => return,
        Judged::Denied(denied) => {
            commit.audit.push(audit_of_denial(work, denied));
            let Some(place) = standing.place_for_denial(work) else { return };
            let result = work.keep_answer(&denial(work, denied), &mut commit.writes);
            (InvocationState::Denied { rule: denied.rule.to_owned(), result }, place)
        }
        Judged::Answered(admitted, planned) => {
            commit.audit.push(audit(work, "tool.allow", admitted.rule()));
            if let Err(failure) = planned {
                commit.audit.push(audit(work, "tool.failed", failure.kind.as_str()));
            }
            let result = work.keep_answer(&answer(work, planned), &mut commit.writes);
            (answered(result, planned.is_ok()), standing.revision())
        }
        Judged::Change(admitted, _) => {
            commit.audit.push(audit(work, "tool.allow", admitted.rule()));
            (InvocationState::Intended, standing.revision())
        }
    };
    commit.writes.push(work.keep_arguments());
    let record = RecordDraft::live(&work.invocation, work.record(state));
    commit.writes.push(Write::Record(record));
    let record = (&work.invocation).into();
    commit.guards.push(Guard::Revision { record, expected: place });
    if judged.takes(work) {
        count(commit, work, rights);
    }
}

fn answered(result: ContentRef, well: bool) -> InvocationState {
    if !well {
        return InvocationState::Failed { result };
    }
    let compliance = Compliance::Compliant;
    InvocationState::Done { result, compliance, changed: vec![], repeated: false }
}

/// Counts a call whose tool has a quota, on the condition that all that are counted are within it.
fn count(commit: &mut Commit, work: &Work, rights: &Rights) {
    let Some(quota) = rights.quotas.get(&work.tool).copied() else { return };
    let (agent, thread) = (work.call.agent.clone(), work.call.thread.clone());
    let (tool, call) = (work.tool.clone(), work.invocation.clone());
    let guard = Guard::ToolQuota {
        agent: agent.clone(),
        thread: thread.clone(),
        tool: tool.clone(),
        quota,
    };
    if !commit.guards.contains(&guard) {
        commit.guards.push(guard);
    }
    commit.writes.push(Write::CountTool { agent, thread, tool, call });
}

/// The answer to a call that changes nothing.
pub(crate) fn answer(work: &Work, planned: &Result<Planned, Failure>) -> Receipt {
    let result = planned.as_ref().map(|planned| Success {
        payload: if work.call.preview { shown(planned) } else { planned.answer.clone() },
        ..Success::default()
    });
    work.receipt(result.map_err(Failure::clone))
}

/// The answer to a call that was denied.
pub(crate) fn denial(work: &Work, denied: &Denied) -> Receipt {
    work.receipt(Err(told(&denied.denial)))
}

/// What a preview shows: which records would be written, and what the answer would be.
fn shown(planned: &Planned) -> Value {
    let records = planned.writes.iter().filter_map(|write| match write {
        Write::Record(draft) => Some(draft.id.as_str()),
        _ => None,
    });
    let records: BTreeSet<&str> = records.collect();
    json!({ "would_change": records, "would_answer": planned.answer })
}

/// An audit entry about a call.
pub(crate) fn audit(work: &Work, action: &'static str, why: &str) -> AuditDraft {
    let (subject, detail) = (work.invocation.to_string(), format!("{why}:{}", work.tool));
    AuditDraft { action, subject, detail }
}

/// The audit entry of a denial: the code and the tool.
pub(crate) fn audit_of_denial(work: &Work, denied: &Denied) -> AuditDraft {
    audit(work, "tool.deny", denied.denial.code.as_str())
}
