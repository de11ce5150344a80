//! SHA-256 over fields that cannot run into each other.

use sha2::{Digest as _, Sha256};
use types::Digest;

/// Hashes fields, each with its length before it: `("ab", "c")` and `("a", "bc")` differ, and so do
/// an empty field and none. The first field should name what is being hashed.
#[must_use]
pub fn fields<F: AsRef<[u8]>>(fields: impl IntoIterator<Item = F>) -> Digest {
    let mut hasher = Sha256::new();
    for field in fields {
        let field = field.as_ref();
        hasher.update((field.len() as u64).to_be_bytes());
        hasher.update(field);
    }
    Digest::from_bytes(hasher.finalize().into())
}

/// Hashes fields of which the order does not matter and repeats do not count.
#[must_use]
pub fn set<F: AsRef<[u8]> + Ord>(fields_of: impl IntoIterator<Item = F>) -> Digest {
    let mut sorted: Vec<F> = fields_of.into_iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    fields(sorted)
}

/// Hashes plain bytes.
#[must_use]
pub fn bytes(bytes: &[u8]) -> Digest {
    Digest::of(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn different_field_lists_have_different_hashes(
            a in proptest::collection::vec("[ab|,]{0,3}", 0..4),
            b in proptest::collection::vec("[ab|,]{0,3}", 0..4),
        ) {
            prop_assert_eq!(fields(&a) == fields(&b), a == b);
        }

        #[test]
        fn a_set_has_one_hash_in_any_order_and_with_repeats(
            mut items in proptest::collection::vec("[a-c]{0,2}", 1..6),
            seed in any::<prop::sample::Index>(),
        ) {
            let before = set(&items);
            let again = items[seed.index(items.len())].clone();
            items.push(again);
            items.reverse();
            prop_assert_eq!(set(&items), before);
        }
    }

    #[test]
    fn plain_bytes_hash_as_the_standard_says() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(bytes(b"").to_string(), empty);
    }
}
