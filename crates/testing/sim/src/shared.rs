//! What the simulator, its store and the agents' bodies share within one seed.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use jiff::tz::TimeZoneDatabase;
use testkit::{FakeWorld, Random};
use types::{At, BudgetLimits, Commit, Day};
use world::World;

use crate::book::Book;
use crate::boot::usual;
use crate::plan::Plan;

/// What is shared.
pub(crate) struct Shared {
    pub(crate) seed: u64,
    pub(crate) world: Arc<FakeWorld>,
    /// What those who tend a task may spend in a day.
    pub(crate) limits: BudgetLimits,
    /// Whether they ask a model that the operator has to agree to.
    pub(crate) abroad: bool,
    /// Milliseconds since the seed began: goes on whatever people do to the clock.
    elapsed_ms: AtomicI64,
    /// The furthest that the clock ever was.
    furthest_ms: AtomicI64,
    /// The end has begun: agents do what is needed and start nothing new.
    calm: AtomicBool,
    /// Things that happened, whoever did them.
    ticks: AtomicU64,
    /// How often a model was asked.
    asks: AtomicU64,
    /// How many of these questions are under way.
    asking: AtomicU64,
    /// Reads that will be slow, what decides how slow, and until when the slowest takes.
    slow_reads: Mutex<(u64, Random, u64)>,
    /// Plans of tools of which some hang, and what decides which.
    hangs: Mutex<(u64, Random)>,
    book: Mutex<Book>,
    /// Writes that an agent's turn has left behind, and when they come: somebody it started and
    /// that outlived it.
    late: Mutex<Vec<(i64, Commit)>>,
    /// When sleeping bodies have slept enough.
    alarms: Mutex<Vec<i64>>,
}

impl Shared {
    pub(crate) fn new(plan: &Plan, world: Arc<FakeWorld>) -> Shared {
        let (now, seed, limits) = (world.now().millis(), plan.seed, plan.budget);
        Shared {
            seed,
            world,
            limits,
            abroad: plan.abroad,
            elapsed_ms: AtomicI64::new(0),
            furthest_ms: AtomicI64::new(now),
            calm: AtomicBool::new(false),
            ticks: AtomicU64::new(0),
            asks: AtomicU64::new(0),
            asking: AtomicU64::new(0),
            slow_reads: Mutex::new((0, Random::seeded(!seed), 0)),
            hangs: Mutex::new((0, Random::seeded(seed.rotate_left(37) ^ 0x4a46))),
            book: Mutex::new(Book {
                limits,
                forbidden: plan.abroad,
                usual: Some(usual(plan.abroad)),
                ..Book::default()
            }),
            late: Mutex::default(),
            alarms: Mutex::default(),
        }
    }

    pub(crate) fn now(&self) -> At {
        self.world.now()
    }

    pub(crate) fn elapsed_ms(&self) -> i64 {
        self.elapsed_ms.load(Ordering::Relaxed)
    }

    pub(crate) fn furthest(&self) -> At {
        At::from_millis(self.furthest_ms.load(Ordering::Relaxed))
    }

    /// The day by the clock on the wall, where the host is.
    pub(crate) fn today(&self) -> Day {
        let zone = TimeZoneDatabase::bundled().get(&self.world.zone()).expect("a known zone");
        let at = Timestamp::from_millisecond(self.now().millis()).expect("a time of people");
        zone.to_datetime(at).date().to_string().parse().expect("a day")
    }

    /// Time passes.
    pub(crate) fn pass(&self, millis: i64) {
        self.elapsed_ms.fetch_add(millis, Ordering::Relaxed);
        self.world.pass_ms(u64::try_from(millis).unwrap_or(0));
        self.furthest_ms.fetch_max(self.now().millis(), Ordering::Relaxed);
    }

    /// Somebody sets the clock.
    pub(crate) fn set_clock(&self, by_millis: i64) {
        self.world.advance_ms(by_millis);
        self.furthest_ms.fetch_max(self.now().millis(), Ordering::Relaxed);
    }

    /// A line of the story.
    pub(crate) fn tell(&self, line: &str) {
        let (elapsed, now) = (self.elapsed_ms(), self.now());
        let (seconds, millis) = (elapsed / 1_000, elapsed % 1_000);
        self.book().story.push(format!("+{seconds}.{millis:03}s {now} {line}"));
    }

    pub(crate) fn ticks(&self) -> u64 {
        self.ticks.load(Ordering::Relaxed)
    }

    /// One more thing has happened.
    pub(crate) fn tick(&self) {
        self.ticks.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of one more question to a model.
    pub(crate) fn next_ask(&self) -> u64 {
        self.asks.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A model is being asked, or no longer.
    pub(crate) fn asking(&self, begins: bool) {
        match begins {
            true => self.asking.fetch_add(1, Ordering::Relaxed),
            false => self.asking.fetch_sub(1, Ordering::Relaxed),
        };
    }

    /// Whether a model is being asked.
    pub(crate) fn is_asking(&self) -> bool {
        self.asking.load(Ordering::Relaxed) > 0
    }

    /// Makes some of the next reads slow.
    pub(crate) fn slow_reads(&self, count: u64) {
        self.slowness().0 = count;
    }

    /// Until which tick the next read takes, if it is slow.
    pub(crate) fn slow_read(&self) -> Option<u64> {
        let mut slowness = self.slowness();
        let (left, dice, slowest) = &mut *slowness;
        *left = left.checked_sub(1)?;
        if !dice.chance(1, 4) {
            return None;
        }
        let until = self.ticks() + 1 + dice.below(12);
        *slowest = until.max(*slowest);
        Some(until)
    }

    /// Whether somebody waits for a read.
    pub(crate) fn reading(&self) -> bool {
        self.slowness().2 > self.ticks()
    }

    fn slowness(&self) -> MutexGuard<'_, (u64, Random, u64)> {
        self.slow_reads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes some of the next plans of tools hang.
    pub(crate) fn let_hang(&self, count: u64) {
        self.hanging().0 = count;
    }

    /// Whether a tool that is asked now does not answer, and then, whether it looks around before it hangs.
    pub(crate) fn hangs_now(&self) -> Option<bool> {
        let mut hanging = self.hanging();
        let (left, dice) = &mut *hanging;
        *left = left.checked_sub(1)?;
        let hangs = dice.chance(1, 3) && !self.is_calm();
        hangs.then(|| dice.chance(1, 2))
    }

    fn hanging(&self) -> MutexGuard<'_, (u64, Random)> {
        self.hangs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn calm_down(&self) {
        self.calm.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    pub(crate) fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn late(&self) -> MutexGuard<'_, Vec<(i64, Commit)>> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn alarms(&self) -> MutexGuard<'_, Vec<i64>> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
