//! One answer: what to ask of tools, and what to say.

use model::{AskedCall, Request, Response};
use serde_json::json;
use types::{AttemptOutcome, AttemptRecord, AttemptTimeline, FinishReason};

use crate::brief;
use crate::course::{Course, Outcome};
use crate::hand::Hand;
use crate::note::note;
use crate::obey::{answered, asks_back, obey};
use crate::project::project;
use crate::read::Prompt;
use crate::report::{draft, stands};
use crate::usage::usage;

/// What the scribe answers. The same request has the same answer.
///
/// What the operator said and nobody acted on comes first; with nothing said it looks at the task; when
/// its tools have answered it tells what came of them.
#[must_use]
pub fn answer(request: &Request) -> Response {
    let prompt = Prompt::read(request);
    let course = Course::read(request, &prompt);
    let now = project(&prompt, &course);
    let mut hand = Hand::new(request, &course);
    let text = if !course.pending.is_empty() {
        obey(&now, &course, &mut hand)
    } else if !course.begun {
        look(&now, &course, &mut hand)
    } else {
        close(&prompt, &now, &course, &mut hand)
    };
    respond(request, text, hand.calls())
}

/// A look of its own: the report and a note, both at once, or a word that nothing is to be written.
fn look(now: &Prompt, course: &Course<'_>, hand: &mut Hand<'_>) -> String {
    let mut asked = report(now, hand);
    if let Some(task) = &now.task
        && let Some(note) = note(task, now)
    {
        asked |= hand.call("record_observations", json!({ "notes": [note] })).is_ok();
    }
    match asked {
        true => String::new(),
        false => brief::look(now, course, hand.may("update_report")),
    }
}

/// After the tools: the report, if what was done changed the picture, and then the brief.
fn close(was: &Prompt, now: &Prompt, course: &Course<'_>, hand: &mut Hand<'_>) -> String {
    if course.unanswered.is_empty() {
        return brief::look(now, course, hand.may("update_report"));
    }
    if let Some(back) = asks_back(was, course) {
        return back;
    }
    if now.has_news() && !reported(course) && report(now, hand) {
        return String::new();
    }
    answered(was, now, course, hand)
}

/// Asks for the report if it would say something else than the one that stands.
pub(crate) fn report(now: &Prompt, hand: &mut Hand<'_>) -> bool {
    let Some(task) = &now.task else { return false };
    let draft = draft(task, now);
    if stands(&draft, now) {
        return false;
    }
    let arguments = json!({ "content": draft.content, "claims": draft.claims });
    hand.call("update_report", arguments).is_ok()
}

/// Whether the report was asked for after the last change that was made.
fn reported(course: &Course<'_>) -> bool {
    let asked = course.calls.iter().rposition(|made| made.tool == "update_report");
    let changed = course.calls.iter().rposition(|made| {
        let own = ["update_report", "record_observations"].contains(&made.tool);
        matches!(made.outcome, Outcome::Done(_)) && !own
    });
    asked.is_some() && asked > changed
}

fn respond(request: &Request, text: String, calls: Vec<AskedCall>) -> Response {
    let usage = usage(request, &text, &calls);
    let model = request.model.to_string();
    let attempt = AttemptRecord {
        provider: request.model.provider().to_owned(),
        model_ref: model.clone(),
        attempt: 1,
        max_attempts: 1,
        // The scribe has no clock.
        started_at: None,
        completed_at: None,
        duration_ms: None,
        failure_kind: None,
        disposition: None,
        outcome: AttemptOutcome::Succeeded,
        advanced_to_fallback: false,
        backoff_ms: None,
        token_usage: Some(usage),
        transport_diagnostics: None,
    };
    Response {
        keepsake: None,
        finish: if calls.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls },
        text,
        calls,
        reasoning: None,
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        usage,
        timeline: AttemptTimeline {
            attempts: vec![attempt],
            requested_model_ref: model.clone(),
            active_model_ref: Some(model.clone()),
            winning_model_ref: Some(model),
            aggregated_token_usage: Some(usage),
        },
    }
}
