//! Small numbers in few bytes: seven bits each, the lowest first, and a bit that says that there are more.

pub(super) fn put(mut number: u64, into: &mut Vec<u8>) {
    while number >= 0x80 {
        into.push(low_bits(number) | 0x80);
        number >>= 7;
    }
    into.push(low_bits(number));
}

/// The number at the beginning of `from`, which is shortened by it.
pub(super) fn take(from: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = from.split_first()?;
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// The same for what has to be a length in memory.
pub(super) fn take_length(from: &mut &[u8]) -> Option<usize> {
    take(from)?.try_into().ok()
}

fn low_bits(number: u64) -> u8 {
    number.to_le_bytes()[0] & 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_taken() {
        let numbers = [0, 1, 127, 128, 300, 16_383, 16_384, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            put(number, &mut bytes);
        }
        let mut rest = bytes.as_slice();
        for number in numbers {
            assert_eq!(take(&mut rest), Some(number));
        }
        assert!(rest.is_empty());
        assert_eq!(take(&mut rest), None);
    }

    #[test]
    fn a_number_without_end_is_none() {
        assert_eq!(take(&mut [0xff; 20].as_slice()), None);
        assert_eq!(take(&mut [0x80].as_slice()), None);
    }
}
