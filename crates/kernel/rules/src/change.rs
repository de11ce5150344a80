//! The identity of changes, the same on every host that sees them.

use types::{ChangeUnit, Digest};

use crate::hash;

/// The key of one change unit: `sha256("v1|{host}|{counter}|{payloadType}|{payloadId}")`.
///
/// Where the unit came from is left out, so that its author and its receivers agree. The fields
/// cannot contain `|`, so the text is unambiguous.
#[must_use]
pub fn unit_key(unit: &ChangeUnit) -> Digest {
    let ChangeUnit { origin: _, host, counter, payload_type, payload_id } = unit;
    let text = format!("v1|{host}|{counter}|{}|{payload_id}", payload_type.as_str());
    hash::bytes(text.as_bytes())
}

/// The key of a whole change: `sha256("v1|" + sorted unique unit keys joined by ",")`.
#[must_use]
pub fn logical_key(units: &[ChangeUnit]) -> Digest {
    // Digests sort as their hex does.
    let mut keys: Vec<Digest> = units.iter().map(unit_key).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut text = String::with_capacity(2 + 65 * keys.len());
    for (place, key) in keys.iter().enumerate() {
        text.push_str(if place == 0 { "v1|" } else { "," });
        text.push_str(&key.to_string());
    }
    hash::bytes(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use types::{Counter, Origin, PayloadType};

    fn unit(host: &str, counter: u64, id: &str) -> ChangeUnit {
        ChangeUnit {
            origin: Origin::Local,
            host: format!("host_{host}").parse().unwrap(),
            counter: Counter(counter),
            payload_type: PayloadType::new("journalEntity"),
            payload_id: id.parse().unwrap(),
        }
    }

    #[test]
    fn a_unit_key_is_the_hash_of_the_published_string() {
        let unit = unit("a", 7, "task_1");
        let expected = hash::bytes(b"v1|host_a|7|journalEntity|task_1");
        assert_eq!(unit_key(&unit), expected);
        let whole = hash::bytes(format!("v1|{expected}").as_bytes());
        assert_eq!(logical_key(&[unit]), whole);
    }

    #[test]
    fn author_and_receiver_agree_on_the_key() {
        let here = unit("a", 7, "task_1");
        let there = ChangeUnit { origin: Origin::Sync, ..here.clone() };
        assert_eq!(unit_key(&here), unit_key(&there));
    }

    fn units() -> impl Strategy<Value = Vec<ChangeUnit>> {
        let one = ("[ab]{1,2}", 1..4_u64, "[ab]{1,2}").prop_map(|(h, c, id)| unit(&h, c, &id));
        proptest::collection::vec(one, 1..6)
    }

    proptest! {
        #[test]
        fn the_logical_key_does_not_depend_on_order_or_repeats(
            list in units(), turn in 0..6_usize
        ) {
            let mut other = list.clone();
            other.extend(list.iter().take(turn).cloned());
            other.reverse();
            prop_assert_eq!(logical_key(&list), logical_key(&other));
        }

        #[test]
        fn different_changes_have_different_logical_keys(a in units(), b in units()) {
            let set = |units: &[ChangeUnit]| -> std::collections::BTreeSet<String> {
                units.iter().map(|u| format!("{u:?}")).collect()
            };
            prop_assert_eq!(logical_key(&a) == logical_key(&b), set(&a) == set(&b));
        }
    }
}
