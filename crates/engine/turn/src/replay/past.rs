//! What was recorded of a past turn.

use types::{Body, Content, Domain, Envelope, Round, Run, Turn};

use crate::Turns;
use crate::broken::Broken;
use crate::resume::Recorded;

/// A past turn.
pub(crate) struct Past {
    pub(crate) run: Run,
    pub(crate) turn: Turn,
    /// What it was asked with; absent if it asked nobody, or if that was erased.
    pub(crate) prompt: Option<Recorded>,
    /// What the model answered; absent where that was erased.
    pub(crate) rounds: Vec<Option<Round>>,
    /// The words that woke its agent; without content if they were erased.
    pub(crate) input: Option<(Envelope, Option<Content>)>,
}

impl Turns {
    /// Reads what was recorded of the turn of a run; nothing if it took none.
    pub(crate) async fn past(&self, run: Run) -> Result<Option<Past>, Broken> {
        let key = run.draft.run_key;
        let found = self.store.record(Domain::Agent, rules::turn::id(&key).into()).await?;
        let Some(Body::AgentTurn(turn)) = found.map(|record| record.body) else {
            return Ok(None);
        };
        let prompt = self.recorded_prompt(&turn).await?;
        let mut rounds = Vec::new();
        for at in self.recorded_answers(&key).await? {
            let kept = self.store.content(Domain::Agent, at).await?;
            rounds.push(kept.and_then(|kept| serde_json::from_slice(&kept.bytes).ok()));
        }
        let input = self.past_input(&run).await?;
        Ok(Some(Past { run, turn: *turn, prompt, rounds, input }))
    }

    async fn past_input(&self, run: &Run) -> Result<Option<(Envelope, Option<Content>)>, Broken> {
        let Some(id) = &run.draft.envelope else { return Ok(None) };
        let found = self.store.record(Domain::Agent, id.into()).await?;
        let Some(Body::AgentEnvelope(envelope)) = found.map(|record| record.body) else {
            return Ok(None);
        };
        let words = self.store.content(Domain::Agent, envelope.content.clone()).await?;
        Ok(Some((envelope, words)))
    }
}
