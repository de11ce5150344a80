//! Those who were refused for want of what is now agreed to.

use rules::matching::draft;
use rules::planted::{self, Fault};
use rules::run_key::Cause;
use rules::turn::followup::AGREED;
use store::Listing;
use types::{
    AgentId, At, Body, BodyType, ConsentId, Domain, ModelRef, Record, Run, RunEnd, RunState, Write,
    limits,
};

use crate::{Consent, Error};

/// Among how many of an agent's newest runs one is looked for that was refused: they do not end in the order in
/// which they were queued.
const AMONG: usize = 20;

/// How many look again at once: as many as one commit surely takes.
const LOOKS_MAX: usize = limits::ROWS_PER_READ_MAX;

impl Consent {
    /// A look for each agent that was refused because nobody had agreed and has had no turn since, or still may be
    /// refused: whoever agrees has no other reason to wake it. Of very many these are the newest; the others make up
    /// for it at their next wake.
    pub(crate) async fn looks_after(
        &self,
        model: &ModelRef,
        agreed: (&ConsentId, At),
    ) -> Result<Vec<Write>, Error> {
        if planted::is(Fault::NoLookAfterConsent) {
            return Ok(vec![]);
        }
        let (receipt, at) = agreed;
        let agreed = format!("{receipt}:{}", at.millis());
        let cause = Cause::Tick { cause: AGREED, cause_id: &agreed };
        let mut looks = Vec::new();
        let agents = Listing::of("agents", BodyType::Agent, limits::ROWS_PER_READ_MAX);
        let mut listing = Some(agents);
        while let Some(page) = listing {
            let records = self.store.records(Domain::Agent, page.clone()).await?;
            listing = page.next(&records);
            for agent in records.into_iter().filter_map(|record| may_ask(record, model)) {
                let last = self.store.runs(agent.clone(), AMONG).await?;
                if may_have_missed(&last) {
                    let look = draft(&agent, &cause, Some(AGREED.to_owned()));
                    looks.push(Write::QueueRun(look));
                }
                if looks.len() == LOOKS_MAX {
                    return Ok(looks);
                }
            }
        }
        Ok(looks)
    }
}

/// Who an agent is, if it may ask a model: that is its own, or it has none.
fn may_ask(record: Record, model: &ModelRef) -> Option<AgentId> {
    let Body::Agent(identity) = record.body else { return None };
    let own = identity.config.model_id.as_deref();
    own.is_none_or(|own| own == model.as_str()).then_some(identity.agent_id)
}

/// Whether one of an agent's last runs was refused and none has gone well since. One that is not over may be refused
/// by what it reads before this is written, also if it has yet to begin. Of two that ended in the same millisecond
/// nobody knows which came first: it looks once too often rather than never.
fn may_have_missed(last: &[Run]) -> bool {
    let ended_well = |run: &Run| match &run.state {
        RunState::Ended { at, end: RunEnd::Done } if run.draft.model.is_none() => Some(*at),
        _ => None,
    };
    let looked = last.iter().filter_map(ended_well).max();
    last.iter().any(|run| match &run.state {
        RunState::Ended { at, .. } => {
            rules::consent::was_wanting(run) && looked.is_none_or(|looked| looked <= *at)
        }
        RunState::Queued { .. } | RunState::Started { .. } => true,
    })
}

const _: () = assert!(LOOKS_MAX < limits::COMMIT_WRITES_MAX);

#[cfg(test)]
mod tests {
    use super::*;
    use types::{Code, Gate, RunFailure};

    fn run(state: RunState) -> Run {
        let draft = draft(&"agent_a".parse().unwrap(), &Cause::Manual { request: "r" }, None);
        Run { state, ..Run::queued(draft, 1, At::EPOCH) }
    }

    fn ended(millis: i64, end: RunEnd) -> Run {
        run(RunState::Ended { at: At::from_millis(millis), end })
    }

    fn refused(millis: i64) -> Run {
        let (code, message) = (Code::PrivacyConfirmationRequired, "taken back".to_owned());
        ended(millis, RunEnd::Failed(RunFailure { code, message }))
    }

    #[test]
    fn who_was_refused_and_has_not_surely_looked_since_may_have_missed_something() {
        let done = |millis| ended(millis, RunEnd::Done);
        assert!(!may_have_missed(&[done(5)]));
        assert!(may_have_missed(&[refused(5)]));
        assert!(may_have_missed(&[refused(5), done(4)]));
        assert!(!may_have_missed(&[refused(5), done(6)]));
        assert!(may_have_missed(&[refused(5), done(5)]), "nobody knows which came first");
        assert!(may_have_missed(&[done(6), run(RunState::Queued { gate: Gate::Open })]));
    }
}
