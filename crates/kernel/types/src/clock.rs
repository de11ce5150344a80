//! Vector clocks as values; `rules::clock` compares them.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Counter, HostId};

/// For each host, the last of its commits that this record has seen. Every record has one, and most have seen one
/// host: so it is a short list, by hosts in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct VectorClock(Vec<(HostId, Counter)>);

impl VectorClock {
    /// A clock that has seen nothing.
    #[must_use]
    pub fn new() -> VectorClock {
        VectorClock::default()
    }

    /// What it has seen of a host; zero if nothing.
    #[must_use]
    pub fn get(&self, host: &HostId) -> Counter {
        self.find(host).map(|place| self.0[place].1).unwrap_or_default()
    }

    /// Notes that it has seen a host's commit. A clock never runs backwards.
    pub fn witness(&mut self, host: &HostId, counter: Counter) {
        if counter > self.get(host) {
            self.set(host.clone(), counter);
        }
    }

    /// The hosts it has seen anything of, with the last of each.
    pub fn iter(&self) -> impl Iterator<Item = (&HostId, Counter)> {
        self.0.iter().map(|(host, counter)| (host, *counter))
    }

    /// Where a host is, or would be.
    fn find(&self, host: &HostId) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.cmp(host))
    }

    fn set(&mut self, host: HostId, counter: Counter) {
        match self.find(&host) {
            Ok(place) => self.0[place].1 = counter,
            Err(place) => self.0.insert(place, (host, counter)),
        }
    }
}

impl Serialize for VectorClock {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for VectorClock {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<VectorClock, D::Error> {
        struct Hosts;

        impl<'de> Visitor<'de> for Hosts {
            type Value = VectorClock;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number for each host")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<VectorClock, A::Error> {
                let mut clock = VectorClock::new();
                while let Some((host, counter)) = map.next_entry()? {
                    clock.set(host, counter);
                }
                Ok(clock)
            }
        }

        deserializer.deserialize_map(Hosts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_written_by_hosts_in_their_order_and_reads_back_in_any() {
        let mut clock = VectorClock::new();
        for (host, counter) in [("host_c", 3), ("host_a", 1), ("host_b", 2), ("host_a", 1)] {
            clock.witness(&host.parse().unwrap(), Counter(counter));
        }
        let text = r#"{"host_a":1,"host_b":2,"host_c":3}"#;
        assert_eq!(serde_json::to_string(&clock).unwrap(), text);
        let other: VectorClock =
            serde_json::from_str(r#"{"host_b":2,"host_c":3,"host_a":1}"#).unwrap();
        assert_eq!(other, clock);
        assert_eq!(serde_json::from_str::<VectorClock>("{}").unwrap(), VectorClock::new());
        for wrong in ["[]", r#"{"7":1}"#, r#"{"host_a":-1}"#, r#"{"host_a":"1"}"#] {
            assert!(serde_json::from_str::<VectorClock>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_never_runs_backwards() {
        let (mut clock, host) = (VectorClock::new(), "host_a".parse().unwrap());
        clock.witness(&host, Counter(5));
        clock.witness(&host, Counter(4));
        assert_eq!(clock.get(&host), Counter(5));
        assert_eq!(clock.get(&"host_b".parse().unwrap()), Counter(0));
        assert_eq!(clock.iter().count(), 1);
    }
}
