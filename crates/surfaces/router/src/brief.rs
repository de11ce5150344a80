//! What came of a run, what a model is asked with, and both gone through again.

use std::time::Duration;

use api_types::{BriefReply, PromptItem, PromptReply, ReplayReply};
use runtime::{PromptView, Stay, Told};
use serde::Serialize;
use serde_json::Value;
use tokio::time::sleep;
use types::{BlockRef, Code, Problem, RunKey};

use crate::route::Router;

impl Router {
    /// What a run says when it is over, or where it stands if that takes too long. A process that is here
    /// for one command does the work itself.
    pub(crate) async fn brief(&self, run: RunKey, wait_ms: u64) -> Result<BriefReply, Problem> {
        self.over(run, wait_ms).await?;
        Ok(brief(self.told(run).await?))
    }

    /// What a run says, or where it stands.
    pub(crate) async fn told(&self, run: RunKey) -> Result<Told, Problem> {
        let told = self.runtime.waker.told(run).await?;
        // Who is at work on it is about to lay it down.
        Ok(if self.stops_now() { put_back(told) } else { told })
    }

    /// Ends when a run is over, or whoever waits for it has lost patience.
    pub(crate) async fn over(&self, run: RunKey, wait_ms: u64) -> Result<(), Problem> {
        match self.runtime.stay() {
            Stay::OneCommand => drop(self.runtime.drain().await?),
            Stay::UntilStopped => {
                let ended = self.runtime.waker.wait_until_ended(run);
                tokio::select! {
                    ended = ended => ended?,
                    // Whoever loses patience is told where the run stands.
                    () = sleep(Duration::from_millis(wait_ms)) => {}
                    () = self.told_to_stop() => {}
                }
            }
        }
        Ok(())
    }

    fn stops_now(&self) -> bool {
        self.stops.as_ref().is_some_and(|stops| *stops.borrow())
    }

    pub(crate) async fn told_to_stop(&self) {
        let Some(mut stops) = self.stops.clone() else { return std::future::pending().await };
        // If nobody is left to tell, it is over as well.
        let _ = stops.wait_for(|stop| *stop).await;
    }

    /// Goes through a past turn again.
    pub(crate) async fn replay(
        &self,
        agent: &str,
        run: Option<&str>,
    ) -> Result<ReplayReply, Problem> {
        let run = match run {
            Some(name) => Some(self.run_named(agent, Some(name)).await?),
            None => None,
        };
        let replayed = self.runtime.replay(agent, run).await?;
        let (run_key, verdict) = (replayed.run.to_string(), replayed.verdict());
        Ok(ReplayReply { run_key, verdict, steps: replayed.steps })
    }

    pub(crate) async fn debug_prompt(&self, agent: &str) -> Result<PromptReply, Problem> {
        let agent = self.runtime.fleet.agent_get(agent).await?.id;
        let prompt = self.runtime.debug_prompt(&agent).await?.ok_or_else(|| {
            let message = format!("{agent} has asked no model yet");
            let hint = format!(
                "`dormouse wake {agent}` wakes it; without a server, `dormouse wake --drain` runs that"
            );
            Problem::new(Code::UnknownRecord, message, hint)
        })?;
        Ok(shown(prompt))
    }
}

/// What is told of a run that was not over when its server stopped.
fn put_back(told: Told) -> Told {
    match told.kind {
        "pending" => {
            let text = "the server was stopped; it goes on when one is started again".to_owned();
            Told { text, ..told }
        }
        _ => told,
    }
}

/// What a run says, on the wire.
pub(crate) fn brief(told: Told) -> BriefReply {
    let Told { kind, text, failure, turn: _ } = told;
    BriefReply { kind: kind.to_owned(), text, failure }
}

fn shown(prompt: PromptView) -> PromptReply {
    let items: Vec<PromptItem> = prompt.blocks.into_iter().map(|(b, text)| item(b, text)).collect();
    PromptReply {
        model: prompt.model.to_string(),
        tokens: items.iter().map(|item| item.tokens).sum::<u64>() + prompt.tool_tokens,
        items,
        tools: prompt.tools,
        tool_tokens: prompt.tool_tokens,
    }
}

fn item(block: BlockRef, text: Option<String>) -> PromptItem {
    PromptItem {
        kind: block.kind.as_str().to_owned(),
        stability: block.stability.as_str().to_owned(),
        trust: word(block.trust),
        tokens: block.tokens,
        reason: block.reason,
        text,
    }
}

/// The word by which a value is stored.
fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        other => unreachable!("it is stored as a word, not as {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_when_a_server_stops_is_told_when_it_goes_on_and_else_what_came_of_it() {
        let told = |kind| Told { kind, text: "so".to_owned(), failure: None, turn: None };
        assert!(put_back(told("pending")).text.contains("started again"));
        assert_eq!(put_back(told("result")), told("result"));
    }
}
