//! Which page lies in which place, and which one makes room for another.
//!
//! Pages are found by their number, held while somebody works on them, and stay until their place is needed.
//! Whose place that is, a hand that goes round decides: it passes by who was asked for again since it came last.
//! So to find a page and to let go of it changes nothing but that page's own line here.
//!
//! A reader that begins anew after somebody has written keeps its pages, but takes none for what it was before that
//! has proved to be: see [`Shelf::doubt_all`].

/// The end of a chain of places.
const NONE: usize = usize::MAX;

/// Chains to begin with; there are always at least as many as pages.
const CHAINS_MIN: usize = 64;

/// The places of one file's pages.
pub(crate) struct Shelf {
    slots: Vec<Slot>,
    /// The first place of each chain; a page is in that of the last bits of its number.
    chains: Vec<usize>,
    /// The first of the places in which no page lies.
    free: usize,
    pages: usize,
    held: usize,
    /// Pages that there may be, as far as it can be helped.
    most: usize,
    /// No page has a higher number, but for so many that were given one meanwhile. SQLite does so for a moment
    /// to swap two pages, and after each transaction it has all pages forgotten that lie beyond the end of the
    /// file: it must not cost a look at every page that there are none.
    highest: u32,
    beyond: usize,
    /// Where the hand stands.
    hand: usize,
    /// How often all pages were doubted, and how much of what was written is sure to be seen since.
    round: u32,
    seen: u64,
}

#[derive(Clone, Copy)]
struct Slot {
    page: u32,
    state: State,
    /// Whether it was asked for since it came, and since the hand came by.
    used: bool,
    /// When it was last known to be what the file holds, as the shelf counts.
    round: u32,
    seen: u64,
    /// The next place of the chain, or the next free one.
    next: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Free,
    Held,
    /// A page lies there that nobody holds.
    Loose,
}

impl Shelf {
    pub(crate) fn new(most: usize) -> Shelf {
        Shelf {
            slots: vec![],
            chains: vec![],
            free: NONE,
            pages: 0,
            held: 0,
            most,
            highest: 0,
            beyond: 0,
            hand: 0,
            round: 0,
            seen: 0,
        }
    }

    pub(crate) fn allow(&mut self, most: usize) {
        self.most = most;
        while self.pages > self.most
            && let Some(place) = self.make_room()
        {
            self.forget(place);
        }
    }

    pub(crate) fn pages(&self) -> usize {
        self.pages
    }

    /// Finds a page, and holds it.
    pub(crate) fn hold(&mut self, page: u32) -> Option<usize> {
        let place = self.find(page)?;
        let slot = &mut self.slots[place];
        slot.used = true;
        if slot.state != State::Held {
            slot.state = State::Held;
            self.held += 1;
        }
        Some(place)
    }

    /// Gives a page that is not here a place, and holds it. Who does not insist gets none where most of what
    /// there may be is held: it can write pages down that it holds, and ask again.
    pub(crate) fn add(&mut self, page: u32, insists: bool) -> Option<usize> {
        if !insists && self.held >= self.most.saturating_mul(9) / 10 {
            return None;
        }
        let full = self.pages >= self.most;
        if full && let Some(place) = self.make_room() {
            self.forget(place);
        }
        let place = self.free_place();
        let (round, seen) = (self.round, self.seen);
        self.slots[place] = Slot { page, state: State::Held, used: false, round, seen, next: NONE };
        self.held += 1;
        self.pages += 1;
        if page > self.highest {
            self.highest = page;
            self.beyond = match self.beyond {
                0 => 0,
                _ => self.slots.iter().filter(|slot| slot.is_beyond(page)).count(),
            };
        }
        self.link(place);
        Some(place)
    }

    /// Lets go of a page, which stays if there is room.
    pub(crate) fn let_go(&mut self, place: usize) {
        if self.pages > self.most {
            return self.forget(place);
        }
        self.slots[place].state = State::Loose;
        self.held -= 1;
    }

    /// Forgets the page in a place.
    pub(crate) fn forget(&mut self, place: usize) {
        self.unlink(place);
        let slot = &mut self.slots[place];
        self.held -= usize::from(slot.state == State::Held);
        self.pages -= 1;
        *slot = Slot { next: self.free, ..Slot::FREE };
        self.free = place;
    }

    /// Gives a page another number. Who had it is forgotten.
    pub(crate) fn renumber(&mut self, place: usize, page: u32) {
        if let Some(other) = self.find(page) {
            self.forget(other);
        }
        self.unlink(place);
        self.slots[place].page = page;
        self.beyond += usize::from(page > self.highest);
        self.link(place);
    }

