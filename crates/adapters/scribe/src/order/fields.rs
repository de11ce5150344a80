//! Title, priority, due date, estimate and status.

use types::{Due, limits};

use super::Order;
use super::words::{after, after_any, bare, before_any, plain_words};

/// Reads an order about a field of the task.
pub(super) fn read(text: &str) -> Option<Order> {
    rename(text)
        .or_else(|| priority(text))
        .or_else(|| due(text))
        .or_else(|| estimate(text))
        .or_else(|| status(text))
}

/// Reads "status: blocked": a field with a value behind a colon is no question, though the same words
/// without it are one.
pub(super) fn given(text: &str) -> Option<Order> {
    const NAMES: &[&str] = &[
        "status", "state", "due", "due date", "deadline", "fällig", "frist", "estimate", "aufwand",
    ];
    let (name, value) = text.split_once(':')?;
    let named = NAMES.contains(&plain_words(name).join(" ").as_str());
    let asks = value.trim().is_empty() || value.trim_end().ends_with('?');
    if named && !asks { read(text) } else { None }
}

fn rename(text: &str) -> Option<Order> {
    const TITLE: &[&str] = &[
        "rename to",
        "rename it to",
        "rename this to",
        "rename the task to",
        "rename this task to",
        "rename task to",
        "set the title to",
        "set title to",
        "change the title to",
        "change title to",
        "call it",
        "title:",
        "umbenennen in",
        "benenne um in",
        "benenne die aufgabe um in",
        "nenne die aufgabe",
        "titel:",
    ];
    if let Some(rest) = after_any(text, TITLE) {
        return Some(match bare(rest) {
            "" => Order::Unclear("What shall the title be?".to_owned()),
            title => Order::Rename(title.to_owned()),
        });
    }
    let rest = after_any(text, &["rename", "reword"])?;
    let rest = after_any(rest, &["the item", "item"]).unwrap_or(rest);
    match rest.split_once(" to ").or_else(|| rest.split_once(" as ")) {
        Some((what, title)) if !bare(title).is_empty() => {
            Some(Order::Reword { what: bare(what).to_owned(), title: bare(title).to_owned() })
        }
        _ => Some(Order::Unclear("Say it as: rename to NEW TITLE.".to_owned())),
    }
}

/// What follows the name of a field, with the words around it taken away.
fn value<'a>(text: &'a str, names: &[&str]) -> Option<&'a str> {
    let text =
        after_any(text, &["set", "change", "move", "setze", "ändere", "make"]).unwrap_or(text);
    let text = after_any(text, &["the", "die", "den"]).unwrap_or(text);
    let text = after_any(text, names)?;
    let text = text.trim_start_matches([':', '=', ' ']);
    Some(after_any(text, &["to", "is", "auf", "by", "on", "am", "bis", "of", "at"]).unwrap_or(text))
}

