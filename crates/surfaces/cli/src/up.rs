//! What somebody sees who watches a home: one paragraph for each turn, a line for each look without one, and who
//! rests now.

use api_types::{LifeReply, LookReply, TurnReply, WatchReply};

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
        WatchReply::Look(look) => look_text(look),
        WatchReply::Life(life) => life_text(life),
        WatchReply::NotShown { left_out } => {
            let text = format!("nobody read this for a while: {left_out} more happened here");
            paint(Tone::Warn, &text) + "\n"
        }
    });
}

fn turn_text(turn: &TurnReply) -> String {
    let mark = if turn.failed { paint(Tone::Bad, "failed") } else { paint(Tone::Good, "woke") };
    let (time, name) = (clock(&turn.at.to_string()), &turn.name);
    let mut lines = vec![format!("{time}  {name}  {mark}: {}", why(&turn.reason))];
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

/// One line: it cost nothing, and nobody was asked.
fn look_text(look: &LookReply) -> String {
    let LookReply { at, name, reason, rule, changes_seen, .. } = look;
    let found = match (rule.as_str(), changes_seen) {
        ("task_missing", _) => "the task it tends is gone".to_owned(),
        ("task_out_of_sight", _) => "its task is where it may not look".to_owned(),
        ("only_reports", _) => "nothing to decide: it was only told something".to_owned(),
        (_, 0) => "nothing to decide: nothing has changed for it".to_owned(),
        (_, 1) => "nothing to decide: 1 change seen".to_owned(),
        (_, many) => format!("nothing to decide: {many} changes seen"),
    };
    let time = clock(&at.to_string());
    paint(Tone::Quiet, &format!("{time}  {name}  looked: {}; {found}", why(reason))) + "\n"
}

fn life_text(life: &LifeReply) -> String {
    let stands = match life.lifecycle.as_str() {
        "dormant" => paint(Tone::Bad, "is dormant now"),
        "active" => paint(Tone::Good, "is active again"),
        "destroyed" => "was destroyed".to_owned(),
        other => format!("is {other} now"),
    };
    let why = life.why.iter().map(|why| format!(": {}", why.replace('\n', " ")));
    let (time, why) = (clock(&life.at.to_string()), why.collect::<String>());
    let mut lines = vec![format!("{time}  {}  {stands}{why}", life.name)];
    lines.extend(life.hint.iter().map(|hint| format!("          to let it go on, {hint}")));
    lines.join("\n") + "\n"
}

/// The time of day.
fn clock(at: &str) -> String {
    at.get(11..19).unwrap_or(at).to_owned()
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

    #[test]
    fn a_look_without_a_turn_is_one_line() {
        let look = |rule: &str, changes_seen: u64| {
            look_text(&LookReply {
                at: "2026-11-16T09:30:05Z".parse().unwrap(),
                agent: "agent_a".to_owned(),
                name: "Plan a trip".to_owned(),
                run_key: "0".to_owned(),
                reason: "subscription".to_owned(),
                rule: rule.to_owned(),
                changes_seen,
            })
        };
        for (rule, changes, found) in [
            ("nothing_relevant", 1, "nothing to decide: 1 change seen"),
            ("nothing_relevant", 3, "nothing to decide: 3 changes seen"),
            ("nothing_changed", 0, "nothing to decide: nothing has changed for it"),
            ("only_reports", 0, "nothing to decide: it was only told something"),
            ("task_out_of_sight", 1, "its task is where it may not look"),
            ("task_missing", 1, "the task it tends is gone"),
        ] {
            let line = look(rule, changes);
            let begins = "09:30:05  Plan a trip  looked: something it tends changed; ";
            assert!(line.contains(begins) && line.contains(found), "{line}");
            assert_eq!(line.lines().count(), 1, "{line}");
        }
    }

    #[test]
    fn who_rests_is_told_with_the_cause_and_the_way_back() {
        let dormant = LifeReply {
            at: "2026-11-16T09:30:05Z".parse().unwrap(),
            agent: "agent_a".to_owned(),
            name: "Plan a trip".to_owned(),
            lifecycle: "dormant".to_owned(),
            cause: Some("failures".to_owned()),
            why: Some("it failed 8 times in a row".to_owned()),
            hint: Some("mend it, then resume it: `dormouse agent resume agent_a`".to_owned()),
        };
        let text = life_text(&dormant);
        for part in [
            "09:30:05  Plan a trip",
            "is dormant now",
            ": it failed 8 times in a row\n",
            "to let it go on, mend it, then resume it: `dormouse agent resume agent_a`",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let active = LifeReply {
            lifecycle: "active".to_owned(),
            cause: None,
            why: None,
            hint: None,
            ..dormant
        };
        let text = life_text(&active);
        assert!(text.contains("is active again") && text.lines().count() == 1, "{text}");
    }
}
