//! Reading todo.txt.

use types::{At, Day, Entry, EntryId, EntryKind, Task, TaskId, TaskPriority, TaskStatus};

use crate::Error;
use crate::exchange::archive::Piece;
use crate::exchange::intake::{Here, Intake, Place, Reading};
use crate::exchange::title::title;

use super::line::{Line, parse};

/// Reads a task a line. Its name comes from the line, so the same line again is the same task, and two
/// equal lines of a file are two.
pub(crate) fn read(text: &str, here: &Here) -> Result<Reading, Error> {
    let mut intake = Intake::new(here);
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        take(&mut intake, Place::Line(number + 1), line.trim())?;
    }
    Ok(intake.finish(false))
}

fn take(intake: &mut Intake<'_>, place: Place, text: &str) -> Result<(), Error> {
    let line: Line = parse(text);
    let usual = intake.here.usual_category().to_owned();
    let category_id = intake.category(place, &usual)?;
    let id = TaskId::from_digest(&intake.named(["todo.txt", text]));
    let (title, whole) = title(&line.title);
    let mut task = Task {
        status: if line.done { TaskStatus::Done } else { TaskStatus::Open },
        priority: match line.priority {
            Some('A') => TaskPriority::P0,
            Some('B') => TaskPriority::P1,
            None | Some('C') => TaskPriority::P2,
            Some(_) => TaskPriority::P3,
        },
        due: line.due,
        closed_at: line.completed.map(noon),
        ..Task::new(title, category_id.clone())
    };
    for tag in &line.tags {
        task.labels.insert(intake.label(place, tag)?);
    }
    let created_at = line.created.map_or(intake.here.now(), noon);
    intake.add(place, Piece { id: (&id).into(), created_at, body: task.into() })?;
    if whole {
        return Ok(());
    }
    // A line that is too long for a title is kept beside it.
    let note = EntryId::from_digest(&intake.named(["todo.txt note", text]));
    intake.timeless(&(&note).into());
    let at = intake.here.now();
    let entry = Entry {
        kind: EntryKind::Text,
        text: text.to_owned(),
        media: None,
        category_id,
        task_id: Some(id),
        day: rules::day::of(at, &intake.here.zone),
        at,
    };
    intake.make(place, note, entry)
}

/// The middle of a day.
fn noon(day: Day) -> At {
    format!("{day}T12:00:00Z").parse().unwrap_or(At::EPOCH)
}
