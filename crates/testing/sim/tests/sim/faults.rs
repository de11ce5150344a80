//! Every planted fault is found: proof that the judges would see a real one.

use rules::planted::Fault;
use sim::Campaign;

/// Seeds among which each fault has to show, and the property that it breaks.
const FOUND: [(Fault, u64, &[&str]); 41] = [
    (Fault::LostCursorAdvance, 0, &["shown once", "looked at once"]),
    (Fault::MissingDedupe, 12, &["nobody invents runs"]),
    (Fault::TimerNotRearmed, 0, &["every slot once", "no schedule falls silent"]),
    (Fault::CursorAtTurnEnd, 0, &["no wake is lost"]),
    (Fault::ContentWakeMerged, 0, &["words are not merged"]),
    (Fault::LostTickAfterBarrier, 0, &["a skipped wake is made up for", "no wake is lost"]),
    (Fault::MergedRowLeftOpen, 0, &["every run ends"]),
    (Fault::FenceIgnored, 0, &["fences"]),
    (Fault::DuplicateOverlapSlot, 150, &["every slot once"]),
    (Fault::NoCatchUpAfterKill, 0, &["no wake is lost"]),
    (Fault::PlanAnewOnRetry, 0, &["answers are recorded once"]),
    (Fault::EffectBeforeIntent, 0, &["no effect without an intent"]),
    (Fault::ResultWithoutEffect, 0, &["both files agree"]),
    (Fault::InterjectionLeftOpen, 0, &["taken up once"]),
    (Fault::InterjectionUnheard, 0, &["no word is lost"]),
    (Fault::OperationByOrdinal, 0, &["one name, one meaning"]),
    (Fault::NamedAnewOnRetry, 0, &["no effect without an intent"]),
    (Fault::ResultsDropped, 0, &["every call has its end"]),
    (Fault::BriefLost, 0, &["every turn is over, with a brief"]),
    (Fault::ReservationKept, 0, &["every token is counted"]),
    (Fault::SpendingUncounted, 0, &["every token is counted"]),
    (Fault::QuestionForgotten, 0, &["every question counts on its run"]),
    (Fault::CallsLeftOpen, 120, &["both files agree"]),
    (Fault::CancelWithoutFence, 12, &["fences", "a cancel holds"]),
    (Fault::NoLookAfterFailure, 76, &["no wake is lost"]),
    (Fault::BudgetIgnored, 0, &["who has spent a budget asks nobody"]),
    (Fault::BudgetOfYesterday, 43, &["a new day is a new budget"]),
    (Fault::ConsentKept, 0, &["without consent nobody is asked"]),
    (Fault::NoLookAfterConsent, 359, &["no wake is lost"]),
    (Fault::UndoneOverNewer, 0, &["an undo takes back what was done and nothing else"]),
    (Fault::UndoForgotten, 60, &["same request, same answer"]),
    (Fault::ChoiceForgotten, 0, &["the model that was chosen is asked"]),
    (Fault::MergedIntoChoice, 0, &["a run with a chosen model is for nothing else"]),
    (Fault::InterjectedAnywhere, 0, &["words stay in their session"]),
    (Fault::ChoiceCounted, 0, &["how a chosen model does says nothing of the agent"]),
    (Fault::ClockNotBroughtBack, 0, &["no schedule falls silent"]),
    (Fault::TrimmedUnnoticed, 0, &["no wake is lost"]),
    (Fault::TrimmedUntold, 60, &["no wake is lost"]),
    (Fault::WaitedForEver, 0, &["comes to rest", "who does not answer is given up"]),
    (Fault::GivenUpAsDone, 0, &["who is given up is told so"]),
    (Fault::MeaningUncounted, 0, &["every question counts on its run"]),
];

#[test]
fn every_planted_fault_is_found_and_named() {
    for (fault, from, properties) in FOUND {
        let campaign = Campaign { from, seeds: 60, fault: Some(fault), shrink: false };
        let summary = campaign.run();
        let failure = summary.failures.first();
        let failure = failure.unwrap_or_else(|| panic!("{} was not found", fault.as_str()));
        let named = failure.violations.iter().any(|v| properties.contains(&v.property));
        assert!(named, "{}: {:?}", fault.as_str(), failure.violations);
    }
}

#[test]
fn the_list_of_faults_is_whole() {
    assert!(Fault::ALL.iter().all(|fault| FOUND.iter().any(|(found, ..)| found == fault)));
}

#[test]
fn a_failing_plan_is_made_smaller_and_still_fails() {
    let fault = Some(Fault::LostTickAfterBarrier);
    let campaign = Campaign { from: 0, seeds: 60, fault, shrink: true };
    let failure = campaign.run().failures.remove(0);
    let (small, whole) = failure.steps;
    assert!(small <= 4 && small < whole, "{small} of {whole} steps are left");
    assert!(!failure.violations.is_empty());
    assert!(failure.story.iter().any(|line| line.contains("barrier")), "{:#?}", failure.story);
}
