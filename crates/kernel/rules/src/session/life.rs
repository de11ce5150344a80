//! The life of a session.

use types::{
    AgentId, At, ConversationId, DeliverySurface, Participant, Session, SessionId, SessionStatus,
    ThreadId,
};

use crate::{hash, thread};

/// The session that an agent's operator calls so.
#[must_use]
pub fn id(agent: &AgentId, name: &str) -> SessionId {
    named(&thread::of_session(agent, name))
}

/// The session whose thread this is, if it is one's.
#[must_use]
pub fn of_thread(agent: &AgentId, thread: &ThreadId) -> Option<SessionId> {
    thread::session_of(agent, thread).map(|_| named(thread))
}

/// Whether what somebody calls a session is an id, and so no name.
#[must_use]
pub fn is_id(text: &str) -> bool {
    let digits = text.strip_prefix("session_").unwrap_or_default();
    digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn named(thread: &ThreadId) -> SessionId {
    SessionId::from_digest(&hash::fields(["session", thread.as_str()]))
}

/// The conversation of a session that was started without one.
#[must_use]
pub fn conversation_of(session: &SessionId) -> ConversationId {
    ConversationId::from_digest(&hash::fields(["conversation", session.as_str()]))
}

/// What a session begins with.
#[derive(Debug, Clone)]
pub struct Beginning<'a> {
    /// Whose thread.
    pub agent: &'a AgentId,
    /// What it is called.
    pub name: &'a str,
    /// In which conversation; one of its own if absent.
    pub conversation: Option<ConversationId>,
    /// Through which door.
    pub channel: DeliverySurface,
    /// Tokens that fit.
    pub token_capacity: u64,
    /// When.
    pub now: At,
}

/// A session that begins: the operator's with the agent.
#[must_use]
pub fn began(beginning: Beginning<'_>) -> (SessionId, Session) {
    let Beginning { agent, name, conversation, channel, token_capacity, now } = beginning;
    let id = id(agent, name);
    let session = Session {
        agent_id: agent.clone(),
        name: name.to_owned(),
        conversation_id: conversation.unwrap_or_else(|| conversation_of(&id)),
        status: SessionStatus::Active,
        participants: [Participant::Operator, Participant::Agent(agent.clone())].into(),
        continued_from: None,
        continued_by: None,
        began_at: now,
        over_at: None,
        channel,
        token_capacity,
    };
    (id, session)
}

/// The same session, over. One that is over stays as it is over, but a session that ended can still be
/// broken off, as long as something of it is under way.
#[must_use]
pub fn over(session: &Session, status: SessionStatus, now: At) -> Session {
    let over_at = Some(session.over_at.unwrap_or(now.max(session.began_at)));
    Session { status, over_at, ..session.clone() }
}

/// A session that goes on from another under a new name, and that other one with word of it. What goes on
/// elsewhere is over here.
#[must_use]
pub fn continued(
    from: (&SessionId, &Session),
    name: &str,
    channel: DeliverySurface,
    now: At,
) -> ((SessionId, Session), Session) {
    let (from_id, before) = from;
    let (id, new) = began(Beginning {
        agent: &before.agent_id,
        name,
        conversation: Some(before.conversation_id.clone()),
        channel,
        token_capacity: before.token_capacity,
        now,
    });
    let status = match before.status {
        SessionStatus::Active => SessionStatus::Ended,
        over => over,
    };
    let before = Session { continued_by: Some(id.clone()), ..over(before, status, now) };
    ((id, Session { continued_from: Some(from_id.clone()), ..new }), before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evening() -> (SessionId, Session) {
        began(Beginning {
            agent: &"agent_a".parse().unwrap(),
            name: "evening",
            conversation: None,
            channel: DeliverySurface::CliPrompt,
            token_capacity: 100,
            now: At::from_millis(5),
        })
    }

    #[test]
    fn a_session_is_named_by_its_thread_and_nothing_else_is_one() {
        let agent: AgentId = "agent_a".parse().unwrap();
        let (id, _) = evening();
        assert_eq!(of_thread(&agent, &thread::of_session(&agent, "evening")), Some(id.clone()));
        assert_ne!(of_thread(&agent, &thread::of_session(&agent, "morning")), Some(id));
        assert_eq!(of_thread(&agent, &thread::of_notes(&agent)), None);
        let other: AgentId = "agent_b".parse().unwrap();
        assert_eq!(of_thread(&agent, &thread::of_session(&other, "evening")), None);
        assert!(is_id(evening().0.as_str()));
        assert!(!["evening", "session_", "session_2", ""].into_iter().any(is_id));
    }

    #[test]
    fn what_goes_on_elsewhere_is_over_here_and_keeps_how_it_was_over() {
        let (id, session) = evening();
        let now = At::from_millis(9);
        let next = |session: &Session| {
            continued((&id, session), "evening-2", DeliverySurface::CliPrompt, now)
        };
        let ((new_id, new), before) = next(&session);
        assert_eq!((new.continued_from, new.status), (Some(id.clone()), SessionStatus::Active));
        assert_eq!(new.conversation_id, session.conversation_id);
        assert_eq!((before.status, before.over_at), (SessionStatus::Ended, Some(now)));
        assert_eq!(before.continued_by, Some(new_id));
        let broken_off = over(&session, SessionStatus::Interrupted, At::from_millis(7));
        let (_, before) = next(&broken_off);
        assert_eq!(before.status, SessionStatus::Interrupted);
        assert_eq!(before.over_at, Some(At::from_millis(7)));
    }
}
