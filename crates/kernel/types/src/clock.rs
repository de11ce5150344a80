//! Vector clocks as values; `rules::clock` compares them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Counter, HostId};

/// For each host, the last of its commits that this record has seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct VectorClock(BTreeMap<HostId, Counter>);

impl VectorClock {
    /// A clock that has seen nothing.
    #[must_use]
    pub fn new() -> VectorClock {
        VectorClock::default()
    }

    /// What it has seen of a host; zero if nothing.
    #[must_use]
    pub fn get(&self, host: &HostId) -> Counter {
        self.0.get(host).copied().unwrap_or_default()
    }

    /// Notes that it has seen a host's commit. A clock never runs backwards.
    pub fn witness(&mut self, host: &HostId, counter: Counter) {
        if counter > self.get(host) {
            self.0.insert(host.clone(), counter);
        }
    }

    /// The hosts it has seen anything of, with the last of each.
    pub fn iter(&self) -> impl Iterator<Item = (&HostId, Counter)> {
        self.0.iter().map(|(host, counter)| (host, *counter))
    }
}
