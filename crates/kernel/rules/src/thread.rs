//! The names of threads.

use types::{AgentId, RunKey, ThreadId};

/// The thread of an autonomous run.
#[must_use]
pub fn of_run(agent: &AgentId, run: &RunKey) -> ThreadId {
    ThreadId::from_stored(format!("{agent}:run:{run}"))
}

/// The thread of an interactive session.
#[must_use]
pub fn of_session(agent: &AgentId, session: &str) -> ThreadId {
    ThreadId::from_stored(format!("{agent}:session:{session}"))
}

/// The name of the session whose thread this is, if it is one's.
#[must_use]
pub fn session_of<'a>(agent: &AgentId, thread: &'a ThreadId) -> Option<&'a str> {
    thread.as_str().strip_prefix(of_session(agent, "").as_str())
}

/// The thread of an agent's notes, which belong to none of its runs: their summaries lie there.
#[must_use]
pub fn of_notes(agent: &AgentId) -> ThreadId {
    ThreadId::from_stored(format!("{agent}:notes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::Digest;

    #[test]
    fn a_thread_says_whose_it_is_and_of_which_kind() {
        let agent: AgentId = "agent_a".parse().unwrap();
        let run = of_run(&agent, &RunKey(Digest::ZERO));
        assert_eq!(run.as_str(), format!("agent_a:run:{}", "0".repeat(64)));
        assert_eq!(session_of(&agent, &run), None);
        let session = of_session(&agent, "s1");
        assert_eq!(session.as_str(), "agent_a:session:s1");
        assert_eq!(session_of(&agent, &session), Some("s1"));
    }
}