    /// Forgets every page from one on, held or not.
    pub(crate) fn forget_from(&mut self, page: u32) {
        if page > self.highest && self.beyond == 0 {
            return;
        }
        if page <= 1 {
            return self.forget_all();
        }
        // Backwards, so that the first places are the next to be taken: their memory was used last.
        for place in (0..self.slots.len()).rev() {
            let slot = self.slots[place];
            if slot.state != State::Free && slot.page >= page {
                self.forget(place);
            }
        }
        self.highest = self.highest.min(page.saturating_sub(1));
    }

    /// Forgets every page. Which were there does not matter, so a reader that has to forget what it knows after
    /// each commit of the writer pays for no page by itself.
    fn forget_all(&mut self) {
        self.slots.clear();
        self.chains.fill(NONE);
        (self.free, self.hand) = (NONE, 0);
        (self.pages, self.held) = (0, 0);
        (self.highest, self.beyond) = (0, 0);
    }

    /// Doubts every page: from now on so much of what was written is seen.
    pub(crate) fn doubt_all(&mut self, seen: u64) {
        self.round = self.round.wrapping_add(1);
        self.seen = seen;
    }

    /// If the page in a place is doubted, how much of what was written it is known to show.
    pub(crate) fn doubted(&self, place: usize) -> Option<u64> {
        let slot = &self.slots[place];
        (slot.round != self.round).then_some(slot.seen)
    }

    /// The page in a place is what the file holds now.
    pub(crate) fn trust(&mut self, place: usize) {
        let slot = &mut self.slots[place];
        (slot.round, slot.seen) = (self.round, self.seen);
    }

    /// Whether somebody holds a page.
    pub(crate) fn is_held(&self) -> bool {
        self.held > 0
    }

    /// Forgets every page that nobody holds. Says whether there are none left; then there are no places either.
    pub(crate) fn forget_unheld(&mut self) -> bool {
        if self.held == 0 {
            *self = Shelf { round: self.round, seen: self.seen, ..Shelf::new(self.most) };
            return true;
        }
        for place in (0..self.slots.len()).rev() {
            if self.slots[place].state == State::Loose {
                self.forget(place);
            }
        }
        false
    }

    fn find(&self, page: u32) -> Option<usize> {
        let mut place = *self.chains.get(self.chain(page))?;
        while place != NONE {
            let slot = &self.slots[place];
            if slot.page == page {
                return Some(place);
            }
            place = slot.next;
        }
        None
    }

    fn chain(&self, page: u32) -> usize {
        // There are none at first, and then a power of two.
        page as usize & self.chains.len().wrapping_sub(1)
    }

    /// The place of a page that nobody holds, used long ago as far as the hand can tell.
    fn make_room(&mut self) -> Option<usize> {
        if self.held == self.pages {
            return None;
        }
        loop {
            self.hand = (self.hand + 1) % self.slots.len();
            let slot = &mut self.slots[self.hand];
            if slot.state == State::Loose && !std::mem::take(&mut slot.used) {
                return Some(self.hand);
            }
        }
    }

    fn free_place(&mut self) -> usize {
        let place = self.free;
        if place != NONE {
            self.free = self.slots[place].next;
            return place;
        }
        self.slots.push(Slot::FREE);
        self.slots.len() - 1
    }

    /// Puts a page that counts already into its chain.
    fn link(&mut self, place: usize) {
        if self.pages > self.chains.len() {
            self.chains = vec![NONE; (self.chains.len() * 2).max(CHAINS_MIN)];
            for place in 0..self.slots.len() {
                if self.slots[place].state != State::Free {
                    self.link_into_chain(place);
                }
            }
        } else {
            self.link_into_chain(place);
        }
    }

    fn link_into_chain(&mut self, place: usize) {
        let chain = self.chain(self.slots[place].page);
        self.slots[place].next = self.chains[chain];
        self.chains[chain] = place;
    }

    fn unlink(&mut self, place: usize) {
        let Slot { page, next, .. } = self.slots[place];
        self.beyond -= usize::from(page > self.highest);
        let chain = self.chain(page);
        if self.chains[chain] == place {
            self.chains[chain] = next;
            return;
        }
        let mut before = self.chains[chain];
        while self.slots[before].next != place {
            before = self.slots[before].next;
        }
        self.slots[before].next = next;
    }
}

impl Slot {
    const FREE: Slot =
        Slot { page: 0, state: State::Free, used: false, round: 0, seen: 0, next: NONE };

    fn is_beyond(&self, page: u32) -> bool {
        self.state != State::Free && self.page > page
    }
}

#[cfg(test)]
#[path = "shelf_tests.rs"]
mod tests;
