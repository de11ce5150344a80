//! Which records are listed by their owner.

use types::{BodyType, InvocationState};

/// Whether records of a kind, or of a finer kind, are found by their owner. What an agent was told, and its
/// turns, are found by their runs; its calls only while nobody knows how they ended. An index of all of
/// them would be as long as the agent's life, and nobody asks it.
#[must_use]
pub fn is_listed(kind: BodyType, finer: Option<&str>) -> bool {
    match kind {
        BodyType::AgentEnvelope | BodyType::AgentTurn => false,
        BodyType::AgentToolInvocation => {
            let open = [InvocationState::Intended.as_str(), InvocationState::Unknown.as_str()];
            finer.is_some_and(|finer| open.contains(&finer))
        }
        _ => true,
    }
}

/// Whether records of a kind are as new as they were made late. What was said is as new as it was written
/// late, whatever the clock said then.
#[must_use]
pub fn goes_by_clock(kind: BodyType) -> bool {
    kind != BodyType::AgentMessage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_listed_until_it_is_known_how_they_ended() {
        let call = BodyType::AgentToolInvocation;
        assert!(is_listed(call, Some("intended")) && is_listed(call, Some("unknown")));
        assert!(!is_listed(call, Some("done")) && !is_listed(call, None));
        assert!(is_listed(BodyType::AgentMessage, None));
        assert!(!is_listed(BodyType::AgentTurn, Some("")));
    }
}
