//! What somebody sees who watches a home: one paragraph for each turn.

use api_types::{TurnReply, WatchReply};

use crate::paint::{Tone, paint};
use crate::screen::Screen;
use crate::spent::money;

/// Shows what happened, with `--json` a line for each thing. Nothing else is printed for `up`.
pub(crate) fn show(what: &WatchReply, screen: &Screen) {
    screen.show(what, |what| match what {
        WatchReply::Ready(serving) => format!(
            "Dormouse is up at {}. Ctrl-C stops it.\nWho wakes, and why, is shown here.\n",
            serving.listening
        ),
        WatchReply::Sample { text } => paint(Tone::Quiet, &format!("sample: {text}")) + "\n",
        WatchReply::Turn(turn) => turn_text(turn),
        WatchReply::NotShown { left_out } => {
            let text = format!("nobody read this for a while: {left_out} more happened here");
            paint(Tone::Warn, &text) + "\n"
        }
    });
}

fn turn_text(turn: &TurnReply) -> String {
    let time = turn.at.to_string();
    let clock = time.get(11..19).unwrap_or(&time);
    let mark = if turn.failed { paint(Tone::Bad, "failed") } else { paint(Tone::Good, "woke") };
    let mut lines = vec![format!("{clock}  {}  {mark}: {}", turn.name, why(&turn.reason))];
    lines.extend(turn.brief.lines().map(|line| format!("          {line}")));
    let mut did: Vec<String> = turn.did.iter().map(|verb| verb.replace('_', " ")).collect();
    if turn.reported {
        did.push("report updated".to_owned());
    }
    if !did.is_empty() {
        lines.push(format!("          changed: {}", did.join(", ")));
    }
    let warning = turn.warning.iter().map(|text| format!("          warning: {text}"));
    lines.extend(warning.map(|line| paint(Tone::Warn, &line)));
    lines.push(paint(Tone::Quiet, &format!("          {}", cost(turn))));
    lines.join("\n") + "\n"
}

fn why(reason: &str) -> &str {
    match reason {
        "subscription" => "something it tends changed",
        "timer" | "catch_up" => "its time came",
        "user_initiated" => "somebody spoke to it",
        "manual" => "it was asked to look",
        "job_result" => "work it waited for came to an end",
        "trigger" => "something outside happened",
        _ => "its first look, or a look of its own",
    }
}

fn cost(turn: &TurnReply) -> String {
    let calls = match turn.model_calls {
        1 => "1 call".to_owned(),
        calls => format!("{calls} calls"),
    };
    let price = match turn.cost_micros {
        0 => "no cost".to_owned(),
        micros => money(micros),
    };
    format!("{calls} of {}, {} tokens, {price}", turn.model, turn.tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_says_who_why_what_and_how_much() {
        let turn = TurnReply {
            at: "2026-11-16T09:30:05Z".parse().unwrap(),
            agent: "agent_a".to_owned(),
            name: "Plan a trip".to_owned(),
            run_key: "0".to_owned(),
            reason: "subscription".to_owned(),
            did: vec!["update_task_fields".to_owned()],
            reported: true,
            failed: false,
            brief: "One of four is done.".to_owned(),
            model: "builtin/scribe".to_owned(),
            model_calls: 2,
            tokens: 900,
            cost_micros: 0,
            warning: Some("81 % of the tokens of this day are spent".to_owned()),
        };
        let text = turn_text(&turn);
        for part in [
            "09:30:05  Plan a trip",
            "something it tends changed",
            "One of four is done.",
            "changed: update task fields, report updated",
            "warning: 81 % of the tokens of this day are spent",
            "2 calls of builtin/scribe, 900 tokens, no cost",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(cost(&TurnReply { cost_micros: 1_500, ..turn }).ends_with("0.0015"));
    }
}
