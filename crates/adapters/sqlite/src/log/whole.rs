//! The bytes of a log as SQLite knows it, in memory.

/// Bytes that are asked for at once: a log grows without being moved.
const BLOCK: usize = 64 * 1_024;

/// A file that is nowhere but here.
#[derive(Default)]
pub(super) struct Whole {
    /// As long as what lies in them: all but the last with anything are full, and those behind it empty.
    blocks: Vec<Vec<u8>>,
    length: usize,
}

impl Whole {
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Fills `into` with what lies at `at`, and zeros behind the end. Says whether all of it was there.
    pub(super) fn read(&self, into: &mut [u8], at: usize) -> bool {
        let there = self.length.saturating_sub(at).min(into.len());
        let (mut known, unknown) = into.split_at_mut(there);
        unknown.fill(0);
        let mut at = at;
        while !known.is_empty() {
            let block = &self.blocks[at / BLOCK][at % BLOCK..];
            let (part, rest) = known.split_at_mut(block.len().min(known.len()));
            part.copy_from_slice(&block[..part.len()]);
            (known, at) = (rest, at + part.len());
        }
        unknown.is_empty()
    }

    /// Puts bytes where they belong; what lies between them and the end so far is zeros.
    pub(super) fn write(&mut self, bytes: &[u8], at: usize) {
        let end = at + bytes.len();
        if at > self.length {
            self.fill(self.length, at);
        }
        while self.blocks.len() * BLOCK < end {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let (mut left, mut at) = (bytes, at);
        while !left.is_empty() {
            let (block, from) = (&mut self.blocks[at / BLOCK], at % BLOCK);
            let (part, rest) = left.split_at(left.len().min(BLOCK - from));
            let (over, behind) = part.split_at(part.len().min(block.len() - from));
            block[from..from + over.len()].copy_from_slice(over);
            block.extend_from_slice(behind);
            (left, at) = (rest, at + part.len());
        }
        self.length = self.length.max(end);
    }

    /// Empties it, and keeps memory of so many bytes for what comes next.
    pub(super) fn clear(&mut self, kept: usize) {
        self.length = 0;
        self.blocks.truncate(kept.div_ceil(BLOCK));
        self.blocks.iter_mut().for_each(Vec::clear);
    }

    /// Bytes that lie next to each other in memory, as most do.
    pub(super) fn slice(&self, at: usize, length: usize) -> Option<&[u8]> {
        if at + length > self.length {
            return None;
        }
        self.blocks[at / BLOCK].get(at % BLOCK..at % BLOCK + length)
    }

    /// Makes it no longer than that, and gives back the memory.
    pub(super) fn shorten(&mut self, length: usize) {
        self.length = self.length.min(length);
        self.blocks.truncate(self.length.div_ceil(BLOCK));
        if let Some(last) = self.blocks.last_mut() {
            last.truncate(self.length - self.length.saturating_sub(1) / BLOCK * BLOCK);
        }
    }

    /// Zeros from the end to where something is written behind it: SQLite leaves no such holes.
    fn fill(&mut self, from: usize, to: usize) {
        for at in (from..to).step_by(BLOCK) {
            self.write(&[0; BLOCK][..BLOCK.min(to - at)], at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_file(steps in prop::collection::vec((0_usize..200_000, 0_usize..90_000, any::<u8>()), 1..20)) {
            let (mut whole, mut file) = (Whole::default(), Vec::<u8>::new());
            for (at, length, byte) in steps {
                if byte % 8 == 0 {
                    whole.shorten(at);
                    file.truncate(at);
                } else if byte % 8 == 1 {
                    whole.clear(length);
                    prop_assert!(whole.blocks.len() <= length.div_ceil(BLOCK));
                    file.clear();
                } else {
                    let bytes = vec![byte; length];
                    file.resize(file.len().max(at + length), 0);
                    file[at..at + length].copy_from_slice(&bytes);
                    whole.write(&bytes, at);
                }
                prop_assert_eq!(whole.length(), file.len());
                let mut read = vec![1; file.len() + 10];
                prop_assert!(!whole.read(&mut read, 0));
                prop_assert_eq!(&read[..file.len()], file.as_slice());
                prop_assert_eq!(&read[file.len()..], [0; 10].as_slice());
                prop_assert!(whole.read(&mut read[..file.len() / 2], file.len() / 2));
                if let Some(slice) = whole.slice(at, 100) {
                    prop_assert_eq!(slice, &file[at..at + 100]);
                }
            }
        }
    }
}
