//! Breaking a session off, with whatever is under way in it.

use sessions::SessionView;
use types::{AgentId, Code, Problem, limits};

use crate::Runtime;

impl Runtime {
    /// Breaks a session off: from its record on nothing more is said in it, then every run that it has
    /// left is cancelled. A turn under way writes nothing more from there on, and a call of a model is given up.
    /// If the process dies in between, what is taken up again sees the record; asked again, the rest is
    /// done.
    ///
    /// # Errors
    /// If there is no such session, or the store cannot.
    pub async fn session_interrupt(
        &self,
        agent: &AgentId,
        session: &str,
    ) -> Result<SessionView, Problem> {
        let broken_off = self.sessions.interrupt(agent, session).await?;
        let thread = rules::thread::of_session(agent, &broken_off.session.name);
        let open = self.store.open_runs(agent.clone(), limits::ROWS_PER_READ_MAX).await?;
        for run in open.into_iter().filter(|run| run.draft.thread == thread) {
            let name = run.draft.run_key.to_string();
            match self.waker.run_cancel(agent, Some(&name)).await.map_err(Problem::from) {
                // It came to its end meanwhile.
                Err(problem) if problem.code == Code::UnknownOperation => {}
                done => drop(done?),
            }
        }
        Ok(self.sessions.get(agent, session).await?)
    }
}
