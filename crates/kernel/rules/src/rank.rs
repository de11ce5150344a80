//! Order keys: where an item stands in a list, as a text that sorts like the item.
//!
//! A key is a fraction between 0 and 1 without its `0.`, in 36 digits from `0` to `z`, and without a
//! zero at its end, so that every place has one name and there is always room on both sides. An item
//! is put between two others by a key between theirs; nobody else's key changes, and two hosts
//! that move different items do not disturb each other.
//!
//! At the ends of a list keys are counted instead of halved. The number of `z`s that a key starts with
//! says how many digits are counted, so a thousand items appended one by one have three digits each,
//! not two hundred; at the front `0` takes the part of `z`.

/// Bytes of a key. People who drag items about do not come near it; who does, gives the list
/// keys from [`after`] none.
pub const KEY_BYTES_MAX: usize = 200;

const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
const LAST: u8 = 35;

/// The key of the first item: the same room on both sides.
const MIDDLE: u8 = 18;

/// Why there is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RankError {
    /// A neighbour's key is not one that was made here.
    #[error(
        "an order key has 1 to {KEY_BYTES_MAX} of the characters 0-9 and a-z and no 0 at its end"
    )]
    Malformed,
    /// The neighbours are the same, or the wrong way round.
    #[error("nothing comes after {before:?} and before {after:?}")]
    NotInOrder {
        /// The key that was to come first.
        before: String,
        /// The key that was to come last.
        after: String,
    },
    /// So many items were put into one place that the next key would be too long.
    #[error("there is no room left in this place; number the list afresh")]
    Full,
}

/// A key between two others; without one of them, before all or after all.
///
/// # Errors
/// If a key is malformed, if they are not in order, or if there is no room left.
pub fn between(before: Option<&str>, after: Option<&str>) -> Result<String, RankError> {
    let key = match (before.map(read).transpose()?, after.map(read).transpose()?) {
        (None, None) => vec![MIDDLE],
        (Some(before), None) => up(&before),
        (None, Some(after)) => down(&after),
        (Some(before), Some(after)) if before < after => middle(&before, &after),
        (Some(before), Some(after)) => {
            return Err(RankError::NotInOrder { before: write(&before)?, after: write(&after)? });
        }
    };
    write(&key)
}

/// Keys for items behind the last one, in order; for a list from its beginning, if there is none.
///
/// # Errors
/// If the last key is malformed, or there is no room left.
pub fn after(last: Option<&str>, count: usize) -> Result<Vec<String>, RankError> {
    let first = between(last, None);
    let keys = std::iter::successors(Some(first), |last| match last {
        Ok(last) => Some(between(Some(last), None)),
        Err(_) => None,
    });
    keys.take(count).collect()
}

/// The digits of a key, each from 0 to 35. They compare as their keys do.
type Key = Vec<u8>;

fn read(key: &str) -> Result<Key, RankError> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'z' => Some(byte - b'a' + 10),
        _ => None,
    };
    let digits: Option<Key> = key.bytes().take(KEY_BYTES_MAX + 1).map(digit).collect();
    let fits =
        |digits: &Key| digits.len() <= KEY_BYTES_MAX && digits.last().is_some_and(|d| *d > 0);
    digits.filter(fits).ok_or(RankError::Malformed)
}

fn write(key: &[u8]) -> Result<String, RankError> {
    if key.len() > KEY_BYTES_MAX {
        return Err(RankError::Full);
    }
    Ok(key.iter().map(|digit| char::from(DIGITS[usize::from(*digit)])).collect())
}

/// The next key up: the counted digits and one more.
fn up(key: &[u8]) -> Key {
    let mut digits = counted(key, LAST);
    // The first counted digit is no `z`, so the carry stops there at the latest.
    while digits.last() == Some(&LAST) {
        digits.pop();
    }
    *digits.last_mut().expect("a counted digit is below z") += 1;
    digits
}

/// The next key down: the counted digits and one less.
fn down(key: &[u8]) -> Key {
    let mut digits = counted(key, 0);
    let place = digits.iter().rposition(|digit| *digit > 0).expect("a counted digit is above 0");
    digits[place] -= 1;
    digits[place + 1..].fill(LAST);
    while digits.last() == Some(&0) {
        digits.pop();
    }
    if digits.is_empty() { vec![0, LAST] } else { digits }
}

/// The leading digits that are `end`, and one more digit than that behind them.
fn counted(key: &[u8], end: u8) -> Key {
    let leading = key.iter().take_while(|digit| **digit == end).count();
    key.iter().copied().chain(std::iter::repeat(0)).take(2 * leading + 1).collect()
}

/// A key between two that are in order.
fn middle(before: &[u8], after: &[u8]) -> Key {
    let same = before.iter().zip(after).take_while(|(one, other)| one == other).count();
    let (head, behind) = before.split_at(same);
    let Some((low, tail)) = behind.split_first() else {
        // All that comes after `before` and starts with it is open to below.
        return joined(head, &down(&after[same..]));
    };
    let high = after[same];
    match high - low {
        // `after` cut short comes before it, and is still after `before`.
        1 if after.len() > same + 1 => joined(head, &[high]),
        1 if tail.is_empty() => joined(before, &[MIDDLE]),
        1 => joined(&before[..=same], &up(tail)),
        gap => joined(head, &[low + gap / 2]),
    }
}

fn joined(head: &[u8], tail: &[u8]) -> Key {
    [head, tail].concat()
}

#[cfg(test)]
#[path = "rank_tests.rs"]
mod tests;
