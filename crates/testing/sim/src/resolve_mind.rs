//! From a step to a call, for what the operator changes its mind on: what is undone, often while a turn is about
//! it, and what another model is to be asked.

use ingress::Delivery;
use testkit::Random;
use types::{At, Author, Category, Commit, Domain, Priority, RecordDraft, RecordId, RunKey, Write};

use crate::book::Book;
use crate::boot::{ANOTHER, UNHEARD_OF};
use crate::call::{Call, Undo};
use crate::plan::{What, pick};
use crate::resolve::{CATEGORIES, STEP};
use crate::resolve_turn::{at_work, tender};

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
        What::AskAnother => ask_another(dice, book, name),
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

/// Words, or a look, for another model than the agent's; now and then for one that nobody may ask.
fn ask_another(dice: &mut Random, book: &Book, request: String) -> Option<Call> {
    let agent = at_work(dice, book).or_else(|| tender(dice, book))?;
    let chosen = if dice.chance(1, 5) { UNHEARD_OF } else { ANOTHER };
    let model = Some(chosen.parse().expect("a model"));
    if dice.chance(1, 3) {
        return Some(Call::Wake { agent, request, model });
    }
    let priorities = [Priority::Normal, Priority::Interject, Priority::Background];
    let priority = priorities[pick(dice, priorities.len())];
    let session = dice.chance(1, 2).then(|| "evening".to_owned());
    let prompt = Delivery::prompt(agent, format!("say {request}"), request);
    Some(Call::Admit(Delivery { priority, session, model, ..prompt }))
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
