//! Matching changes with who listens for them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::Ordering;

use rules::matching::{self, Hit, Listeners};
use types::{
    At, Author, Body, ChangeRecord, Commit, Conflict, CursorMove, CursorName, Domain, Occurrence,
    Origin, Position, RecordId, ScheduleId, Subscription, SubscriptionId, Token, Write, limits,
};

use crate::metrics::count;
use crate::steps::MATCH;
use crate::{Debounce, Error, Waker};

/// Changes matched by one commit: bounds the commit, and the work lost if it is not reached.
const PAGE: usize = 200;

/// What becomes of the cursor when changes wake nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passing {
    StaysUnwritten,
    IsWritten,
}

/// What matching found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Matched {
    /// Wakes that were new.
    pub(crate) queued: u64,
    /// When changes will have gathered long enough that are too young now.
    pub(crate) next: Option<At>,
}

/// A change that has not gathered long enough: when it was made, and when it will have. Until then there is
/// nothing to look at, since all that came after it is younger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Young {
    made_at: At,
    ripe_at: At,
}

impl Young {
    /// Whether it is young still. A clock that was set back makes it ripe.
    fn is_young(self, now: At) -> bool {
        self.made_at <= now && now < self.ripe_at
    }

    /// The first of a stream of changes: what ripens soon after it is looked at with it, not one by one.
    fn among_others(self, now: At, debounce: Debounce) -> Young {
        let together = now.plus_millis(debounce.local_ms / 2);
        Young { ripe_at: self.ripe_at.max(together), ..self }
    }
}

impl Waker {
    /// Queues the wakes of all changes of both logs since the durable cursors that have gathered
    /// long enough; says how many were new.
    ///
    /// The wakes and the cursor's move are one commit, so a crash anywhere leaves a change either
    /// still to be matched or matched once. A page that wakes nobody is passed over without a write
    /// unless it is full: no wake, no write, and yet never a long way back.
    ///
    /// # Errors
    /// If the store cannot, or others keep moving the cursor.
    pub async fn match_changes(&self) -> Result<u64, Error> {
        let matched = self.match_all(self.settings.debounce).await?;
        Ok(matched.iter().map(|log| log.queued).sum())
    }

    /// Matches everything there is, young or old, and leaves the cursors at the ends of the logs even
    /// if nobody wakes: whoever starts to listen afterwards hears of what comes, not of what was.
    ///
    /// # Errors
    /// As [`Waker::match_changes`].
    pub async fn settle(&self) -> Result<u64, Error> {
        let mut queued = 0;
        for log in Domain::ALL {
            match self.match_log(log, Debounce::NONE, Passing::IsWritten).await {
                Ok(matched) => queued += matched.queued,
                // While everything is stopped the cursors stand, and that is all right.
                Err(error) if error.is_stopped() => {}
                Err(error) => return Err(error),
            }
        }
        Ok(queued)
    }

    /// Matches both logs; says what was found in each.
    pub(crate) async fn match_all(&self, debounce: Debounce) -> Result<[Matched; 2], Error> {
        let mut all = [Matched::default(); 2];
        for log in Domain::ALL {
            all[log as usize] = self.match_log(log, debounce, Passing::StaysUnwritten).await?;
        }
        Ok(all)
    }

    /// Matches a log. If somebody else has moved the cursor meanwhile, it goes on from there.
    async fn match_log(
        &self,
        log: Domain,
        debounce: Debounce,
        passing: Passing,
    ) -> Result<Matched, Error> {
        let mut young = self.matching.lock().await;
        let young = &mut young[log as usize];
        if passing == Passing::StaysUnwritten
            && let Some(first) = young.filter(|first| first.is_young(self.world.now()))
        {
            return Ok(Matched { queued: 0, next: Some(first.ripe_at) });
        }
        let mut tries = 0;
        loop {
            tries += 1;
            match self.match_from_cursor(log, debounce, passing, young).await {
                Err(Error::Conflict(Conflict::Cursor { .. })) if tries < 5 => {}
                other => return other,
            }
        }
    }

