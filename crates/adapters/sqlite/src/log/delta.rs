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
    const WORD: usize = 8;
    let words = old.chunks_exact(WORD).zip(new.chunks_exact(WORD));
    let same = words.take_while(|(old, new)| old == new).count() * WORD;
    let bytes = old[same..].iter().zip(&new[same..]);
    same + bytes.take_while(|(old, new)| old == new).count()
}

fn length_of_others(old: &[u8], new: &[u8]) -> usize {
    let mut same = 0;
    for (at, (old, new)) in old.iter().zip(new).enumerate() {
        same = if old == new { same + 1 } else { 0 };
        if same == WORTH_SAYING {
            return at + 1 - same;
        }
    }
    new.len() - same
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
        fn no_bytes_make_it_panic(said in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = take(&mut said.as_slice(), &mut [0; 64]);
        }
    }
}
