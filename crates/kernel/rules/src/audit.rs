//! The audit chain: each entry's hash covers the one before it.

use types::{AuditEntry, Digest};

use crate::hash;

/// The hash of an entry, given the hash of the one before; [`Digest::ZERO`] before the first.
#[must_use]
pub fn link(previous: &Digest, entry: &AuditEntry) -> Digest {
    hash::fields([
        b"audit".as_slice(),
        previous.as_bytes(),
        &entry.number.to_be_bytes(),
        &entry.at.millis().to_be_bytes(),
        entry.actor.as_bytes(),
        entry.action.as_bytes(),
        entry.subject.as_bytes(),
        entry.detail.as_bytes(),
    ])
}

/// An entry that does not follow from the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("audit entry {number} does not follow from the one before it")]
pub struct BrokenLink {
    /// Its number.
    pub number: u64,
}

/// Follows a stretch of the chain and returns its last hash.
///
/// # Errors
/// At the first entry that is missing, moved or changed.
pub fn follow<'a>(
    mut number: u64,
    mut previous: Digest,
    entries: impl IntoIterator<Item = &'a AuditEntry>,
) -> Result<(u64, Digest), BrokenLink> {
    for entry in entries {
        number += 1;
        if entry.number != number || link(&previous, entry) != entry.hash {
            return Err(BrokenLink { number });
        }
        previous = entry.hash;
    }
    Ok((number, previous))
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::At;

    fn chain() -> Vec<AuditEntry> {
        let mut previous = Digest::ZERO;
        (1..=4)
            .map(|number| {
                let mut entry = AuditEntry {
                    number,
                    at: At::from_millis(7),
                    actor: "operator".to_owned(),
                    action: "task.create".to_owned(),
                    subject: format!("task_{number}"),
                    detail: String::new(),
                    hash: Digest::ZERO,
                };
                entry.hash = link(&previous, &entry);
                previous = entry.hash;
                entry
            })
            .collect()
    }

    #[test]
    fn a_chain_verifies_whole_and_in_parts() {
        let chain = chain();
        let last = (4, chain[3].hash);
        assert_eq!(follow(0, Digest::ZERO, &chain), Ok(last));
        assert_eq!(follow(2, chain[1].hash, &chain[2..]), Ok(last));
    }

    #[test]
    fn a_changed_missing_or_moved_entry_breaks_it() {
        let mut changed = chain();
        changed[1].detail = "x".to_owned();
        assert_eq!(follow(0, Digest::ZERO, &changed), Err(BrokenLink { number: 2 }));
        let mut missing = chain();
        missing.remove(2);
        assert_eq!(follow(0, Digest::ZERO, &missing), Err(BrokenLink { number: 3 }));
        let mut swapped = chain();
        swapped.swap(0, 1);
        assert_eq!(follow(0, Digest::ZERO, &swapped), Err(BrokenLink { number: 1 }));
    }
}
