//! Who wakes for which change.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use types::{
    AgentId, BodyType, ChangeRecord, Compare, Listener, RunDraft, RunKey, Subscription,
    SubscriptionId, Token, WakeReason,
};

use crate::run_key::{self, Cause};
use crate::{predicate, thread};

/// Who listens for what, by token.
pub type Listeners = HashMap<Token, Vec<Listener>>;

/// A change that somebody listens for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit<'a> {
    /// The change.
    pub change: &'a ChangeRecord,
    /// Who listens.
    pub listener: &'a Listener,
}

/// The tokens under which a subscription is found. A predicate that asks for one value of a property
/// is itself a token, so a subscription to one kind is found under that value instead of under the
/// kind: a change is not compared with everybody who watches tasks.
#[must_use]
pub fn index_tokens(subscription: &Subscription) -> BTreeSet<Token> {
    let narrowed = |token: &Token| -> Option<Token> {
        let predicate = subscription.predicate.as_ref()?;
        let whole_kind = Token::semantic(&predicate.kind).ok()? == *token;
        let equal = predicate.all.iter().find(|c| c.compare == Compare::Equal)?;
        let value = format!("{}={}", equal.property, equal.value);
        if whole_kind { Token::subtype(&predicate.kind, &value).ok() } else { None }
    };
    subscription.tokens.iter().map(|token| narrowed(token).unwrap_or(token.clone())).collect()
}

/// Whether a subscription's tokens alone decide.
#[must_use]
pub fn is_plain(subscription: &Subscription) -> bool {
    let covered = subscription.predicate.as_ref().is_none_or(|predicate| {
        let whole_kind = |token: &Token| Token::semantic(&predicate.kind).as_ref() == Ok(token);
        // A condition of equality on the whole kind has become the token itself, if its value can
        // stand in one.
        subscription.tokens.iter().all(whole_kind)
            && match predicate.all.as_slice() {
                [] => true,
                [_] => !index_tokens(subscription).iter().any(whole_kind),
                _ => false,
            }
    });
    covered && subscription.schedule.is_none()
}

/// Who listens for which of the changes, oldest change first: once per change and subscription,
/// however many of its tokens the change carries. What an agent wrote never wakes that agent, and the
/// change by which somebody begins to listen is not what they listen for: whoever makes it sees to the
/// first look.
#[must_use]
pub fn hits<'a>(changes: &'a [ChangeRecord], listeners: &'a Listeners) -> Vec<Hit<'a>> {
    let mut hits = Vec::new();
    for change in changes {
        let heard: Vec<&Vec<Listener>> =
            change.tokens.iter().filter_map(|token| listeners.get(token)).collect();
        let begins: Vec<&str> = begins(change).collect();
        // Only who listens for two tokens can be heard twice, so one token needs no set.
        let mut seen = BTreeSet::new();
        for listener in heard.iter().copied().flatten() {
            let own = change.author.agent() == Some(&listener.agent)
                || begins.contains(&listener.subscription.as_str());
            if !own && (heard.len() < 2 || seen.insert(&listener.subscription)) {
                hits.push(Hit { change, listener });
            }
        }
    }
    hits
}

/// The subscriptions that a change makes, or makes anew.
fn begins(change: &ChangeRecord) -> impl Iterator<Item = &str> {
    let subscription = BodyType::AgentSubscription.semantic_key();
    let made = change.images.iter().filter(move |image| image.kind == subscription);
    made.map(|image| image.id.as_str())
}

/// Whether a subscription wants to be woken for a change that carries one of its tokens.
#[must_use]
pub fn wants(subscription: &Subscription, change: &ChangeRecord) -> bool {
    let Some(predicate) = &subscription.predicate else { return subscription.active };
    subscription.active && change.images.iter().any(|image| predicate::holds(predicate, image))
}

/// Whether a subscription hears of a change: the change carries a token under which it is found, and it
/// wants it.
#[must_use]
pub fn hears(subscription: &Subscription, change: &ChangeRecord) -> bool {
    // The tokens have to be made, so they come last.
    wants(subscription, change)
        && index_tokens(subscription).iter().any(|token| change.tokens.contains(token))
}

/// The hits that are to wake somebody, where `asked` holds the subscriptions whose tokens alone do not
/// decide. One that is missing there has gone meanwhile and wants nothing. Hits of a schedule's
/// subscription are left out: the schedule decides.
pub fn wanted<'a>(
    hits: &'a [Hit<'a>],
    asked: &'a BTreeMap<SubscriptionId, Subscription>,
) -> impl Iterator<Item = &'a Hit<'a>> {
    hits.iter().filter(|hit| {
        hit.listener.plain
            || asked
                .get(&hit.listener.subscription)
                .is_some_and(|s| s.schedule.is_none() && wants(s, hit.change))
    })
}

/// The wakes of those hits.
#[must_use]
pub fn wakes(hits: &[Hit<'_>], asked: &BTreeMap<SubscriptionId, Subscription>) -> Vec<RunDraft> {
    wanted(hits, asked).map(wake).collect()
}

fn wake(hit: &Hit<'_>) -> RunDraft {
    let Listener { subscription, agent, .. } = hit.listener;
    let logical_change_key = hit.change.logical_change_key;
    let cause = Cause::Subscription { subscription, logical_change_key };
    let draft = draft(agent, &cause, Some(subscription.to_string()));
    RunDraft { logical_change_key: Some(logical_change_key), ..draft }
}

/// A wake for a cause, as it is queued when nothing else is to be said about it.
#[must_use]
pub fn draft(agent: &AgentId, cause: &Cause<'_>, reason_id: Option<String>) -> RunDraft {
    draft_named(agent, run_key::derive(agent, cause), cause.reason(), reason_id)
}

/// The same under a key that is known already.
#[must_use]
pub fn draft_named(
    agent: &AgentId,
    run_key: RunKey,
    reason: WakeReason,
    reason_id: Option<String>,
) -> RunDraft {
    RunDraft {
        run_key,
        agent: agent.clone(),
        reason,
        reason_id,
        thread: thread::of_run(agent, &run_key),
        logical_change_key: None,
        priority: reason.priority(),
        envelope: None,
        not_before: None,
        insist: false,
        model: None,
    }
}

#[cfg(test)]
#[path = "matching_tests.rs"]
mod tests;
