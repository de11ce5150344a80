//! Where the words came from that a turn's model has read.

use types::Label;

/// Where they came from.
pub(crate) struct Origin {
    /// Those of the prompt.
    pub(crate) prompt: Label,
    /// Those that its tools have told it, if not from where those of its prompt came.
    told: Option<Label>,
    /// It has read something that nobody here vouches for.
    pub(crate) exposed: bool,
}

impl Origin {
    /// That of a turn that has read its prompt.
    pub(crate) fn of(prompt: Label, exposed: bool) -> Origin {
        Origin { prompt, told: None, exposed }
    }

    /// It has been told words that came from there.
    pub(crate) fn is_told(&mut self, words: &Label) {
        self.exposed |= context::is_exposed(words);
        self.told = Label::of_all(self.told.iter().chain([words]));
    }

    /// Where all of it came from, with what else was read.
    pub(super) fn with(&self, more: Option<&Label>) -> Label {
        self.prompt.clone().and_all(self.told.iter().chain(more))
    }
}
