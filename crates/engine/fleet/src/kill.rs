//! The kill switch: nobody runs, nobody is queued, nothing an agent has on its way gets through.

use rules::planted::{self, Fault};
use types::{
    AuditDraft, Author, Commit, CursorMove, CursorName, Domain, FenceMove, FenceScope, Write,
};

use crate::steps::KILL;
use crate::{Error, Fleet};

impl Fleet {
    /// Throws the switch, the journal's fence first. Changes go on; the matcher's cursor does not,
    /// so that lifting the switch is all it takes to catch up.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn kill_on(&self) -> Result<(), Error> {
        self.fence_journal(self.global(true)).await?;
        if let Err(error) = self.switch(true).await {
            // It was not thrown after all. If this fails too, the next start mends it.
            let _ = self.fence_journal(self.global(false)).await;
            return Err(error);
        }
        Ok(())
    }

    /// Lifts the switch, the journal's fence last.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn kill_off(&self) -> Result<(), Error> {
        self.switch(false).await?;
        self.fence_journal(self.global(false)).await
    }

    /// Whether the switch is on.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn killed(&self) -> Result<bool, Error> {
        Ok(self.store.fence(Domain::Agent, FenceScope::Global).await?.closed)
    }

    fn global(&self, closed: bool) -> Write {
        Write::Fence(FenceMove { scope: FenceScope::Global, epoch: self.store.epoch(), closed })
    }

    async fn switch(&self, on: bool) -> Result<(), Error> {
        let mut writes = vec![self.global(on)];
        if !on && planted::is(Fault::NoCatchUpAfterKill) {
            let (name, log) = (CursorName::of_service("wake"), Domain::Journal);
            let from = self.store.cursor(Domain::Agent, name.clone(), log).await?;
            let to = self.store.head(log).await?;
            writes.push(Write::Cursor(CursorMove { name, log, from, to }));
        }
        let action = if on { "kill.on" } else { "kill.off" };
        let audit = AuditDraft { action, subject: "global".to_owned(), detail: String::new() };
        let commit = Commit {
            audit: vec![audit],
            ..Commit::new(Domain::Agent, Author::Operator, self.world.now(), writes).named(KILL)
        };
        self.commit(commit).await
    }
}
