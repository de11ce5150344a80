//! What the model was asked and answered, and what became of what it asked for.

use std::collections::BTreeSet;
use std::sync::Arc;

use model::Exchange;
use policy::Rights;
use rules::turn::{Progress, round_id};
use tool::Call;
use tools::{Receipt, Rejudged};
use types::{Epoch, Label, OperationId, PlannedCall, Position, Round, Trace, Verdict};

use super::past::Past;
use super::sheet::Sheet;
use crate::broken::Broken;
use crate::hear::{answered, step, told};
use crate::offer::Offer;
use crate::{Profile, Turns, question};

/// Where going through the rounds led.
#[derive(Default)]
pub(crate) struct Drove {
    /// What was said since the prompt; absent from where it is not known any more.
    said: Option<Vec<Exchange>>,
    /// Whether it got anywhere.
    progress: Progress,
    /// All that came of its calls is known.
    pub(crate) whole: bool,
    /// It turned round in circles.
    pub(crate) stuck: bool,
    /// Operations that are done.
    answered: BTreeSet<OperationId>,
    /// Calls of tools that went well.
    pub(crate) did: usize,
}

impl Turns {
    /// Goes through the rounds: each question as it was put, and each call as it was judged.
    ///
    /// What the turn might call is known if its template, and what that offered, are those of then.
    pub(crate) async fn replay_rounds(
        &self,
        past: &Past,
        then: Option<&(Arc<Profile>, Arc<Offer>)>,
        sheet: &mut Sheet,
    ) -> Result<Drove, Broken> {
        let rights = then.map(|(profile, offer)| offer.rights(profile));
        let said = past.knows_its_prompt().then(Vec::new);
        let mut drove = Drove { said, whole: true, ..Drove::default() };
        for (number, round) in past.rounds.iter().enumerate() {
            let Some(round) = round else {
                sheet.note(format!("answer {}", number + 1), Verdict::Erased, "it was erased");
                drove.whole = false;
                break;
            };
            let said = asked(past, &drove, number, round, sheet);
            if let Some((said, (_, offer))) = said.zip(then) {
                self.replay_answer(past, offer, (number, round), said, sheet);
            }
            let receipts = self.replay_calls(past, rights.as_ref(), (number, round), sheet).await?;
            drove.hear(past, round, receipts.as_deref());
        }
        Ok(drove)
    }

    /// Judges the calls of a round again. What they were answered is known if every answer is.
    async fn replay_calls(
        &self,
        past: &Past,
        rights: Option<&Rights>,
        (number, round): (usize, &Round),
        sheet: &mut Sheet,
    ) -> Result<Option<Vec<Receipt>>, Broken> {
        let mut receipts: Vec<Option<Receipt>> = Vec::new();
        for (place, planned) in round.calls.iter().enumerate() {
            let name = format!("call {}.{}: {}", number + 1, place + 1, planned.tool);
            // What was asked for twice in one answer was done once.
            if let Some(first) = round.asked_before(place) {
                let detail = format!("the same as call {}.{}", number + 1, first + 1);
                sheet.note(name, Verdict::Verified, detail);
                receipts.push(receipts[first].clone());
                continue;
            }
            let call = call(past, number, round, planned);
            let rejudged = self.executor.rejudge(call, rights, past.is_over()).await?;
            let rejudged = rejudged.unwrap_or_else(|| unmade(past, number));
            let Rejudged { receipt, verdict, detail, .. } = as_of_then(rejudged, past, number);
            sheet.note(name, verdict, detail);
            receipts.push(receipt);
        }
        Ok(receipts.into_iter().collect())
    }
}

/// What is said of a call that there is no record of: the last that a turn asked for need not have been made.
fn unmade(past: &Past, number: usize) -> Rejudged {
    let (verdict, detail) = match number + 1 == past.rounds.len() {
        true => (Verdict::Recorded, "it was not made"),
        false => (Verdict::Differs, "there is no record of it"),
    };
    Rejudged { receipt: None, cause: None, verdict, detail: detail.to_owned() }
}

