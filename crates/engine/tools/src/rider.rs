//! What goes into a commit together with something else.

use types::{At, AuditDraft, Author, Commit, Domain, Guard, Write};

/// What whoever calls wants written together with what is written down of its calls before any of them
/// is carried out: the plan that asked for them, above all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rider {
    /// What to write.
    pub writes: Vec<Write>,
    /// What must still hold for that.
    pub guards: Vec<Guard>,
    /// What to audit with it.
    pub audit: Vec<AuditDraft>,
}

/// What is left to write among the agents when calls were carried out. It is to be written in this
/// order, as one commit of the caller's and under the claim of the calls; its author is the agent in its
/// run. If that is a conflict other than a fence, somebody was faster: the calls are made again, under
/// the same names, and what is left then takes the place of this.
///
/// One commit holds it unless the calls changed thousands of records of the journal: then
/// [`Executor::write_left`](crate::Executor::write_left) writes it in several.
#[must_use = "until it is written, only the journal knows what was done"]
#[derive(Debug, Default, PartialEq)]
pub struct Left {
    /// What to write; nothing if nothing was changed.
    pub writes: Vec<Write>,
    /// What must still hold for that. There is none where the journal was changed: what was done there
    /// is done.
    pub guards: Vec<Guard>,
    /// What to audit with it.
    pub audit: Vec<AuditDraft>,
}

impl From<Rider> for Left {
    fn from(Rider { writes, guards, audit }: Rider) -> Left {
        Left { writes, guards, audit }
    }
}

impl Left {
    /// It, and then some more.
    pub fn and(mut self, then: impl Into<Left>) -> Left {
        let Left { writes, guards, audit } = then.into();
        self.writes.extend(writes);
        self.guards.extend(guards);
        self.audit.extend(audit);
        self
    }

    /// Whether there is nothing to write.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty() && self.audit.is_empty()
    }

    /// It as a commit among the agents.
    #[must_use]
    pub fn into_commit(self, author: Author, at: At) -> Commit {
        let Left { writes, guards, audit } = self;
        Commit { guards, audit, ..Commit::new(Domain::Agent, author, at, writes) }
    }
}
