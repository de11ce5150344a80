//! The steps of a replay, in order.

use std::sync::Arc;

use types::{AgentIdentity, Problem, ReplayedStep, Run, Verdict};

use super::past::Past;
use super::sheet::Sheet;
use super::{end, wake};
use crate::broken::Broken;
use crate::offer::Offer;
use crate::workflow::is_known;
use crate::{Part, Profile, Turns};

impl Turns {
    /// Goes through the turn of a run again; nothing if it took none.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn replay(
        &self,
        run: Run,
        agent: &AgentIdentity,
    ) -> Result<Option<Vec<ReplayedStep>>, Problem> {
        let past = self.past(run).await.map_err(Broken::into_problem)?;
        let Some(past) = past else { return Ok(None) };
        let steps = self.go_through(&past, agent).await.map_err(Broken::into_problem)?;
        Ok(Some(steps))
    }

    async fn go_through(
        &self,
        past: &Past,
        agent: &AgentIdentity,
    ) -> Result<Vec<ReplayedStep>, Broken> {
        let mut sheet = Sheet::default();
        let (workflow, version) = (&past.turn.workflow, past.turn.version);
        if !is_known(workflow, version) {
            let detail = format!("version {version} of `{workflow}` is not in this program");
            sheet.note("turn", Verdict::Recorded, detail);
            return Ok(sheet.0);
        }
        let damaged = (!past.damaged.is_empty()).then(|| past.damaged.join(", "));
        let damaged = damaged.map(|what| format!("{what}: not what it was when it was written"));
        sheet.hold("contents", "are what they are named by", damaged);
        let profile = self.profile_of(past, agent);
        wake::replay(past, &mut sheet);
        let offer = self.offer_then(past, profile.as_deref());
        let template = (profile.as_deref(), offer.as_deref());
        self.replay_prompt(past, agent, template, &mut sheet).await?;
        let then = profile.zip(offer);
        let drove = self.replay_rounds(past, then.as_ref(), &mut sheet).await?;
        end::replay(past, &drove, &mut sheet);
        Ok(sheet.0)
    }

    /// What the agent's template comes to, if that is still what the turn went by.
    fn profile_of(&self, past: &Past, agent: &AgentIdentity) -> Option<Arc<Profile>> {
        let Part::Acts(profile) = (self.settings.part)(agent) else { return None };
        let today = (&profile.prompt_id, profile.prompt_version);
        (today == (&past.turn.prompt.id, past.turn.prompt.version)).then_some(profile)
    }

    /// What the turn was offered, if this program describes it in the same words.
    fn offer_then(&self, past: &Past, profile: Option<&Profile>) -> Option<Arc<Offer>> {
        let prompt = past.prompt.as_ref()?;
        let offer = self.offer(&Profile { tools: prompt.tools.clone(), ..profile?.clone() });
        (prompt.frame?.tools == offer.hash).then_some(offer)
    }
}
