//! Those who were refused for want of what is now agreed to.

use rules::matching::draft;
use rules::planted::{self, Fault};
use rules::run_key::Cause;
use rules::turn::followup::AGREED;
use store::Listing;
use types::{
    AgentIdentity, At, Body, BodyType, ConsentId, Domain, ModelRef, Run, RunEnd, RunState, Write,
    limits,
};

use crate::{Consent, Error};

/// Among how many of an agent's newest runs one is looked for that was refused: they do not end in the order in
/// which they were queued.
const AMONG: usize = 20;

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
        for agent in self.asking(model).await? {
            let last = self.store.runs(agent.agent_id.clone(), AMONG).await?;
            if may_have_missed(&last) {
                let look = draft(&agent.agent_id, &cause, Some(AGREED.to_owned()));
                looks.push(Write::QueueRun(look));
            }
        }
        Ok(looks)
    }

    /// The agents that may ask a model: it is their own, or they have none.
    async fn asking(&self, model: &ModelRef) -> Result<Vec<AgentIdentity>, Error> {
        let listing = Listing::of("agents", BodyType::Agent, limits::ROWS_PER_READ_MAX);
        let records = self.store.records(Domain::Agent, listing).await?;
        let identities = records.into_iter().filter_map(|record| match record.body {
            Body::Agent(identity) => Some(identity),
            _ => None,
        });
        let may = |agent: &AgentIdentity| {
            agent.config.model_id.as_deref().is_none_or(|own| own == model.as_str())
        };
        Ok(identities.filter(may).collect())
    }
}

/// Whether one of an agent's last runs was refused and none has gone well since. One that is not over may be refused
/// by what it reads before this is written, also if it has yet to begin.
fn may_have_missed(last: &[Run]) -> bool {
    let ended_well = |run: &Run| match &run.state {
        RunState::Ended { at, end: RunEnd::Done } if run.draft.model.is_none() => Some(*at),
        _ => None,
    };
    let looked = last.iter().filter_map(ended_well).max();
    last.iter().any(|run| match &run.state {
        RunState::Ended { at, .. } => {
            rules::consent::was_wanting(run) && looked.is_none_or(|looked| looked < *at)
        }
        RunState::Queued { .. } | RunState::Started { .. } => true,
    })
}

const _: () = assert!(limits::ROWS_PER_READ_MAX < limits::COMMIT_WRITES_MAX);
