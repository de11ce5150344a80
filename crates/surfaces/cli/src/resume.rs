//! Resuming all agents that gave up because their turns failed.

use api_types::{AgentReply, ProblemReply, Request};
use client::Client;

use crate::render;
use crate::screen::Screen;

/// As the reason of an agent's rest is told.
const FAILURES: &str = "failures";

/// Lets all go on that are dormant because of failures. One that cannot is told of, and the others go on all
/// the same.
pub(crate) fn failed(client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let agents: Vec<AgentReply> = client.ask(Request::AgentList {})?;
    let gave_up = |agent: &AgentReply| agent.dormant_because.as_deref() == Some(FAILURES);
    let (mut resumed, mut refused) = (Vec::new(), None);
    for agent in agents.into_iter().filter(gave_up) {
        match client.ask::<AgentReply>(Request::AgentResume { agent: agent.id }) {
            Ok(agent) => resumed.push(agent),
            Err(problem) => refused = refused.or(Some(problem)),
        }
    }
    // If all were refused, there is nothing to say but why.
    if refused.is_none() || !resumed.is_empty() {
        screen.show(&resumed, |resumed| match &resumed[..] {
            [] => "no agent is dormant because of failures\n".to_owned(),
            all => all.iter().map(render::stands).collect(),
        });
    }
    refused.map_or(Ok(()), Err)
}
