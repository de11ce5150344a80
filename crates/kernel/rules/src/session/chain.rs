//! The sessions of a conversation in their order, and what they come to together.

use std::collections::BTreeSet;

use types::{At, Participant, Session, SessionId};

/// A session with its id.
type Named = (SessionId, Session);

/// Sessions in their order: each right behind the one that it goes on from; those that go on from none
/// in the order in which they began.
#[must_use]
pub fn in_order(mut sessions: Vec<Named>) -> Vec<Named> {
    sessions.sort_by(|(a, x), (b, y)| (x.began_at, a).cmp(&(y.began_at, b)));
    let known: BTreeSet<SessionId> = sessions.iter().map(|(id, _)| id.clone()).collect();
    let is_first = |session: &Session| {
        session.continued_from.as_ref().is_none_or(|from| !known.contains(from))
    };
    let (first, mut later): (Vec<Named>, Vec<Named>) =
        sessions.into_iter().partition(|(_, session)| is_first(session));
    let mut ordered = Vec::new();
    for one in first {
        let mut next = Some(one);
        while let Some(one) = next {
            let follows = |(_, other): &Named| other.continued_from.as_ref() == Some(&one.0);
            next = later.iter().position(follows).map(|place| later.remove(place));
            ordered.push(one);
        }
    }
    // Two that name each other cannot come to be here, and are not lost if they come from elsewhere.
    ordered.extend(later);
    ordered
}

/// What the sessions of a conversation have together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    /// Who takes part in any of them.
    pub participants: BTreeSet<Participant>,
    /// When the first began.
    pub began_at: At,
    /// When the last was over; absent while one is active.
    pub over_at: Option<At>,
}

/// What sessions come to together; nothing if there are none.
#[must_use]
pub fn whole(sessions: &[Named]) -> Option<Whole> {
    let all = || sessions.iter().map(|(_, session)| session);
    let over: Option<Vec<At>> = all().map(|session| session.over_at).collect();
    Some(Whole {
        participants: all().flat_map(|session| session.participants.iter().cloned()).collect(),
        began_at: all().map(|session| session.began_at).min()?,
        over_at: over.and_then(|over| over.into_iter().max()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Beginning, began, continued, over};
    use types::{DeliverySurface, SessionStatus};

    fn session(agent: &str, name: &str, at: i64) -> Named {
        began(Beginning {
            agent: &agent.parse().unwrap(),
            name,
            conversation: Some("conversation_a".parse().unwrap()),
            channel: DeliverySurface::CliPrompt,
            token_capacity: 100,
            now: At::from_millis(at),
        })
    }

    #[test]
    fn sessions_follow_the_ones_they_go_on_from_and_a_conversation_spans_them_all() {
        let (id, first) = session("agent_a", "one", 1);
        let aside = session("agent_b", "aside", 2);
        let at = At::from_millis(5);
        let ((next_id, next), first) =
            continued((&id, &first), "two", DeliverySurface::CliPrompt, at);
        let all = vec![aside.clone(), (next_id, next), (id, first)];
        let names = |all: Vec<Named>| -> Vec<String> {
            in_order(all).into_iter().map(|(_, session)| session.name).collect()
        };
        assert_eq!(names(all.clone()), ["one", "two", "aside"]);
        let together = whole(&all).unwrap();
        let who: Vec<&str> = together.participants.iter().map(Participant::as_str).collect();
        assert_eq!(who, ["operator", "agent_a", "agent_b"]);
        assert_eq!((together.began_at, together.over_at), (At::from_millis(1), None));
        let ended: Vec<Named> = all
            .into_iter()
            .map(|(id, one)| (id, over(&one, SessionStatus::Ended, At::from_millis(8))))
            .collect();
        assert_eq!(whole(&ended).unwrap().over_at, Some(At::from_millis(8)));
        assert_eq!(whole(&[]), None);
    }

    #[test]
    fn sessions_that_name_each_other_are_not_lost() {
        let (a, mut one) = session("agent_a", "one", 1);
        let (b, mut two) = session("agent_a", "two", 2);
        one.continued_from = Some(b.clone());
        two.continued_from = Some(a.clone());
        assert_eq!(in_order(vec![(a, one), (b, two)]).len(), 2);
    }
}