fn priority(text: &str) -> Option<Order> {
    const LEVELS: &[(&str, &[&str])] = &[
        ("p0", &["p0", "urgent", "critical", "highest", "now", "dringend"]),
        ("p1", &["p1", "high", "hoch", "hohe"]),
        ("p2", &["p2", "medium", "normal", "mittel"]),
        ("p3", &["p3", "low", "lowest", "niedrig"]),
    ];
    let level = |word: &str| {
        LEVELS.iter().find(|(_, words)| words.contains(&word)).map(|(level, _)| *level)
    };
    let rest = value(text, &["priority", "prio", "priorität"]);
    // "high priority" and "make it urgent" say the same the other way round.
    let other = || before_any(text.trim_end_matches('.'), &["priority", "priorität"]);
    let made = || after_any(text, &["make it", "set it to", "it is"]).filter(|_| words(text) <= 5);
    let (rest, named) = match rest.or_else(other) {
        Some(rest) => (rest, true),
        None => (made()?, false),
    };
    let found: Vec<&str> = plain_words(rest).iter().filter_map(|word| level(word)).collect();
    match found.as_slice() {
        [one] => Some(Order::Priority(one)),
        _ if named && words(text) <= 6 => {
            Some(Order::Unclear("Which priority: p0, p1, p2 or p3?".to_owned()))
        }
        _ => None,
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn due(text: &str) -> Option<Order> {
    const NAMES: &[&str] = &["due date", "due", "deadline", "fälligkeit", "fällig", "frist"];
    const NONE: &[&str] = &[
        "no due date",
        "remove the due date",
        "remove due date",
        "clear the due date",
        "clear due date",
        "no deadline",
        "remove the deadline",
        "keine frist",
    ];
    if NONE.iter().any(|none| after(text.trim_end_matches('.'), none) == Some("")) {
        return Some(Order::Due(None));
    }
    let it = after_any(text, &["it is", "it's", "the task is", "es ist"]).unwrap_or(text);
    let rest = value(it, NAMES)?;
    let day = rest.split([' ', ',']).map(|word| word.trim_end_matches(['.', '!']));
    let day = day.into_iter().find_map(|word| word.parse::<Due>().ok());
    Some(match day {
        Some(due) => Order::Due(Some(due.to_string())),
        None => Order::Unclear(
            "I need the date as YYYY-MM-DD, such as 2026-12-01, perhaps with a time: \
             2026-12-01T09:00."
                .to_owned(),
        ),
    })
}

fn estimate(text: &str) -> Option<Order> {
    const NAMES: &[&str] = &["time estimate", "estimate", "schätzung", "aufwand"];
    const NONE: &[&str] = &["no estimate", "remove the estimate", "clear the estimate"];
    if NONE.iter().any(|none| after(text.trim_end_matches('.'), none) == Some("")) {
        return Some(Order::Estimate(None));
    }
    let rest = value(text, NAMES)?;
    let max = limits::ESTIMATE_MINUTES_MAX;
    Some(match spoken_minutes(rest) {
        Some(minutes) if minutes <= max => Order::Estimate(Some(minutes)),
        Some(_) => {
            Order::Unclear("That is more than a year; an estimate is at most that.".to_owned())
        }
        None => {
            Order::Unclear("I need the estimate as hours or minutes: 2h, or 90 min.".to_owned())
        }
    })
}

/// "2h", "1.5 hours", "1h30", "90 min", "1 h 30 min" in minutes.
fn spoken_minutes(text: &str) -> Option<u32> {
    let text = text.trim_end_matches('.').to_lowercase().replace(',', ".");
    let mut rest = text.trim();
    let mut tenths_of_minutes = 0_u64;
    let mut hours = false;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, behind) = rest.split_at(end);
        let behind = behind.trim_start();
        let end = behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len());
        let (unit, more) = behind.split_at(end);
        let factor = match unit {
            "h" | "hr" | "hrs" | "hour" | "hours" | "std" | "stunde" | "stunden" => 600,
            "m" | "min" | "mins" | "minute" | "minutes" | "minuten" => 10,
            // "1h30"
            "" if hours => 10,
            _ => return None,
        };
        hours = factor == 600;
        tenths_of_minutes =
            tenths_of_minutes.checked_add(tenths(number)?.checked_mul(factor)? / 10)?;
        rest = more.trim();
        rest = after_any(rest, &["and", "und"]).unwrap_or(rest);
    }
    let minutes = u32::try_from(tenths_of_minutes / 10).ok()?;
    (minutes > 0).then_some(minutes)
}

/// A number with at most one digit behind its point, ten times over: "1.5" is 15.
fn tenths(number: &str) -> Option<u64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    let part = part.parse::<u64>().ok().filter(|_| part.len() == 1)?;
    whole.parse::<u64>().ok()?.checked_mul(10)?.checked_add(part)
}

fn status(text: &str) -> Option<Order> {
    const STATES: &[(&str, &[&str])] = &[
        ("in_progress", &["in progress", "in arbeit", "started"]),
        ("on_hold", &["on hold", "paused", "pausiert"]),
        ("blocked", &["blocked", "blockiert"]),
        ("cancelled", &["cancelled", "canceled", "abgebrochen"]),
        ("done", &["done", "finished", "completed", "closed", "erledigt"]),
        ("open", &["open", "offen"]),
    ];
    let text = text.trim_end_matches(['.', '!']);
    let task =
        ["mark the task as", "mark this task as", "mark it as", "the task is", "this task is"];
    let rest = value(text, &["status", "state"]).or_else(|| after_any(text, &task))?;
    let known =
        STATES.iter().find(|(_, words)| words.iter().any(|word| after(rest, word) == Some("")));
    match known {
        Some((state, _)) => Some(Order::Status(state)),
        None if value(text, &["status", "state"]).is_some_and(|rest| !rest.is_empty()) => {
            let states = "open, in progress, blocked, on hold, done or cancelled";
            Some(Order::Unclear(format!("Which status: {states}?")))
        }
        None => None,
    }
}
