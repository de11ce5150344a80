//! One file's bytes: what is on the disc, and what is only on its way there.

use crate::Random;

/// The unit that a disc writes whole: a write is torn at these borders of the file, never inside.
const SECTOR_BYTES: usize = 512;

/// The bytes of one file, as the disc holds them and as they would become.
#[derive(Debug, Default)]
pub(super) struct Image {
    durable: Vec<u8>,
    /// In the order of the calls. Replayed whole it gives what a reader sees today, unless a sync has failed.
    pending: Vec<Change>,
}

#[derive(Debug)]
enum Change {
    Write { offset: usize, bytes: Vec<u8> },
    Truncate { size: usize },
}

impl Image {
    /// A file whose bytes are all on the disc.
    pub(super) fn durable(bytes: Vec<u8>) -> Image {
        Image { durable: bytes, pending: Vec::new() }
    }

    pub(super) fn write(&mut self, offset: usize, bytes: &[u8]) {
        self.pending.push(Change::Write { offset, bytes: bytes.to_vec() });
    }

    pub(super) fn truncate(&mut self, size: usize) {
        self.pending.push(Change::Truncate { size });
    }

    /// Moves everything pending onto the disc.
    pub(super) fn sync(&mut self) {
        for change in self.pending.drain(..) {
            match change {
                Change::Write { offset, bytes } => put(&mut self.durable, offset, &bytes),
                Change::Truncate { size } => self.durable.resize(size, 0),
            }
        }
    }

    /// Forgets what was written and is not on the disc: a later sync does not know of it. A reader sees it still.
    pub(super) fn lose_writes(&mut self) {
        self.pending.retain(|change| matches!(change, Change::Truncate { .. }));
    }

    /// The bytes that a cut leaves.
    pub(super) fn survive(&self, random: &mut Random) -> Vec<u8> {
        let mood = Mood::draw(random);
        let mut left = self.durable.clone();
        for change in &self.pending {
            let fate = mood.fate(random);
            match (fate, change) {
                (Fate::Lost, _) => {}
                (Fate::Whole, Change::Write { offset, bytes }) => put(&mut left, *offset, bytes),
                (Fate::Torn, Change::Write { offset, bytes }) => {
                    put_torn(&mut left, *offset, bytes, random);
                }
                // A length is one number: it cannot be torn.
                (Fate::Whole | Fate::Torn, Change::Truncate { size }) => left.resize(*size, 0),
            }
        }
        left
    }
}

/// How the pending changes of one file fare together.
///
/// Were each change drawn by itself alone, a file with fifty of them would never lose all or keep
/// all, and those two ends are where a missing sync shows best.
#[derive(Clone, Copy)]
enum Mood {
    NothingArrived,
    EverythingArrived,
    EachByItself,
}

impl Mood {
    fn draw(random: &mut Random) -> Mood {
        match random.below(4) {
            0 => Mood::NothingArrived,
            1 => Mood::EverythingArrived,
            _ => Mood::EachByItself,
        }
    }

    fn fate(self, random: &mut Random) -> Fate {
        match self {
            Mood::NothingArrived => Fate::Lost,
            Mood::EverythingArrived => Fate::Whole,
            Mood::EachByItself => match random.below(3) {
                0 => Fate::Lost,
                1 => Fate::Whole,
                _ => Fate::Torn,
            },
        }
    }
}

enum Fate {
    Lost,
    Whole,
    Torn,
}

fn put(file: &mut Vec<u8>, offset: usize, bytes: &[u8]) {
    let end = offset + bytes.len();
    if file.len() < end {
        file.resize(end, 0);
    }
    file[offset..end].copy_from_slice(bytes);
}

fn put_torn(file: &mut Vec<u8>, mut offset: usize, mut bytes: &[u8], random: &mut Random) {
    while !bytes.is_empty() {
        // The borders are those of the file: a write that starts inside a sector fills only its rest.
        let to_border = SECTOR_BYTES - offset % SECTOR_BYTES;
        let (sector, rest) = bytes.split_at(to_border.min(bytes.len()));
        if random.chance(1, 2) {
            put(file, offset, sector);
        }
        offset += sector.len();
        bytes = rest;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Image, SECTOR_BYTES};
    use crate::Random;

    /// Every outcome that 2000 cuts show.
    fn outcomes(image: &Image) -> BTreeSet<Vec<u8>> {
        (0..2000).map(|seed| image.survive(&mut Random::seeded(seed))).collect()
    }

    fn set<const N: usize>(outcomes: [&[u8]; N]) -> BTreeSet<Vec<u8>> {
        outcomes.into_iter().map(<[u8]>::to_vec).collect()
    }

    #[test]
    fn synced_bytes_survive_every_cut() {
        let mut image = Image::default();
        image.write(0, b"one");
        image.write(3, b"two");
        image.truncate(5);
        image.sync();
        assert_eq!(outcomes(&image), set([b"onetw"]));
    }

    #[test]
    fn a_later_write_may_survive_without_an_earlier() {
        let mut image = Image::durable(b"....".to_vec());
        image.write(0, b"AA");
        image.write(1, b"BB");
        let expected = set([b"....", b"AA..", b".BB.", b"ABB."]);
        assert_eq!(outcomes(&image), expected);
    }

    #[test]
    fn a_lost_write_before_a_kept_one_leaves_zeros() {
        let mut image = Image::default();
        image.write(0, b"AA");
        image.write(2, b"BB");
        assert_eq!(outcomes(&image), set([b"", b"AA", b"\0\0BB", b"AABB"]));
    }

    #[test]
    fn a_truncate_is_kept_or_lost_in_its_place() {
        let mut image = Image::durable(b"old!".to_vec());
        image.truncate(0);
        image.write(0, b"n");
        assert_eq!(outcomes(&image), set([b"old!", b"", b"nld!", b"n"]));
    }

    #[test]
    fn overwriting_from_the_start_keeps_the_old_tail() {
        // A WAL is not truncated when it begins again.
        let mut image = Image::durable(b"aaaaaa".to_vec());
        image.write(0, b"bb");
        image.sync();
        image.write(2, b"c");
        assert_eq!(outcomes(&image), set([b"bbaaaa", b"bbcaaa"]));
    }

    #[test]
    fn a_write_is_torn_at_the_sectors_of_the_file() {
        let mut image = Image::durable(vec![b'.'; 3 * SECTOR_BYTES]);
        image.write(SECTOR_BYTES - 2, &[b'x'; SECTOR_BYTES + 4]);
        let seen = outcomes(&image);
        assert_eq!(seen.len(), 8, "three pieces, each there or not");
        let new_bytes: BTreeSet<usize> =
            seen.iter().map(|left| left.iter().filter(|&&byte| byte == b'x').count()).collect();
        let full = SECTOR_BYTES;
        assert_eq!(new_bytes, [0, 2, 4, full, full + 2, full + 4].into());
    }

    #[test]
    fn the_same_seed_leaves_the_same_bytes() {
        let mut image = Image::default();
        for at in 0..50 {
            image.write(at * 300, &[7; 700]);
        }
        let cut = |seed| image.survive(&mut Random::seeded(seed));
        assert!((0..20).all(|seed| cut(seed) == cut(seed)));
    }
}
