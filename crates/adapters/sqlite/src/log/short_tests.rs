use proptest::prelude::*;

use super::*;

const PAGE: usize = 512;
const FRAME: usize = 24 + PAGE;

/// What SQLite does to a log, and the file that a disc would hold of it.
#[derive(Default)]
struct Disc {
    log: Short,
    file: Vec<u8>,
    /// The log as SQLite knows it at the end of each chunk, and how long the file was then.
    known: Vec<(usize, Vec<u8>)>,
    /// For each chunk, where those end that were on the disc for certain when it was written.
    synced: Vec<usize>,
}

impl Disc {
    fn write(&mut self, bytes: &[u8], at: usize) -> bool {
        let now = self.log.write(bytes, at);
        if now {
            self.flush();
        }
        now
    }

    fn flush(&mut self) {
        let Some(chunk) = self.log.chunk() else { return };
        let (at, bytes) = (usize::try_from(chunk.at).unwrap(), &chunk.bytes);
        if at == 0 {
            self.known.clear();
            self.synced.clear();
        }
        self.synced.push(usize::try_from(self.log.synced).unwrap());
        let end = at + bytes.len();
        self.file.resize(self.file.len().max(end), 0);
        self.file[at..end].copy_from_slice(bytes);
        self.log.written(&chunk);
        self.known.push((end, whole(&self.log)));
    }

    fn sync(&mut self) {
        self.flush();
        let reach = self.log.reaches();
        self.log.synced(reach);
    }

    fn header(&mut self, salt: u8) {
        let mut header = [salt; 32];
        header[8..12].copy_from_slice(&u32::try_from(PAGE).unwrap().to_be_bytes());
        self.write(&header, 0);
    }

    fn frame(&mut self, place: usize, page: u8, bytes: &[u8], commits: bool) -> bool {
        let mut header = [7; 24];
        header[..8].copy_from_slice(&[0, 0, 0, page, 0, 0, 0, u8::from(commits)]);
        let at = 32 + place * FRAME;
        self.write(&header, at) | self.write(bytes, at + 24)
    }
}

fn whole(log: &Short) -> Vec<u8> {
    let mut bytes = vec![0; log.whole().length()];
    assert!(log.whole().read(&mut bytes, 0));
    bytes
}

fn page(byte: u8, at: usize) -> Vec<u8> {
    let mut page = vec![3; PAGE];
    page[at % PAGE] = byte;
    page
}

#[test]
fn a_transaction_is_put_down_when_it_ends_and_not_before() {
    let mut disc = Disc::default();
    disc.header(1);
    assert!(!disc.frame(0, 1, &page(1, 1), false));
    assert!(disc.file.is_empty());
    assert!(disc.frame(1, 2, &page(2, 2), true));
    let read = Short::from_file(&disc.file).unwrap();
    assert_eq!(whole(&read), whole(&disc.log));
    let known = |log: &Short| (log.end, log.last, log.log);
    assert_eq!(known(&read), known(&disc.log));
}

#[test]
fn what_is_like_the_last_version_of_its_page_takes_a_few_bytes() {
    let mut disc = Disc::default();
    disc.header(1);
    disc.frame(0, 1, &page(1, 1), true);
    let before = disc.file.len();
    disc.frame(1, 1, &page(2, 100), true);
    assert!(disc.file.len() - before < 60, "{}", disc.file.len() - before);
    assert_eq!(whole(&Short::from_file(&disc.file).unwrap()), whole(&disc.log));
}

#[test]
fn a_log_that_begins_anew_overwrites_the_old_one_and_never_runs_into_it() {
    let mut disc = Disc::default();
    disc.header(1);
    for place in 0..20 {
        disc.frame(place, 1, &page(5, place * 31), true);
    }
    let long = disc.file.len();
    disc.header(2);
    disc.frame(0, 1, &page(6, 40), true);
    assert_eq!(disc.file.len(), long);
    let read = Short::from_file(&disc.file).unwrap();
    assert_eq!(whole(&read).len(), 32 + FRAME);
    assert_eq!(whole(&read), whole(&disc.log));
}

#[test]
fn what_the_disc_refused_is_written_anew_and_read_as_it_was_written() {
    let mut disc = Disc::default();
    disc.header(1);
    disc.frame(0, 1, &page(1, 1), true);
    // The disc takes nothing of the next transaction, and SQLite begins again.
    let at = 32 + FRAME;
    assert!(!disc.log.write(&[9; 24], at));
    disc.log.write(&page(8, 8), at + 24);
    assert!(disc.log.chunk().is_some());
    disc.log.refused();
    disc.frame(1, 1, &page(2, 300), false);
    disc.frame(2, 1, &page(3, 400), true);
    assert_eq!(whole(&Short::from_file(&disc.file).unwrap()), whole(&disc.log));
}

#[test]
fn checksums_that_are_put_right_in_the_end_are_put_down_too() {
    let mut disc = Disc::default();
    disc.header(1);
    disc.frame(0, 1, &page(1, 1), false);
    disc.frame(1, 2, &page(1, 1), true);
    let mut header = [8; 24];
    header[..8].copy_from_slice(&[0, 0, 0, 2, 0, 0, 0, 1]);
    assert!(disc.write(&header, 32 + FRAME));
    assert_eq!(whole(&Short::from_file(&disc.file).unwrap()), whole(&disc.log));
}

