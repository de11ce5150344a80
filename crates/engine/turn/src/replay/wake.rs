//! Why the agent woke, and what was said to it.

use rules::run_key::{Cause, derive};
use types::{Block, Classified, DialogAct, EnvelopeContent, RunDraft, RunKey, Verdict, WakeReason};

use super::past::Past;
use super::sheet::Sheet;
use crate::question;
use crate::resume::whole;
use crate::workflow::workflow;

/// Goes through what came before the turn.
pub(super) fn replay(past: &Past, sheet: &mut Sheet) {
    let (turn, draft) = (&past.turn, &past.run.draft);
    let asked_for = (&draft.agent, &draft.thread, draft.reason, workflow(draft.reason));
    let reason = draft.reason.as_str();
    if asked_for != (&turn.agent_id, &turn.thread, turn.reason, &turn.workflow) {
        sheet.note("wake", Verdict::Differs, "its turn is not the one that its run asks for");
    } else if named_by_cause(draft) == Some(draft.run_key) {
        let detail = format!("{reason}: the name of the run follows from what caused it");
        sheet.note("wake", Verdict::Verified, detail);
    } else if draft.reason == WakeReason::Subscription {
        sheet.note("wake", Verdict::Differs, "the run has another name than its change gives it");
    } else {
        let detail = format!("{reason}: not all of what the name of the run follows from is kept");
        sheet.note("wake", Verdict::Recorded, detail);
    }
    said(past, sheet);
}

/// The name that a run has by its cause, as far as that is kept with it.
fn named_by_cause(draft: &RunDraft) -> Option<RunKey> {
    let id = draft.reason_id.as_deref()?;
    let subscription = id.parse();
    let cause = match draft.reason {
        WakeReason::Subscription => Cause::Subscription {
            subscription: subscription.as_ref().ok()?,
            logical_change_key: draft.logical_change_key?,
        },
        WakeReason::UserInitiated => {
            let session = rules::thread::session_of(&draft.agent, &draft.thread);
            Cause::UserInitiated { session: session.unwrap_or_default(), turn: id }
        }
        WakeReason::Manual => Cause::Manual { request: id },
        _ => return None,
    };
    Some(derive(&draft.agent, &cause))
}

/// What is meant by what was said: as the fast model answered that was asked about it, or by rules.
fn said(past: &Past, sheet: &mut Sheet) {
    let Some((_, content)) = &past.input else { return };
    if let Some(classified) = &past.turn.classified {
        asked_about(past, classified, sheet);
        if classified.act.is_some() {
            return;
        }
    }
    let Some(content) = content else {
        return sheet.note("words", Verdict::Erased, "what was said to it was erased");
    };
    if past.turn.prompt.words.is_none() {
        return sheet.note("words", Verdict::Recorded, "whole; it asked nobody about them");
    }
    let act = EnvelopeContent::words(&content.bytes).map(|text| rules::turn::classify(&text));
    let meant = act.map_or("no words", |act| act.as_str());
    let against = (act != past.turn.dialog_act).then(|| format!("they are taken for {meant} now"));
    sheet.hold("words", format!("taken for {meant} again"), against);
}

/// The question to the fast model, from the words as they stand in the recorded prompt.
fn asked_about(past: &Past, classified: &Classified, sheet: &mut Sheet) {
    let Classified { model, act, asked, .. } = classified;
    let Some(prompt) = past.prompt.as_ref().filter(|_| past.knows_its_prompt()) else {
        return sheet.note("meaning", Verdict::Erased, "what was asked about was erased");
    };
    let blocks: Option<Vec<Block>> = prompt.blocks.iter().cloned().map(whole).collect();
    let again = blocks.and_then(|blocks| context::meaning(&blocks));
    let same = again.is_some_and(|again| question::about_words(model, &again) == *asked);
    let against = (!same || act.is_some() && *act != past.turn.dialog_act)
        .then(|| "it is asked otherwise, or the answer was not followed".to_owned());
    let meant = act.map_or("nothing clear", DialogAct::as_str);
    sheet.hold("meaning", format!("put again to {model}, which said {meant}"), against);
}
