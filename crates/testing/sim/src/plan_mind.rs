//! Parts of a plan that come on top: what the operator changes its mind on, and tools that hang.

use testkit::Random;

use crate::plan::{Plan, Step, What};

impl Plan {
    /// Whether somebody takes turns with a model.
    pub(crate) fn takes_turns(&self) -> bool {
        self.steps.iter().any(|step| step.what == What::NewTender)
    }

    /// In half of them, the operator undoes some of what agents did.
    pub(crate) fn change_ones_mind(&mut self, dice: &mut Random) {
        if !dice.chance(1, 2) {
            return;
        }
        let first = Step { at_ms: 0, seed: dice.next_u64(), what: What::NewCategories };
        self.steps.insert(0, first);
        for _ in 0..3 + dice.below(8) {
            self.weave_in(What::Undo, dice);
        }
        self.steps.sort_by_key(|step| step.at_ms);
    }

    /// In half of them, the operator wants another model to be asked now and then.
    pub(crate) fn ask_others(&mut self, dice: &mut Random) {
        if !dice.chance(1, 2) {
            return;
        }
        for _ in 0..2 + dice.below(6) {
            self.weave_in(What::AskAnother, dice);
        }
        self.steps.sort_by_key(|step| step.at_ms);
    }

    /// In half of them, tools hang now and then, and something happens to those who wait for them.
    pub(crate) fn let_tools_hang(&mut self, dice: &mut Random) {
        if !dice.chance(1, 2) {
            return;
        }
        for _ in 0..2 + dice.below(5) {
            self.weave_in(What::Hang, dice);
        }
        for what in [What::CrashInHang, What::StopInHang] {
            for _ in 0..dice.below(3) {
                self.weave_in(what, dice);
            }
        }
        self.steps.sort_by_key(|step| step.at_ms);
    }

    /// Adds a step at some time; most turns are taken soon.
    fn weave_in(&mut self, what: What, dice: &mut Random) {
        let span = self.steps.last().map_or(0, |step| step.at_ms).max(10_000);
        let within = if dice.chance(2, 3) { 60_000.min(span) } else { span };
        let at_ms = i64::try_from(dice.below(u64::try_from(within).unwrap_or(1))).unwrap_or(0);
        self.steps.push(Step { at_ms, seed: dice.next_u64(), what });
    }
}
