//! Digits, and what they stand for.

/// Crockford's alphabet: it keeps the order of numbers in the order of texts, and leaves out letters that look
/// like others.
pub const CROCKFORD: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// What each byte stands for: its place among some digits, or `none`.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "there are no 256 digits")]
pub const fn places(digits: &[u8], none: u8) -> [u8; 256] {
    let mut all = [none; 256];
    let mut place = 0;
    while place < digits.len() {
        all[digits[place] as usize] = place as u8;
        place += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_stands_for_its_place() {
        let all = places(CROCKFORD, 99);
        assert_eq!(
            [all[usize::from(b'0')], all[usize::from(b'z')], all[usize::from(b'i')]],
            [0, 31, 99]
        );
        assert_eq!(all.iter().filter(|place| **place != 99).count(), 32);
    }
}
