use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// What is known of a shelf from outside: which page was put where, and which are held.
#[derive(Default)]
struct Known {
    put: BTreeMap<u32, usize>,
    held: BTreeSet<u32>,
}

/// A walk that is another one for each seed, and always the same for one.
struct Walk(u64);

impl Walk {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    fn page(&mut self) -> u32 {
        u32::try_from(1 + self.below(60)).unwrap()
    }

    fn one_of(&mut self, pages: &BTreeSet<u32>) -> Option<u32> {
        let nth = self.below(pages.len().max(1) as u64);
        pages.iter().nth(usize::try_from(nth).unwrap()).copied()
    }
}

/// Takes one step, and keeps account of what must be true after it.
fn step(shelf: &mut Shelf, known: &mut Known, walk: &mut Walk) {
    match walk.below(12) {
        0..6 => {
            let page = walk.page();
            let place = match shelf.hold(page) {
                Some(place) => {
                    assert_eq!(known.put.get(&page), Some(&place), "page {page} has moved");
                    Some(place)
                }
                None => {
                    assert!(!known.held.contains(&page), "page {page} was held and is gone");
                    shelf.add(page, walk.below(4) > 0)
                }
            };
            if let Some(place) = place {
                known.put.retain(|_, other| *other != place);
                known.put.insert(page, place);
                known.held.insert(page);
            }
        }
        6..9 => {
            if let Some(page) = walk.one_of(&known.held) {
                shelf.let_go(known.put[&page]);
                known.held.remove(&page);
            }
        }
        9 => {
            if let Some(page) = walk.one_of(&known.held) {
                shelf.forget(known.put.remove(&page).unwrap());
                known.held.remove(&page);
            }
        }
        10 => {
            let number = if walk.below(2) == 0 { walk.page() } else { 1_000 + walk.page() };
            let Some(page) = walk.one_of(&known.held) else { return };
            if known.held.contains(&number) {
                return;
            }
            let place = known.put.remove(&page).unwrap();
            shelf.renumber(place, number);
            known.held.remove(&page);
            known.put.insert(number, place);
            known.held.insert(number);
        }
        _ => match walk.below(8) {
            0 => {
                let all_gone = shelf.forget_unheld();
                assert_eq!(all_gone, known.held.is_empty());
                known.put.retain(|page, _| known.held.contains(page));
            }
            1 => shelf.forget_from(1),
            2 => shelf.allow(usize::try_from(5 + walk.below(30)).unwrap()),
            _ => {
                let from = 30 + walk.page();
                shelf.forget_from(from);
                known.put.retain(|page, _| *page < from);
                known.held.retain(|page| *page < from);
                assert!((from..=1_100).all(|page| shelf.find(page).is_none()), "from {from} on");
            }
        },
    }
    if shelf.pages() == 0 {
        *known = Known::default();
    }
}

#[test]
fn a_page_that_is_held_stays_in_its_place_and_one_that_was_forgotten_is_gone() {
    for seed in 1..100 {
        let (mut shelf, mut known, mut walk) = (Shelf::new(20), Known::default(), Walk(seed));
        for round in 0..1_000 {
            step(&mut shelf, &mut known, &mut walk);
            for page in &known.held {
                assert_eq!(shelf.find(*page), known.put.get(page).copied(), "seed {seed}");
            }
            if round % 20 == 0 {
                let there = (1..1_100).filter(|page| shelf.find(*page).is_some());
                assert_eq!(there.count(), shelf.pages(), "seed {seed}");
            }
            assert_eq!(shelf.held, known.held.len(), "seed {seed}");
            assert!(shelf.pages() <= shelf.most.max(shelf.held), "seed {seed}");
        }
    }
}

#[test]
fn who_was_used_lately_stays_and_who_was_not_makes_room() {
    let mut shelf = Shelf::new(4);
    for page in 1..=4 {
        let place = shelf.add(page, true).unwrap();
        shelf.let_go(place);
    }
    for page in 5..50 {
        let often = shelf.hold(1).expect("page 1 is used before every other one");
        shelf.let_go(often);
        let place = shelf.add(page, true).unwrap();
        shelf.let_go(place);
        assert_eq!(shelf.pages(), 4);
    }
}

#[test]
fn who_does_not_insist_gets_no_place_where_nearly_all_are_held() {
    let mut shelf = Shelf::new(10);
    let added = (1..=12).filter(|page| shelf.add(*page, false).is_some()).count();
    assert_eq!(added, 9);
    assert!(shelf.add(12, true).is_some() && shelf.add(13, true).is_some());
    assert_eq!(shelf.pages(), 11, "beyond what there may be, if need be");
    shelf.let_go(shelf.find(13).unwrap());
    assert_eq!((shelf.pages(), shelf.find(13)), (10, None), "and no longer than need be");
}

#[test]
fn to_forget_what_lies_beyond_the_end_looks_at_nothing_if_there_is_nothing() {
    let mut shelf = Shelf::new(10);
    let places: Vec<usize> = (1..=3).map(|page| shelf.add(page, true).unwrap()).collect();
    // As SQLite swaps two pages: by a number that no page of the file has.
    shelf.renumber(places[1], 9_000);
    shelf.renumber(places[2], 2);
    shelf.renumber(places[1], 3);
    assert_eq!((shelf.highest, shelf.beyond), (3, 0));
    shelf.renumber(places[0], 9_000);
    assert_eq!((shelf.highest, shelf.beyond), (3, 1));
    shelf.forget_from(4);
    assert_eq!((shelf.pages(), shelf.beyond), (2, 0));
    assert_eq!(shelf.find(9_000), None);
}

#[test]
fn a_page_that_is_doubted_is_trusted_once_it_has_proved_to_be_what_it_was() {
    let mut shelf = Shelf::new(10);
    shelf.doubt_all(5);
    let place = shelf.add(1, true).unwrap();
    shelf.let_go(place);
    assert_eq!(shelf.doubted(place), None, "it was read just now");
    shelf.doubt_all(9);
    assert_eq!((shelf.hold(1), shelf.doubted(place)), (Some(place), Some(5)));
    shelf.trust(place);
    assert_eq!(shelf.doubted(place), None);
    shelf.let_go(place);
    shelf.doubt_all(12);
    assert_eq!(shelf.doubted(place), Some(9), "as far as was known then");
}
