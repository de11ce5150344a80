//! What an attempt cost that failed and that nobody named a price of.

use types::{ModelFailureKind as Kind, TokenUsage};

use crate::answer::Miss;

/// Bytes that went out for an attempt, and bytes of words that came back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Passed {
    pub(crate) sent: usize,
    pub(crate) said: usize,
    /// Tokens that were asked for at most: nobody has to pay for more.
    pub(crate) said_max: u64,
}

impl Miss {
    /// The same with what it cost. A provider that broke off, or said what nobody can read, may have worked for it all
    /// the same, and a limit that such answers do not count against is none: then it is what was sent and what came,
    /// four bytes a token.
    pub(crate) fn counted(self, passed: Passed) -> Miss {
        let named = self.usage.is_some_and(|usage| usage.total_tokens > 0);
        if named || !self.may_have_cost(passed) {
            return self;
        }
        let tokens = |bytes: usize| u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX);
        let said = tokens(passed.said).min(passed.said_max);
        let usage = TokenUsage::of(tokens(passed.sent), said);
        Miss { usage: Some(usage), ..self }
    }

    /// Whether it got as far as somebody who may have answered it. Who refused it has not, unless words had come by
    /// then.
    fn may_have_cost(&self, passed: Passed) -> bool {
        let answered = self.status.is_some_and(|status| (200..300).contains(&status));
        // Sent, and not a word before the time was over.
        let awaited = self.status.is_none() && self.diagnostics.stage == "headers";
        let unread = matches!(self.kind, Kind::Broken | Kind::Timeout | Kind::InvalidResponse);
        unread && (answered || awaited) || answered && passed.said > 0
    }
}
