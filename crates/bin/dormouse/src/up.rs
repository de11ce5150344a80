//! Telling whoever watches a home what happens there.

use std::convert::Infallible;
use std::time::Duration;

use api_types::WatchReply;
use runtime::{Account, Runtime, Sample};
use tokio::time::sleep;
use types::Problem;

use crate::told::reply;
use crate::trouble::Trouble;
use crate::voice::Voice;

/// How long the sample's agent is left to its first look before something changes.
const FIRST_LOOK: Duration = Duration::from_secs(4);

/// Somebody who watches.
pub(crate) struct Up<'a> {
    /// Make something to look at first.
    pub(crate) sample: bool,
    /// Who is told.
    pub(crate) watch: &'a dyn Fn(&WatchReply),
}

impl Up<'_> {
    /// Tells what happens; ends only if there is no place for the sample that was asked for. A disk that is full, or
    /// that cannot be read for a while, stops nobody who only watches.
    pub(crate) async fn tell(&self, runtime: &Runtime, account: Account, voice: &Voice) -> Problem {
        let (sample, agents) = (self.show_sample(runtime, voice), self.follow(account, voice));
        tokio::select! {
            Err(problem) = sample => problem,
            never = agents => match never {},
        }
    }

    async fn follow(&self, mut account: Account, voice: &Voice) -> Infallible {
        let mut trouble = Trouble::told_by(voice);
        loop {
            match account.next().await {
                Ok(told) => {
                    trouble.is_over();
                    told.into_iter().map(reply).for_each(|one| (self.watch)(&one));
                }
                Err(problem) => trouble.wait(&problem).await,
            }
        }
    }

    /// Makes the sample and, once its agent has looked, changes something for it to see.
    async fn show_sample(&self, runtime: &Runtime, voice: &Voice) -> Result<Infallible, Problem> {
        if self.sample {
            let mut trouble = Trouble::told_by(voice);
            let sample = trouble.outlasted_by(async || runtime.sample().await).await?;
            self.say(stands(&sample));
            sleep(FIRST_LOOK).await;
            let checked = trouble.outlasted_by(async || self.check_off(runtime).await).await;
            if let Err(problem) = checked {
                voice.say(&format!("{} ({})", problem.message, problem.code));
            }
        }
        std::future::pending().await
    }

    async fn check_off(&self, runtime: &Runtime) -> Result<(), Problem> {
        // It is looked at again: somebody may have been here meanwhile.
        if let Sample::Tended { open: Some(item), .. } = runtime.sample().await? {
            self.say(format!("checking {:?} off, as you would", item.title));
            runtime.sample_check(&item).await?;
        }
        Ok(())
    }

    fn say(&self, text: String) {
        (self.watch)(&WatchReply::Sample { text });
    }
}

/// What there is of the sample, and what to do if there is nothing to see.
fn stands(sample: &Sample) -> String {
    match sample {
        Sample::Tended { title, open: Some(_) } => {
            format!("there is a task, {title:?}, and an agent that tends it")
        }
        Sample::Tended { title, open: None } => format!(
            "there is a task, {title:?}, and an agent that tends it; what was to be checked off is not \
             open any more, so change something of it yourself"
        ),
        Sample::Resting { title, agent } => format!(
            "there is a task, {title:?}, and its agent rests; `dormouse agent resume {agent}` lets it go on"
        ),
        Sample::Untended { title, task } => format!(
            "there is a task, {title:?}, and nobody tends it any more; `dormouse agent create --template \
             task_agent --task {task}` makes it another agent"
        ),
        Sample::Removed => {
            "its task was removed, and it is not made again; `dormouse task add` and \
                            `dormouse agent create` make your own"
                .to_owned()
        }
    }
}
