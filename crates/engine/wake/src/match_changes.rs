//! Matching changes with who listens for them.

use std::collections::BTreeSet;

use rules::matching::{self, Listeners};
use serde_json::json;
use types::{
    At, Author, ChangeRecord, Commit, CursorMove, CursorName, Domain, EventDraft, EventKind,
    Outcome, Position, RunDraft, Token, Write,
};

use crate::{Error, Waker};

/// Changes matched by one commit: bounds the commit, and the work lost if it is not reached.
const PAGE: usize = 200;

/// What becomes of the cursor when changes wake nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passing {
    StaysUnwritten,
    IsWritten,
}

impl Waker {
    /// Queues the wakes of all journal changes since the durable cursor; says how many were new.
    ///
    /// The wakes and the cursor's move are one commit, so a crash anywhere leaves a change either
    /// still to be matched or matched once. A page that wakes nobody is passed over without a write
    /// unless it is full: no wake, no write, and yet never a long way back.
    ///
    /// # Errors
    /// If the store cannot, or another matcher moved the cursor.
    pub async fn match_changes(&self) -> Result<u64, Error> {
        self.match_and(Passing::StaysUnwritten).await
    }

    /// The same, and leaves the cursor at the end of the log even if nobody wakes: whoever starts to
    /// listen afterwards hears of what comes, not of what was.
    ///
    /// # Errors
    /// As [`Waker::match_changes`].
    pub async fn settle(&self) -> Result<u64, Error> {
        self.match_and(Passing::IsWritten).await
    }

    async fn match_and(&self, passing: Passing) -> Result<u64, Error> {
        let name = cursor_name();
        let mut cursor = self.store.cursor(Domain::Agent, name, Domain::Journal).await?;
        let mut queued = 0;
        let mut seen = cursor;
        loop {
            let changes = self.store.changes(Domain::Journal, seen, PAGE).await?;
            let Some(last) = changes.last() else { return Ok(queued) };
            seen = last.position;
            let wakes = matching::wakes(&changes, &self.listeners(&changes).await?);
            let short = changes.len() < PAGE && passing == Passing::StaysUnwritten;
            if wakes.is_empty() && short {
                continue;
            }
            let commit = plan(wakes, cursor, seen, self.world.now());
            match self.store.commit(commit).await? {
                Outcome::Applied(applied) => queued += u64::from(applied.runs_queued),
                Outcome::Idempotent(_) => {}
                Outcome::Conflict(conflict) => return Err(conflict.into()),
            }
            cursor = seen;
        }
    }

    async fn listeners(&self, changes: &[ChangeRecord]) -> Result<Listeners, Error> {
        let tokens: BTreeSet<&Token> = changes.iter().flat_map(|change| &change.tokens).collect();
        let tokens = tokens.into_iter().cloned().collect();
        let mut listeners = Listeners::new();
        for found in self.store.subscribers(tokens).await? {
            listeners.entry(found.token).or_default().insert((found.subscription, found.agent));
        }
        Ok(listeners)
    }
}

fn cursor_name() -> CursorName {
    CursorName::of_service("wake")
}

fn plan(wakes: Vec<RunDraft>, from: Position, to: Position, at: At) -> Commit {
    let mut writes =
        vec![Write::Cursor(CursorMove { name: cursor_name(), log: Domain::Journal, from, to })];
    for wake in wakes {
        writes.push(Write::Event(EventDraft {
            agent: wake.agent.clone(),
            kind: EventKind::WakeQueued,
            body: json!({ "run_key": wake.run_key, "reason": wake.reason }),
        }));
        writes.push(Write::QueueRun(wake));
    }
    Commit::new(Domain::Agent, Author::Runtime, at, writes)
}
