//! Doing what the model asks for.

use rules::planted::{self, Fault};
use tool::Call;
use tools::{Left, Open, Receipt, Rider};
use types::{Round, limits};

use crate::Turns;
use crate::ask::call;
use crate::broken::Broken;
use crate::hear::{hear, step};
use crate::job::Job;
use crate::steps::PLAN;

/// Writes of calls that are left for the commit of something else: the next answer, or the end of the turn.
/// More than these have commits of their own.
const LEFT_WRITES_MAX: usize = limits::COMMIT_WRITES_MAX / 2;

impl Turns {
    /// Does what a round asks for, as one group: what is to be done is written down with the answer that
    /// asks for it, then done, once. What came of it is said to the model.
    pub(crate) async fn act(
        &self,
        job: &mut Job,
        number: usize,
        round: &Round,
    ) -> Result<(), Broken> {
        let found = round.calls.len();
        if found > limits::TOOL_GROUP_MAX {
            return Err(Broken::TooManyCalls { found });
        }
        if number >= job.talk.resumed {
            self.may_call(job, found)?;
            if !self.under_way.call(&job.claim.run.draft.run_key, found) {
                // Somebody gives the run up, and counts what it has spent.
                return Err(Broken::Stopped);
            }
        }
        let receipts = match number + 1 < job.talk.rounds.len() {
            true => self.recall(job, number, round).await?,
            false => {
                let calls = round.calls.iter().map(|planned| call(job, number, planned)).collect();
                let rider = self.rider(job).await?;
                self.carry_out(job, calls, rider).await?
            }
        };
        over(&receipts)?;
        job.purse.tool_calls += receipts.len() as u64;
        hear(job, number, &receipts);
        if job.talk.progress.take(step(round, &receipts)) {
            Ok(())
        } else {
            Err(Broken::NoProgress)
        }
    }

    async fn carry_out(
        &self,
        job: &mut Job,
        calls: Vec<Call>,
        rider: Rider,
    ) -> Result<Vec<Receipt>, Broken> {
        let (rights, drafts) = (job.rights(), std::mem::take(&mut job.deeds.drafts));
        let done = self.executor.execute(calls, drafts, &rights, rider).await;
        let (receipts, left) = done?;
        leave(job, left);
        if job.deeds.left.writes.len() > LEFT_WRITES_MAX {
            let left = job.deeds.take_left();
            self.executor.write_left(job.claim.author(), left).await?;
        }
        Ok(receipts)
    }

    /// What came of calls that a recorded answer rests on: what it was then. One that failed or was
    /// denied is not tried again, since the model has found another way by now; and what was asked for twice in one
    /// answer was done once.
    async fn recall(
        &self,
        job: &mut Job,
        number: usize,
        round: &Round,
    ) -> Result<Vec<Receipt>, Broken> {
        let mut receipts: Vec<Receipt> = Vec::new();
        for (place, planned) in round.calls.iter().enumerate() {
            if let Some(first) = round.asked_before(place) {
                receipts.push(receipts[first].clone());
                continue;
            }
            let call = call(job, number, planned);
            match self.executor.recall(&call).await? {
                Some(receipt) => receipts.push(receipt),
                None => receipts.extend(self.carry_out(job, vec![call], Rider::default()).await?),
            }
        }
        Ok(receipts)
    }

    /// What goes with the intents of a round: the answer that asks for them, and what has to be set
    /// aside for the next. What earlier calls have left is written first, so that these are judged by
    /// it.
    async fn rider(&self, job: &mut Job) -> Result<Rider, Broken> {
        if job.talk.recorded >= job.talk.rounds.len() {
            return Ok(Rider::default());
        }
        let earlier = job.deeds.take_left();
        if earlier.is_empty() {
            return Ok(self.record_rounds(job));
        }
        let rider = self.record_rounds(job);
        let commit = earlier.and(rider).into_commit(job.claim.author(), self.world.now());
        self.store.commit(commit.named(PLAN)).await?.done()?;
        Ok(Rider::default())
    }
}

/// Keeps what is left to write, after what was left before.
fn leave(job: &mut Job, left: Left) {
    if planted::is(Fault::ResultsDropped) {
        return;
    }
    job.deeds.left = job.deeds.take_left().and(left);
}

/// Breaks the turn off unless every call is over. The model has nothing to decide about one that was
/// stopped, and a turn that ended would leave one in doubt open for ever: whoever takes it up again asks
/// what was done.
fn over(receipts: &[Receipt]) -> Result<(), Broken> {
    let is = |open: Open| receipts.iter().find(move |receipt| receipt.open == Some(open));
    if is(Open::Stopped).is_some() {
        return Err(Broken::Stopped);
    }
    match is(Open::InDoubt).and_then(|receipt| receipt.result.as_ref().err()) {
        Some(failure) => {
            Err(Broken::InDoubt { code: failure.kind, message: failure.message.clone() })
        }
        None => Ok(()),
    }
}
