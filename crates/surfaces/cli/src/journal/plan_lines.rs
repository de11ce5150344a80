//! Lines of a plan: as people write them, and as they are shown before they count.

use std::collections::BTreeMap;

use api_types::{CategoryReply, DayReply};
use serde_json::{Value, json};

use crate::paint::cut;

use super::change::short;
use super::today::purpose;

/// Columns of a line that is shown as one that cannot be read.
const LINE_MAX: usize = 60;

/// From when to when: `9:00-11:00`, `9-11`, `2pm - 4pm`. Only from when is fine too.
pub(super) fn span(text: &str) -> (String, Option<String>) {
    match text.split_once(['-', '–']) {
        Some((from, to)) => (hour(from), Some(end(to))),
        None => (hour(text), None),
    }
}

/// A bare hour is a whole one: on a plan, 9 is nine o'clock.
fn hour(text: &str) -> String {
    let text = text.trim();
    let bare = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    if bare { format!("{text}:00") } else { text.to_owned() }
}

/// What ends at midnight ends at the midnight after it.
fn end(text: &str) -> String {
    match hour(text).as_str() {
        "0:00" | "00:00" | "midnight" => "24:00".to_owned(),
        other => other.to_owned(),
    }
}

/// The blocks that lines describe, each with its times, its category and what it is for. Empty lines
/// and those that start with `#` do not count.
pub(super) fn drafts(text: &str) -> Result<Vec<Value>, String> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(draft).collect()
}

fn draft(line: &str) -> Result<Value, String> {
    let mut words = line.splitn(3, char::is_whitespace);
    let (times, category) = (words.next().unwrap_or_default(), words.next());
    match (span(times), category) {
        ((from, Some(to)), Some(category)) => Ok(json!({
            "startTime": from,
            "endTime": to,
            "categoryId": category,
            "note": words.next().unwrap_or_default().trim(),
        })),
        _ => Err(format!("{:?}", cut(line, LINE_MAX))),
    }
}

/// What planning anew would do. Blocks that stay are called as they are now.
pub(super) fn preview(answer: &Value, categories: Vec<CategoryReply>, now: &DayReply) -> String {
    let purposes: BTreeMap<&str, String> =
        now.blocks.iter().map(|block| (block.id.as_str(), purpose(block))).collect();
    let names: BTreeMap<String, String> =
        categories.into_iter().map(|category| (category.id, category.name)).collect();
    let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
    let removed = list("removed");
    let removed: Vec<&str> = removed.iter().filter_map(Value::as_str).map(short).collect();
    let mut text = match removed.is_empty() {
        true => "would remove nothing, and leave\n".to_owned(),
        false => format!("would remove {}, and leave\n", removed.join(", ")),
    };
    for block in list("blocks") {
        let word = |name: &str| block[name].as_str().unwrap_or_default();
        let clock = |name: &str| word(name).get(11..16).unwrap_or_default();
        let category = names.get(word("categoryId")).map_or("", String::as_str);
        let what = purposes.get(word("id")).map_or(word("note"), String::as_str);
        let (from, to) = (clock("startTime"), end(clock("endTime")));
        text += format!("  {from}-{to}  {category}  {what}").trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_read_as_people_write_one() {
        let pair = |from: &str, to: &str| (from.to_owned(), Some(to.to_owned()));
        assert_eq!(span("9:00-11:00"), pair("9:00", "11:00"));
        assert_eq!(span("9-11"), pair("9:00", "11:00"));
        assert_eq!(span("2pm – 4pm"), pair("2pm", "4pm"));
        assert_eq!(span("22:00-0:00"), pair("22:00", "24:00"));
        assert_eq!(span("22-24"), pair("22:00", "24:00"));
        assert_eq!(span("10:30"), ("10:30".to_owned(), None));
    }

    #[test]
    fn lines_become_blocks_and_a_line_that_lacks_something_is_named() {
        let found = drafts("# morning\n\n9-10 work Mail and calls\n10:00-11:00 home\n").unwrap();
        let first = json!({
            "startTime": "9:00", "endTime": "10:00", "categoryId": "work", "note": "Mail and calls"
        });
        assert_eq!((found.len(), &found[0], &found[1]["note"]), (2, &first, &json!("")));
        assert_eq!(drafts("9:00 work"), Err("\"9:00 work\"".to_owned()));
        assert_eq!(drafts("9:00-10:00"), Err("\"9:00-10:00\"".to_owned()));
    }
}
