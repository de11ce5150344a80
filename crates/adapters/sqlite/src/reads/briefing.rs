//! What whoever runs an agent has to know before it begins, from one moment.

use store::{Briefing, Listing};
use types::{AgentId, At, Body, BodyType, CursorName, Subscription, Token, limits};
use vfs::Connection;

use crate::fault::Fault;

use super::records::in_one_moment;

/// Reads it all inside one read transaction, so that no part of it is older than another.
pub(crate) fn briefing(
    connection: &Connection,
    agent: &AgentId,
    now: At,
) -> Result<Briefing, Fault> {
    in_one_moment(connection, || read(connection, agent, now))
}

fn read(connection: &Connection, agent: &AgentId, now: At) -> Result<Briefing, Fault> {
    let identity = super::record(connection, &agent.into())?;
    let state = match identity.as_ref().map(|record| &record.body) {
        Some(Body::Agent(identity)) => {
            super::record(connection, &(&identity.current_state_id).into())?
        }
        _ => None,
    };
    let cursors = super::cursors(connection, &CursorName::of_agent(agent))?;
    let fences = super::fences_around(connection, agent)?;
    let (begun, run) = super::runs_at_hand(connection, agent, now)?;
    let subscriptions = subscriptions(connection, agent)?;
    let mut tokens: Vec<Token> =
        subscriptions.iter().flat_map(rules::matching::index_tokens).collect();
    tokens.push(rules::token::of_waits(agent));
    Ok(Briefing {
        identity,
        state,
        global_fence: fences.everything,
        fence: fences.own,
        run,
        begun,
        newest_run: super::newest_run(connection)?,
        own: super::delta(connection, &tokens, cursors.1, limits::ROWS_PER_READ_MAX)?,
        cursors,
        subscriptions,
        // One of a newer version says nothing that could not be done without.
        rest: super::rest(connection, agent).unwrap_or_default(),
        hints: super::hints(connection, agent)?,
    })
}

fn subscriptions(connection: &Connection, agent: &AgentId) -> Result<Vec<Subscription>, Fault> {
    let limit = limits::ROWS_PER_READ_MAX;
    let listing = Listing::of(agent.as_str(), BodyType::AgentSubscription, limit);
    let records = super::records_listed(connection, &listing)?;
    let bodies = records.into_iter().filter_map(|record| match record.body {
        Body::AgentSubscription(subscription) if subscription.active => Some(subscription),
        _ => None,
    });
    Ok(bodies.collect())
}
