//! A day at a glance.

use api_types::{
    BlockReply, Day, DayReply, JournalLook, PinReply, ProblemReply, Request, TaskReply,
};
use client::Client;

use crate::paint::{Tone, cut, paint, width};
use crate::screen::Screen;
use crate::table::padded;

use super::change::short;
use super::say;

/// How many due tasks, closed tasks and notes are shown: the rest is counted.
const SHOWN: usize = 7;

/// Columns of a title or a note: a day is read at a glance.
const COLUMNS: usize = 64;

/// Shows this day.
pub(crate) fn ask(client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let day: DayReply = client.ask(Request::Look(JournalLook::Day { day: "today".to_owned() }))?;
    screen.show(&day, today);
    Ok(())
}

/// One line of a section: a sign before it, what it says, and the id by which it is named.
struct Line {
    sign: char,
    text: String,
    id: String,
}

impl Line {
    fn plain(text: impl Into<String>) -> Line {
        Line { sign: ' ', text: text.into(), id: String::new() }
    }
}

/// The day as somebody wants it in the morning: what is planned, due, running and done.
fn today(day: &DayReply) -> String {
    let now = day.now.as_deref().map_or_else(String::new, |now| format!(", {now}"));
    let running = day.running.iter().map(|time| {
        let day = if time.day == day.day { String::new() } else { format!("{} ", time.day_name) };
        let since = format!("for {}, since {day}{}", say::minutes(time.minutes), time.from);
        let text = format!("{} {since}", cut(&time.title, COLUMNS));
        Line { id: short(&time.id).to_owned(), ..Line::plain(text) }
    });
    page(
        &format!("{}{now}", say::heading(day.day)),
        &[
            ("running", running.collect()),
            ("plan", blocks(day, false)),
            ("pinned", pins(day)),
            ("due", due(day)),
            ("done", closed(day)),
            ("time", time(day)),
            ("notes", notes(day)),
            ("rating", rating(day)),
            ("day", verdict(day)),
        ],
        "nothing is planned or due, and nothing was done yet; `dormouse task list` shows what is open",
    )
}

/// The plan of a day, with the ids of its blocks.
pub(crate) fn plan(day: &DayReply) -> String {
    page(
        &say::heading(day.day),
        &[
            ("plan", blocks(day, true)),
            ("pinned", pins(day)),
            ("due", due(day)),
            ("day", verdict(day)),
        ],
        "nothing is planned",
    )
}

/// A heading, and below it what there is, short things close together.
fn page(heading: &str, sections: &[(&str, Vec<Line>)], empty: &str) -> String {
    let mut text = paint(Tone::Strong, heading) + "\n";
    let mut after_long = true;
    for (label, lines) in sections.iter().filter(|(_, lines)| !lines.is_empty()) {
        let long = lines.len() > 1;
        if long || after_long {
            text.push('\n');
        }
        after_long = long;
        let widest = |line: &Line| if line.id.is_empty() { 0 } else { width(&line.text) };
        let widest = lines.iter().map(widest).max().unwrap_or(0);
        for (place, line) in lines.iter().enumerate() {
            let label = if place == 0 { label } else { "" };
            text += &painted(label, line, widest);
        }
    }
    if sections.iter().all(|(_, lines)| lines.is_empty()) {
        text += &format!("\n  {empty}\n");
    }
    text
}

/// A line under its label, the ids of a section below each other.
fn painted(label: &str, line: &Line, widest: usize) -> String {
    let sign = match line.sign {
        '!' => paint(Tone::Bad, "!"),
        '>' => paint(Tone::Good, ">"),
        other => other.to_string(),
    };
    let label = paint(Tone::Quiet, &format!("{label:<8}"));
    let begun = format!("  {label}{sign} {}", line.text);
    if line.id.is_empty() {
        return format!("{}\n", begun.trim_end());
    }
    let gap = " ".repeat(widest.saturating_sub(width(&line.text)) + 2);
    format!("{begun}{gap}{}\n", paint(Tone::Quiet, &line.id))
}

fn blocks(day: &DayReply, with_ids: bool) -> Vec<Line> {
    let wide = day.blocks.iter().map(|block| width(&block.category)).max().unwrap_or(0);
    let mut lines = Vec::new();
    for block in &day.blocks {
        let id = if with_ids { short(&block.id).to_owned() } else { String::new() };
        let (from, to) = (&block.from, &block.to);
        let (category, what) = (padded(&block.category, wide), cut(&purpose(block), COLUMNS));
        let text = format!("{from}-{to}  {category}  {what}");
        let sign = if block.current { '>' } else { ' ' };
        lines.push(Line { sign, text: text.trim_end().to_owned(), id });
        if let Some(free) = block.free_after {
            lines.push(Line::plain(format!("{:13}({} free)", "", say::minutes(free))));
        }
    }
    lines
}

