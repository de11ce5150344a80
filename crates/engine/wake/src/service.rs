//! The service: the store, the world for time, and what agents do when they are awake.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use dispatch::Body;
use store::Store;
use types::{At, Commit, Epoch, FenceScope, Guard, Outcome};
use world::World;

use crate::match_changes::Young;
use crate::metrics::{Counters, WakeMetrics};
use crate::{Error, Settings};

/// What decides who runs, when and why.
#[derive(Clone)]
pub struct Waker {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) body: Arc<dyn Body>,
    pub(crate) settings: Settings,
    /// The latest time since the last look, to see a clock that was set back: of the look, or of what was written.
    pub(crate) latest_ms: Arc<AtomicI64>,
    /// Whether schedules may stand where a clock that was ahead has taken them: nobody knows after a start, nor
    /// after the clock was set back.
    pub(crate) astray: Arc<AtomicBool>,
    /// How far each log was looked through without waking anybody since the cursor last moved: saves
    /// looking again, and is lost without harm.
    pub(crate) passed: [Arc<AtomicU64>; 2],
    /// Held by whoever matches. Without it, requests that match and a dispatcher that does would move
    /// the cursor under each other's feet; with it, only another process could.
    pub(crate) matching: Arc<tokio::sync::Mutex<[Option<Young>; 2]>>,
    /// From when to when the last look lets changes of the journal gather: it has said that it wants to look again
    /// then.
    pub(crate) gathers: Arc<Mutex<Option<Range<At>>>>,
    pub(crate) counters: Arc<Counters>,
    /// The zone in which all clocks are known to be reckoned since the start.
    pub(crate) reckoned_in: Arc<Mutex<String>>,
    /// Whether half-moved fences were seen to since the start.
    pub(crate) mended: Arc<AtomicBool>,
    /// When the logs were last seen to have nothing to let go.
    pub(crate) trimmed_ms: Arc<AtomicI64>,
}

impl Waker {
    /// The wakes of this store.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        world: Arc<dyn World>,
        body: Arc<dyn Body>,
        settings: Settings,
    ) -> Waker {
        let [latest_ms, trimmed_ms] = [(); 2].map(|()| Arc::new(AtomicI64::new(i64::MIN)));
        let astray = Arc::new(AtomicBool::new(true));
        let (passed, matching, gathers, counters, reckoned_in, mended) = Default::default();
        Waker {
            store,
            world,
            body,
            settings,
            latest_ms,
            astray,
            passed,
            matching,
            gathers,
            counters,
            reckoned_in,
            mended,
            trimmed_ms,
        }
    }

    /// What waking has done since this process started.
    #[must_use]
    pub fn metrics(&self) -> WakeMetrics {
        self.counters.read()
    }

    /// Commits, where a conflict means that somebody else was faster.
    pub(crate) async fn commit(&self, commit: Commit) -> Result<u64, Error> {
        self.notes_time(commit.at);
        match self.store.commit(commit).await? {
            Outcome::Applied(applied) => Ok(u64::from(applied.runs_queued)),
            Outcome::Idempotent(_) => Ok(0),
            Outcome::Conflict(conflict) => Err(conflict.into()),
        }
    }

    /// Notes a time that something bears: if it is later than that of the next look, the clock was set back.
    pub(crate) fn notes_time(&self, at: At) {
        self.latest_ms.fetch_max(at.millis(), Ordering::Relaxed);
    }

    /// The condition that everything is not stopped. Whatever matches, fires, begins or ends a run
    /// has it, so that a step that was on its way when the switch was thrown does nothing.
    pub(crate) fn while_not_stopped(&self) -> Guard {
        let epoch: Epoch = self.store.epoch();
        Guard::Fence { scope: FenceScope::Global, epoch }
    }
}
