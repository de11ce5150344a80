//! Summaries for people and for programs.

use std::fmt::Write as _;

use serde_json::{Value, json};
use sim::{Campaign, Figures, Summary, Told, all_steps};

/// Crashes on either side of each step that a long run has to have had.
const CRASHES_MIN: u64 = 20;

/// Seeds from which on a run counts as long.
const LONG: u64 = 2_000;

/// Violations shown per seed.
const SHOWN_MAX: usize = 6;

/// The text to print, and whether something is wrong.
pub(crate) fn many(campaign: &Campaign, summary: &Summary, json: bool) -> (String, bool) {
    let missing = uncovered(campaign, &summary.figures);
    let failed = match campaign.fault {
        Some(_) => summary.failures.is_empty(),
        None => !summary.failures.is_empty() || !missing.is_empty(),
    };
    let text = if json { as_json(summary) } else { for_people(campaign, summary, &missing) };
    (text, failed)
}

/// The story of one seed.
pub(crate) fn one(seed: u64, told: &Told) -> (String, bool) {
    let mut text = told.story.join("\n");
    let _ = write!(text, "\nseed {seed}: {} violations", told.violations.len());
    for violation in &told.violations {
        let _ = write!(text, "\n  {violation}");
    }
    (text, !told.violations.is_empty())
}

fn uncovered(campaign: &Campaign, figures: &Figures) -> Vec<&'static str> {
    if campaign.fault.is_some() || campaign.seeds < LONG {
        return vec![];
    }
    let few = |step: &&str| {
        let crashed = figures.steps.get(*step).copied().unwrap_or_default();
        crashed.before.min(crashed.after) < CRASHES_MIN
    };
    all_steps().into_iter().filter(|step| few(step)).collect()
}

fn for_people(campaign: &Campaign, summary: &Summary, missing: &[&str]) -> String {
    let figures = &summary.figures;
    let mut text = format!("sim: {} violations\n", violations(summary));
    for (name, count) in &figures.counts {
        let _ = writeln!(text, "  {:<18} {count:>9}", name.replace('_', " "));
    }
    let _ = writeln!(text, "  {:<18} {:>9} {:>9}", "crashed", "before", "after");
    for step in all_steps() {
        let crashed = figures.steps.get(step).copied().unwrap_or_default();
        let _ = writeln!(text, "  {step:<18} {:>9} {:>9}", crashed.before, crashed.after);
    }
    if !missing.is_empty() {
        let _ = writeln!(text, "too few crashes around: {}", missing.join(", "));
    }
    let fault = campaign.fault.map(|fault| format!(" --fault {}", fault.as_str()));
    for failure in &summary.failures {
        let (small, whole) = failure.steps;
        let again = format!("sim --seed {}{}", failure.seed, fault.as_deref().unwrap_or(""));
        let _ = write!(text, "\nseed {}, {small} of {whole} steps (again: {again})", failure.seed);
        for violation in failure.violations.iter().take(SHOWN_MAX) {
            let _ = write!(text, "\n  {violation}");
        }
        if small < whole {
            let _ = write!(text, "\n    {}", failure.story.join("\n    "));
        }
    }
    if campaign.fault.is_some() && summary.failures.is_empty() {
        text.push_str("\nthe planted fault was not found");
    }
    text
}

fn violations(summary: &Summary) -> usize {
    summary.failures.iter().map(|failure| failure.violations.len()).sum()
}

fn as_json(summary: &Summary) -> String {
    let mut object = json!({ "violations": violations(summary) });
    for (name, count) in &summary.figures.counts {
        object[*name] = (*count).into();
    }
    object["steps"] = all_steps()
        .into_iter()
        .map(|step| {
            let crashed = summary.figures.steps.get(step).copied().unwrap_or_default();
            let both = json!({ "before": crashed.before, "after": crashed.after });
            (step.to_owned(), both)
        })
        .collect::<serde_json::Map<String, Value>>()
        .into();
    object["failures"] = summary
        .failures
        .iter()
        .map(|failure| {
            let shown: Vec<String> =
                failure.violations.iter().take(SHOWN_MAX).map(ToString::to_string).collect();
            json!({ "seed": failure.seed, "steps": failure.steps.0, "shown": shown })
        })
        .collect();
    object.to_string()
}