    async fn match_from_cursor(
        &self,
        log: Domain,
        debounce: Debounce,
        passing: Passing,
        young: &mut Option<Young>,
    ) -> Result<Matched, Error> {
        *young = None;
        let passed = &self.passed[log as usize];
        let grown = self.store.watch(log).borrow().0 > passed.load(Ordering::Relaxed);
        if passing == Passing::StaysUnwritten && !grown {
            return Ok(Matched::default());
        }
        let mut cursor = self.store.cursor(Domain::Agent, cursor_name(), log).await?;
        let mut seen = match passing {
            Passing::StaysUnwritten => cursor.max(Position(passed.load(Ordering::Relaxed))),
            Passing::IsWritten => cursor,
        };
        let mut matched = Matched::default();
        loop {
            let mut changes = self.store.changes(log, seen, PAGE).await?;
            *young = hold_back(&mut changes, debounce, self.world.now());
            matched.next = young.map(|first| first.ripe_at);
            let Some(last) = changes.last() else {
                if matched.next.is_none() {
                    passed.store(seen.0, Ordering::Relaxed);
                }
                return Ok(matched);
            };
            seen = last.position;
            let writes = self.wakes(&changes).await?;
            // Never a long way back: what was passed over in many small looks is written as well.
            let near = seen.0 - cursor.0 < PAGE as u64;
            let short = near && passing == Passing::StaysUnwritten;
            if writes.is_empty() && short {
                passed.store(seen.0, Ordering::Relaxed);
            } else {
                let moved = CursorMove { name: cursor_name(), log, from: cursor, to: seen };
                for commit in plan(writes, moved, self.world.now()) {
                    let queued = self.commit(commit.guarded(self.while_not_stopped())).await?;
                    count(&self.counters.wakes_queued, queued);
                    matched.queued += queued;
                }
                cursor = seen;
                passed.store(seen.0, Ordering::Relaxed);
            }
            if let Some(first) = young {
                *first = first.among_others(self.world.now(), debounce);
                matched.next = Some(first.ripe_at);
                return Ok(matched);
            }
        }
    }

    /// How many wakes changes would cause, schedules left out; nothing is written. What a benchmark
    /// asks.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn count_hits(&self, changes: &[ChangeRecord]) -> Result<usize, Error> {
        let listeners = self.listeners(changes).await?;
        let hits = matching::hits(changes, &listeners);
        let asked = self.asked(&hits).await?;
        Ok(matching::wanted(&hits, &asked).count())
    }

    /// What the changes make to be written: the wakes of subscriptions, and what schedules that go
    /// by changes make of theirs.
    async fn wakes(&self, changes: &[ChangeRecord]) -> Result<Vec<Write>, Error> {
        let listeners = self.listeners(changes).await?;
        let hits = matching::hits(changes, &listeners);
        let asked = self.asked(&hits).await?;
        let wakes = matching::wakes(&hits, &asked);
        let mut writes: Vec<Write> = wakes.into_iter().map(Write::QueueRun).collect();
        let mut fired: BTreeMap<&ScheduleId, Vec<Occurrence>> = BTreeMap::new();
        for hit in &hits {
            let subscription = asked.get(&hit.listener.subscription);
            if let Some(subscription) = subscription.filter(|s| matching::wants(s, hit.change))
                && let Some(schedule) = &subscription.schedule
            {
                let before = fired.entry(schedule).or_default();
                writes.extend(self.fire_event(schedule, hit.change, before).await?);
            }
        }
        Ok(writes)
    }

    async fn listeners(&self, changes: &[ChangeRecord]) -> Result<Listeners, Error> {
        let tokens: BTreeSet<&Token> = changes.iter().flat_map(|change| &change.tokens).collect();
        let tokens = tokens.into_iter().cloned().collect();
        Ok(self.store.subscribers(tokens).await?.into_iter().collect())
    }

    /// The subscriptions whose tokens alone do not decide, in one read.
    async fn asked(
        &self,
        hits: &[Hit<'_>],
    ) -> Result<BTreeMap<SubscriptionId, Subscription>, Error> {
        let unsure = hits.iter().filter(|hit| !hit.listener.plain);
        let ids: BTreeSet<&SubscriptionId> = unsure.map(|hit| &hit.listener.subscription).collect();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let ids = ids.into_iter().map(RecordId::from).collect();
        let records = self.store.records_by_id(Domain::Agent, ids).await?;
        let living = records.into_iter().filter(|record| record.deleted_at.is_none());
        Ok(living
            .filter_map(|record| match record.body {
                Body::AgentSubscription(body) => Some((record.id.as_str().parse().ok()?, body)),
                _ => None,
            })
            .collect())
    }
}

pub(crate) fn cursor_name() -> CursorName {
    CursorName::of_service("wake")
}

/// Leaves out the changes from the first one on that has not gathered long enough, and says when it
/// will have. One that seems to come from the future was made before the clock was set back.
fn hold_back(changes: &mut Vec<ChangeRecord>, debounce: Debounce, now: At) -> Option<Young> {
    let gathering = |change: &ChangeRecord| {
        let ripe_at = change.at.plus_millis(match change.origin {
            Origin::Local => debounce.local_ms,
            Origin::Sync => debounce.sync_ms,
        });
        Young { made_at: change.at, ripe_at }
    };
    let first = changes.iter().position(|change| gathering(change).is_young(now))?;
    let young = gathering(&changes[first]);
    changes.truncate(first);
    Some(young)
}

/// The commits that queue the wakes. Many agents may listen for one change, so there can be more than
/// one; the cursor moves with the last, and wakes queued twice by a crash in between have one key.
fn plan(mut writes: Vec<Write>, cursor: CursorMove, at: At) -> Vec<Commit> {
    writes.push(Write::Cursor(cursor));
    writes
        .chunks(limits::COMMIT_WRITES_MAX)
        .map(|writes| Commit::new(Domain::Agent, Author::Runtime, at, writes.to_vec()).named(MATCH))
        .collect()
}

#[cfg(test)]
#[path = "match_changes_tests.rs"]
mod tests;
