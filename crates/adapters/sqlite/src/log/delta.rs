//! What differs between two versions of the same bytes.

use super::lengths;

/// So many bytes that are the same end a stretch of others: saying that costs two.
const WORTH_SAYING: usize = 4;

/// Says how `new` differs from `old`, which is as long: so many bytes are the same, so many others follow, and
/// here they are; again and again until the end.
pub(super) fn put(old: &[u8], new: &[u8], into: &mut Vec<u8>) {
    let mut at = 0;
    while at < new.len() {
        let same = length_of_same(&old[at..], &new[at..]);
        let start = at + same;
        let end = start + length_of_others(&old[start..], &new[start..]);
        lengths::put(same as u64, into);
        lengths::put((end - start) as u64, into);
        into.extend_from_slice(&new[start..end]);
        at = end;
    }
}

/// Makes the new version of what `bytes` holds the old one of. `None` if `from` says anything else.
pub(super) fn take(from: &mut &[u8], bytes: &mut [u8]) -> Option<()> {
    let mut at = 0;
    while at < bytes.len() {
        let start = lengths::take_length(from)?.checked_add(at)?;
        let end = lengths::take_length(from)?.checked_add(start)?;
        let (others, rest) = from.split_at_checked(end - start)?;
        bytes.get_mut(start..end)?.copy_from_slice(others);
        (*from, at) = (rest, end);
    }
    Some(())
}

fn length_of_same(old: &[u8], new: &[u8]) -> usize {
    const WORD: usize = size_of::<u64>();
    let words = old.as_chunks::<WORD>().0.iter().zip(new.as_chunks::<WORD>().0);
    let mut same = 0;
    for (old, new) in words {
        let others = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
        if others != 0 {
            // The first byte is the lowest.
            return same + others.trailing_zeros() as usize / 8;
        }
        same += WORD;
    }
    let bytes = old[same..].iter().zip(&new[same..]);
    same + bytes.take_while(|(old, new)| old == new).count()
}

/// How many bytes go by until enough are the same. Such a stretch has a byte in every place that is as far from
/// the last one looked at as it is long, so where that byte is another, none of those before it are looked at.
fn length_of_others(old: &[u8], new: &[u8]) -> usize {
    let old = &old[..new.len()];
    let same = |at: &usize| old[*at] == new[*at];
    let mut from = 0;
    while from + WORTH_SAYING <= new.len() {
        let probe = from + WORTH_SAYING - 1;
        if !same(&probe) {
            from = probe + 1;
            continue;
        }
        let before = (from..probe).rev().take_while(same).count();
        let start = probe - before;
        let most = new.len().min(start + WORTH_SAYING);
        let end = most - (probe + 1..most).skip_while(same).count();
        if end - start == WORTH_SAYING {
            return start;
        }
        from = end + 1;
    }
    // What is the same at the end is left out, however short it is.
    new.len() - (0..new.len()).rev().take_while(same).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn there_and_back(old: &[u8], new: &[u8]) -> usize {
        let mut said = Vec::new();
        put(old, new, &mut said);
        let (mut bytes, mut from) = (old.to_vec(), said.as_slice());
        assert_eq!(take(&mut from, &mut bytes), Some(()));
        assert_eq!((bytes.as_slice(), from.len()), (new, 0));
        said.len()
    }

    #[test]
    fn a_little_change_is_said_in_a_few_bytes() {
        let old = [7; 1_024];
        let mut new = old;
        assert_eq!(there_and_back(&old, &new), 3);
        new[500] = 8;
        assert!(there_and_back(&old, &new) < 12);
        new[503] = 9;
        assert!(there_and_back(&old, &new) < 16);
        assert!(there_and_back(&[0; 1_024], &new) < 1_030);
        assert_eq!(there_and_back(&[], &[]), 0);
    }

    #[test]
    fn what_says_too_much_or_too_little_is_refused() {
        let mut said = Vec::new();
        put(&[0; 64], &[1; 64], &mut said);
        for length in 0..said.len() {
            assert_eq!(take(&mut &said[..length], &mut [0; 64]), None);
        }
        assert_eq!(take(&mut said.as_slice(), &mut [0; 63]), None);
        assert_eq!(take(&mut [0xff; 10].as_slice(), &mut [0; 64]), None);
    }

    proptest! {
        #[test]
        fn any_version_comes_back(
            old in prop::collection::vec(0_u8..3, 0..200),
            seed in prop::collection::vec(0_u8..3, 200)
        ) {
            let new: Vec<u8> = old.iter().zip(&seed).map(|(old, seed)| if *seed == 0 { *seed } else { *old }).collect();
            there_and_back(&old, &new);
        }

        #[test]
        fn a_stretch_of_others_ends_where_enough_are_the_same(
            old in prop::collection::vec(0_u8..2, 0..60),
            seed in prop::collection::vec(0_u8..2, 60)
        ) {
            let new = &seed[..old.len()];
            let same = |at: usize| old[at] == new[at];
            let enough = |at: &usize| (*at..*at + WORTH_SAYING).all(same);
            let most = (old.len() + 1).saturating_sub(WORTH_SAYING);
            let trailing = (0..old.len()).rev().take_while(|at| same(*at)).count();
            let expected = (0..most).find(enough).unwrap_or(old.len() - trailing);
            prop_assert_eq!(length_of_others(&old, new), expected);
        }

        #[test]
        fn no_bytes_make_it_panic(said in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = take(&mut said.as_slice(), &mut [0; 64]);
        }
    }
}
