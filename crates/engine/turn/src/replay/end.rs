//! How the turn ended.

use rules::turn::{Facts, close};
use types::{Code, Content, FailureArtifact, Round, TurnKind, TurnState, Verdict};

use super::past::Past;
use super::rounds::Drove;
use super::sheet::Sheet;
use crate::close::last_words;

/// Goes through the end.
pub(super) fn replay(past: &Past, drove: &Drove, sheet: &mut Sheet) {
    let TurnState::Settled { terminal, closure, spent, failure, grounding, .. } = &past.turn.state
    else {
        return sheet.note("end", Verdict::Recorded, "it is not over");
    };
    let rounds: Option<Vec<Round>> = past.rounds.iter().cloned().collect();
    match &rounds {
        None => sheet.note("end", Verdict::Erased, "what it rests on was erased"),
        Some(rounds) => match (terminal.kind, failure) {
            (TurnKind::Completed, _) => ended_well(rounds, drove, past.brief.as_ref(), sheet),
            (TurnKind::Aborted, failure) => ended_badly(failure.as_ref(), drove, sheet),
        },
    }
    // Whether there was more to do is not kept, except in what was decided from it.
    let closes = |more| close(&Facts { kind: terminal.kind, waits: &[], nap: false, more });
    let grounded = rules::session::grounding(past.turn.dialog_act, terminal.kind, drove.did > 0);
    let against = if ![false, true].map(closes).contains(closure) {
        Some("it leaves its agent otherwise".to_owned())
    } else if drove.whole && grounded != *grounding {
        Some("it comes to other common ground".to_owned())
    } else {
        None
    };
    sheet.hold("closure", format!("{} again", closure.outcome.as_str()), against);
    if let Some(rounds) = rounds {
        let answers = rules::turn::spent(&past.turn, &rounds);
        let tokens = answers.tokens.total_tokens;
        let same = match (terminal.kind, past.run.attempt) {
            // An earlier version counted questions, and not how often each was sent.
            (TurnKind::Completed, 0) => {
                let by_answer = u32::try_from(rounds.len()).unwrap_or(u32::MAX);
                let calls = [answers.model_calls, by_answer];
                (answers.tokens, answers.cost_micros) == (spent.tokens, spent.cost_micros)
                    && calls.contains(&spent.model_calls)
            }
            // Questions that failed, or were stopped, may have cost something as well.
            _ => tokens <= spent.tokens.total_tokens && answers.cost_micros <= spent.cost_micros,
        };
        // Before answers had a mark, a turn that was given up did not say what they took.
        if !same && rounds.iter().any(|round| round.asked.is_none()) {
            return sheet.note(
                "spent",
                Verdict::Recorded,
                "an earlier version did not write it down",
            );
        }
        let against = (!same).then(|| "its answers come to another sum".to_owned());
        sheet.hold("spent", format!("{tokens} tokens in the answers"), against);
    }
}

/// The last words of the model are what was said to the operator.
fn ended_well(rounds: &[Round], drove: &Drove, brief: Option<&Content>, sheet: &mut Sheet) {
    let Some(brief) = brief else {
        return sheet.note("end", Verdict::Erased, "what it said was erased");
    };
    let (last, earlier) = match rounds.split_last() {
        Some((last, earlier)) => (Some(last), earlier),
        None => (None, &[][..]),
    };
    let early = earlier.iter().any(|round| round.calls.is_empty());
    let over = last.is_some_and(|last| last.calls.is_empty());
    let against = if early || !over || drove.stuck {
        Some("it is not over where its answers end".to_owned())
    } else if last.map(last_words).map(String::into_bytes).as_ref() != Some(&brief.bytes) {
        Some("what it said is not what its model said last".to_owned())
    } else {
        None
    };
    sheet.hold("end", "completed again, with the same last words", against);
}

/// What failed is not done again. Whether it got anywhere is.
fn ended_badly(failure: Option<&FailureArtifact>, drove: &Drove, sheet: &mut Sheet) {
    let kind = failure.map_or("aborted", |failure| failure.kind.as_str());
    match (kind == Code::NoProgress.as_str(), drove.stuck) {
        (true, true) => sheet.note("end", Verdict::Verified, format!("{kind} again")),
        (true, false) if drove.whole => {
            sheet.note("end", Verdict::Differs, "it gets somewhere now");
        }
        _ => {
            sheet.note("end", Verdict::Recorded, format!("{kind}; what failed is not done again"));
        }
    }
}