/// What a block is for: its task, what was noted, or both.
pub(super) fn purpose(block: &BlockReply) -> String {
    match (block.note.as_str(), &block.title) {
        ("", Some(title)) => title.clone(),
        (note, Some(title)) => format!("{title}: {note}"),
        (note, None) => note.to_owned(),
    }
}

fn pins(day: &DayReply) -> Vec<Line> {
    let line = |pin: &PinReply| {
        let done = matches!(pin.status.as_str(), "done" | "cancelled" | "removed");
        let mark = if done { 'x' } else { ' ' };
        let due = pin.due.as_deref().filter(|_| !done).and_then(|due| say::due(due, day.day));
        let due = due.map_or_else(String::new, |due| format!(", due {due}"));
        let status = match pin.status.as_str() {
            "open" | "done" => String::new(),
            other => format!(", {}", other.replace('_', " ")),
        };
        let text = format!("[{mark}] {} ({}{status}{due})", cut(&pin.title, COLUMNS), pin.category);
        Line { id: short(&pin.task).to_owned(), ..Line::plain(text) }
    };
    day.pinned.iter().map(line).collect()
}

/// What is due, the longest due first; what is pinned was shown already.
fn due(day: &DayReply) -> Vec<Line> {
    let unpinned = |task: &&TaskReply| day.pinned.iter().all(|pin| pin.task != task.id);
    let late = day.overdue.iter().map(|task| (true, task));
    let tasks: Vec<(bool, &TaskReply)> = late
        .chain(day.due.iter().map(|task| (false, task)))
        .filter(|(_, task)| unpinned(task))
        .collect();
    let more = tasks.len() > SHOWN;
    let mut lines: Vec<Line> =
        tasks.iter().take(SHOWN).map(|(late, task)| due_line(day.day, *late, task)).collect();
    if more {
        let list = format!("dormouse task list --due-by {}", day.day);
        lines.push(Line::plain(format!("and more: `{list}`")));
    }
    lines
}

fn due_line(day: Day, late: bool, task: &TaskReply) -> Line {
    let when = task.due.as_deref().and_then(|due| say::due(due, day));
    let when = when.map_or_else(String::new, |when| format!(", {when}"));
    let text = format!("{} ({}{when})", cut(&task.title, COLUMNS), task.category);
    Line { sign: if late { '!' } else { ' ' }, text, id: short(&task.id).to_owned() }
}

fn closed(day: &DayReply) -> Vec<Line> {
    let titles: Vec<String> = day.closed.iter().map(|task| cut(&task.title, COLUMNS)).collect();
    let titles = titles.iter().map(String::as_str);
    let lines = (!day.closed.is_empty()).then(|| Line::plain(say::some(titles, SHOWN)));
    lines.into_iter().collect()
}

fn time(day: &DayReply) -> Vec<Line> {
    if day.time.entries.is_empty() {
        return vec![];
    }
    let each: Vec<String> = day
        .time
        .by_category
        .iter()
        .map(|spent| format!("{} {}", spent.name, say::minutes(spent.minutes)))
        .collect();
    vec![Line::plain(format!("{}: {}", say::minutes(day.time.minutes), each.join(", ")))]
}

fn notes(day: &DayReply) -> Vec<Line> {
    let rest = day.notes.len().saturating_sub(SHOWN);
    let newest = day.notes.iter().skip(rest);
    let mut lines: Vec<Line> = newest
        .map(|note| {
            let said = match note.line.as_str() {
                "" => format!("({})", note.kind),
                line => cut(line, COLUMNS),
            };
            let text = format!("{}  {said}", note.clock);
            Line { id: short(&note.id).to_owned(), ..Line::plain(text) }
        })
        .collect();
    if rest > 0 {
        lines.insert(0, Line::plain(format!("{rest} earlier")));
    }
    lines
}

fn rating(day: &DayReply) -> Vec<Line> {
    let line = |rating: &api_types::RatingReply| Line::plain(super::rate::score(rating));
    day.rating.iter().map(line).collect()
}

/// Whether it is closed, and what there is to say about it.
fn verdict(day: &DayReply) -> Vec<Line> {
    let closed = day.closed_at.map(|_| "closed");
    let said: Vec<&str> =
        closed.into_iter().chain([day.note.as_str()]).filter(|word| !word.is_empty()).collect();
    if said.is_empty() { vec![] } else { vec![Line::plain(said.join(": "))] }
}

#[cfg(test)]
#[path = "today_tests.rs"]
mod tests;
