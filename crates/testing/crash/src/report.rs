//! Summaries for people and for programs.

use std::fmt::Write as _;

use crash::cut::{self, Failure};
use crash::{Violation, kill, turns};
use serde_json::{Value, json};

/// Violations shown per seed; one lost page can have thousands.
const SHOWN_MAX: usize = 8;

/// The text to print, and whether something was found.
pub(crate) fn cut(summary: &cut::Summary, json: bool) -> (String, bool) {
    let figures = [
        ("seeds", summary.seeds),
        ("cuts", summary.cuts),
        ("births", summary.births),
        ("in_checkpoint", summary.in_checkpoint),
        ("recuts", summary.recuts),
        ("judged", summary.judged),
        ("acknowledged", summary.acknowledged),
        ("in_doubt", summary.in_doubt),
        ("doubts_there", summary.doubts_there),
    ];
    report("cut", &figures, &summary.failures, json)
}

/// The text to print, and whether something was found.
pub(crate) fn kill(summary: &kill::Summary, json: bool) -> (String, bool) {
    let figures = [
        ("kills", summary.kills),
        ("homes", summary.homes),
        ("early", summary.early),
        ("acknowledged", summary.acknowledged),
        ("in_doubt", summary.in_doubt),
        ("doubts_there", summary.doubts_there),
    ];
    report("kill", &figures, &summary.failures, json)
}

/// The text to print, and whether something was found.
pub(crate) fn turns(summary: &turns::Summary, json: bool) -> (String, bool) {
    let figures = [
        ("kills", summary.kills),
        ("homes", summary.homes),
        ("early", summary.early),
        ("acknowledged", summary.acknowledged),
        ("model_calls", summary.model_calls),
        ("planned", summary.planned),
        ("runs", summary.runs),
        ("replayed", summary.replayed),
    ];
    report("turns", &figures, &summary.failures, json)
}

fn report(what: &str, figures: &[(&str, u64)], failures: &[Failure], json: bool) -> (String, bool) {
    let violations: usize = failures.iter().map(|failure| failure.violations.len()).sum();
    let text = if json {
        let mut object = json!({ "violations": violations });
        for (name, figure) in figures {
            object[name] = (*figure).into();
        }
        object["failures"] = failures.iter().map(as_json).collect();
        object.to_string()
    } else {
        let mut text = format!("{what}:");
        for (name, figure) in figures {
            let _ = write!(text, " {figure} {},", name.replace('_', " "));
        }
        let _ = write!(text, " {violations} violations");
        for failure in failures {
            describe(what, failure, &mut text);
        }
        text
    };
    (text, violations > 0)
}

fn describe(what: &str, failure: &Failure, text: &mut String) {
    let Failure { seed, kept, violations } = failure;
    let again = match what {
        "cut" => format!("crash cut --seed {seed}"),
        "kill" => format!("crash kill --times 1 --from {seed}"),
        _ => format!("crash turns --times 20 --from {seed}"),
    };
    let _ = write!(text, "\nseed {seed} (again: {again})");
    if let Some(kept) = kept {
        let _ = write!(text, ", kept in {}", kept.display());
    }
    for violation in violations.iter().take(SHOWN_MAX) {
        let _ = write!(text, "\n  {violation}");
    }
    if violations.len() > SHOWN_MAX {
        let _ = write!(text, "\n  and {} more", violations.len() - SHOWN_MAX);
    }
}

fn as_json(failure: &Failure) -> Value {
    let sentences: Vec<String> =
        failure.violations.iter().take(SHOWN_MAX).map(Violation::to_string).collect();
    json!({
        "seed": failure.seed,
        "kept": failure.kept,
        "violations": failure.violations.len(),
        "shown": sentences,
    })
}
