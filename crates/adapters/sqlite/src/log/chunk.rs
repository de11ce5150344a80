//! What is written to the disc at once, and how a reader knows that it is whole and follows the one before.

/// How the file begins: whose it is, and in which form.
pub(super) const MAGIC: [u8; 8] = *b"dm-log\x00\x02";

/// The same of the form before this, whose chunks bear no marks: one that was left behind is read, and gone on with
/// until the log begins anew.
const UNMARKED: [u8; 8] = *b"dm-log\x00\x01";

/// How it begins while it holds nothing, whatever follows.
pub(super) const EMPTY: [u8; 8] = *b"dm-log\x00\x00";

/// The bytes before what a chunk holds: its length and its check, and then its mark.
const HEAD: usize = 12;
const MARK: usize = 8;

/// The check that the first chunk follows.
pub(super) const BEGINNING: u64 = 0x243f_6a88_85a3_08d3;

/// What a file begins with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// A log of ours, whose chunks bear marks or do not.
    Ours { marked: bool },
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
        Some(start) if start == MAGIC => Beginning::Ours { marked: true },
        Some(start) if start == UNMARKED => Beginning::Ours { marked: false },
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

/// What a chunk says of those before it, so that one that was damaged is not taken for one that never was whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    /// Which log it belongs to: what follows the end of one may be left over from another.
    pub(super) log: u32,
    /// How many bytes in front of it were not known to be on the disc when it was written.
    pub(super) unsynced: u32,
}

impl Mark {
    fn bytes(self) -> [u8; MARK] {
        let mut bytes = [0; MARK];
        bytes[..4].copy_from_slice(&self.log.to_le_bytes());
        bytes[4..].copy_from_slice(&self.unsynced.to_le_bytes());
        bytes
    }

    fn of([l0, l1, l2, l3, u0, u1, u2, u3]: [u8; MARK]) -> Mark {
        let (log, unsynced) = ([l0, l1, l2, l3], [u0, u1, u2, u3]);
        Mark { log: u32::from_le_bytes(log), unsynced: u32::from_le_bytes(unsynced) }
    }
}

/// Which log it is whose first chunk has this check.
pub(super) fn log_of(check: u64) -> u32 {
    let [b0, b1, b2, b3, ..] = check.to_le_bytes();
    u32::from_le_bytes([b0, b1, b2, b3])
}

/// Puts a chunk behind what `into` holds. Answers with its check, which the next one follows.
pub(super) fn put(mark: Option<Mark>, notes: &[u8], follows: u64, into: &mut Vec<u8>) -> u64 {
    let length = u32::try_from(notes.len()).expect("a chunk is written long before it is as long");
    let mark = mark.map(Mark::bytes);
    let check = check(mark, notes, follows);
    into.extend_from_slice(&length.to_le_bytes());
    into.extend_from_slice(&check.to_le_bytes());
    into.extend(mark.into_iter().flatten());
    into.extend_from_slice(notes);
    check
}

/// A chunk that was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Chunk<'a> {
    pub(super) mark: Option<Mark>,
    pub(super) notes: &'a [u8],
    /// What the next one follows.
    pub(super) check: u64,
    /// With all that belongs to it.
    pub(super) length: usize,
}

/// The chunk at the beginning of `file`; none if it was not written whole or follows another.
pub(super) fn first(file: &[u8], marked: bool, follows: u64) -> Option<Chunk<'_>> {
    let (check, length) = head(file, marked)?;
    let chunk = file.get(HEAD..length)?;
    let (mark, notes) = match marked {
        true => chunk.split_first_chunk::<MARK>().map(|(mark, notes)| (Some(*mark), notes))?,
        false => (None, chunk),
    };
    let is_whole = check == self::check(mark, notes, follows);
    is_whole.then_some(Chunk { mark: mark.map(Mark::of), notes, check, length })
}

/// What a chunk says of itself: its check, and its length with all that belongs to it.
pub(super) fn head(file: &[u8], marked: bool) -> Option<(u64, usize)> {
    let (notes, rest) = file.split_first_chunk::<4>()?;
    let (check, _) = rest.split_first_chunk::<8>()?;
    let notes = usize::try_from(u32::from_le_bytes(*notes)).ok()?;
    let length = notes.checked_add(HEAD + if marked { MARK } else { 0 })?;
    Some((u64::from_le_bytes(*check), length))
}

fn check(mark: Option<[u8; MARK]>, notes: &[u8], follows: u64) -> u64 {
    sum(mark.map_or(follows, |mark| sum(follows, &mark)), notes)
}

/// A number that follows from all bytes and from the chunk before. It tells what was torn or left over, as each
/// step can be undone: whatever changes one word changes the sum. Nobody relies on it to be hard to forge.
fn sum(follows: u64, notes: &[u8]) -> u64 {
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

    const MARKS: [Option<Mark>; 2] = [None, Some(Mark { log: 7, unsynced: 9 })];

    #[test]
    fn a_chunk_is_read_if_it_is_whole_and_follows() {
        for mark in MARKS {
            let (mut file, notes, marked) = (vec![], b"what was written", mark.is_some());
            let check = put(mark, notes, BEGINNING, &mut file);
            let end = file.len();
            let next = put(mark, b"and more", check, &mut file);
            let one = Chunk { mark, notes, check, length: end };
            assert_eq!(first(&file, marked, BEGINNING), Some(one));
            let length = file.len() - end;
            let two = Chunk { mark, notes: b"and more", check: next, length };
            assert_eq!(first(&file[end..], marked, check), Some(two));
            assert_eq!(first(&file[end..], marked, BEGINNING), None);
            for length in 0..end {
                assert_eq!(first(&file[..length], marked, BEGINNING), None, "{length}");
            }
        }
    }

    #[test]
    fn a_chunk_with_any_other_bit_is_none() {
        for mark in MARKS {
            let mut file = Vec::new();
            put(mark, &[3; 41], BEGINNING, &mut file);
            for bit in 0..file.len() * 8 {
                let mut other = file.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                assert_eq!(first(&other, mark.is_some(), BEGINNING), None, "{bit}");
            }
            assert_eq!(first(&[0; 600], mark.is_some(), BEGINNING), None);
        }
    }

    #[test]
    fn a_file_says_whose_it_is() {
        assert_eq!(beginning(&MAGIC), Beginning::Ours { marked: true });
        assert_eq!(beginning(&UNMARKED), Beginning::Ours { marked: false });
        assert_eq!(beginning(b"dm-log\x00\x03 and more"), Beginning::Unknown);
        assert_eq!(beginning(b"dm-log\x00\x00 and what it held"), Beginning::Nothing);
        for nothing in [b"".as_slice(), b"dm-log", b"dm-\0\0\0\0\0\0\0", &[0; 512]] {
            assert_eq!(beginning(nothing), Beginning::Nothing);
        }
        for damaged in [b"left over".as_slice(), b"XX-log\x00\x01 and more", b"x", b"dm-XXX"] {
            assert_eq!(beginning(damaged), Beginning::Damaged, "{damaged:?}");
        }
    }
}
