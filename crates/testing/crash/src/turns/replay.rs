//! Going through every past turn of a home again, while its server stands.

use api_types::{ReplayReply, Request, RunReply, Verdict};
use client::{Socket, Transport};
use serde::de::DeserializeOwned;

use super::home::House;
use crate::Violation;

/// Runs of an agent that are looked at.
const RUNS_MAX: usize = 1_000;

/// How many turns came out again as they were recorded.
///
/// # Errors
/// What of the first that did not came out otherwise.
pub(crate) fn replay_all(house: &House, line: &Socket) -> Result<u64, Violation> {
    let mut replayed = 0;
    for agent in &house.agents {
        let all = Request::RunList { agent: agent.clone(), limit: RUNS_MAX };
        let runs: Vec<RunReply> = asked(line, all)?;
        // One that was merged into another, or taken up by it, has no turn of its own.
        let own = runs.into_iter().filter(|run| run.model.is_some());
        for run in own.map(|run| run.run_key) {
            let request = Request::Replay { agent: agent.clone(), run: Some(run.clone()) };
            let reply: ReplayReply = asked(line, request)?;
            if reply.verdict == Verdict::Differs {
                let steps = reply.steps.iter().filter(|step| step.verdict == Verdict::Differs);
                let how: Vec<&str> = steps.map(|step| step.step.as_str()).collect();
                return Err(wrong(format!("{run} comes out otherwise: {}", how.join(", "))));
            }
            replayed += 1;
        }
    }
    Ok(replayed)
}

fn asked<T: DeserializeOwned>(line: &Socket, request: Request) -> Result<T, Violation> {
    let answer = line.send(request).map_err(|problem| wrong(problem.message))?;
    serde_json::from_value(answer).map_err(|error| wrong(error.to_string()))
}

fn wrong(how: String) -> Violation {
    Violation::Broken { what: "a past turn", how }
}
