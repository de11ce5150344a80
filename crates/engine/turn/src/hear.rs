//! What a model hears of a round, and what else is made of what came of its calls.

use std::collections::BTreeSet;

use model::Exchange;
use rules::planted::{self, Fault};
use rules::turn::Step;
use serde_json::Value;
use tools::Receipt;
use types::{OperationId, PlannedCall, Round};

use crate::job::Job;
use crate::live::Happened;
use crate::question;

/// Tells the model, and whoever listens, what came of a round.
pub(crate) fn hear(job: &mut Job, number: usize, receipts: &[Receipt]) {
    let told =
        told(&job.talk.rounds[number], receipts, &job.deeds.answered, job.page.answer_tokens);
    job.deeds.answered.extend(answered(&job.talk.rounds[number], receipts));
    receipts
        .iter()
        .filter_map(|receipt| receipt.told.as_ref())
        .for_each(|words| job.origin.is_told(words));
    job.voice.in_round(number);
    let answers = told.iter().filter_map(|exchange| match exchange {
        Exchange::Answered { text, .. } => Some(text),
        _ => None,
    });
    for ((planned, receipt), text) in
        job.talk.rounds[number].calls.iter().zip(receipts).zip(answers)
    {
        let (tool, ok) = (planned.tool.clone(), receipt.result.is_ok());
        match &receipt.result {
            Err(failure) => job.deeds.failed.push((tool.clone(), failure.kind)),
            // The same call twice changed something once.
            Ok(done) if !done.changed.is_empty() => {
                job.deeds.changing.insert(receipt.tool_action_id.clone());
            }
            Ok(_) => {}
        }
        // What an earlier attempt did, it has told as well.
        if number >= job.talk.resumed || !receipt.repeated {
            job.voice.say(Happened::Answered { tool, ok, output: text.clone() });
        }
    }
    job.talk.said.extend(told);
}

/// What a model is told of a round: what was thrown in before it, what it said itself, and what came of each call,
/// in so many tokens. Operations that were answered in earlier rounds are not done anew.
pub(crate) fn told(
    round: &Round,
    receipts: &[Receipt],
    earlier: &BTreeSet<OperationId>,
    tokens: u64,
) -> Vec<Exchange> {
    let thrown_in = round.interjected.iter().filter(|_| !planted::is(Fault::InterjectionUnheard));
    let thrown_in = thrown_in.map(question::thrown_in);
    let call = |call: &PlannedCall| (call.id.clone(), call.tool.clone(), call.arguments.clone());
    let calls = round.calls.iter().map(call).collect();
    let said = Exchange::Said { text: round.text.clone(), calls, keepsake: round.keepsake.clone() };
    let answers =
        round.calls.iter().zip(receipts).enumerate().map(|(place, (planned, receipt))| {
            // A call is repeated if it was asked for twice, in this answer or as the same operation in an earlier
            // one; that a turn was taken up again is not for the model to hear.
            let repeated = round.asked_before(place).is_some()
                || planned.operation.is_some_and(|operation| earlier.contains(&operation));
            let text = Receipt { repeated, ..receipt.clone() }.model_text_within(tokens);
            Exchange::Answered { call: planned.id.clone(), text }
        });
    thrown_in.chain([said]).chain(answers).collect()
}

/// The operations of a round that are done: to ask for one again is to hear its answer again. One that was refused
/// or failed is tried anew.
pub(crate) fn answered(round: &Round, receipts: &[Receipt]) -> impl Iterator<Item = OperationId> {
    let calls = round.calls.iter().zip(receipts);
    calls.filter(|(_, receipt)| receipt.result.is_ok()).filter_map(|(call, _)| call.operation)
}

/// A round and what came of it, as far as it says whether a turn gets anywhere.
pub(crate) fn step(round: &Round, receipts: &[Receipt]) -> Step {
    let calls: Vec<(&str, &Value)> =
        round.calls.iter().map(|planned| (planned.tool.as_str(), &planned.arguments)).collect();
    let answers: Vec<String> = receipts.iter().map(outcome).collect();
    Step::of(&calls, &answers)
}

/// What came of a call: that it was the same once more moves nothing.
fn outcome(receipt: &Receipt) -> String {
    Receipt { repeated: false, ..receipt.clone() }.model_text()
}