/// A call that was made again for a later answer is recorded as it was then.
fn as_of_then(rejudged: Rejudged, past: &Past, number: usize) -> Rejudged {
    let id = |round: usize| round_id(&past.turn.run_key, u32::try_from(round).unwrap_or(u32::MAX));
    let mut later = (number + 1..past.rounds.len()).map(id);
    if !later.any(|round| rejudged.cause.as_ref() == Some(&round)) {
        return rejudged;
    }
    let detail = "it was made again later in the turn, and its record is of that".to_owned();
    Rejudged { receipt: None, verdict: Verdict::Recorded, detail, ..rejudged }
}

impl Drove {
    /// Takes in what came of a round, as the driver does.
    fn hear(&mut self, past: &Past, round: &Round, receipts: Option<&[Receipt]>) {
        let Some(receipts) = receipts else {
            (self.said, self.whole) = (None, false);
            return;
        };
        self.did += receipts.iter().filter(|receipt| receipt.result.is_ok()).count();
        if round.calls.is_empty() {
            return;
        }
        let frame = past.prompt.as_ref().and_then(|prompt| prompt.frame);
        self.said = self.said.take().zip(frame).map(|(mut said, frame)| {
            said.extend(told(round, receipts, &self.answered, frame.answer_tokens));
            said
        });
        self.answered.extend(answered(round, receipts));
        self.stuck = !self.progress.take(step(round, receipts));
    }
}

/// Puts a question again, and holds its mark against the one that was answered; what was said in it, if it is the
/// same.
fn asked(
    past: &Past,
    drove: &Drove,
    number: usize,
    round: &Round,
    sheet: &mut Sheet,
) -> Option<Vec<Exchange>> {
    let name = format!("question {}", number + 1);
    let (Some(mark), Some(said)) = (round.asked, &drove.said) else {
        let why = match round.asked {
            Some(_) => "not all that was said before it is known any more",
            None => "it has no mark: it was put by an earlier version",
        };
        sheet.note(name, Verdict::Recorded, why);
        return None;
    };
    let thrown_in = round.interjected.iter().map(question::thrown_in);
    let said: Vec<Exchange> = said.iter().cloned().chain(thrown_in).collect();
    let prompt = past.turn.prompt.words.as_ref();
    let again = question::mark(prompt, said.iter(), &round.model, &round.generation);
    let detail = format!("put again to {}, word by word; {}", round.model, gist(round));
    let against = "it comes out otherwise than it was put".to_owned();
    sheet.hold(name, detail, (again != mark).then_some(against));
    (again == mark).then_some(said)
}

/// What was answered, in short.
fn gist(round: &Round) -> String {
    match round.calls.len() {
        0 => format!("answered in {} bytes", round.text.len()),
        1 => "answered with a call".to_owned(),
        calls => format!("answered with {calls} calls"),
    }
}

/// A planned call as it was made; what the gate goes by besides stands in its record.
fn call(past: &Past, number: usize, round: &Round, planned: &PlannedCall) -> Call {
    let turn = &past.turn;
    Call {
        agent: turn.agent_id.clone(),
        run: turn.run_key,
        id: question::call_id(number, planned),
        epoch: Epoch::default(),
        thread: turn.thread.clone(),
        wake_reason: turn.reason,
        scope: BTreeSet::new(),
        task: None,
        reports: BTreeSet::new(),
        model: round.model.to_string(),
        journal_seen: Position::default(),
        looked_at: past.turn.began_at,
        tool: planned.tool.clone(),
        arguments: planned.arguments.clone(),
        operation: planned.operation,
        trace: Trace::default(),
        read: past.prompt.as_ref().map_or_else(Label::untrusted, |prompt| prompt.label.clone()),
        preview: false,
    }
}
