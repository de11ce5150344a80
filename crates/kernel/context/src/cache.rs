//! Names of a prompt: one for caches, one for people who compare.

use sha2::{Digest as _, Sha256};
use types::{Block, Digest, Stability};

/// The name under which a provider may keep what it has read of a prompt. It follows from the parts that
/// outlast a turn and from nothing else, so it stays while only the turn's own parts change.
#[must_use]
pub fn cache_key(blocks: &[Block]) -> Digest {
    hash(blocks.iter().filter(|block| block.stability != Stability::TurnScoped))
}

/// The name of a whole prompt, to see whether two are the same. Never a key of a cache.
#[must_use]
pub fn fingerprint(blocks: &[Block]) -> Digest {
    hash(blocks.iter())
}

/// Each field with its length before it, so that no two lists of parts run into each other.
fn hash<'a>(blocks: impl Iterator<Item = &'a Block>) -> Digest {
    let mut hasher = Sha256::new();
    for block in blocks {
        for field in [block.kind.as_str(), block.stability.as_str(), &block.text] {
            hasher.update((field.len() as u64).to_be_bytes());
            hasher.update(field);
        }
    }
    Digest::from_bytes(hasher.finalize().into())
}
