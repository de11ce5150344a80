//! Following the operator's words.

use crate::answer::report;
use crate::brief::{received, sentences};
use crate::course::{Course, Made, Outcome, Words};
use crate::deed;
use crate::hand::{Hand, Withheld};
use crate::order::{CAN, Order, Step, WHO, parse, plan, reply};
use crate::read::Prompt;

/// Does what was said, or asks back. If any of it is not clear, none of it is done: half of an order is
/// another order.
pub(crate) fn obey(now: &Prompt, course: &Course<'_>, hand: &mut Hand<'_>) -> String {
    let steps: Vec<Step> = course.pending.iter().flat_map(|said| steps(said, now)).collect();
    if let Some(back) = back(&steps) {
        // What has changed is reported all the same: nobody looks at it again.
        let reports = now.has_news() && course.untold().is_empty() && report(now, hand);
        return if reports { String::new() } else { back };
    }
    let mut asked = false;
    for step in steps {
        asked |= match step {
            // Why a call was withheld is told at the end, with all the rest.
            Step::Call(tool, arguments) => hand.call(tool, arguments).is_ok(),
            Step::Report => report(now, hand),
            Step::Say(_) | Step::AskBack(_) | Step::Unknown => false,
        };
    }
    if asked || (now.has_news() && report(now, hand)) {
        return String::new();
    }
    answered(now, now, course, hand)
}

/// The question back, if one is needed before anything is done.
fn back(steps: &[Step]) -> Option<String> {
    let acts = steps.iter().any(|step| matches!(step, Step::Call(..) | Step::Report));
    let mut said: Vec<Option<String>> = Vec::new();
    for step in steps {
        match step {
            Step::AskBack(words) => said.push(Some(words.clone())),
            Step::Unknown if acts => {
                said.push(Some("I did not understand all of it.".to_owned()));
            }
            _ => {}
        }
    }
    if said.is_empty() {
        return None;
    }
    said.push(acts.then(|| "So far I have done nothing of it.".to_owned()));
    Some(sentences(said))
}

/// The same once the report was written before it was asked. Where anything else was done, all was clear.
pub(crate) fn asks_back(was: &Prompt, course: &Course<'_>) -> Option<String> {
    let acted = course.untold().iter().any(|made| made.tool != "update_report");
    let steps: Vec<Step> = course.unanswered.iter().flat_map(|said| steps(said, was)).collect();
    back(&steps).filter(|_| !acted)
}

/// What is told when all is done: what came of each call, and the answers to what was asked.
pub(crate) fn answered(was: &Prompt, now: &Prompt, course: &Course<'_>, hand: &Hand<'_>) -> String {
    let tasks: Vec<_> = was.task.iter().chain(&now.task).collect();
    let mut said: Vec<Option<String>> = Vec::new();
    // That the report was kept goes without saying, unless it was not.
    let silent =
        |made: &&Made<'_>| made.tool == "update_report" && matches!(made.outcome, Outcome::Done(_));
    let untold = course.untold().iter();
    said.extend(untold.filter(|made| !silent(made)).map(|made| Some(deed::told(made, &tasks))));
    for step in course.unanswered.iter().flat_map(|said| steps(said, was)) {
        said.push(match step {
            Step::Say(question) => Some(reply(&question, now)),
            Step::Unknown => Some(format!("{WHO} {CAN}")),
            Step::Report => Some(report_words(course, hand)),
            Step::Call(tool, _) if !hand.may(tool) => Some(withheld(tool, Withheld::NotOffered)),
            Step::Call(tool, arguments) if course.failed_and_told(tool, &arguments) => {
                Some(withheld(tool, Withheld::FailedBefore))
            }
            Step::Call(..) | Step::AskBack(_) => None,
        });
    }
    said.push(received(now));
    said.dedup();
    match sentences(said) {
        nothing if nothing.is_empty() => "There is nothing more to tell.".to_owned(),
        words => words,
    }
}

fn steps(said: &Words<'_>, prompt: &Prompt) -> Vec<Step> {
    if said.left_out > 0 {
        return vec![Step::AskBack(format!(
            "Your message was too long: I was not shown the last {} bytes of it, so I did nothing. \
             Say it in several shorter ones.",
            said.left_out
        ))];
    }
    let without = |order: &Order| match order {
        Order::Ask(question) => Step::Say(question.clone()),
        Order::Unknown => Step::Unknown,
        _ => Step::AskBack("I was shown no task, so I can change nothing.".to_owned()),
    };
    let step = |order: &Order| match &prompt.task {
        Some(task) => plan(order, task),
        None => without(order),
    };
    parse(said.text).iter().map(step).collect()
}

fn report_words(course: &Course<'_>, hand: &Hand<'_>) -> String {
    let wrote = course.untold().iter().any(|made| made.tool == "update_report");
    match (wrote, hand.may("update_report")) {
        (true, _) => "The report is up to date.".to_owned(),
        (false, true) => {
            "The report stands as it is: it would be the same word for word.".to_owned()
        }
        (false, false) => withheld("update_report", Withheld::NotOffered),
    }
}

fn withheld(tool: &str, why: Withheld) -> String {
    match why {
        Withheld::NotOffered => format!("I may not call {tool} in this wake, so I did not."),
        Withheld::FailedBefore => {
            format!("I did not call {tool} again: the same call failed before in this turn.")
        }
    }
}
