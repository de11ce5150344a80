use super::*;
use types::{
    At, Author, Condition, Counter, Digest, Epoch, Image, Origin, Position, Predicate, Properties,
    RunKey,
};

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
        images: vec![],
    }
}

fn listener(name: &str) -> Listener {
    Listener {
        subscription: format!("subscription_{name}").parse().unwrap(),
        agent: format!("agent_{name}").parse().unwrap(),
        plain: true,
    }
}

fn subscription(conditions: Vec<Condition>) -> Subscription {
    let predicate = Predicate { kind: "TASK".to_owned(), all: conditions };
    let tokens = vec![Token::semantic("TASK").unwrap()];
    Subscription {
        predicate: Some(predicate),
        ..Subscription::to("agent_a".parse().unwrap(), tokens)
    }
}

fn condition(property: &str, compare: Compare, value: &str) -> Condition {
    Condition { property: property.to_owned(), compare, value: value.to_owned() }
}

#[test]
fn a_change_wakes_each_listener_once_and_never_its_author() {
    let (task, home) =
        (Token::semantic("TASK").unwrap(), Token::subtype("TASK", "category=h").unwrap());
    let listeners = Listeners::from([
        (task.clone(), vec![listener("a"), listener("b")]),
        (home.clone(), vec![listener("a")]),
    ]);
    let who = |changes: &[ChangeRecord]| -> Vec<String> {
        let wakes = wakes(&hits(changes, &listeners), &BTreeMap::new());
        wakes.iter().map(|wake| wake.agent.to_string()).collect()
    };
    assert_eq!(who(&[change(Author::Operator, &[&task, &home])]), ["agent_a", "agent_b"]);
    assert_eq!(who(&[change(Author::Operator, &[&home])]), ["agent_a"]);
    assert!(who(&[change(Author::Operator, &[])]).is_empty());
    let agent = listener("a").agent;
    let own = Author::Agent { agent, run: RunKey(Digest::ZERO), epoch: Epoch::default() };
    assert_eq!(who(&[change(own.clone(), &[&task, &home])]), ["agent_b"]);
    let two = [change(Author::Operator, &[&home]), change(own, &[&task, &home])];
    assert_eq!(who(&two), ["agent_a", "agent_b"], "a change takes another's hits away");
}

#[test]
fn the_change_by_which_somebody_begins_to_listen_wakes_others_and_not_them() {
    let task = Token::entity(&"task_1".parse().unwrap());
    let listeners = Listeners::from([(task.clone(), vec![listener("a"), listener("b")])]);
    let begins = Image {
        id: "subscription_b".parse().unwrap(),
        kind: BodyType::AgentSubscription.semantic_key().to_owned(),
        before: None,
        after: Some(Properties::new()),
        fields: BTreeSet::new(),
    };
    let changes = [ChangeRecord { images: vec![begins], ..change(Author::Operator, &[&task]) }];
    let heard = hits(&changes, &listeners);
    assert_eq!(heard.iter().map(|hit| hit.listener).collect::<Vec<_>>(), [&listener("a")]);
}

#[test]
fn an_equality_predicate_becomes_an_index_token() {
    let gym = subscription(vec![condition("category", Compare::Equal, "category_gym")]);
    let token = Token::subtype("TASK", "category=category_gym").unwrap();
    assert_eq!(index_tokens(&gym), BTreeSet::from([token.clone()]));
    assert!(is_plain(&gym));
    let urgent = condition("priority", Compare::AtMost, "p1");
    let both = subscription(vec![gym.predicate.unwrap().all.remove(0), urgent.clone()]);
    assert_eq!(index_tokens(&both), BTreeSet::from([token]));
    assert!(!is_plain(&both));
    let wide = subscription(vec![urgent]);
    assert_eq!(index_tokens(&wide), wide.tokens.iter().cloned().collect());
    assert!(!is_plain(&wide));
}

#[test]
fn a_predicate_is_asked_where_the_token_does_not_decide() {
    let urgent = subscription(vec![condition("priority", Compare::AtMost, "p1")]);
    let task = Token::semantic("TASK").unwrap();
    let image = |priority: &str| Image {
        id: "task_1".parse().unwrap(),
        kind: "TASK".to_owned(),
        before: None,
        after: Some(Properties::from([("priority".to_owned(), priority.to_owned())])),
        fields: BTreeSet::new(),
    };
    let asking = Listener { plain: false, ..listener("a") };
    let listeners = Listeners::from([(task.clone(), vec![asking.clone()])]);
    let asked = BTreeMap::from([(asking.subscription, urgent)]);
    let count = |priority: &str, asked: &BTreeMap<SubscriptionId, Subscription>| {
        let images = vec![image(priority)];
        let changes = [ChangeRecord { images, ..change(Author::Operator, &[&task]) }];
        wakes(&hits(&changes, &listeners), asked).len()
    };
    assert_eq!((count("p0", &asked), count("p3", &asked)), (1, 0));
    assert_eq!(count("p0", &BTreeMap::new()), 0, "a subscription that is gone wakes nobody");
}

#[test]
fn a_subscription_hears_of_what_carries_its_token_and_meets_its_predicate() {
    let task = Token::semantic("TASK").unwrap();
    let home = Token::subtype("TASK", "category=home").unwrap();
    let image = Image {
        id: "task_1".parse().unwrap(),
        kind: "TASK".to_owned(),
        before: None,
        after: Some(Properties::from([("category".to_owned(), "home".to_owned())])),
        fields: BTreeSet::new(),
    };
    let made = |tokens: &[&Token]| {
        let images = vec![image.clone()];
        ChangeRecord { images, ..change(Author::Operator, tokens) }
    };
    let of_category = |name: &str| subscription(vec![condition("category", Compare::Equal, name)]);
    assert!(hears(&of_category("home"), &made(&[&task, &home])));
    assert!(!hears(&of_category("home"), &made(&[&task])), "it is found under the narrower token");
    assert!(!hears(&of_category("work"), &made(&[&task, &home])));
    let urgent = subscription(vec![condition("priority", Compare::AtMost, "p1")]);
    assert!(!hears(&urgent, &made(&[&task])), "the token alone does not decide");
    let asleep = Subscription { active: false, ..of_category("home") };
    assert!(!hears(&asleep, &made(&[&task, &home])));
}
