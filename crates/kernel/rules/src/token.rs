//! What a change is about.

use std::collections::BTreeSet;

use types::{Body, BodyType, LinkDraft, RecordId, Relation, Token};

use crate::image;

/// An agent's own workings: what it was told, said and did in its turns, and where it stands. Nobody is
/// woken by them; what they come to is a report, a wait or a change of the journal, which speak for
/// themselves. Tokens for them would be most of what a turn writes.
const WORKINGS: [BodyType; 7] = [
    BodyType::AgentState,
    BodyType::AgentEnvelope,
    BodyType::AgentMessage,
    BodyType::AgentTurn,
    BodyType::AgentSession,
    BodyType::AgentGrounding,
    BodyType::AgentToolInvocation,
];

/// Whether anybody can be woken by records of a kind.
#[must_use]
pub fn is_heard(kind: BodyType) -> bool {
    !WORKINGS.contains(&kind)
}

/// The tokens of a record's change, from what it was and what it is.
///
/// Both sides count: an agent that watches a category learns of a task that leaves it. Equality
/// predicates match on `subtypeToken|TASK|category=…` and the like, so they are index look-ups. What
/// nobody can be woken by has none.
#[must_use]
pub fn of_change(id: &RecordId, before: Option<&Body>, after: &Body) -> BTreeSet<Token> {
    if after.body_type().is_some_and(|kind| !is_heard(kind)) {
        return BTreeSet::new();
    }
    let mut tokens = BTreeSet::from([Token::entity(id)]);
    for body in before.into_iter().chain([after]) {
        let Some(body_type) = body.body_type() else { continue };
        let key = body_type.semantic_key();
        tokens.insert(Token::semantic(key).expect("semantic keys have no separator"));
        tokens.extend(image::properties(body).into_iter().map(|(name, value)| {
            Token::subtype(key, &format!("{name}={value}")).expect("ids have no separator")
        }));
    }
    tokens
}

/// The tokens of a link's change: both its ends, unless it only remembers where something came from.
#[must_use]
pub fn of_link(link: &LinkDraft) -> BTreeSet<Token> {
    match link.relation {
        Relation::ToolEffect | Relation::SummaryStart | Relation::SummaryEnd => BTreeSet::new(),
        _ => [&link.from, &link.to].map(Token::entity).into(),
    }
}

/// The token that a record of this kind carries when its property has this value.
#[must_use]
pub fn of_property(kind: types::BodyType, property: &str, value: &RecordId) -> Token {
    Token::subtype(kind.semantic_key(), &format!("{property}={value}"))
        .expect("ids have no separator")
}

/// The token of an agent's own waits: it is always told when one of them ends.
#[must_use]
pub fn of_waits(agent: &types::AgentId) -> Token {
    of_property(types::BodyType::AgentWait, "agent", &agent.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{AgentState, CategoryId, LinkId, Task, TaskStatus};

    fn task(category: &str, status: TaskStatus) -> Body {
        let category_id = category.parse().unwrap();
        Task { status, ..Task::new("t", category_id) }.into()
    }

    #[test]
    fn a_change_speaks_of_what_was_and_what_is() {
        let id: RecordId = "task_1".parse().unwrap();
        let before = task("category_home", TaskStatus::Open);
        let after = task("category_work", TaskStatus::Open);
        let tokens = of_change(&id, Some(&before), &after);
        let keys: Vec<&str> = tokens.iter().map(Token::key).collect();
        assert_eq!(
            keys,
            [
                "semanticKey|-|TASK",
                "subtypeToken|TASK|category=category_home",
                "subtypeToken|TASK|category=category_work",
                "subtypeToken|TASK|priority=p2",
                "subtypeToken|TASK|status=open",
                "entityId|-|task_1",
            ]
        );
        let home: CategoryId = "category_home".parse().unwrap();
        let watched = of_property(BodyType::Task, "category", &home.into());
        assert!(keys.contains(&watched.key()));
    }

    #[test]
    fn the_workings_of_an_agent_wake_nobody() {
        let id: RecordId = "state_1".parse().unwrap();
        let state = Body::from(AgentState::newborn("agent_1".parse().unwrap()));
        assert!(of_change(&id, None, &state).is_empty());
        assert!(crate::image::of_change(&id, None, Some(&state)).is_none());
        let link = |relation| LinkDraft {
            id: LinkId::from_digest(&crate::hash::bytes(b"link")),
            from: id.clone(),
            to: "item_1".parse().unwrap(),
            relation,
            hidden: false,
            body: serde_json::Map::new(),
            deleted: false,
        };
        assert!(of_link(&link(Relation::ToolEffect)).is_empty());
        assert_eq!(of_link(&link(Relation::AgentTask)).len(), 2);
    }

    #[test]
    fn an_unknown_record_is_known_by_its_id_alone() {
        let id: RecordId = "dream_1".parse().unwrap();
        let body = Body::Unknown { kind: "agentDream".to_owned(), raw: "{}".to_owned() };
        assert_eq!(of_change(&id, None, &body), BTreeSet::from([Token::entity(&id)]));
    }
}
