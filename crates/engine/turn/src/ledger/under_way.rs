//! Runs that are under way in this process, and what each has asked since it began. What was set aside and never
//! settled counts as spent, since nobody knows what it cost; of these it is known.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rules::planted::{self, Fault};
use types::{At, Code, Day, ModelRef, RunKey, TurnSpent};

/// The runs. Lost with the process: then nobody knows any more.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnderWay(Arc<Mutex<BTreeMap<RunKey, Attempt>>>);

/// One attempt at a run.
#[derive(Debug, Clone)]
pub(crate) struct Attempt {
    /// Somebody gives it up, and counts what it has spent: its turn may ask no more. That may take several looks
    /// at it.
    given_up: bool,
    /// What it has spent is counted, and nothing is set aside for it any more.
    pub(crate) settled: bool,
    /// When it began.
    pub(crate) began: At,
    /// The day that it is accounted to.
    pub(crate) day: Day,
    /// What it has asked, in order.
    pub(crate) questions: Vec<Question>,
}

/// A question to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    /// What it is to bring.
    pub(crate) wanted: Wanted,
    pub(crate) model: ModelRef,
    /// What it took; what it may take at most, as long as nobody knows.
    pub(crate) spent: TurnSpent,
    pub(crate) outcome: Outcome,
    /// Calls of tools that its answer was followed by.
    pub(crate) calls: u64,
}

/// What a question is to bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// What is meant by the words that its turn began with.
    Meaning,
    /// The answer at this place of its turn.
    Answer(usize),
}

/// What became of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Nothing yet. If its turn is over, that was stopped.
    Open,
    /// The answer came.
    Answered,
    /// None came, or none that could be used.
    Failed(Code),
}

impl UnderWay {
    /// A run has begun, and with it something was set aside.
    pub(crate) fn begin(&self, run: RunKey, began: At, day: Day) {
        let (given_up, settled) = (false, false);
        self.runs().insert(run, Attempt { given_up, settled, began, day, questions: vec![] });
    }

    /// What a run has asked since it began, if that was here.
    pub(crate) fn of(&self, run: &RunKey) -> Option<Attempt> {
        self.runs().get(run).cloned()
    }

    /// Lets a run ask, and says whether it may: from now on it has spent something. If somebody gives it up
    /// while it is about to ask, one of the two is first, and the other has to mind it.
    pub(crate) fn ask(&self, run: &RunKey, question: Question) -> bool {
        self.unless_given_up(run, |attempt| attempt.questions.push(question))
    }

    /// What was asked last is asked again, since nothing came of it: with all attempts it may cost so much.
    pub(crate) fn try_again(&self, run: &RunKey, at_most: TurnSpent) {
        self.with_last(run, |last| last.spent = at_most);
    }

    /// The answer to what was asked last is there, and so is what it took.
    pub(crate) fn hear(&self, run: &RunKey, spent: TurnSpent, outcome: Outcome) {
        self.with_last(run, |last| (last.spent, last.outcome) = (spent, outcome));
    }

    /// The answer to what was asked last cannot be used.
    pub(crate) fn refuse(&self, run: &RunKey, code: Code) {
        self.with_last(run, |last| last.outcome = Outcome::Failed(code));
    }

    /// Lets a run make the calls that were asked for last, and says whether it may.
    pub(crate) fn call(&self, run: &RunKey, calls: usize) -> bool {
        self.unless_given_up(run, |attempt| {
            if let Some(last) = attempt.questions.last_mut() {
                last.calls = calls as u64;
            }
        })
    }

    /// Lets a run settle what it has spent, and says whether it may.
    pub(crate) fn settle(&self, run: &RunKey) -> bool {
        self.unless_given_up(run, |attempt| attempt.settled = true)
    }

    /// What a run was to settle could not be written.
    pub(crate) fn not_settled(&self, run: &RunKey) {
        if let Some(attempt) = self.runs().get_mut(run) {
            attempt.settled = false;
        }
    }

    /// Gives a run up, and says what it has asked: it will ask no more.
    pub(crate) fn give_up(&self, run: &RunKey) -> Option<Attempt> {
        let mut runs = self.runs();
        let attempt = runs.get_mut(run)?;
        attempt.given_up = true;
        Some(attempt.clone())
    }

    /// A run is not under way any more.
    pub(crate) fn forget(&self, run: &RunKey) {
        self.runs().remove(run);
    }

    fn unless_given_up(&self, run: &RunKey, then: impl FnOnce(&mut Attempt)) -> bool {
        let mut runs = self.runs();
        let attempt = runs.get_mut(run).filter(|attempt| !attempt.given_up);
        // A fault that lets through what a cancelled run has on its way is not to be hidden by this.
        attempt.map(then).is_some() || planted::is(Fault::CancelWithoutFence)
    }

    fn with_last(&self, run: &RunKey, then: impl FnOnce(&mut Question)) {
        let mut runs = self.runs();
        if let Some(last) = runs.get_mut(run).and_then(|attempt| attempt.questions.last_mut()) {
            then(last);
        }
    }

    fn runs(&self) -> MutexGuard<'_, BTreeMap<RunKey, Attempt>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Attempt {
    /// What it has asked of which nothing is on record, if so many answers of its turn are.
    pub(crate) fn unrecorded(&self, recorded: usize) -> impl Iterator<Item = &Question> {
        let is_recorded = move |one: &&Question| match one.wanted {
            // However it came out, it is counted with the first answer.
            Wanted::Meaning => recorded > 0,
            Wanted::Answer(round) => one.outcome == Outcome::Answered && round < recorded,
        };
        self.questions.iter().filter(move |one| !is_recorded(one))
    }

    /// What it has asked about the words that its turn began with.
    pub(crate) fn about_words(&self) -> impl Iterator<Item = &Question> {
        self.questions.iter().filter(|one| one.wanted == Wanted::Meaning)
    }

    /// Calls of tools that are not counted, if so many answers of its turn are on record: those of an answer are
    /// counted with the next.
    pub(crate) fn uncounted_calls(&self, recorded: usize) -> u64 {
        let uncounted = |one: &&Question| match one.wanted {
            Wanted::Meaning => false,
            Wanted::Answer(round) => round + 1 >= recorded,
        };
        self.questions.iter().filter(uncounted).map(|one| one.calls).sum()
    }
}
