//! What is written to the disc at once, and how a reader knows that it is whole and follows the one before.

/// How the file begins: whose it is, and in which form.
pub(super) const MAGIC: [u8; 8] = *b"dm-log\x00\x01";

/// How it begins while it holds nothing, whatever follows.
pub(super) const EMPTY: [u8; 8] = *b"dm-log\x00\x00";

/// The bytes before what a chunk holds: its length and its check.
const HEAD: usize = 12;

/// The check that the first chunk follows.
pub(super) const BEGINNING: u64 = 0x243f_6a88_85a3_08d3;

/// What a file begins with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// A log of ours.
    Ours,
    /// A log of ours in a form that this version does not know.
    Unknown,
    /// Nothing, or what a first write left that was cut short.
    Nothing,
    /// Something that no write of ours leaves: what stood there is lost, and may not be taken for nothing.
    Damaged,
}

/// How a file begins.
pub(super) fn beginning(file: &[u8]) -> Beginning {
    let name = MAGIC.len() - 1;
    match file.get(..MAGIC.len()) {
        Some(start) if start == MAGIC => Beginning::Ours,
        Some(start) if start == EMPTY => Beginning::Nothing,
        Some(start) if start[..name] == MAGIC[..name] => Beginning::Unknown,
        _ if is_cut_short(file) => Beginning::Nothing,
        _ => Beginning::Damaged,
    }
}

/// Whether a file begins as ours do, as far as that goes, and holds zeros from there on: a log is written from its
/// beginning, over another of ours or where there was nothing.
fn is_cut_short(file: &[u8]) -> bool {
    let start = &file[..file.len().min(MAGIC.len())];
    let written = start.iter().zip(MAGIC).take_while(|(byte, ours)| **byte == *ours).count();
    start[written..].iter().all(|byte| *byte == 0)
}

/// Puts a chunk behind what `into` holds. Answers with its check, which the next one follows.
pub(super) fn put(notes: &[u8], follows: u64, into: &mut Vec<u8>) -> u64 {
    let length = u32::try_from(notes.len()).expect("a chunk is written long before it is as long");
    let check = check(follows, notes);
    into.extend_from_slice(&length.to_le_bytes());
    into.extend_from_slice(&check.to_le_bytes());
    into.extend_from_slice(notes);
    check
}

/// The chunk at the beginning of `file`, with its check and its length with all that belongs to it; none if it
/// was not written whole or follows another.
pub(super) fn first(file: &[u8], follows: u64) -> Option<(&[u8], u64, usize)> {
    let (length, rest) = file.split_first_chunk::<4>()?;
    let (said, rest) = rest.split_first_chunk::<8>()?;
    let notes = rest.get(..usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
    let said = u64::from_le_bytes(*said);
    (said == check(follows, notes)).then_some((notes, said, HEAD + notes.len()))
}

/// A number that follows from all bytes and from the chunk before. It tells what was torn or left over, as each
/// step can be undone: whatever changes one word changes the sum. Nobody relies on it to be hard to forge.
fn check(follows: u64, notes: &[u8]) -> u64 {
    const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = |sum: u64, word: u64| {
        let sum = (sum ^ word).wrapping_mul(SPREAD);
        sum ^ sum >> 29
    };
    let (words, rest) = notes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let sum = words.iter().map(|word| u64::from_le_bytes(*word)).fold(follows, mixed);
    [u64::from_le_bytes(last), notes.len() as u64].into_iter().fold(sum, mixed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_is_read_if_it_is_whole_and_follows() {
        let (mut file, notes) = (Vec::new(), b"what was written".as_slice());
        let one = put(notes, BEGINNING, &mut file);
        let end = file.len();
        let two = put(b"and more", one, &mut file);
        assert_eq!(first(&file, BEGINNING), Some((notes, one, end)));
        assert_eq!(first(&file[end..], one), Some((b"and more".as_slice(), two, file.len() - end)));
        assert_eq!(first(&file[end..], BEGINNING), None);
        for length in 0..end {
            assert_eq!(first(&file[..length], BEGINNING), None, "{length}");
        }
    }

    #[test]
    fn a_chunk_with_any_other_bit_is_none() {
        let mut file = Vec::new();
        put(&[3; 41], BEGINNING, &mut file);
        for bit in 0..file.len() * 8 {
            let mut other = file.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(first(&other, BEGINNING), None, "{bit}");
        }
        assert_eq!(first(&[0; 600], BEGINNING), None);
    }

    #[test]
    fn a_file_says_whose_it_is() {
        assert_eq!(beginning(&MAGIC), Beginning::Ours);
        assert_eq!(beginning(b"dm-log\x00\x02 and more"), Beginning::Unknown);
        assert_eq!(beginning(b"dm-log\x00\x00 and what it held"), Beginning::Nothing);
        for nothing in [b"".as_slice(), b"dm-log", b"dm-\0\0\0\0\0\0\0", &[0; 512]] {
            assert_eq!(beginning(nothing), Beginning::Nothing);
        }
        for damaged in [b"left over".as_slice(), b"XX-log\x00\x01 and more", b"x", b"dm-XXX"] {
            assert_eq!(beginning(damaged), Beginning::Damaged, "{damaged:?}");
        }
    }
}
