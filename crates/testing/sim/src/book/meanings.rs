//! Questions what somebody means: put to the fast model alone, about words alone, before the turn has recorded
//! anything; and followed where they are answered.

use model::{Request, Response};
use types::{BlockKind, RunKey, Turn};

use super::Book;
use crate::boot::QUICK;

/// Whether a question is of that kind.
pub(super) fn is_about_words(request: &Request) -> bool {
    request.model.as_str() == QUICK
}

impl Book {
    /// Somebody asks the fast model.
    pub(super) fn asks_what_is_meant(&mut self, run: RunKey, request: &Request) {
        self.figures.count("meanings_asked");
        let told = request.prompt.iter().map(|block| block.kind);
        let more = !request.tools.is_empty() || !request.said.is_empty();
        let mut wrong = Vec::new();
        if more || !told.eq([BlockKind::Policy, BlockKind::Input]) {
            wrong.push("more than the words");
        }
        if self.deeds.turns.contains_key(&run) {
            wrong.push("what it knows already");
        }
        if self.runs.get(&run).is_none_or(|run| run.draft.envelope.is_none()) {
            wrong.push("what nobody said");
        }
        for what in wrong {
            let what = format!("{run} asks the fast model about {what}");
            self.violate("the fast model is asked about words alone", what);
        }
    }

    /// It has answered.
    pub(super) fn says_what_is_meant(&mut self, number: u64, response: &Response) {
        let run =
            self.deeds.asks.get(&number).filter(|ask| ask.about_words).and_then(|ask| ask.run);
        if let Some(run) = run {
            self.deeds.meant.entry(run).or_default().push(response.text.clone());
        }
    }

    /// A turn says what the fast model said: it did, and that is what the turn goes by.
    pub(super) fn note_meaning(&mut self, turn: &Turn) {
        let Some(act) = turn.classified.as_ref().and_then(|classified| classified.act) else {
            return;
        };
        let answers = self.deeds.meant.get(&turn.run_key).map_or(&[][..], Vec::as_slice);
        let said = answers.iter().any(|answer| answer == act.as_str());
        if !said || turn.dialog_act != Some(act) {
            let what = format!("{} goes by {act:?}, of {answers:?}", turn.run_key);
            self.violate("the fast model is followed", what);
        }
    }
}
