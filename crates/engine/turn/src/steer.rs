//! What the operator throws in while a turn is under way, taken up at the next safe point.

use dispatch::Claim;
use rules::planted::{self, Fault};
use rules::thread;
use types::{
    AuthorityClass, Body, Domain, Envelope, EnvelopeContent, EnvelopeId, Gate, Interjection,
    Priority, Run, RunDraft, RunKey, RunState, limits,
};

use crate::Turns;
use crate::broken::Broken;
use crate::job::Job;

impl Turns {
    /// Takes up what the operator threw in since the turn began. Its run ends in the commit that records
    /// the answer to it, so it is neither lost nor done twice.
    pub(crate) async fn steer(&self, job: &mut Job) -> Result<(), Broken> {
        // Before the first answer nothing is under way yet: what waits has its own turn.
        if job.talk.rounds.is_empty() {
            return Ok(());
        }
        let agent = job.claim.agent.agent_id.clone();
        let own = job.claim.run.draft.run_key;
        let runs = self.store.open_runs(agent, limits::ROWS_PER_READ_MAX).await?;
        // What an earlier answer took up ends with what is written of that answer, which may be later.
        let taken_up = job.talk.thrown_in().map(|words| words.run_key);
        let taken: Vec<RunKey> = taken_up.chain([own]).collect();
        let others = runs.iter().filter(|run| !taken.contains(&run.draft.run_key));
        for run in others.filter(|run| is_for(&job.claim, &run.draft)) {
            if let Some(words) = self.interjection(run).await? {
                self.live.take_up(words.run_key, own);
                job.talk.interjected.push(words);
            }
        }
        Ok(())
    }

    /// Words that were taken back while the model answered it has heard all the same. Their run is over, and is not
    /// ended by what records that answer.
    pub(crate) async fn mind_taken_back(&self, job: &mut Job) -> Result<(), Broken> {
        for words in &job.talk.interjected {
            let run = self.store.run(words.run_key).await?;
            if run.is_none_or(|run| matches!(run.state, RunState::Ended { .. })) {
                job.talk.taken_back.insert(words.run_key);
            }
        }
        Ok(())
    }

    /// The words that a run carries, as they were let in; nothing if it carries none.
    pub(crate) async fn envelope_of(
        &self,
        run: &Run,
    ) -> Result<Option<(EnvelopeId, Envelope)>, Broken> {
        let Some(id) = run.draft.envelope.clone() else { return Ok(None) };
        let record = self.store.record(Domain::Agent, (&id).into()).await?;
        Ok(match record.map(|record| record.body) {
            Some(Body::AgentEnvelope(envelope)) => Some((id, envelope)),
            _ => None,
        })
    }

    async fn interjection(&self, run: &Run) -> Result<Option<Interjection>, Broken> {
        // One that was tried before has a turn of its own, which is taken up again.
        let queued = match run.state {
            RunState::Queued { gate: Gate::Until(at) } => at <= self.world.now(),
            RunState::Queued { gate } => gate == Gate::Open,
            _ => false,
        };
        let queued = queued && run.attempt == 0;
        if !(queued && run.draft.priority == Priority::Interject) {
            return Ok(None);
        }
        let Some((id, envelope)) = self.envelope_of(run).await? else { return Ok(None) };
        if envelope.authority_class != AuthorityClass::OperatorInstruction {
            return Ok(None);
        }
        let words = self.store.content(Domain::Agent, envelope.content.clone()).await?;
        let text = words.and_then(|words| EnvelopeContent::words(&words.bytes));
        let content = Some(envelope.content);
        let RunDraft { run_key, insist: insists, .. } = run.draft;
        Ok(text.map(|text| Interjection { envelope: id, run_key, text, content, insists }))
    }
}

/// Whether what somebody throws in may be heard in this turn: what another model is to be asked is not for this one,
/// and what is said in a session is said nowhere else.
fn is_for(claim: &Claim, words: &RunDraft) -> bool {
    let session = thread::session_of(&words.agent, &words.thread);
    let here = session.is_none()
        || words.thread == claim.run.draft.thread
        || planted::is(Fault::InterjectedAnywhere);
    here && words.model.is_none() && claim.run.draft.model.is_none()
}
