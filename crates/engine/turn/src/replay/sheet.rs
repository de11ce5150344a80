//! The steps of a replay, as they are noted down.

use types::{ReplayedStep, Verdict};

/// The steps so far.
#[derive(Default)]
pub(crate) struct Sheet(pub(crate) Vec<ReplayedStep>);

impl Sheet {
    /// Notes what came of a step.
    pub(crate) fn note(
        &mut self,
        step: impl Into<String>,
        verdict: Verdict,
        detail: impl Into<String>,
    ) {
        self.0.push(ReplayedStep { step: step.into(), verdict, detail: detail.into() });
    }

    /// Notes a step that is verified if nothing speaks against it.
    pub(crate) fn hold(
        &mut self,
        step: impl Into<String>,
        detail: impl Into<String>,
        against: Option<String>,
    ) {
        match against {
            None => self.note(step, Verdict::Verified, detail),
            Some(against) => self.note(step, Verdict::Differs, against),
        }
    }
}
