//! Judging a call of the past again, from its record.

use std::collections::BTreeSet;

use policy::{Decision, Rights, Snapshot, is_of_the_moment, judge};
use tool::Call;
use types::{Domain, Fence, InvocationState, MessageId, ToolCounts, ToolInvocation, Verdict};

use crate::judge::unknown_tool;
use crate::recorded::{kept_in, parsed};
use crate::work::Work;
use crate::{Error, Executor, Receipt};

/// What came of judging a call of the past again.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejudged {
    /// What it was answered; absent if it was not, or if that was erased.
    pub receipt: Option<Receipt>,
    /// The answer of a model that it was last made for.
    pub cause: Option<MessageId>,
    /// Whether it is as it was recorded.
    pub verdict: Verdict,
    /// What was held against what.
    pub detail: String,
}

impl Executor {
    /// Judges a call of the past again, with what it asked for and the rights that it had, if those are known, and asks
    /// the journal for what it did. Nothing if there is no record of it. Nothing is done or written. Of a turn that is
    /// over, no call is open.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn rejudge(
        &self,
        call: Call,
        rights: Option<&Rights>,
        over: bool,
    ) -> Result<Option<Rejudged>, Error> {
        let mut work = Work::new(&self.registry, call, None);
        let Some((_, record)) = self.invocation(&work.invocation).await? else { return Ok(None) };
        work.call.scope.clone_from(&record.scope);
        work.call.wake_reason = record.wake_reason;
        let cause = record.trace.cause.clone();
        let told = |receipt, verdict, detail: &str| {
            Ok(Some(Rejudged { receipt, cause: cause.clone(), verdict, detail: detail.to_owned() }))
        };
        let Some(answer) = record.state.result() else {
            let verdict = if over { Verdict::Differs } else { Verdict::Recorded };
            return told(None, verdict, "what came of it is not written down");
        };
        let answer = self.store.content(Domain::Agent, answer.clone()).await?;
        if answer.is_none() {
            return told(None, Verdict::Erased, "its answer was erased");
        }
        let receipt = kept_in(&work.invocation, &record, answer);
        let (mut verdict, mut detail) = again(&work, &record, rights);
        if verdict != Verdict::Differs && matches!(record.state, InvocationState::Done { .. }) {
            match self.in_journal(&work, &receipt).await? {
                Err(against) => (verdict, detail) = (Verdict::Differs, against.to_owned()),
                Ok(found) => detail = format!("{detail}{found}"),
            }
        }
        told(Some(receipt), verdict, &detail)
    }

    /// What the journal says of a call that was allowed and done, or what is wrong with that.
    async fn in_journal(
        &self,
        work: &Work,
        receipt: &Receipt,
    ) -> Result<Result<&'static str, &'static str>, Error> {
        let changed = receipt.result.as_ref().map_or(0, |done| done.changed.len());
        let of_journal = work.entry.as_ref().is_some_and(|entry| {
            entry.contract().side_effects.iter().any(|kind| kind.domain() == Domain::Journal)
        });
        let Some(id) = work.operation().filter(|_| of_journal && changed > 0) else {
            return Ok(Ok(""));
        };
        let Some(operation) = self.store.operation(Domain::Journal, id).await? else {
            return Ok(Err("the journal does not know what it did"));
        };
        let by = (operation.author.agent(), operation.run_key, operation.verb.as_str());
        if by != (Some(&work.call.agent), Some(work.call.run), work.tool.as_str()) {
            return Ok(Err("the journal has another deed of that name"));
        }
        let known = self.store.content(Domain::Journal, operation.result.clone()).await?;
        let payload = receipt.result.as_ref().ok().map(|done| &done.payload);
        Ok(match known {
            None => Ok(", and the journal has it; its answer there was erased"),
            known if Some(&parsed(known.clone())) == payload => {
                Ok(", and the journal has it with the same answer")
            }
            Some(_) => Err("the journal has another answer to it"),
        })
    }
}

/// Judges it again, as nothing but the call itself, its tool and its rights have it.
fn again(work: &Work, record: &ToolInvocation, rights: Option<&Rights>) -> (Verdict, String) {
    let differs = |what: &str| (Verdict::Differs, what.to_owned());
    if (&record.tool, &record.arguments) != (&work.tool, &work.arguments()) {
        return differs("the record of that name is of another call");
    }
    let version = work.entry.as_ref().map_or(0, |entry| entry.contract().version);
    if version != record.tool_version {
        let detail = format!("version {} of its tool is not in this program", record.tool_version);
        return (Verdict::Recorded, detail);
    }
    let denied = match &record.state {
        InvocationState::Denied { rule, .. } => Some(rule.as_str()),
        _ => None,
    };
    let Some(rights) = rights else {
        let how = denied.map_or_else(|| "allowed".to_owned(), |rule| format!("denied by {rule}"));
        return (Verdict::Recorded, format!("{how}; nobody knows any more what it had a right to"));
    };
    match (denied, objection(work, rights)) {
        (None, None) => (Verdict::Verified, "allowed again".to_owned()),
        (Some(then), Some(now)) if then == now => {
            (Verdict::Verified, format!("denied again by the rule {now}"))
        }
        // It spoke before whatever would object now.
        (Some(then), _) if is_of_the_moment(then) => {
            let why = format!("denied by the rule {then}, which went by how things stood");
            (Verdict::Recorded, why)
        }
        (Some(then), None) => differs(&format!("the rule {then} does not object any more")),
        (_, Some(now)) => differs(&format!("the rule {now} objects now")),
    }
}

/// The rule that objects to a call, whatever else is so at the moment.
fn objection(work: &Work, rights: &Rights) -> Option<&'static str> {
    let Some(entry) = &work.entry else { return Some(unknown_tool(work).rule) };
    let open = Fence::default();
    let snapshot = Snapshot {
        complaints: &work.complaints,
        rights,
        global_fence: open,
        agent_fence: open,
        stopped: &BTreeSet::new(),
        earlier: None,
        counts: ToolCounts::default(),
        plan: None,
    };
    match judge(&work.request(entry), &snapshot) {
        Decision::Denied(denied) => Some(denied.rule),
        Decision::Plan | Decision::Admitted(_) | Decision::Recorded => None,
    }
}
