//! The locks on the index of a log: each is held by one, or shared by any number.

use std::ops::Range;

/// The locks that SQLite knows.
const LOCKS: usize = 8;

/// Who holds which lock, as far as others have to know.
#[derive(Default)]
pub(super) struct Locks {
    /// How many share a lock.
    shared: [usize; LOCKS],
    /// Which are held by one alone, a bit for each.
    alone: u8,
}

/// The locks that one connection has, a bit for each.
#[derive(Default, Clone, Copy)]
pub(super) struct Mine {
    shared: u8,
    alone: u8,
}

impl Locks {
    /// Shares some locks, unless somebody has one alone. Says whether.
    pub(super) fn share(&mut self, mine: &mut Mine, locks: Range<usize>) -> bool {
        if self.alone & !mine.alone & bits(&locks) != 0 {
            return false;
        }
        for lock in locks {
            self.shared[lock] += usize::from(mine.shared & bit(lock) == 0);
            mine.shared |= bit(lock);
        }
        true
    }

    /// Takes some locks for one alone, unless another has one of them in any way. Says whether.
    pub(super) fn take(&mut self, mine: &mut Mine, locks: Range<usize>) -> bool {
        let others = |lock: usize| self.shared[lock] > usize::from(mine.shared & bit(lock) != 0);
        if self.alone & !mine.alone & bits(&locks) != 0 || locks.clone().any(others) {
            return false;
        }
        self.alone |= bits(&locks);
        mine.alone |= bits(&locks);
        true
    }

    /// Lets go of some locks, in whichever way they are held.
    pub(super) fn leave(&mut self, mine: &mut Mine, locks: Range<usize>) {
        let held = bits(&locks);
        for lock in locks.filter(|lock| mine.shared & bit(*lock) != 0) {
            self.shared[lock] -= 1;
        }
        self.alone &= !(mine.alone & held);
        mine.alone &= !held;
        mine.shared &= !held;
    }

    /// Lets go of all.
    pub(super) fn leave_all(&mut self, mine: &mut Mine) {
        self.leave(mine, 0..LOCKS);
    }
}

impl Mine {
    /// Whether it has a lock alone.
    pub(super) fn has_alone(self, lock: usize) -> bool {
        self.alone & bit(lock) != 0
    }
}

/// Locks from one on; none if SQLite cannot mean that.
pub(super) fn range(first: i32, count: i32) -> Option<Range<usize>> {
    let (first, count) = (usize::try_from(first).ok()?, usize::try_from(count).ok()?);
    Some(first..first.checked_add(count)?).filter(|locks| locks.end <= LOCKS)
}

fn bit(lock: usize) -> u8 {
    1 << lock
}

fn bits(locks: &Range<usize>) -> u8 {
    locks.clone().fold(0, |bits, lock| bits | bit(lock))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_nobodys_alone_and_what_is_held_alone_is_not_shared() {
        let (mut locks, mut one, mut other) = (Locks::default(), Mine::default(), Mine::default());
        assert!(locks.share(&mut one, 3..4) && locks.share(&mut other, 3..4));
        assert!(!locks.take(&mut one, 3..4), "the other shares it");
        assert!(!locks.take(&mut one, 2..5), "one of them");
        assert!(!one.has_alone(2), "all or none");
        locks.leave(&mut other, 3..4);
        assert!(locks.take(&mut other, 0..2) && other.has_alone(0) && other.has_alone(1));
        assert!(!locks.share(&mut one, 1..2) && !locks.take(&mut one, 0..1));
        locks.leave(&mut other, 0..2);
        assert!(locks.share(&mut one, 1..2) && locks.take(&mut one, 0..1));
    }

    #[test]
    fn to_share_or_leave_twice_is_to_do_it_once() {
        let (mut locks, mut one, mut other) = (Locks::default(), Mine::default(), Mine::default());
        assert!(locks.share(&mut one, 4..5) && locks.share(&mut one, 4..5));
        locks.leave(&mut other, 4..5);
        assert!(!locks.take(&mut other, 4..5), "only who has it can leave it");
        locks.leave(&mut one, 4..5);
        locks.leave(&mut one, 4..5);
        assert!(locks.take(&mut other, 4..5));
        locks.leave_all(&mut other);
        assert!(locks.take(&mut one, 0..8));
    }

    #[test]
    fn there_are_eight() {
        assert_eq!(
            (range(3, 5), range(3, 6), range(-1, 1), range(0, i32::MAX)),
            (Some(3..8), None, None, None)
        );
    }
}
