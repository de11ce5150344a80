//! What a rule says.

use types::Code;

use crate::rule::{fence, kill_switch};

/// What a rule says about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing against it.
    Pass,
    /// It may not be done.
    Deny(Denial),
    /// It was done before: the answer is that of then, whatever the rules after this one would say.
    Recorded,
    /// That cannot be said before the tool was asked what it would do.
    NeedsPlan,
}

/// Something that is wrong with the arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Which of them, as a path; absent if it is about all.
    pub field: Option<String>,
    /// What is wrong with it.
    pub what: String,
    /// It should name a record, and does not name one for certain.
    pub is_uncertain: bool,
}

/// Why a call may not be done, in words for whoever called. They never speak of what the caller may not
/// see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// Stable.
    pub code: Code,
    /// What happened.
    pub message: String,
    /// The way out.
    pub hint: String,
    /// What is wrong with the arguments, if it is that.
    pub complaints: Vec<Complaint>,
    /// The same call may be allowed later.
    pub retryable: bool,
    /// The limit that it would go beyond, if it is that, as people set it.
    pub limit: Option<&'static str>,
}

impl Denial {
    /// A denial that the same call will have again.
    pub fn of(code: Code, message: impl Into<String>, hint: impl Into<String>) -> Denial {
        let (message, hint) = (message.into(), hint.into());
        Denial { code, message, hint, complaints: vec![], retryable: false, limit: None }
    }
}

/// A denial with the rule that spoke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denied {
    /// Which rule.
    pub rule: &'static str,
    /// What it said.
    pub denial: Denial,
}

impl Denied {
    /// Whether whoever called was stopped: then it can write nothing any more, not even this.
    #[must_use]
    pub fn is_stop(&self) -> bool {
        [kill_switch::NAME, fence::NAME].contains(&self.rule)
    }
}
