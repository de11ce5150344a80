//! Which calls of one answer of a model may be carried out at once.
//!
//! Each call reserves what it touches. Calls that look at the same things go together; one that changes
//! what another looks at or changes does not go beside it, and of the two the one that was asked for
//! first goes first. The guards of a plan hold whatever is decided here: a reservation keeps calls of one
//! answer from failing by each other, and makes what comes of them follow from their order alone.

use std::collections::BTreeSet;

use types::{BodyType, Guard, Token, Write};

use crate::token;

/// Something that a call touches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// What carries this token: a record, or all that has a property.
    About(Token),
    /// A mark that only one record of a kind may bear.
    Mark(BodyType, String),
    /// How often a tool may still be called.
    Quota(String),
}

/// What a call touches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reservation {
    /// What it rests on: nobody may change it meanwhile.
    pub reads: BTreeSet<Touched>,
    /// What is its own alone until it is over.
    pub writes: BTreeSet<Touched>,
    /// What it changes by the way, as others may too: it matters to those who rest on it.
    pub stirs: BTreeSet<Touched>,
    /// It goes beside nobody.
    pub alone: bool,
}

impl Reservation {
    /// What a plan touches, by what must hold for it and what it writes.
    #[must_use]
    pub fn of_plan(guards: &[Guard], writes: &[Write]) -> Reservation {
        let mut reserved = Reservation::default();
        for guard in guards {
            match guard {
                Guard::Revision { record, .. } => {
                    reserved.reads.insert(Touched::About(Token::entity(record)));
                }
                Guard::Quiet { token, .. } => {
                    reserved.reads.insert(Touched::About(token.clone()));
                }
                // That nobody has it means that this call takes it.
                Guard::Unmarked { kind, mark } => {
                    reserved.writes.insert(Touched::Mark(*kind, mark.clone()));
                }
                _ => {}
            }
        }
        for write in writes {
            match write {
                Write::Record(draft) => {
                    reserved.writes.insert(Touched::About(Token::entity(&draft.id)));
                    reserved.stir(token::of_change(&draft.id, None, &draft.body));
                }
                Write::Link(link) => reserved.stir(token::of_link(link)),
                Write::Content(_) => {}
                // Nobody has said what that touches.
                _ => reserved.alone = true,
            }
        }
        reserved
    }

    fn stir(&mut self, tokens: BTreeSet<Token>) {
        self.stirs.extend(tokens.into_iter().map(Touched::About));
    }

    /// Whether this may be another after that was done: then it is to be planned anew.
    #[must_use]
    pub fn rests_on(&self, that: &Reservation) -> bool {
        self.alone
            || that.alone
            || !self.writes.is_disjoint(&that.writes)
            || !self.reads.is_disjoint(&that.writes)
            || !self.reads.is_disjoint(&that.stirs)
    }

    /// Whether the two may not be carried out at once.
    #[must_use]
    pub fn clashes_with(&self, other: &Reservation) -> bool {
        self.rests_on(other) || other.rests_on(self)
    }
}

/// How far a call is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It has not begun, or has to begin anew.
    Waiting,
    /// It is being carried out.
    UnderWay,
    /// It is over, whatever came of it.
    Over,
}

/// The first call that may begin now; none if each waits for another, or as many as may are under way.
///
/// It clashes with none that was asked for before it and is not over, and with none that is under way.
/// So calls that clash are carried out in the order in which they were asked for, and the first that is
/// not over never waits for one that waits.
#[must_use]
pub fn next(calls: &[(Stage, &Reservation)], at_once: usize) -> Option<usize> {
    let under_way = calls.iter().filter(|(stage, _)| *stage == Stage::UnderWay).count();
    if under_way >= at_once.max(1) {
        return None;
    }
    let mut waiting = calls.iter().enumerate().filter(|(_, (stage, _))| *stage == Stage::Waiting);
    let free = |(place, (_, wanted)): &(usize, &(Stage, &Reservation))| {
        let mut others = calls.iter().enumerate();
        !others.any(|(other, (stage, held))| {
            let in_the_way = match stage {
                Stage::Waiting => other < *place,
                Stage::UnderWay => true,
                Stage::Over => false,
            };
            in_the_way && wanted.clashes_with(held)
        })
    };
    waiting.find(free).map(|(place, _)| place)
}

#[cfg(test)]
#[path = "reserve_tests.rs"]
mod tests;
