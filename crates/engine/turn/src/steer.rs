//! What the operator throws in while a turn is under way, taken up at the next safe point.

use types::{
    AuthorityClass, Body, Domain, EnvelopeBody, EnvelopeContent, EnvelopeId, Interjection,
    Priority, Record, Run, RunState, limits,
};

use crate::Turns;
use crate::broken::Broken;
use crate::job::Job;

impl Turns {
    /// Takes up what the operator threw in since the turn began. Its run ends in the commit that records
    /// the answer to it, so it is neither lost nor done twice.
    pub(crate) async fn steer(&self, job: &mut Job) -> Result<(), Broken> {
        // Before the first answer nothing is under way yet: what waits has its own turn.
        if job.rounds.is_empty() {
            return Ok(());
        }
        let agent = job.claim.agent.agent_id.clone();
        let own = job.claim.run.draft.run_key;
        let runs = self.store.open_runs(agent, limits::ROWS_PER_READ_MAX).await?;
        for run in runs.iter().filter(|run| run.draft.run_key != own) {
            if let Some(words) = self.interjection(run).await? {
                job.interjected.push(words);
            }
        }
        Ok(())
    }

    async fn interjection(&self, run: &Run) -> Result<Option<Interjection>, Broken> {
        // One that was tried before has a turn of its own, which is taken up again.
        let queued = matches!(run.state, RunState::Queued { .. }) && run.attempt == 0;
        let interjects = run.draft.priority == Priority::Interject;
        let (true, Some(id)) = (queued && interjects, &run.draft.envelope) else { return Ok(None) };
        let record = self.store.record(Domain::Agent, id.into()).await?;
        let Some(Body::AgentEnvelope(envelope)) = record.map(|record: Record| record.body) else {
            return Ok(None);
        };
        if envelope.authority_class != AuthorityClass::OperatorInstruction {
            return Ok(None);
        }
        let words = self.store.content(Domain::Agent, envelope.content.clone()).await?;
        let text = words.and_then(|words| said(&words.bytes));
        let interjection = |text| interjection(id, run, text);
        Ok(text.map(interjection))
    }
}

fn interjection(envelope: &EnvelopeId, run: &Run, text: String) -> Interjection {
    Interjection { envelope: envelope.clone(), run_key: run.draft.run_key, text }
}

/// The words of an envelope.
pub(crate) fn said(bytes: &[u8]) -> Option<String> {
    let content: EnvelopeContent = serde_json::from_slice(bytes).ok()?;
    Some(match content.body {
        EnvelopeBody::Text { text } | EnvelopeBody::Brief { text, .. } => text,
        EnvelopeBody::Json { value } => value.to_string(),
    })
}
