//! Ending a session, and breaking it off.

use types::{AgentId, Guard, RecordDraft, SessionStatus, Write};

use crate::begin::audit;
use crate::find::Found;
use crate::steps::OVER;
use crate::{Error, SessionView, Sessions};

impl Sessions {
    /// Ends a session: nothing more is said in it. What was admitted before is still answered. Ending it
    /// again changes nothing.
    ///
    /// # Errors
    /// If there is no such session, it was broken off, or it moved meanwhile.
    pub async fn end(&self, agent: &AgentId, session: &str) -> Result<SessionView, Error> {
        let found = self.find(agent, session).await?;
        match found.session.status {
            SessionStatus::Ended => {}
            SessionStatus::Active => self.over(&found, SessionStatus::Ended).await?,
            status @ SessionStatus::Interrupted => {
                return Err(Error::Over { name: found.session.name, status });
            }
        }
        self.get(agent, session).await
    }

    /// Breaks a session off: nothing more is said in it, and no turn of it begins or goes on. Whoever
    /// calls this ends those that are under way. Breaking it off again changes nothing.
    ///
    /// # Errors
    /// If there is no such session, or it moved meanwhile.
    pub async fn interrupt(&self, agent: &AgentId, session: &str) -> Result<SessionView, Error> {
        let found = self.find(agent, session).await?;
        if found.session.status != SessionStatus::Interrupted {
            self.over(&found, SessionStatus::Interrupted).await?;
        }
        self.get(agent, session).await
    }

    async fn over(&self, found: &Found, status: SessionStatus) -> Result<(), Error> {
        let over = rules::session::over(&found.session, status, self.world.now());
        let action = match status {
            SessionStatus::Interrupted => "session.interrupt",
            _ => "session.end",
        };
        let writes = vec![Write::Record(RecordDraft::live(&found.id, over))];
        let guards = vec![Guard::unchanged(&found.record)];
        self.commit(OVER, guards, writes, audit(action, &found.id)).await
    }
}
