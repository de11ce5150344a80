//! From a call to what is to become of it.

use policy::{Admitted, Decision, Denial, Denied, Rights, Snapshot, judge};
use serde_json::json;
use tool::{Failure, Planned};
use types::{Code, Domain};

use crate::Executor;
use crate::name::Drafted;
use crate::registry::Entry;
use crate::standing::{Fences, Standing};
use crate::work::Work;

/// The rule before all others: there is such a tool.
const REGISTRY: &str = "registry";

/// What is to become of a call.
pub(crate) enum Judged {
    /// It may not be done.
    Denied(Denied),
    /// It was done before.
    Recorded,
    /// It is allowed and changes nothing: a read, a preview, something that is so already, or a plan
    /// that came to nothing.
    Answered(Admitted, Result<Planned, Failure>),
    /// It is allowed and changes something in the journal.
    Change(Admitted, Planned),
    /// It is allowed and would change nothing in the journal as that is now; what it comes to is known when the calls
    /// before it are done.
    Waits(Admitted),
    /// It is allowed and changes something among the agent's own records.
    Own(Admitted, Planned),
}

impl Judged {
    /// Whether it counts against a quota: what was allowed does, whatever comes of it.
    pub(crate) fn takes(&self, work: &Work) -> bool {
        let uncounted = matches!(self, Judged::Denied(_) | Judged::Recorded);
        !uncounted && !work.call.preview
    }
}

impl Executor {
    /// Judges a call, and asks its tool what it would do as soon as nothing else stands against it.
    pub(crate) async fn judge_call(
        &self,
        work: &Work,
        standing: &Standing,
        fences: &Fences,
        rights: &Rights,
        drafted: Option<Drafted>,
    ) -> Judged {
        let Some(entry) = &work.entry else { return Judged::Denied(unknown_tool(work)) };
        let request = work.request(entry);
        let mut snapshot = Snapshot {
            complaints: &work.complaints,
            rights,
            global_fence: fences.global,
            agent_fence: fences.agent,
            stopped: &fences.stopped,
            earlier: standing.earlier(work),
            counts: standing.counts,
            plan: None,
        };
        match judge(&request, &snapshot) {
            Decision::Denied(denied) => return Judged::Denied(denied),
            Decision::Recorded => return Judged::Recorded,
            Decision::Plan | Decision::Admitted(_) => {}
        }
        let (looked, planned) = self.plan(entry, work, drafted).await;
        snapshot.plan = Some(&looked);
        match judge(&request, &snapshot) {
            Decision::Admitted(admitted) => allowed(entry, admitted, planned),
            Decision::Denied(denied) => Judged::Denied(denied),
            Decision::Recorded | Decision::Plan => {
                unreachable!("the same call was to be planned, and was")
            }
        }
    }
}

fn allowed(entry: &Entry, admitted: Admitted, planned: Result<Planned, Failure>) -> Judged {
    match planned {
        Ok(planned) if admitted.operation().is_some() && !planned.writes.is_empty() => {
            debug_assert!(entry.contract().mutates(), "only what mutates has an operation");
            match planned.domain {
                Domain::Journal => Judged::Change(admitted, planned),
                Domain::Agent => Judged::Own(admitted, planned),
            }
        }
        planned => Judged::Answered(admitted, planned),
    }
}

pub(crate) fn unknown_tool(work: &Work) -> Denied {
    let message = format!("there is no tool called {}", work.tool);
    let hint = "call one of the tools that were offered";
    Denied { rule: REGISTRY, denial: Denial::of(Code::UnknownTool, message, hint) }
}

/// What whoever called is told of a denial.
pub(crate) fn told(denial: &Denial) -> Failure {
    let details = denial.complaints.first().map(|first| {
        let all = denial.complaints.iter();
        let all: Vec<_> = all.map(|one| json!({ "field": one.field, "what": one.what })).collect();
        match &first.field {
            Some(field) => json!({ "field": field, "complaints": all }),
            None => json!({ "complaints": all }),
        }
    });
    let failure = Failure::of(denial.code, denial.message.clone(), denial.hint.clone());
    Failure { details, retryable: denial.retryable, ..failure }
}
