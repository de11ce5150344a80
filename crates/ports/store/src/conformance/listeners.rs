//! Under which tokens subscriptions are found.

use types::{Compare, Condition, Predicate, RecordDraft, Subscription, Token, Write};

use super::Harness;
use super::given::{agent, agent_id, apply, id, read};
use crate::Store;

fn tasks() -> Token {
    Token::semantic("TASK").expect("a good token")
}

fn of_value(value: &str) -> Token {
    Token::subtype("TASK", value).expect("a good token")
}

fn condition(property: &str, compare: Compare, value: &str) -> Condition {
    Condition { property: property.to_owned(), compare, value: value.to_owned() }
}

/// A wish to hear of tasks that meet conditions.
fn watching(all: Vec<Condition>) -> Subscription {
    let predicate = Some(Predicate { kind: "TASK".to_owned(), all });
    Subscription { predicate, ..Subscription::to(agent_id("a"), vec![tasks()]) }
}

fn subscribe(store: &dyn Store, subscription: Subscription) {
    let record: types::RecordId = id("subscription_a");
    apply(store, agent(vec![Write::Record(RecordDraft::live(record, subscription))]));
}

/// Whether the subscription listens for a token, and if so, whether that alone decides.
fn listens(store: &dyn Store, token: &Token) -> Option<bool> {
    let found = read(store.subscribers(vec![token.clone()]));
    let mut all: Vec<types::Listener> = found
        .into_iter()
        .flat_map(|(of, all)| {
            assert_eq!(of, *token);
            all
        })
        .collect();
    assert!(all.len() <= 1, "one subscription listens twice: {all:?}");
    let one = all.pop()?;
    assert_eq!((one.subscription, one.agent), (id("subscription_a"), agent_id("a")));
    Some(one.plain)
}

/// A change is not compared with everybody who watches its kind.
pub fn an_equality_is_listened_for_by_itself(harness: &mut impl Harness) {
    let store = harness.open();
    subscribe(&*store, watching(vec![condition("status", Compare::Equal, "done")]));
    assert_eq!(listens(&*store, &of_value("status=done")), Some(true));
    assert_eq!(listens(&*store, &tasks()), None, "it is found under the kind as well");
    subscribe(&*store, watching(vec![condition("status", Compare::Equal, "open")]));
    assert_eq!(listens(&*store, &of_value("status=open")), Some(true));
    assert_eq!(listens(&*store, &of_value("status=done")), None, "it listens as it used to");
    subscribe(&*store, watching(vec![]));
    assert_eq!(listens(&*store, &tasks()), Some(true));
    assert_eq!(listens(&*store, &of_value("status=open")), None);
    subscribe(&*store, Subscription { active: false, ..watching(vec![]) });
    assert_eq!(listens(&*store, &tasks()), None);
}

/// Then the subscription has to be asked.
pub fn a_further_condition_is_not_decided_by_the_token(harness: &mut impl Harness) {
    let store = harness.open();
    let done = condition("status", Compare::Equal, "done");
    let urgent = condition("priority", Compare::AtMost, "p1");
    subscribe(&*store, watching(vec![urgent.clone(), done.clone()]));
    assert_eq!(listens(&*store, &of_value("status=done")), Some(false));
    assert_eq!(listens(&*store, &tasks()), None);
    for compare in [Compare::NotEqual, Compare::AtMost, Compare::AtLeast] {
        subscribe(&*store, watching(vec![condition("status", compare, "done")]));
        assert_eq!(listens(&*store, &tasks()), Some(false), "{compare:?}");
        assert_eq!(listens(&*store, &of_value("status=done")), None, "{compare:?}");
    }
    let schedule = Some(id("schedule_s"));
    subscribe(&*store, Subscription { schedule, ..watching(vec![]) });
    assert_eq!(listens(&*store, &tasks()), Some(false), "its schedule has to be asked");
}

/// The token of another kind or of one record stays what it is.
pub fn a_condition_narrows_only_the_token_of_its_kind(harness: &mut impl Harness) {
    let store = harness.open();
    let entity = Token::entity(&id("task_t"));
    let category = Token::semantic("CATEGORY").expect("a good token");
    let subscription = watching(vec![condition("status", Compare::Equal, "done")]);
    let tokens = vec![tasks(), entity.clone(), category.clone()];
    subscribe(&*store, Subscription { tokens, ..subscription });
    for token in [of_value("status=done"), entity, category] {
        assert_eq!(listens(&*store, &token), Some(false), "{token}");
    }
    assert_eq!(listens(&*store, &tasks()), None);
    let many = read(store.subscribers(vec![tasks(), of_value("status=done")]));
    assert_eq!(many.len(), 1, "a token that nobody listens for has no row");
}
