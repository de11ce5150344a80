//! Letting go of changes that are older than anybody looks back.

use std::sync::atomic::Ordering;

use rules::trim::{self, Reached};
use types::{At, Author, Commit, Domain, Position, Write};

use crate::match_changes::cursor_name;
use crate::steps::TRIM;
use crate::{Error, Waker};

/// Changes of a log that are let go at once: few enough that nobody waits for it, and many more than a look comes
/// with.
const AT_ONCE: usize = 200;

/// A log that has nothing to let go is looked at again after a day, or after as long as changes are kept.
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

impl Waker {
    /// Lets go of the oldest changes of both logs, once a day. If there are more of them than at once, the next look
    /// goes on; nobody looks because of them.
    pub(crate) async fn trim_logs(&self) -> Result<(), Error> {
        let now = self.world.now();
        let since = now.millis().saturating_sub(self.trimmed_ms.load(Ordering::Relaxed));
        if (0..DAY_MS * i64::from(self.settings.keep.days.min(1))).contains(&since) {
            return Ok(());
        }
        // Before it is tried: what a disk refuses is not asked for with every look.
        self.trimmed_ms.store(now.millis(), Ordering::Relaxed);
        let mut more = false;
        for log in Domain::ALL {
            more |= self.trim(log, now).await?;
        }
        if more {
            self.trimmed_ms.store(i64::MIN, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Lets go of the oldest changes of a log; says whether there may be more.
    async fn trim(&self, log: Domain, now: At) -> Result<bool, Error> {
        let matched = self.store.cursor(Domain::Agent, cursor_name(), log).await?;
        let head = *self.store.watch(log).borrow();
        let oldest = self.store.changes(log, Position(0), AT_ONCE).await?;
        let reached = Reached { head, matched };
        let Some(up_to) = trim::up_to(&oldest, reached, self.settings.keep, now) else {
            return Ok(false);
        };
        // If a power cut brings them back, they go again.
        let commit = Commit::new(log, Author::Runtime, now, vec![Write::Trim { up_to }]).soon();
        self.commit(commit.named(TRIM).guarded(self.while_not_stopped())).await?;
        Ok(oldest.len() == AT_ONCE && oldest.last().is_some_and(|last| last.position == up_to))
    }
}
