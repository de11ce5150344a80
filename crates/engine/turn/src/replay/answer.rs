//! What a model answered that is a function of its question: the same question, the same answer.

use std::sync::Arc;

use model::{AskedCall, Exchange, Request, Response};
use types::{Block, PlannedCall, Round, Verdict};

use super::past::Past;
use super::sheet::Sheet;
use crate::resume::whole;
use crate::{Profile, Turns};

impl Turns {
    /// Has a question answered again that was put again word by word. Of a model that chance plays a part in, the
    /// answer stays what was recorded.
    pub(crate) fn replay_answer(
        &self,
        past: &Past,
        profile: Option<&Profile>,
        (number, round): (usize, &Round),
        said: Vec<Exchange>,
        sheet: &mut Sheet,
    ) {
        let Some(request) = self.request_again(past, profile, round, said) else { return };
        let Some(again) = self.model.again(&request) else { return };
        let step = format!("answer {}", number + 1);
        if again.version != round.model_version {
            let detail = format!("{} is in another version today", round.model);
            return sheet.note(step, Verdict::Recorded, detail);
        }
        let against = (!is_same(&again, round)).then(|| "it comes out otherwise".to_owned());
        sheet.hold(step, format!("given again by {}, word by word", round.model), against);
    }

    /// The question as it was put; nothing if not all of it is known.
    fn request_again(
        &self,
        past: &Past,
        profile: Option<&Profile>,
        round: &Round,
        said: Vec<Exchange>,
    ) -> Option<Request> {
        let (prompt, profile) = (past.prompt.as_ref()?, profile?);
        let blocks: Option<Vec<Block>> = prompt.blocks.iter().cloned().map(whole).collect();
        let offer = self.offer(&Profile { tools: prompt.tools.clone(), ..profile.clone() });
        if prompt.frame?.tools != offer.hash {
            return None;
        }
        Some(Request {
            model: round.model.clone(),
            // Whose question it is matters to the gate and to the bill, and to no answer.
            agent: past.turn.agent_id.clone(),
            kind: String::new(),
            category: None,
            prompt: blocks?,
            said,
            tools: Arc::clone(&offer.specs),
            allowed: None,
            generation: round.generation.clone(),
        })
    }
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