#[test]
fn a_log_in_a_form_of_the_future_or_of_nobody_is_not_taken_for_none() {
    assert!(Short::from_file(b"dm-log\x00\x03 and what is in it").is_none());
    assert!(Short::from_file(b"XX-log\x00\x01 and what is in it").is_none());
    assert_eq!(Short::from_file(&[0; 4_096]).unwrap().whole().length(), 0);
}

#[test]
fn a_sync_that_ends_when_the_log_has_begun_anew_says_nothing_of_the_new_one() {
    let mut disc = Disc::default();
    disc.header(1);
    disc.frame(0, 1, &page(1, 1), true);
    let reach = disc.log.reaches();
    disc.header(2);
    disc.log.synced(reach);
    disc.frame(0, 1, &page(2, 2), true);
    disc.log.synced(reach);
    assert_eq!(disc.log.synced, 0);
}

#[test]
fn a_log_without_marks_is_gone_on_with_as_it_is_until_it_begins_anew() {
    let mut disc = Disc::default();
    disc.header(1);
    disc.log.marked = false;
    disc.frame(0, 1, &page(4, 4), true);
    disc.file[chunk::MAGIC.len() - 1] = 1;
    disc.log = Short::from_file(&disc.file).unwrap();
    assert!(!disc.log.marked && disc.log.end > 0);
    disc.frame(1, 1, &page(1, 1), true);
    assert_eq!(whole(&Short::from_file(&disc.file).unwrap()), whole(&disc.log));
    disc.header(2);
    disc.frame(0, 1, &page(1, 1), true);
    assert!(disc.log.marked && disc.file.starts_with(&chunk::MAGIC));
    assert_eq!(whole(&Short::from_file(&disc.file).unwrap()), whole(&disc.log));
}

#[test]
fn what_is_left_of_the_log_before_is_no_damage() {
    let mut disc = Disc::default();
    disc.header(1);
    for place in 0..4 {
        disc.frame(place, 1, &page(5, place * 31), true);
        disc.sync();
    }
    // Everything was folded, and the power goes while the first of the next log is being written.
    let before = disc.file.clone();
    disc.header(2);
    disc.frame(0, 1, &page(6, 40), true);
    let (first, _) = disc.known[0];
    for torn in 0..first {
        let file = [&before[..torn], &disc.file[torn..first], &before[first..]].concat();
        assert!(Short::from_file(&file).is_some(), "{torn}");
        let file = [&disc.file[..torn], &before[torn..]].concat();
        assert!(Short::from_file(&file).is_some(), "{torn}");
    }
}

proptest! {
    #[test]
    fn a_chunk_that_was_on_the_disc_is_missed_if_something_was_written_behind_it(
        steps in prop::collection::vec((any::<u8>(), 0_usize..PAGE, 0_u8..8), 1..40),
        (which, place, bit) in (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0_u8..8),
    ) {
        let mut disc = Disc::default();
        let mut at = 0;
        for (byte, place, kind) in steps {
            match kind {
                0 => {
                    disc.header(byte);
                    at = 0;
                }
                1 | 2 => disc.sync(),
                _ => {
                    disc.frame(at, byte, &page(byte, place), true);
                    at += 1;
                }
            }
        }
        prop_assume!(!disc.known.is_empty());
        let which = which.index(disc.known.len());
        let begin = which.checked_sub(1).map_or(chunk::MAGIC.len(), |before| disc.known[before].0);
        let (notes, end) = (begin + 20, disc.known[which].0);
        let mut damaged = disc.file.clone();
        damaged[notes + place.index(end - notes)] ^= 1 << bit;
        let known = which > 0 && disc.synced[which + 1..].iter().any(|synced| *synced >= end);
        let read = Short::from_file(&damaged);
        prop_assert_eq!(read.is_none(), known);
        let before = which.checked_sub(1).map_or(&[][..], |before| &disc.known[before].1);
        prop_assert!(read.is_none_or(|read| whole(&read) == before));
    }

    #[test]
    fn a_file_cut_anywhere_is_the_log_at_the_end_of_a_chunk(
        steps in prop::collection::vec((0_u8..6, any::<u8>(), 0_usize..PAGE, 0_u8..8), 1..40),
        cut in any::<prop::sample::Index>(),
    ) {
        let (mut disc, mut place) = (Disc::default(), 0);
        disc.header(0);
        for (number, byte, at, kind) in steps {
            match kind {
                // A new log, once everything was folded.
                0 => {
                    disc.header(byte);
                    place = 0;
                }
                // A transaction that was rolled back is overwritten.
                1 => place /= 2,
                _ => {
                    disc.frame(place, number, &page(byte, at), kind % 2 == 0);
                    place += 1;
                }
            }
            match kind {
                6 => disc.sync(),
                7 => disc.flush(),
                _ => {}
            }
        }
        let length = cut.index(disc.file.len() + 1);
        let read = Short::from_file(&disc.file[..length]).unwrap();
        let known = disc.known.iter().rev().find(|(end, _)| *end <= length);
        let known = known.map_or(&[][..], |(_, whole)| whole);
        prop_assert_eq!(&whole(&read), known);
    }

    #[test]
    fn no_file_makes_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut file = chunk::MAGIC.to_vec();
        chunk::put(Some(Mark { log: 0, unsynced: 0 }), &bytes, chunk::BEGINNING, &mut file);
        let _ = Short::from_file(&file);
    }
}
