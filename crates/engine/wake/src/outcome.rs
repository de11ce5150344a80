//! What came of a run: the turn it took, what that said, and waiting for it.

use std::collections::BTreeMap;

use dispatch::Work;
use types::{
    Body, BriefKind, ContentRef, Domain, FailureArtifact, Gate, RecordId, Run, RunEnd, RunKey,
    RunState, TokenUsage, Turn, TurnId, TurnState,
};

use crate::{Error, Waker};

/// How many runs are followed from one that was taken up by another.
const FOLLOWED_MAX: usize = 8;

/// What a run says to the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// `result` or `failure`; `nothing` if it had nothing to say, `pending` if it is not over.
    pub kind: &'static str,
    /// The words.
    pub text: String,
    /// How it failed, if its turn did.
    pub failure: Option<FailureArtifact>,
    /// The turn that says so, if there was one and it is over.
    pub turn: Option<Turned>,
}

/// A turn that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turned {
    /// Which.
    pub id: TurnId,
    /// Its place among the turns of its agent.
    pub index: u64,
    /// What all its rounds used.
    pub tokens: TokenUsage,
}

impl Waker {
    /// The turns that these runs took, in one read. One that ended without has none.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn turns(&self, runs: &[Run]) -> Result<BTreeMap<RunKey, Turn>, Error> {
        let ids = runs.iter().map(|run| rules::turn::id(&run.draft.run_key).into()).collect();
        let records = self.store.records_by_id(Domain::Agent, ids).await?;
        let turns = records.into_iter().filter_map(|record| match record.body {
            Body::AgentTurn(turn) => Some((turn.run_key, *turn)),
            _ => None,
        });
        Ok(turns.collect())
    }

    /// How the last attempt at each of these runs failed, of those that wait to be tried again.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn failed_so_far(&self, runs: &[Run]) -> Result<BTreeMap<RunKey, String>, Error> {
        let tried = |run: &&Run| {
            run.attempt > 0
                && matches!(run.state, RunState::Queued { .. } | RunState::Started { .. })
        };
        let last = |run: &Run| rules::turn::failed_id(&run.draft.run_key, run.attempt - 1).into();
        let ids: Vec<RecordId> = runs.iter().filter(tried).map(last).collect();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let records = self.store.records_by_id(Domain::Agent, ids).await?;
        let told = records.into_iter().filter_map(|record| match record.body {
            Body::AgentMessage(message) => {
                Some((message.run_key?, message.metadata.error_message?))
            }
            _ => None,
        });
        Ok(told.collect())
    }

    /// Waits until a run is over, and the turn that took up its words. Only where somebody else does the
    /// work.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn wait_until_ended(&self, run_key: RunKey) -> Result<(), Error> {
        let mut run_key = run_key;
        loop {
            // Before it is looked where the run stands, so that its end does not fall between the two.
            let stirred = self.stirred();
            match self.store.run(run_key).await? {
                Some(Run { state: RunState::Queued { .. } | RunState::Started { .. }, .. }) => {
                    stirred.await;
                }
                Some(run) => match self.taken_up(&[run]).await?.remove(&run_key) {
                    Some(other) => run_key = other,
                    None => return Ok(()),
                },
                None => return Ok(()),
            }
        }
    }

    /// The runs in whose turns the words of others were taken up, of those that were thrown in somewhere.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn taken_up(&self, runs: &[Run]) -> Result<BTreeMap<RunKey, RunKey>, Error> {
        let spoken_to = |run: &&Run| {
            run.draft.envelope.is_some() && matches!(run.state, RunState::Ended { .. })
        };
        let keys: Vec<RunKey> =
            runs.iter().filter(spoken_to).map(|run| run.draft.run_key).collect();
        if keys.is_empty() {
            return Ok(BTreeMap::new());
        }
        let said = |key: &RunKey| RecordId::from(rules::turn::said_id(key));
        let ids = keys.iter().map(said).collect();
        let messages = self.store.records_by_id(Domain::Agent, ids).await?;
        let by = |key: &RunKey| {
            let message = messages.iter().find(|message| message.id == said(key))?;
            let Body::AgentMessage(message) = &message.body else { return None };
            message.run_key.filter(|other| other != key)
        };
        Ok(keys.iter().filter_map(|key| Some((*key, by(key)?))).collect())
    }

    /// What a run says to the operator, or why it says nothing. One that was taken up by another says what
    /// that one does.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn told(&self, run_key: RunKey) -> Result<Told, Error> {
        let mut key = run_key;
        for _ in 0..FOLLOWED_MAX {
            let Some(run) = self.store.run(key).await? else { break };
            let ended = matches!(run.state, RunState::Ended { .. });
            let other = match run.merged_into {
                None if ended => self.taken_up(std::slice::from_ref(&run)).await?.remove(&key),
                into => into,
            };
            if let Some(other) = other {
                key = other;
                continue;
            }
            let id: RecordId = rules::turn::id(&key).into();
            let turn = self.store.record(Domain::Agent, id).await?.map(|record| record.body);
            return match turn {
                Some(Body::AgentTurn(turn)) if ended => self.told_by(&run, *turn).await,
                _ => self.told_without_turn(&run).await,
            };
        }
        let text = format!("there is no run {run_key}");
        Ok(Told { kind: "nothing", text, failure: None, turn: None })
    }

    async fn told_without_turn(&self, run: &Run) -> Result<Told, Error> {
        let told = without_turn(&run.state);
        let failed =
            self.failed_so_far(std::slice::from_ref(run)).await?.remove(&run.draft.run_key);
        let text = match failed {
            Some(why) => format!("{}; the last time: {why}", told.text),
            None => told.text,
        };
        Ok(Told { text, ..told })
    }

    async fn told_by(&self, run: &Run, turn: Turn) -> Result<Told, Error> {
        let TurnState::Settled { brief, failure, terminal, spent, .. } = turn.state else {
            return Ok(without_turn(&run.state));
        };
        let kind = match brief.kind {
            BriefKind::Result => "result",
            BriefKind::Failure => "failure",
        };
        let turned = Turned {
            id: rules::turn::id(&turn.run_key),
            index: terminal.turn_index,
            tokens: spent.tokens,
        };
        Ok(Told { kind, text: self.words(brief.content).await?, failure, turn: Some(turned) })
    }

    /// The words of a content; none, if they were erased.
    async fn words(&self, at: ContentRef) -> Result<String, Error> {
        let content = self.store.content(Domain::Agent, at).await?;
        let bytes = content.map(|content| content.bytes).unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// What there is to say of a run that took no turn, or none to its end.
fn without_turn(state: &RunState) -> Told {
    let (kind, text) = match state {
        RunState::Queued { gate: Gate::Open } => ("pending", "it waits for its turn".to_owned()),
        RunState::Queued { gate: Gate::Until(at) } => ("pending", format!("it waits until {at}")),
        RunState::Queued { gate: Gate::Held } => {
            ("pending", "it waits for its agent to be resumed".to_owned())
        }
        RunState::Started { .. } => ("pending", "it is being worked on".to_owned()),
        RunState::Ended { end, .. } => match end {
            RunEnd::Done => ("nothing", "it was done, and nothing was said about it".to_owned()),
            RunEnd::NothingToDo(receipt) => {
                ("nothing", format!("there was nothing to do ({})", receipt.rule))
            }
            RunEnd::SkippedSleeping => {
                ("nothing", "the agent sleeps; it looks again when it wakes".to_owned())
            }
            RunEnd::SkippedDestroyed => ("failure", "the agent was destroyed".to_owned()),
            RunEnd::Failed(failure) => ("failure", failure.message.clone()),
        },
    };
    Told { kind, text, failure: None, turn: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{At, Code, Position, Receipt, RunFailure};

    #[test]
    fn a_run_without_a_turn_says_where_it_stands_or_how_it_ended() {
        let receipt = Receipt {
            rule: "only_watching".to_owned(),
            changes_seen: 0,
            journal_from: Position(0),
            journal_to: Position(0),
            agent_from: Position(0),
            agent_to: Position(0),
        };
        let failed = RunFailure { code: Code::BudgetExceeded, message: "no more today".to_owned() };
        let ended = |end: RunEnd| RunState::Ended { at: At::EPOCH, end };
        for (state, kind, words) in [
            (RunState::Queued { gate: Gate::Open }, "pending", "its turn"),
            (RunState::Queued { gate: Gate::Until(At::EPOCH) }, "pending", "1970"),
            (RunState::Queued { gate: Gate::Held }, "pending", "resumed"),
            (RunState::Started { at: At::EPOCH }, "pending", "worked on"),
            (ended(RunEnd::Done), "nothing", "done"),
            (ended(RunEnd::NothingToDo(receipt)), "nothing", "only_watching"),
            (ended(RunEnd::SkippedSleeping), "nothing", "sleeps"),
            (ended(RunEnd::SkippedDestroyed), "failure", "destroyed"),
            (ended(RunEnd::Failed(failed)), "failure", "no more today"),
        ] {
            let told = without_turn(&state);
            assert_eq!(told.kind, kind, "{told:?}");
            assert!(told.text.contains(words), "{told:?}");
        }
    }
}
