//! Faults that the simulator plants, to prove that it would find them.
//!
//! Without the feature `planted`, which only the simulator asks for, [`is`] is `false` at compile
//! time and nothing of this is left in the program.

/// A fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// An agent's cursor stays where it was when its look is over, so it is shown the same again.
    LostCursorAdvance,
    /// A wake that was queued before is queued again.
    MissingDedupe,
    /// A schedule that came round is not armed for its next slot.
    TimerNotRearmed,
    /// An agent's cursor is taken when its turn ends, not when it began to look.
    CursorAtTurnEnd,
    /// A wake that carries somebody's words is merged like one that does not.
    ContentWakeMerged,
    /// A wake stopped by a barrier leaves no tick for the barrier's end.
    LostTickAfterBarrier,
    /// A merged run does not end with the run it was merged into.
    MergedRowLeftOpen,
    /// Writers of an older epoch, or behind a closed fence, get through.
    FenceIgnored,
    /// A civil time that exists twice is two slots.
    DuplicateOverlapSlot,
    /// After the kill switch is lifted, nobody looks at what came meanwhile.
    NoCatchUpAfterKill,
    /// A turn that is taken up again asks what to do, although that is recorded.
    PlanAnewOnRetry,
    /// Something is done before it is written down that it is about to be.
    EffectBeforeIntent,
    /// A call says that it was done, and was not.
    ResultWithoutEffect,
    /// Words that were thrown into a turn are taken up, and their run goes on.
    InterjectionLeftOpen,
    /// Words that were thrown into a turn are taken up, and the model is not told.
    InterjectionUnheard,
    /// An operation is named by its place in the answer that asks for it.
    OperationByOrdinal,
    /// An operation has another name when it is tried again.
    NamedAnewOnRetry,
    /// What came of a turn's calls is not written down.
    ResultsDropped,
    /// What a turn says to the operator is not kept.
    BriefLost,
    /// What a turn has set aside is not settled at its end.
    ReservationKept,
    /// What a turn has spent is not counted.
    SpendingUncounted,
    /// A question that failed or was stopped does not count on its run.
    QuestionForgotten,
    /// A run that nobody takes up again leaves its calls open.
    CallsLeftOpen,
    /// A run is cancelled, and what it has on its way gets through.
    CancelWithoutFence,
    /// After a run that failed for good, nobody looks at what else it stood for.
    NoLookAfterFailure,
    /// Who has spent what it may of a day goes on asking.
    BudgetIgnored,
    /// What was spent on the day before is taken for what was spent on this one.
    BudgetOfYesterday,
    /// What was agreed to counts after it was taken back.
    ConsentKept,
    /// Whoever was refused for want of consent does not look when it is given.
    NoLookAfterConsent,
    /// What was changed since is put back, too, as if nobody had.
    UndoneOverNewer,
    /// An undo that is asked for again is taken for another.
    UndoForgotten,
    /// A run for which a model was chosen asks its agent's when it is taken up again.
    ChoiceForgotten,
    /// A look is merged into a run for which a model was chosen.
    MergedIntoChoice,
    /// What is said in a session is thrown into whatever is under way.
    InterjectedAnywhere,
    /// What goes wrong with a model that was chosen for one run counts as the agent's failure.
    ChoiceCounted,
    /// A schedule that a wrong clock took far ahead stays there when the clock is right again.
    ClockNotBroughtBack,
    /// Changes that were let go before somebody looked are not missed by anybody.
    TrimmedUnnoticed,
    /// Changes are let go that nobody was told of yet.
    TrimmedUntold,
    /// A tool that does not answer is waited for for ever.
    WaitedForEver,
    /// A call that was given up is told as done.
    GivenUpAsDone,
    /// What a fast model took that was asked what somebody means is spent by nobody.
    MeaningUncounted,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Fault; 41] = [
        Fault::LostCursorAdvance,
        Fault::MissingDedupe,
        Fault::TimerNotRearmed,
        Fault::CursorAtTurnEnd,
        Fault::ContentWakeMerged,
        Fault::LostTickAfterBarrier,
        Fault::MergedRowLeftOpen,
        Fault::FenceIgnored,
        Fault::DuplicateOverlapSlot,
        Fault::NoCatchUpAfterKill,
        Fault::PlanAnewOnRetry,
        Fault::EffectBeforeIntent,
        Fault::ResultWithoutEffect,
        Fault::InterjectionLeftOpen,
        Fault::InterjectionUnheard,
        Fault::OperationByOrdinal,
        Fault::NamedAnewOnRetry,
        Fault::ResultsDropped,
        Fault::BriefLost,
        Fault::ReservationKept,
        Fault::SpendingUncounted,
        Fault::QuestionForgotten,
        Fault::CallsLeftOpen,
        Fault::CancelWithoutFence,
        Fault::NoLookAfterFailure,
        Fault::BudgetIgnored,
        Fault::BudgetOfYesterday,
        Fault::ConsentKept,
        Fault::NoLookAfterConsent,
        Fault::UndoneOverNewer,
        Fault::UndoForgotten,
        Fault::ChoiceForgotten,
        Fault::MergedIntoChoice,
        Fault::InterjectedAnywhere,
        Fault::ChoiceCounted,
        Fault::ClockNotBroughtBack,
        Fault::TrimmedUnnoticed,
        Fault::TrimmedUntold,
        Fault::WaitedForEver,
        Fault::GivenUpAsDone,
        Fault::MeaningUncounted,
    ];

    /// Its name on the simulator's command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Fault::LostCursorAdvance => "lost-cursor-advance",
            Fault::MissingDedupe => "missing-dedupe",
            Fault::TimerNotRearmed => "timer-not-rearmed",
            Fault::CursorAtTurnEnd => "cursor-at-turn-end",
            Fault::ContentWakeMerged => "content-wake-merged",
            Fault::LostTickAfterBarrier => "lost-tick-after-barrier",
            Fault::MergedRowLeftOpen => "merged-row-left-open",
            Fault::FenceIgnored => "fence-ignored",
            Fault::DuplicateOverlapSlot => "duplicate-overlap-slot",
            Fault::NoCatchUpAfterKill => "no-catch-up-after-kill",
            Fault::PlanAnewOnRetry => "plan-anew-on-retry",
            Fault::EffectBeforeIntent => "effect-before-intent",
            Fault::ResultWithoutEffect => "result-without-effect",
            Fault::InterjectionLeftOpen => "interjection-left-open",
            Fault::InterjectionUnheard => "interjection-unheard",
            Fault::OperationByOrdinal => "operation-by-ordinal",
            Fault::NamedAnewOnRetry => "named-anew-on-retry",
            Fault::ResultsDropped => "results-dropped",
            Fault::BriefLost => "brief-lost",
            Fault::ReservationKept => "reservation-kept",
            Fault::SpendingUncounted => "spending-uncounted",
            Fault::QuestionForgotten => "question-forgotten",
            Fault::CallsLeftOpen => "calls-left-open",
            Fault::CancelWithoutFence => "cancel-without-fence",
            Fault::NoLookAfterFailure => "no-look-after-failure",
            Fault::BudgetIgnored => "budget-ignored",
            Fault::BudgetOfYesterday => "budget-of-yesterday",
            Fault::ConsentKept => "consent-kept",
            Fault::NoLookAfterConsent => "no-look-after-consent",
            Fault::UndoneOverNewer => "undone-over-newer",
            Fault::UndoForgotten => "undo-forgotten",
            Fault::ChoiceForgotten => "choice-forgotten",
            Fault::MergedIntoChoice => "merged-into-choice",
            Fault::InterjectedAnywhere => "interjected-anywhere",
            Fault::ChoiceCounted => "choice-counted",
            Fault::ClockNotBroughtBack => "clock-not-brought-back",
            Fault::TrimmedUnnoticed => "trimmed-unnoticed",
            Fault::TrimmedUntold => "trimmed-untold",
            Fault::WaitedForEver => "waited-for-ever",
            Fault::GivenUpAsDone => "given-up-as-done",
            Fault::MeaningUncounted => "meaning-uncounted",
        }
    }
}

#[cfg(feature = "planted")]
mod switch {
    use std::cell::Cell;

    use super::Fault;

    thread_local! {
        static PLANTED: Cell<Option<Fault>> = const { Cell::new(None) };
    }

    /// Plants a fault on this thread, or takes it away.
    pub fn plant(fault: Option<Fault>) {
        PLANTED.set(fault);
    }

    /// Whether this fault is planted here.
    #[must_use]
    pub fn is(fault: Fault) -> bool {
        PLANTED.get() == Some(fault)
    }
}

#[cfg(feature = "planted")]
pub use switch::{is, plant};

/// Whether this fault is planted: never, in a program that people use.
#[cfg(not(feature = "planted"))]
#[must_use]
pub const fn is(_fault: Fault) -> bool {
    false
}
