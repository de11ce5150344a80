//! Comparing vector clocks.

use types::VectorClock;

/// How one clock stands to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// They have seen the same.
    Equal,
    /// The first has seen all that the second has, and more.
    After,
    /// The second has seen all that the first has, and more.
    Before,
    /// Each has seen something that the other has not.
    Concurrent,
}

/// Compares two clocks.
#[must_use]
pub fn compare(one: &VectorClock, other: &VectorClock) -> Order {
    let lacks = |a: &VectorClock, b: &VectorClock| b.iter().any(|(host, c)| a.get(host) < c);
    match (lacks(one, other), lacks(other, one)) {
        (false, false) => Order::Equal,
        (false, true) => Order::After,
        (true, false) => Order::Before,
        (true, true) => Order::Concurrent,
    }
}

/// The clock that has seen what either has.
#[must_use]
pub fn join(one: &VectorClock, other: &VectorClock) -> VectorClock {
    let mut joined = one.clone();
    for (host, counter) in other.iter() {
        joined.witness(host, counter);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use types::Counter;

    fn clocks() -> impl Strategy<Value = VectorClock> {
        proptest::collection::vec((0..3_u8, 0..4_u64), 0..4).prop_map(|seen| {
            let mut clock = VectorClock::new();
            for (host, counter) in seen {
                clock.witness(&format!("host_{host}").parse().unwrap(), Counter(counter));
            }
            clock
        })
    }

    fn mirrored(order: Order) -> Order {
        match order {
            Order::After => Order::Before,
            Order::Before => Order::After,
            same => same,
        }
    }

    proptest! {
        #[test]
        fn dominance_is_a_partial_order(a in clocks(), b in clocks(), c in clocks()) {
            prop_assert_eq!(compare(&a, &a), Order::Equal);
            prop_assert_eq!(compare(&a, &b), mirrored(compare(&b, &a)));
            prop_assert_eq!(compare(&a, &b) == Order::Equal, a == b);
            if compare(&a, &b) == Order::After && compare(&b, &c) == Order::After {
                prop_assert_eq!(compare(&a, &c), Order::After);
            }
        }

        #[test]
        fn joining_is_commutative_associative_idempotent_and_never_forgets(
            a in clocks(), b in clocks(), c in clocks()
        ) {
            prop_assert_eq!(join(&a, &b), join(&b, &a));
            prop_assert_eq!(join(&join(&a, &b), &c), join(&a, &join(&b, &c)));
            prop_assert_eq!(&join(&a, &a), &a);
            prop_assert!(matches!(compare(&join(&a, &b), &a), Order::After | Order::Equal));
        }

        #[test]
        fn a_clock_never_runs_backwards(clock in clocks(), counter in 0..4_u64) {
            let host = "host_1".parse().unwrap();
            let mut later = clock.clone();
            later.witness(&host, Counter(counter));
            prop_assert!(matches!(compare(&later, &clock), Order::After | Order::Equal));
        }
    }
}
