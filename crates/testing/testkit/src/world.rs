//! A world that does what the test says.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

use types::At;
use world::{Passing, World};

use crate::Random;

/// A clock that stands still until it is moved, and dice that fall the same way for the same seed.
#[derive(Debug)]
pub struct FakeWorld {
    now_ms: AtomicI64,
    zone: Mutex<String>,
    random: Mutex<Random>,
    meanwhile: Meanwhile,
    passing: Arc<Mutex<Passed>>,
}

/// How much time has passed, and who waits for more of it, until when.
#[derive(Debug, Default)]
struct Passed {
    millis: u64,
    waiting: Vec<(u64, Waker)>,
}

/// What happens while somebody looks at the clock, until it says that it has.
#[derive(Default)]
struct Meanwhile(Mutex<Option<Happens>>);

type Happens = Box<dyn FnMut() -> bool + Send>;

impl Meanwhile {
    fn lock(&self) -> MutexGuard<'_, Option<Happens>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Meanwhile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Meanwhile").field(&self.lock().is_some()).finish()
    }
}

impl FakeWorld {
    /// The first of January 2027, midnight, with these dice.
    #[must_use]
    pub fn seeded(seed: u64) -> FakeWorld {
        FakeWorld {
            now_ms: AtomicI64::new(1_798_761_600_000),
            zone: Mutex::new("UTC".to_owned()),
            random: Mutex::new(Random::seeded(seed)),
            meanwhile: Meanwhile::default(),
            passing: Arc::default(),
        }
    }

    /// Has something happen while somebody looks at the clock: each time, until it says that it has. Whoever
    /// works looks at the clock between any two steps, so it comes between the two that it waits for,
    /// however fast they are.
    pub fn meanwhile(&self, happens: impl FnMut() -> bool + Send + 'static) {
        *self.meanwhile.lock() = Some(Box::new(happens));
    }

    /// Moves the clock; backwards too, as people do.
    pub fn advance_ms(&self, millis: i64) {
        self.now_ms.fetch_add(millis, Ordering::Relaxed);
    }

    /// Time passes: the clock goes on, and whoever has waited long enough goes on, too.
    pub fn pass_ms(&self, millis: u64) {
        self.advance_ms(i64::try_from(millis).unwrap_or(i64::MAX));
        let woken = {
            let mut passed = lock(&self.passing);
            let now = passed.millis.saturating_add(millis);
            passed.millis = now;
            passed.waiting.extract_if(.., |(until, _)| *until <= now).collect::<Vec<_>>()
        };
        woken.into_iter().for_each(|(_, waker)| waker.wake());
    }

    /// In how many milliseconds the first of those who wait has waited long enough. Who has given up waiting may
    /// still be among them.
    #[must_use]
    pub fn next_ms(&self) -> Option<u64> {
        let passed = lock(&self.passing);
        let until = passed.waiting.iter().map(|(until, _)| *until).min()?;
        Some(until.saturating_sub(passed.millis))
    }

    /// Sets the clock.
    pub fn set(&self, now: At) {
        self.now_ms.store(now.millis(), Ordering::Relaxed);
    }

    /// Travels.
    pub fn move_to(&self, zone: &str) {
        zone.clone_into(&mut self.zone.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World for FakeWorld {
    fn now(&self) -> At {
        // Nobody holds it while it happens: that takes its time from here, too.
        let happens = self.meanwhile.lock().take();
        if let Some(mut happens) = happens
            && !happens()
        {
            *self.meanwhile.lock() = Some(happens);
        }
        At::from_millis(self.now_ms.load(Ordering::Relaxed))
    }

    fn zone(&self) -> String {
        self.zone.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn random(&self) -> u128 {
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        u128::from(random.next_u64()) << 64 | u128::from(random.next_u64())
    }

    fn pass(&self, millis: u64) -> Passing {
        let passing = Arc::clone(&self.passing);
        let until = lock(&passing).millis.saturating_add(millis);
        Box::pin(std::future::poll_fn(move |context| {
            let mut passed = lock(&passing);
            if passed.millis >= until {
                return Poll::Ready(());
            }
            let waker = context.waker();
            if !passed.waiting.iter().any(|(at, who)| *at == until && who.will_wake(waker)) {
                passed.waiting.push((until, waker.clone()));
            }
            Poll::Pending
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::task::Context;

    use super::*;

    #[test]
    fn the_clock_stands_still_and_the_dice_repeat() {
        let (one, other) = (FakeWorld::seeded(1), FakeWorld::seeded(1));
        assert_eq!(one.now().to_string(), "2027-01-01T00:00:00.000Z");
        assert_eq!(one.ulid(), other.ulid());
        one.advance_ms(-5);
        assert_eq!(one.now().plus_millis(5), other.now());
        assert_ne!(FakeWorld::seeded(2).random(), other.random());
    }

    #[test]
    fn time_passes_when_it_is_told_to_and_not_when_the_clock_is_set() {
        let world = FakeWorld::seeded(1);
        let mut passing = world.pass(1_000);
        let mut context = Context::from_waker(Waker::noop());
        assert!(passing.as_mut().poll(&mut context).is_pending());
        world.advance_ms(5_000);
        world.pass_ms(400);
        assert_eq!(world.next_ms(), Some(600));
        assert!(passing.as_mut().poll(&mut context).is_pending());
        world.pass_ms(600);
        assert_eq!(world.next_ms(), None);
        assert!(passing.as_mut().poll(&mut context).is_ready());
    }

    #[test]
    fn something_happens_each_time_until_it_has() {
        let (world, count) = (FakeWorld::seeded(1), Arc::new(AtomicI64::new(0)));
        let counted = Arc::clone(&count);
        world.meanwhile(move || counted.fetch_add(1, Ordering::Relaxed) == 1);
        for _ in 0..4 {
            world.now();
        }
        assert_eq!(count.load(Ordering::Relaxed), 2);
    }
}
