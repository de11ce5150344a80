//! A summary without a model: the first sentence of everything, as long as there is room.

use super::Plan;
use crate::cut::{end_within, written};

/// Who made a summary, in which version. Another version makes other words, so it is part of the
/// summary's id.
pub const EXTRACTOR: &str = "extract 2";

/// Bytes of a line.
const LINE_BYTES: usize = 200;

/// Bytes to which the oldest lines are shortened before any is dropped.
const SHORT_BYTES: usize = 80;

/// The first line of a summary from which older ones were dropped.
const DROPPED: &str = "…";

/// Makes the summary that a plan asks for: the lines of the summary before it, then the first sentence of
/// each message. If that is too much, the oldest lines are shortened first and then dropped; neither the
/// past nor what is new takes more than half of the room from the other.
#[must_use]
pub fn extract(plan: &Plan) -> String {
    let room = plan.max_bytes.saturating_sub(size(&[DROPPED.to_owned()]));
    let lines = || plan.earlier.iter().flat_map(|text| text.lines()).map(str::trim);
    let old: Vec<String> =
        lines().filter(|line| !line.is_empty() && *line != DROPPED).map(shorten).collect();
    let fresh: Vec<String> =
        plan.covered.iter().map(|text| sentence(text)).filter(|line| !line.is_empty()).collect();
    let count = old.len() + fresh.len();

    let old = fit(old, room - size(&fresh).min(room / 2));
    let fresh = fit(fresh, room - size(&old));
    let dropped = old.len() + fresh.len() < count || lines().any(|line| line == DROPPED);
    let first = dropped.then(|| DROPPED.to_owned());
    let all: Vec<String> = first.into_iter().chain(old).chain(fresh).collect();
    all.join("\n")
}

/// A sentence has so many bytes at least: what ends sooner is more likely an abbreviation, or says too little.
const SENTENCE_BYTES_MIN: usize = 24;

/// The first sentence of a text, on one line.
fn sentence(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = text.char_indices().find_map(|(at, c)| {
        let next = at + c.len_utf8();
        let over = match c {
            '.' | '!' | '?' => text[next..].starts_with(' '),
            '。' | '！' | '？' => true,
            _ => false,
        };
        (over && next >= SENTENCE_BYTES_MIN).then_some(next)
    });
    let line = shorten(&text[..end.unwrap_or(text.len())]);
    // A message that is only this mark must not be taken for one.
    if line.is_empty() { line } else { format!("- {line}") }
}

fn shorten(line: &str) -> String {
    within(line, LINE_BYTES)
}

/// The beginning of a line that takes so many bytes, with a mark if there was more.
fn within(line: &str, max: usize) -> String {
    if written(line) <= max {
        return line.to_owned();
    }
    format!("{}…", line[..end_within(line, max.saturating_sub('…'.len_utf8()))].trim_end())
}

/// Bytes of lines as they are written, with their ends.
fn size(lines: &[String]) -> usize {
    lines.iter().map(|line| written(line) + 2).sum()
}

/// Shortens and then drops the oldest lines until they fit.
fn fit(mut lines: Vec<String>, room: usize) -> Vec<String> {
    let mut used = size(&lines);
    for line in &mut lines {
        if used <= room {
            break;
        }
        let short = within(line, SHORT_BYTES);
        used -= written(line) - written(&short);
        *line = short;
    }
    let mut dropped = 0;
    while used > room {
        used -= written(&lines[dropped]) + 2;
        dropped += 1;
    }
    lines.split_off(dropped)
}
