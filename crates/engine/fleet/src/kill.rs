//! The kill switch: nobody runs, nobody is queued, nothing an agent has on its way gets through. A smaller
//! one is for a class of tools: everybody runs, and nobody uses those.

use rules::planted::{self, Fault};
use types::{
    AuditDraft, Author, Capability, Commit, CursorMove, CursorName, Domain, FenceMove, FenceScope,
    Write,
};

use crate::steps::KILL;
use crate::{Error, Fleet};

impl Fleet {
    /// Throws the switch for everything. Changes go on; the matcher's cursor does not, so that lifting the
    /// switch is all it takes to catch up.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn kill_on(&self) -> Result<(), Error> {
        self.throw(FenceScope::Global).await
    }

    /// Lifts the switch.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn kill_off(&self) -> Result<(), Error> {
        self.lift(FenceScope::Global).await
    }

    /// Whether the switch is on.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn killed(&self) -> Result<bool, Error> {
        Ok(self.store.fence(Domain::Agent, FenceScope::Global).await?.closed)
    }

    /// Stops every tool that needs a capability, for all agents; they go on without.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn tools_stop(&self, class: Capability) -> Result<(), Error> {
        self.throw(class.fence()).await
    }

    /// Lets a class of tools be used again.
    ///
    /// # Errors
    /// If the store cannot.
    pub async fn tools_allow(&self, class: Capability) -> Result<(), Error> {
        self.lift(class.fence()).await
    }

    /// The classes of tools that are stopped.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn tools_stopped(&self) -> Result<Vec<String>, Error> {
        let closed = self.store.closed_fences(Domain::Agent).await?;
        let class = |(scope, _)| match scope {
            FenceScope::ToolClass(class) => Some(class),
            FenceScope::Global | FenceScope::Agent(_) => None,
        };
        Ok(closed.into_iter().filter_map(class).collect())
    }

    /// Closes a fence, the journal's first. One at a time: half of one and half of the other would leave
    /// the two files of different minds.
    async fn throw(&self, scope: FenceScope) -> Result<(), Error> {
        let _alone = self.switching.lock().await;
        let before = self.store.fence(Domain::Agent, scope.clone()).await?;
        self.fence_journal(self.fence(&scope, true)).await?;
        if let Err(error) = self.switch(&scope, true).await {
            // It stands as it stood before. If this fails too, the next start mends it.
            let _ = self.fence_journal(self.fence(&scope, before.closed)).await;
            return Err(error);
        }
        Ok(())
    }

    /// Opens a fence, the journal's last.
    async fn lift(&self, scope: FenceScope) -> Result<(), Error> {
        let _alone = self.switching.lock().await;
        self.switch(&scope, false).await?;
        self.fence_journal(self.fence(&scope, false)).await
    }

    fn fence(&self, scope: &FenceScope, closed: bool) -> Write {
        Write::Fence(FenceMove { scope: scope.clone(), epoch: self.store.epoch(), closed })
    }

    async fn switch(&self, scope: &FenceScope, on: bool) -> Result<(), Error> {
        let mut writes = vec![self.fence(scope, on)];
        if !on && planted::is(Fault::NoCatchUpAfterKill) {
            let (name, log) = (CursorName::of_service("wake"), Domain::Journal);
            let from = self.store.cursor(Domain::Agent, name.clone(), log).await?;
            let to = self.store.head(log).await?;
            writes.push(Write::Cursor(CursorMove { name, log, from, to }));
        }
        let action = if on { "kill.on" } else { "kill.off" };
        let audit = AuditDraft { action, subject: scope.to_string(), detail: String::new() };
        let commit = Commit {
            audit: vec![audit],
            ..Commit::new(Domain::Agent, Author::Operator, self.world.now(), writes).named(KILL)
        };
        self.commit(commit).await
    }
}
