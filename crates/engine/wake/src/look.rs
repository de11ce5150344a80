//! Looking: what has to be done before anybody runs, and who could run.

use std::future::poll_fn;
use std::ops::Range;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use dispatch::{Look, Signal, Step, Work, guarded};
use store::Outlook;
use types::{AgentId, At, Domain, limits};

use crate::match_changes::Matched;
use crate::metrics::count;
use crate::{Error, Waker};

/// Agents that one look offers: enough for fairness between them, few enough to be read often.
const OFFERED: usize = 256;

impl Waker {
    /// Matches changes, fires what is due, ends waits whose time has run out, and says who could
    /// run. While everything is stopped it does nothing, and the cursors stay where they are. If one
    /// of these fails, those who are queued already run all the same.
    pub(crate) async fn look_once(&self) -> Result<Look, Error> {
        count(&self.counters.looks, 1);
        *gathering(&self.gathers) = None;
        // Taken before anything is fired: what becomes due meanwhile is next, and not forgotten.
        let mut seen = self.look_out(self.world.now()).await?;
        if seen.outlook.stopped {
            return Ok(Look::default());
        }
        let stirred = self.stir_all(&mut seen).await;
        self.look_out_again(&mut seen).await?;
        let Outlook { mut ready, begun, next: due, .. } = seen.outlook;
        // A run that has begun and that nobody works on was left behind; whoever moves the agents
        // knows which those are.
        ready.extend(begun);
        let (gathered, problem) = match stirred {
            Ok(matched) => (matched.map(|log| log.next), None),
            Err(error) if error.is_stopped() => return Ok(Look::default()),
            Err(error) => ([None; 2], Some(error.into())),
        };
        *gathering(&self.gathers) = gathered[Domain::Journal as usize].map(|ripe| seen.now..ripe);
        let next = gathered.into_iter().chain([due]).flatten().min();
        Ok(Look { ready, next, problem })
    }

    /// All that is done before anybody runs; says what was matched of each log. None of it is left undone because
    /// something before it failed or broke off: what went wrong first is told when all have been tried.
    async fn stir_all(&self, seen: &mut Seen) -> Result<[Matched; 2], Error> {
        let minded = guarded(self.mind_the_clock()).await;
        let back = guarded(self.rearm_after_set_back()).await;
        let matched = guarded(self.match_all(self.settings.debounce)).await;
        let travelled = guarded(self.rearm_after_travel()).await;
        let mut done = minded.and(back).and(travelled);
        done = done.and(self.look_out_again(seen).await);
        if seen.outlook.schedules_due {
            done = done.and(guarded(self.fire_due(seen.now)).await);
        }
        if seen.outlook.waits_due {
            done = done.and(guarded(self.expire_waits()).await);
        }
        let trimmed = guarded(self.trim_logs()).await;
        done.and(trimmed).and(matched)
    }

    async fn look_out(&self, now: At) -> Result<Seen, Error> {
        let stirs = *self.store.stirred().borrow();
        Ok(Seen { now, stirs, outlook: self.store.outlook(now, OFFERED).await? })
    }

    /// Nearly always nothing was to be done first, and what was seen is still so.
    async fn look_out_again(&self, seen: &mut Seen) -> Result<(), Error> {
        if *self.store.stirred().borrow() != seen.stirs {
            *seen = self.look_out(seen.now).await?;
        }
        Ok(())
    }
}

/// From when to when the journal's changes gather that the last look wants to look at together. A clock that was
/// set back ends it.
fn gathering(gathers: &Mutex<Option<Range<At>>>) -> MutexGuard<'_, Option<Range<At>>> {
    // What is under it is a plain value.
    gathers.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was seen at a time, and how often something had stirred by then.
struct Seen {
    now: At,
    stirs: u64,
    outlook: Outlook,
}

/// A step that came too late because everything was stopped meanwhile has done nothing, and there is
/// nothing wrong.
fn unless_stopped<T: Default>(result: Result<T, Error>) -> Result<T, types::Problem> {
    match result {
        Err(error) if error.is_stopped() => Ok(T::default()),
        other => Ok(other?),
    }
}

impl Work for Waker {
    fn recover(&self) -> Step<()> {
        let waker = self.clone();
        Box::pin(async move { Ok(waker.recover_all().await?) })
    }

    fn stirred(&self) -> Signal {
        let (mut journal, mut agents) = (self.store.watch(Domain::Journal), self.store.stirred());
        journal.mark_unchanged();
        agents.mark_unchanged();
        let (gathers, world) = (Arc::clone(&self.gathers), Arc::clone(&self.world));
        Box::pin(async move {
            let now = world.now();
            // What the journal grows by while changes gather is looked at with them, when the last look has said.
            let gather = gathering(&gathers).as_ref().is_some_and(|span| span.contains(&now));
            let mut grown = pin!(journal.changed());
            let mut stirred = pin!(agents.changed());
            // Whichever comes first; if the store is closing, there is nothing more to look for.
            poll_fn(|context| match stirred.as_mut().poll(context) {
                Poll::Pending if !gather => grown.as_mut().poll(context).map(drop),
                polled => polled.map(drop),
            })
            .await;
        })
    }

    fn look(&self) -> Step<Look> {
        let waker = self.clone();
        Box::pin(async move { unless_stopped(waker.look_once().await) })
    }

    fn work(&self, agent: AgentId) -> Step<()> {
        let waker = self.clone();
        Box::pin(async move { unless_stopped(waker.work_once(&agent).await) })
    }
}

const _: () = assert!(OFFERED <= limits::ROWS_PER_READ_MAX);
