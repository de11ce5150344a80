//! From a step to a call, for what is undone: often while a turn is about it.

use testkit::Random;
use types::{At, Author, Category, Commit, Domain, RecordDraft, RecordId, RunKey, Write};

use crate::book::Book;
use crate::call::{Call, Undo};
use crate::plan::{What, pick};
use crate::resolve::{CATEGORIES, STEP};

/// How far back somebody looks who undoes something of late.
const OF_LATE: usize = 4;

/// The call of a step; none if nobody has done anything yet.
pub(crate) fn call(
    what: What,
    dice: &mut Random,
    book: &Book,
    name: String,
    now: At,
) -> Option<Call> {
    match what {
        What::NewCategories => Some(categories(now)),
        What::Undo => undo(dice, book, name),
        _ => None,
    }
}

/// Makes the categories, all at once.
fn categories(now: At) -> Call {
    let made = CATEGORIES.map(|id| {
        let id: RecordId = id.parse().expect("an id");
        let category = Category::named(id.as_str());
        Write::Record(RecordDraft::live(id, category))
    });
    let commit = Commit::new(Domain::Journal, Author::Operator, now, made.to_vec());
    Call::Write(commit.named(STEP))
}

fn undo(dice: &mut Random, book: &Book, name: String) -> Option<Call> {
    let undo = |what: Undo| Call::Undo { what, request: name };
    let chosen = match dice.below(8) {
        0..=2 => run(dice, book).map(Undo::Run),
        3..=5 => {
            let stands = book.undos.newest_first(|step| step.stands() && step.run.is_some());
            some(dice, &stands, OF_LATE).map(Undo::Operation)
        }
        6 => {
            let undoing = book.undos.newest_first(|step| step.stands() && step.run.is_none());
            some(dice, &undoing, OF_LATE).map(Undo::Operation)
        }
        _ => None,
    };
    // Now and then something that is undone already.
    let any = || some(dice, &book.undos.newest_first(|_| true), usize::MAX).map(Undo::Operation);
    chosen.or_else(any).map(undo)
}

/// A run that did something; often one whose turn goes on.
fn run(dice: &mut Random, book: &Book) -> Option<RunKey> {
    let all = book.undos.newest_first(|step| step.run.is_some());
    let mut runs: Vec<RunKey> = all.iter().filter_map(|id| book.undos.steps[id].run).collect();
    runs.dedup();
    let under_way = |run: &&RunKey| book.in_turn.values().any(|other| other == *run);
    let now = runs.iter().find(under_way).copied();
    now.filter(|_| dice.chance(2, 3)).or_else(|| some(dice, &runs, OF_LATE))
}

/// One of the first so many.
fn some<T: Copy>(dice: &mut Random, of: &[T], first: usize) -> Option<T> {
    let place = pick(dice, of.len().min(first));
    of.get(place).copied()
}
