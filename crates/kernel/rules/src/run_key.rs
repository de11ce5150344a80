//! The names of wakes: the same cause gives the same key, on every host and after every crash.

use types::{AgentId, Digest, RunKey, SubscriptionId, WakeReason};

use crate::hash;

/// What makes a wake this wake and no other, by reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause<'a> {
    /// A change matched a subscription.
    Subscription {
        /// Which subscription.
        subscription: &'a SubscriptionId,
        /// Which change.
        logical_change_key: Digest,
    },
    /// A timer's slot came.
    Timer {
        /// Which timer.
        timer: &'a str,
        /// Which slot, by its name: the same slot in another zone is the same wake.
        slot: &'a str,
    },
    /// Slots passed while nobody was there; they wake once.
    CatchUp {
        /// Which timer.
        timer: &'a str,
        /// The last slot that this wake covers, by its name.
        last_slot: &'a str,
    },
    /// Somebody spoke.
    UserInitiated {
        /// In which session.
        session: &'a str,
        /// Which turn of it.
        turn: &'a str,
    },
    /// Somebody asked for another look.
    Manual {
        /// Under which request.
        request: &'a str,
    },
    /// Work came to an end.
    JobResult {
        /// Which job.
        job: &'a str,
        /// Which of its results.
        result_seq: u64,
    },
    /// A trigger or webhook.
    Trigger {
        /// Which.
        trigger: &'a str,
        /// Which delivery.
        delivery: &'a str,
    },
    /// The runtime chose to look again.
    Tick {
        /// Why.
        cause: &'a str,
        /// Which one of those.
        cause_id: &'a str,
    },
}

impl Cause<'_> {
    /// The reason that this cause stands for.
    #[must_use]
    pub fn reason(&self) -> WakeReason {
        match self {
            Cause::Subscription { .. } => WakeReason::Subscription,
            Cause::Timer { .. } => WakeReason::Timer,
            Cause::CatchUp { .. } => WakeReason::CatchUp,
            Cause::UserInitiated { .. } => WakeReason::UserInitiated,
            Cause::Manual { .. } => WakeReason::Manual,
            Cause::JobResult { .. } => WakeReason::JobResult,
            Cause::Trigger { .. } => WakeReason::Trigger,
            Cause::Tick { .. } => WakeReason::Tick,
        }
    }
}

/// The key of an agent's wake for this cause.
#[must_use]
pub fn derive(agent: &AgentId, cause: &Cause<'_>) -> RunKey {
    let (first, second) = match cause {
        Cause::Subscription { subscription, logical_change_key } => {
            (subscription.to_string(), logical_change_key.to_string())
        }
        Cause::Timer { timer, slot } => ((*timer).to_owned(), (*slot).to_owned()),
        Cause::CatchUp { timer, last_slot } => ((*timer).to_owned(), (*last_slot).to_owned()),
        Cause::UserInitiated { session, turn } => ((*session).to_owned(), (*turn).to_owned()),
        Cause::Manual { request } => ("manual".to_owned(), (*request).to_owned()),
        Cause::JobResult { job, result_seq } => ((*job).to_owned(), result_seq.to_string()),
        Cause::Trigger { trigger, delivery } => ((*trigger).to_owned(), (*delivery).to_owned()),
        Cause::Tick { cause, cause_id } => ((*cause).to_owned(), (*cause_id).to_owned()),
    };
    let reason = cause.reason().as_str();
    RunKey(hash::fields(["run", reason, agent.as_str(), &first, &second]))
}

/// The id of an agent's subscription for a purpose and target: two hosts agree on it.
#[must_use]
pub fn subscription_id(agent: &AgentId, purpose: &str, target: &str) -> SubscriptionId {
    SubscriptionId::from_digest(&hash::fields(["subscription", agent.as_str(), purpose, target]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn agent(name: &str) -> AgentId {
        format!("agent_{name}").parse().unwrap()
    }

    #[test]
    fn every_reason_has_a_key_of_its_own() {
        let subscription: SubscriptionId = "subscription_x".parse().unwrap();
        let (x, y) = ("x", "1");
        let causes = [
            Cause::Subscription { subscription: &subscription, logical_change_key: Digest::ZERO },
            Cause::Timer { timer: x, slot: y },
            Cause::CatchUp { timer: x, last_slot: y },
            Cause::UserInitiated { session: x, turn: y },
            Cause::Manual { request: y },
            Cause::JobResult { job: x, result_seq: 1 },
            Cause::Trigger { trigger: x, delivery: y },
            Cause::Tick { cause: x, cause_id: y },
        ];
        let reasons: BTreeSet<_> = causes.iter().map(|c| c.reason().as_str()).collect();
        assert_eq!(reasons.len(), WakeReason::ALL.len(), "a reason has no cause");
        let keys: BTreeSet<_> = causes.iter().map(|c| derive(&agent("a"), c)).collect();
        assert_eq!(keys.len(), causes.len(), "two reasons share a key");
        assert!(causes.iter().all(|c| !keys.contains(&derive(&agent("b"), c))));
    }

    proptest! {
        #[test]
        fn equal_causes_and_only_they_share_a_key(
            a in ("[ab]{1,2}", "[ab:|]{0,2}", "[ab:|]{0,2}"),
            b in ("[ab]{1,2}", "[ab:|]{0,2}", "[ab:|]{0,2}"),
        ) {
            let key = |(name, trigger, delivery): &(String, String, String)| {
                derive(&agent(name), &Cause::Trigger { trigger, delivery })
            };
            prop_assert_eq!(key(&a) == key(&b), a == b);
        }
    }

    #[test]
    fn two_hosts_agree_on_a_subscription_id() {
        let first = subscription_id(&agent("a"), "watch", "category_home");
        assert_eq!(first, subscription_id(&agent("a"), "watch", "category_home"));
        assert_ne!(first, subscription_id(&agent("a"), "watch", "category_work"));
    }
}
