//! Who wakes for which change.

use std::collections::{BTreeMap, BTreeSet};

use types::{AgentId, ChangeRecord, RunDraft, SubscriptionId, Token};

use crate::run_key::{self, Cause};
use crate::thread;

/// Who listens for what: for each token, subscriptions with their agents.
pub type Listeners = BTreeMap<Token, BTreeSet<(SubscriptionId, AgentId)>>;

/// The wakes that changes cause, oldest change first: one per change and subscription, however many
/// of its tokens the change carries. What an agent wrote never wakes that agent.
#[must_use]
pub fn wakes(changes: &[ChangeRecord], listeners: &Listeners) -> Vec<RunDraft> {
    let mut wakes = Vec::new();
    for change in changes {
        let heard: BTreeSet<&(SubscriptionId, AgentId)> =
            change.tokens.iter().filter_map(|token| listeners.get(token)).flatten().collect();
        for (subscription, agent) in heard {
            if change.author.agent() != Some(agent) {
                wakes.push(wake(change, subscription, agent));
            }
        }
    }
    wakes
}

fn wake(change: &ChangeRecord, subscription: &SubscriptionId, agent: &AgentId) -> RunDraft {
    let logical_change_key = change.logical_change_key;
    let cause = Cause::Subscription { subscription, logical_change_key };
    let run_key = run_key::derive(agent, &cause);
    RunDraft {
        run_key,
        agent: agent.clone(),
        reason: cause.reason(),
        reason_id: Some(subscription.to_string()),
        thread: thread::of_run(agent, &run_key),
        logical_change_key: Some(logical_change_key),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{At, Author, Counter, Digest, Epoch, Origin, Position, RunKey};

    fn change(author: Author, tokens: &[&Token]) -> ChangeRecord {
        ChangeRecord {
            position: Position(1),
            host: "host_a".parse().unwrap(),
            counter: Counter(1),
            origin: Origin::Local,
            author,
            at: At::EPOCH,
            logical_change_key: Digest::ZERO,
            tokens: tokens.iter().map(|token| (*token).clone()).collect(),
        }
    }

    #[test]
    fn a_change_wakes_each_listener_once_and_never_its_author() {
        let (task, home) =
            (Token::semantic("TASK").unwrap(), Token::subtype("TASK", "category=h").unwrap());
        let listener = |name: &str| {
            let subscription = format!("subscription_{name}").parse().unwrap();
            (subscription, format!("agent_{name}").parse::<AgentId>().unwrap())
        };
        let listeners = Listeners::from([
            (task.clone(), BTreeSet::from([listener("a"), listener("b")])),
            (home.clone(), BTreeSet::from([listener("a")])),
        ]);
        let who = |change: ChangeRecord| -> Vec<String> {
            wakes(&[change], &listeners).iter().map(|wake| wake.agent.to_string()).collect()
        };
        assert_eq!(who(change(Author::Operator, &[&task, &home])), ["agent_a", "agent_b"]);
        assert_eq!(who(change(Author::Operator, &[&home])), ["agent_a"]);
        assert!(who(change(Author::Operator, &[])).is_empty());
        let (_, agent) = listener("a");
        let own = Author::Agent { agent, run: RunKey(Digest::ZERO), epoch: Epoch::default() };
        assert_eq!(who(change(own, &[&task, &home])), ["agent_b"]);
    }
}
