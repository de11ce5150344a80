//! How large a fleet is, and who in it listens for what.

use types::{
    AgentId, At, CategoryId, Compare, Condition, Predicate, StateId, Subscription, TaskId, Token,
    Ulid,
};

/// The time at which the first agent was made; each is a millisecond later.
const START: i64 = 1_750_000_000_000;

/// A fleet of sleeping agents. A tenth of them watch tasks of one category, the others one entity
/// each. In a small fleet there are more of the former, so that every size of a hit is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) agents: u64,
    /// Agents that all watch one category.
    pub(super) many: u64,
    /// Agents that all watch another.
    pub(super) few: u64,
    /// Agents that watch a category of their own.
    pub(super) alone: u64,
}

impl Size {
    pub(super) fn of(agents: u64) -> Size {
        let tenth = agents / 10;
        let (many, few) = (tenth.min(10_000), tenth.min(100));
        let alone = tenth.saturating_sub(many + few).max(tenth.min(1_000));
        Size { agents, many, few, alone }
    }

    /// What the n-th agent listens for, and the word that tells its subscriptions apart.
    pub(super) fn subscription(&self, n: u64, agent: AgentId) -> (Subscription, String) {
        let Some(category) = self.category(n) else {
            let task = task_id(n);
            return (
                Subscription::to(agent, vec![Token::entity(&(&task).into())]),
                task.to_string(),
            );
        };
        let value = category.to_string();
        let condition =
            Condition { property: "category".to_owned(), compare: Compare::Equal, value };
        let predicate = Predicate { kind: "TASK".to_owned(), all: vec![condition] };
        let tokens = vec![Token::semantic("TASK").expect("a semantic key")];
        let subscription =
            Subscription { predicate: Some(predicate), ..Subscription::to(agent, tokens) };
        (subscription, category.to_string())
    }

    fn category(&self, n: u64) -> Option<CategoryId> {
        let watchers = self.many + self.few;
        match n {
            n if n < self.many => Some(watched_by_many()),
            n if n < watchers => Some(watched_by_few()),
            n if n < watchers + self.alone => Some(watched_by_one(n - watchers)),
            _ => None,
        }
    }
}

pub(super) fn watched_by_many() -> CategoryId {
    "category_watched_by_many".parse().expect("an id")
}

pub(super) fn watched_by_few() -> CategoryId {
    "category_watched_by_few".parse().expect("an id")
}

/// The category that only the n-th of those alone watches.
pub(super) fn watched_by_one(n: u64) -> CategoryId {
    CategoryId::new(ulid(n))
}

pub(super) fn agent_id(n: u64) -> AgentId {
    AgentId::new(ulid(n))
}

pub(super) fn state_id(n: u64) -> StateId {
    StateId::new(ulid(n))
}

/// The task that the n-th agent listens for, if it is one of those that listen for one.
pub(super) fn task_id(n: u64) -> TaskId {
    TaskId::new(ulid(n))
}

/// Ordered by time with a scattered rest, as in life.
pub(super) fn ulid(n: u64) -> Ulid {
    let at = At::from_millis(START + i64::try_from(n).expect("few"));
    Ulid::new(at, u128::from(n.wrapping_mul(0x9E37_79B9_7F4A_7C15)) << 16)
}
