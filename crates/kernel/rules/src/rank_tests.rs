use proptest::prelude::*;

use super::*;

fn key(before: &str, after: &str) -> String {
    let some = |text| Some(text).filter(|text: &&str| !text.is_empty());
    between(some(before), some(after)).unwrap()
}

fn longest(keys: &[String]) -> usize {
    keys.iter().map(String::len).max().unwrap()
}

#[test]
fn a_key_is_between_its_neighbours_and_short() {
    for (before, after, expected) in [
        ("", "", "i"),
        ("i", "", "j"),
        ("y", "", "z"),
        ("z", "", "z01"),
        ("z0z", "", "z1"),
        ("zyz", "", "zz"),
        ("zz", "", "zz001"),
        ("jxyz", "", "k"),
        ("", "i", "h"),
        ("", "1", "0z"),
        ("", "0z", "0yz"),
        ("", "01", "00z"),
        ("", "00z", "00yzz"),
        ("a", "c", "b"),
        ("a", "z", "m"),
        ("a", "b", "ai"),
        ("a", "b5", "b"),
        ("ai", "b", "aj"),
        ("az", "b", "az01"),
        ("a", "ai", "ah"),
        ("a", "a1", "a0z"),
        ("a", "a01", "a00z"),
        ("a01", "a02", "a01i"),
    ] {
        assert_eq!(key(before, after), expected, "between {before:?} and {after:?}");
    }
}

#[test]
fn ten_thousand_items_at_either_end_have_short_keys() {
    let keys = after(None, 10_000).unwrap();
    assert_eq!((keys.len(), longest(&keys)), (10_000, 5));
    assert!(keys.is_sorted_by(|one, next| one < next));
    let more = after(keys.last().map(String::as_str), 3).unwrap();
    assert!(keys.last() < more.first() && more.is_sorted());
    assert_eq!(after(Some("i"), 0), Ok(vec![]));

    let (mut first, mut keys) = (None, Vec::new());
    for _ in 0..10_000 {
        let found = between(None, first.as_deref()).unwrap();
        keys.push(found.clone());
        first = Some(found);
    }
    assert_eq!(longest(&keys), 5);
    assert!(keys.is_sorted_by(|one, next| one > next));
}

#[test]
fn a_thousand_items_put_into_the_same_place_have_short_keys() {
    let (mut low, mut high) = ("hb".to_owned(), "hc".to_owned());
    for _ in 0..1_000 {
        low = key(&low, "hc");
        high = key("hb", &high);
    }
    assert!(low.len() <= 8 && high.len() <= 8, "{low} {high}");
}

#[test]
fn neighbours_that_are_not_in_order_are_refused() {
    for (before, after) in [("i", "i"), ("b", "a"), ("ab", "a"), ("1", "0z")] {
        let expected = RankError::NotInOrder { before: before.to_owned(), after: after.to_owned() };
        assert_eq!(between(Some(before), Some(after)), Err(expected));
    }
}

#[test]
fn malformed_keys_are_refused() {
    let long = "a".repeat(KEY_BYTES_MAX + 1);
    for bad in ["", "0", "a0", "A", "a b", "ä", "a-1", "a\0", &long] {
        assert_eq!(between(Some(bad), None), Err(RankError::Malformed), "{bad:?}");
        assert_eq!(between(None, Some(bad)), Err(RankError::Malformed), "{bad:?}");
        assert_eq!(between(Some("i"), Some(bad)), Err(RankError::Malformed), "{bad:?}");
        assert_eq!(after(Some(bad), 2), Err(RankError::Malformed), "{bad:?}");
    }
}

#[test]
fn a_place_that_is_full_says_so() {
    let long = "z".repeat(KEY_BYTES_MAX);
    assert_eq!(between(Some(&long), None), Err(RankError::Full));
    assert_eq!(after(Some(&long), 2), Err(RankError::Full));
    let longer = "a".repeat(KEY_BYTES_MAX - 1) + "b";
    assert_eq!(between(Some(&"a".repeat(KEY_BYTES_MAX)), Some(&longer)), Err(RankError::Full));
}

proptest! {
    #[test]
    fn items_inserted_anywhere_stay_where_they_were_put(
        places in proptest::collection::vec(any::<prop::sample::Index>(), 1..400)
    ) {
        let mut list: Vec<String> = Vec::new();
        for place in places {
            let place = place.index(list.len() + 1);
            let before = place.checked_sub(1).map(|index| list[index].as_str());
            let found = between(before, list.get(place).map(String::as_str)).unwrap();
            list.insert(place, found);
        }
        prop_assert!(list.is_sorted_by(|one, next| one < next));
        prop_assert!(longest(&list) <= 20, "{}", longest(&list));
    }

    #[test]
    fn two_keys_that_differ_have_one_between_them(
        one in "[0-9a-z]{0,6}[1-9a-z]",
        other in "[0-9a-z]{0,6}[1-9a-z]",
    ) {
        prop_assume!(one != other);
        let (before, after) = if one < other { (one, other) } else { (other, one) };
        for (low, high) in
            [(Some(&before), Some(&after)), (Some(&after), None), (None, Some(&before))]
        {
            let found = between(low.map(String::as_str), high.map(String::as_str)).unwrap();
            prop_assert!(low.is_none_or(|low| *low < found));
            prop_assert!(high.is_none_or(|high| found < *high));
            prop_assert!(!found.ends_with('0'));
        }
    }

    #[test]
    fn no_text_makes_it_panic(one in any::<String>(), other in "[0-9a-z]{0,210}") {
        for (before, after) in [(&one, &other), (&other, &one), (&other, &other)] {
            prop_assert!(between(Some(before), Some(after)).is_err() || before < after);
        }
    }
}
