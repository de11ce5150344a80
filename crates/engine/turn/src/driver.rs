//! What happens in a turn, in order.

use dispatch::{Begun, Claim, Closing, Ending};
use model::Response;
use types::Round;

use crate::broken::Broken;
use crate::job::Job;
use crate::{Part, Turns};

impl Turns {
    /// Takes a turn: from what woke the agent to what it leaves.
    pub(crate) async fn take(&self, claim: Claim, begun: Begun) -> Ending {
        let run = claim.run.draft.run_key;
        let begun = async {
            begun.await;
            self.under_way.begin(run, self.world.now(), self.today());
        };
        self.take_turn(claim, begun).await
    }

    async fn take_turn(&self, claim: Claim, begun: impl Future<Output = ()>) -> Ending {
        let profile = match (self.settings.part)(&claim.agent) {
            Part::Acts(profile) => profile,
            Part::Watches => return Ending::Nothing("only_watching", Closing::default()),
            Part::Unknown => {
                begun.await;
                let missing = Broken::TemplateMissing { template: claim.agent.template.clone() };
                return self.could_not_begin(&claim, missing).await;
            }
        };
        let mut job = match self.gather_meanwhile(claim.clone(), profile, begun).await {
            Ok(job) => job,
            Err(broken) => return self.could_not_begin(&claim, broken).await,
        };
        if job.sees_nothing() {
            return Ending::Nothing("task_out_of_sight", self.closing_unasked(&claim));
        }
        match self.work(&mut job).await {
            Ok(last) => self.close(job, &last).await,
            Err(broken) => self.fail(job, broken).await,
        }
    }

    /// Finds out what is meant by what was said, asks the model and does what it asks for, until it asks for
    /// nothing more. A round that was recorded by an earlier attempt is not asked for again.
    async fn work(&self, job: &mut Job) -> Result<Round, Broken> {
        self.classify(job).await?;
        for number in 0.. {
            let round = match job.talk.rounds.get(number) {
                Some(recorded) => recorded.clone(),
                None => self.next_round(job).await?,
            };
            if round.calls.is_empty() {
                return Ok(round);
            }
            self.act(job, number, &round).await?;
        }
        unreachable!("the rounds of a turn are bounded")
    }

    /// Asks the model once more, if it may be asked.
    async fn next_round(&self, job: &mut Job) -> Result<Round, Broken> {
        self.still_in_bounds(job)?;
        self.steer(job).await?;
        let (cleared, stops) = self.permit_now(job).await?;
        job.voice.in_round(job.talk.rounds.len());
        let callable = cleared.callable.clone();
        let answer = self.ask(job, cleared, stops).await?;
        if let Err(broken) = still_fits(job, &answer) {
            self.under_way.refuse(&job.claim.run.draft.run_key, broken.code());
            return Err(broken);
        }
        self.mind_taken_back(job).await?;
        let round = self.plan(job, answer, callable).await;
        for call in &round.calls {
            job.voice.say_asks(&call.tool, &call.arguments);
        }
        job.talk.rounds.push(round.clone());
        Ok(round)
    }

    fn still_in_bounds(&self, job: &Job) -> Result<(), Broken> {
        let rounds = job.profile.rounds_max;
        if job.talk.rounds.len() >= usize::try_from(rounds).unwrap_or(usize::MAX) {
            return Err(Broken::TooManyRounds { rounds });
        }
        Ok(())
    }
}

/// An answer that goes beyond the room of its session is not recorded: what stands there stays as it is.
fn still_fits(job: &Job, answer: &Response) -> Result<(), Broken> {
    match job.given.capacity {
        Some(capacity) if !rules::session::fits(capacity, &answer.usage) => {
            Err(Broken::SessionFull { tokens: answer.usage.input_tokens, capacity })
        }
        _ => Ok(()),
    }
}
