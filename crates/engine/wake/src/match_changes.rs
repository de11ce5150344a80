//! Matching changes with who listens for them.

use std::collections::BTreeSet;

use rules::matching::{self, Listeners};
use types::{
    At, Author, ChangeRecord, Commit, CursorMove, CursorName, Domain, Outcome, Position, RunDraft,
    Token, Write, limits,
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
            for commit in plan(wakes, cursor, seen, self.world.now()) {
                match self.store.commit(commit).await? {
                    Outcome::Applied(applied) => queued += u64::from(applied.runs_queued),
                    Outcome::Idempotent(_) => {}
                    Outcome::Conflict(conflict) => return Err(conflict.into()),
                }
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

/// The commits that queue the wakes. Many agents may listen for one change, so there can be more than
/// one; the cursor moves with the last, and wakes queued twice by a crash in between have one key.
fn plan(wakes: Vec<RunDraft>, from: Position, to: Position, at: At) -> Vec<Commit> {
    let cursor = CursorMove { name: cursor_name(), log: Domain::Journal, from, to };
    let mut writes: Vec<Write> = wakes.into_iter().map(Write::QueueRun).collect();
    writes.push(Write::Cursor(cursor));
    writes
        .chunks(limits::COMMIT_WRITES_MAX)
        .map(|writes| Commit::new(Domain::Agent, Author::Runtime, at, writes.to_vec()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{Digest, RunKey, ThreadId, WakeReason};

    #[test]
    fn many_wakes_are_many_commits_and_the_cursor_moves_with_the_last() {
        let wake = RunDraft {
            run_key: RunKey(Digest::ZERO),
            agent: "agent_a".parse().unwrap(),
            reason: WakeReason::Subscription,
            reason_id: None,
            thread: ThreadId::from_stored(String::new()),
            logical_change_key: None,
        };
        let wakes = vec![wake; 2 * limits::COMMIT_WRITES_MAX];
        let commits = plan(wakes, Position(1), Position(2), At::EPOCH);
        assert_eq!(commits.len(), 3);
        let moves = |commit: &Commit| commit.writes.iter().any(|w| matches!(w, Write::Cursor(_)));
        let moving: Vec<bool> = commits.iter().map(moves).collect();
        assert_eq!(moving, [false, false, true]);
        assert!(commits.iter().all(|commit| commit.check().is_ok()));
    }
}
