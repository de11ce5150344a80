//! What an agent has to say.

use api_types::{ClaimReply, FreshnessReply, ProblemReply, ReportReply, Request, RestingReply};
use clap::Args;
use client::Client;

use crate::number::how_many;
use crate::paint::{Tone, paint};
use crate::screen::Screen;

#[derive(Debug, Args)]
pub(crate) struct ReportWords {
    /// The agent's id, or its last characters, four or more
    agent: String,
    /// The stretch of time it is about
    #[arg(
        long,
        default_value = "current",
        value_parser = ["current", "daily", "weekly", "monthly"]
    )]
    scope: String,
    /// List below it what each claim rests on
    #[arg(long)]
    claims: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportsWords {
    /// The record, by its id or its last characters, four or more
    #[arg(value_name = "RECORD")]
    about: String,
    /// All that this agent has written, and not only what each has written last
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = how_many, allow_negative_numbers = true)]
    limit: usize,
}

pub(crate) fn ask_about(
    words: ReportsWords,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let ReportsWords { about, agent, limit } = words;
    let reports: Vec<RestingReply> = client.ask(Request::Reports { about, agent, limit })?;
    screen.show(&reports, |reports| resting(reports));
    Ok(())
}

/// Reports that rest on a record, each with what it says of it.
fn resting(reports: &[RestingReply]) -> String {
    let one = |report: &RestingReply| {
        let RestingReply { agent, name, scope, created_at, stands, .. } = report;
        let past = if *stands { "" } else { ", stands no longer" };
        let head = paint(Tone::Strong, name);
        let below = paint(Tone::Quiet, &format!("{agent}, {scope}, written {created_at}{past}"));
        let claims: String = report.claims.iter().map(line).collect();
        format!("{head}\n  {below}\n{claims}")
    };
    match reports.is_empty() {
        true => "no report rests on it\n".to_owned(),
        false => reports.iter().map(one).collect(),
    }
}

pub(crate) fn ask(
    words: ReportWords,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let ReportWords { agent, scope, claims } = words;
    let report: ReportReply = client.ask(Request::Report { agent, scope: Some(scope) })?;
    screen.show(&report, |report| text(report, claims));
    if let Some(why) = stale(&report.freshness) {
        screen.say(&format!("written {}; out of date: {why}", report.created_at));
    }
    Ok(())
}

/// The report as its agent wrote it, and what it rests on if that is wanted.
fn text(report: &ReportReply, claims: bool) -> String {
    let mut text = report.content.trim_end().to_owned() + "\n";
    if claims {
        text += &format!("\n{}\n", paint(Tone::Strong, "What it rests on"));
        match report.claims.is_empty() {
            true => text += "  it makes no claims\n",
            false => report.claims.iter().for_each(|claim| text += &line(claim)),
        }
    }
    text
}

fn line(claim: &ClaimReply) -> String {
    let sources = claim.sources.iter().map(|source| source.source_locator.as_str());
    let mut rests_on: Vec<&str> = sources.collect();
    rests_on.extend(claim.inferred.then_some("inferred"));
    let rests_on = paint(Tone::Quiet, &rests_on.join(", "));
    // A claim is one line, whatever its words are.
    let words: Vec<&str> = claim.text.split_whitespace().collect();
    format!("  {:<4} {}\n       {rests_on}\n", claim.id, words.join(" "))
}

/// Why a report is out of date, if it is.
fn stale(freshness: &FreshnessReply) -> Option<String> {
    let reasons = freshness.reasons.iter().map(|reason| match reason.as_str() {
        "too_old" => "it is old".to_owned(),
        "newer_changes" => {
            let more = if freshness.more { "more than " } else { "" };
            match freshness.newer_changes {
                1 => "1 change since".to_owned(),
                many => format!("{more}{many} changes since"),
            }
        }
        other => other.to_owned(),
    });
    freshness.stale.then(|| reasons.collect::<Vec<String>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn report(claims: &serde_json::Value, freshness: &serde_json::Value) -> ReportReply {
        serde_json::from_value(json!({
            "id": "report_1", "agent": "agent_a", "scope": "current",
            "created_at": "2026-11-15T09:00:00Z", "run_key": "r", "model": "builtin/scribe",
            "confidence": null, "content": "# Ferns\n\nDry.\n\n", "freshness": freshness,
            "claims": claims,
        }))
        .unwrap()
    }

    fn fresh() -> serde_json::Value {
        json!({ "stale": false, "reasons": [], "newer_changes": 0, "more": false })
    }

    #[test]
    fn a_report_is_shown_as_it_was_written_and_its_claims_below_it() {
        let source = json!({
            "source_type": "journal", "source_locator": "task_1",
            "captured_at": "2026-11-15T09:00:00Z", "freshness_at": "2026-11-15T08:00:00Z",
        });
        let claim = |id: &str, sources, inferred: bool| {
            json!({ "id": id, "section": "", "text": "it is\n dry", "sources": sources,
                "inferred": inferred, "confidence": null })
        };
        let claims = json!([claim("c1", json!([source]), false), claim("c2", json!([]), true)]);
        let shown = text(&report(&claims, &fresh()), false);
        assert_eq!(shown, "# Ferns\n\nDry.\n");
        let shown = crate::paint::shown(&text(&report(&claims, &fresh()), true), false);
        let below = "\nWhat it rests on\n  c1   it is dry\n       task_1\n  c2   it is dry\n       \
                     inferred\n";
        assert_eq!(shown, format!("# Ferns\n\nDry.\n{below}"));
    }

    #[test]
    fn who_rests_on_a_record_is_listed_with_what_they_say_of_it() {
        let one = |stands: bool| -> RestingReply {
            serde_json::from_value(json!({
                "id": "report_1", "agent": "agent_a", "name": "Ferns", "scope": "daily",
                "created_at": "2026-11-15T09:00:00Z", "run_key": "r", "stands": stands,
                "claims": [{ "id": "c1", "section": "", "text": "it is dry", "sources": [],
                    "inferred": true, "confidence": null }],
            }))
            .unwrap()
        };
        let shown = |reports: &[RestingReply]| crate::paint::shown(&resting(reports), false);
        let head = "Ferns\n  agent_a, daily, written 2026-11-15T09:00:00.000Z";
        let claim = "  c1   it is dry\n       inferred\n";
        assert_eq!(
            shown(&[one(true), one(false)]),
            format!("{head}\n{claim}{head}, stands no longer\n{claim}")
        );
        assert_eq!(shown(&[]), "no report rests on it\n");
    }

    #[test]
    fn what_is_out_of_date_says_why() {
        let of = |freshness: &serde_json::Value| stale(&report(&json!([]), freshness).freshness);
        assert_eq!(of(&fresh()), None);
        let both = json!({ "stale": true, "reasons": ["too_old", "newer_changes"],
            "newer_changes": 100, "more": true });
        assert_eq!(of(&both).unwrap(), "it is old, more than 100 changes since");
        let one = json!({ "stale": true, "reasons": ["newer_changes"], "newer_changes": 1,
            "more": false });
        assert_eq!(of(&one).unwrap(), "1 change since");
    }
}
