//! What a model answered that is a function of its question: the same question, the same answer.

use std::sync::Arc;

use model::{AskedCall, Exchange, Request, Response};
use types::{Block, PlannedCall, Round, Verdict};

use super::past::Past;
use super::sheet::Sheet;
use crate::Turns;
use crate::offer::Offer;
use crate::resume::whole;

impl Turns {
    /// Has a question answered again that was put again word by word. Of a model that chance plays a part in, the
    /// answer stays what was recorded.
    pub(crate) fn replay_answer(
        &self,
        past: &Past,
        offer: &Offer,
        (number, round): (usize, &Round),
        said: Vec<Exchange>,
        sheet: &mut Sheet,
    ) {
        let Some(request) = request_again(past, offer, round, said) else { return };
        let Some(again) = self.model.again(&request) else { return };
        let step = format!("answer {}", number + 1);
        if again.version != round.model_version {
            let detail = format!("{} is in another version today", round.model);
            return sheet.note(step, Verdict::Recorded, detail);
        }
        let against = (!is_same(&again, round)).then(|| "it comes out otherwise".to_owned());
        sheet.hold(step, format!("given again by {}, word by word", round.model), against);
    }
}

/// The question as it was put; nothing if not all of it is known.
fn request_again(
    past: &Past,
    offer: &Offer,
    round: &Round,
    said: Vec<Exchange>,
) -> Option<Request> {
    let blocks = past.prompt.as_ref()?.blocks.iter().cloned();
    Some(Request {
        model: round.model.clone(),
        // Whose question it is matters to the gate and to the bill, and to no answer.
        agent: past.turn.agent_id.clone(),
        kind: String::new(),
        category: None,
        prompt: blocks.map(whole).collect::<Option<Vec<Block>>>()?,
        said,
        tools: Arc::clone(&offer.specs),
        allowed: round.callable.clone(),
        generation: round.generation.clone(),
    })
}

/// Whether it says and asks for the same.
fn is_same(again: &Response, round: &Round) -> bool {
    let same = |(asked, planned): (&AskedCall, &PlannedCall)| {
        let arguments = asked.arguments.as_ref().ok();
        (&asked.id, &asked.tool, arguments)
            == (&planned.id, &planned.tool, Some(&planned.arguments))
    };
    (&again.text, again.finish) == (&round.text, round.finish)
        && again.calls.len() == round.calls.len()
        && again.calls.iter().zip(&round.calls).all(same)
}
