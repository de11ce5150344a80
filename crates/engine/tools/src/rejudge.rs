//! Judging a call of the past again, from its record.

use std::collections::BTreeSet;

use policy::{Decision, Rights, Snapshot, is_of_the_moment, judge};
use tool::Call;
use types::{Domain, Fence, InvocationState, ToolCounts, ToolInvocation, Verdict};

use crate::judge::unknown_tool;
use crate::recorded::parsed;
use crate::work::Work;
use crate::{Error, Executor, Receipt};

/// What came of judging a call of the past again.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejudged {
    /// What it was answered; absent if it was not, or if that was erased.
    pub receipt: Option<Receipt>,
    /// Whether it is as it was recorded.
    pub verdict: Verdict,
    /// What was held against what.
    pub detail: String,
}

impl Executor {
    /// Judges a call of the past again, with what it asked for and the rights that it had, and asks the journal for
    /// what it did. Nothing if there is no record of it. Nothing is done or written.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn rejudge(&self, call: Call, rights: &Rights) -> Result<Option<Rejudged>, Error> {
        let mut work = Work::new(&self.registry, call, None);
        let Some((_, record)) = self.invocation(&work.invocation).await? else { return Ok(None) };
        work.call.scope.clone_from(&record.scope);
        work.call.wake_reason = record.wake_reason;
        let Some(answer) = record.state.result() else {
            return Ok(Some(told(None, Verdict::Recorded, "what came of it is not written down")));
        };
        if self.store.content(Domain::Agent, answer.clone()).await?.is_none() {
            return Ok(Some(told(None, Verdict::Erased, "its answer was erased")));
        }
        let receipt = self.kept(&work.invocation, &record).await?;
        let (mut verdict, mut detail) = again(&work, &record, rights);
        if verdict == Verdict::Verified && matches!(record.state, InvocationState::Done { .. }) {
            (verdict, detail) = self.in_journal(&work, &receipt, detail).await?;
        }
        Ok(Some(told(Some(receipt), verdict, detail)))
    }

    /// What the journal says of a call that was allowed and done.
    async fn in_journal(
        &self,
        work: &Work,
        receipt: &Receipt,
        judged: String,
    ) -> Result<(Verdict, String), Error> {
        let changed = receipt.result.as_ref().map_or(0, |done| done.changed.len());
        let of_journal = work.entry.as_ref().is_some_and(|entry| {
            entry.contract().side_effects.iter().any(|kind| kind.domain() == Domain::Journal)
        });
        let Some(id) = work.operation().filter(|_| of_journal && changed > 0) else {
            return Ok((Verdict::Verified, judged));
        };
        let Some(operation) = self.store.operation(Domain::Journal, id).await? else {
            return Ok((Verdict::Differs, "the journal does not know what it did".to_owned()));
        };
        let by = (operation.author.agent(), operation.run_key, operation.verb.as_str());
        if by != (Some(&work.call.agent), Some(work.call.run), work.tool.as_str()) {
            return Ok((Verdict::Differs, "the journal has another deed of that name".to_owned()));
        }
        let known = self.store.content(Domain::Journal, operation.result.clone()).await?;
        let payload = receipt.result.as_ref().ok().map(|done| &done.payload);
        if known.is_some() && Some(&parsed(known)) != payload {
            return Ok((Verdict::Differs, "the journal has another answer to it".to_owned()));
        }
        Ok((Verdict::Verified, format!("{judged}, and the journal has it with the same answer")))
    }
}

/// Judges it again, as nothing but the call itself, its tool and its rights have it.
fn again(work: &Work, record: &ToolInvocation, rights: &Rights) -> (Verdict, String) {
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

fn told(receipt: Option<Receipt>, verdict: Verdict, detail: impl Into<String>) -> Rejudged {
    Rejudged { receipt, verdict, detail: detail.into() }
}
