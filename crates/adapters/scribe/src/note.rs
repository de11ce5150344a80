//! The one private note of a wake: only if something happened that the notes do not say yet.

use crate::limits::{IDLE_DAYS, NOTE_BYTES_MAX};
use crate::plain::cut;
use crate::read::{Prompt, Task, day};
use crate::report::{conclude, tell};

/// What is worth remembering, if anything is.
pub(crate) fn note(task: &Task, prompt: &Prompt) -> Option<String> {
    let finished = tell(prompt).into_iter().filter_map(|told| told.finished);
    let mut facts: Vec<String> = finished.map(|title| format!("Finished: {title}.")).collect();
    facts.extend(conclude(task, prompt).into_iter().filter_map(|one| one.note));
    facts.extend(idle(task, prompt));
    // A summary of older notes may hold the same words.
    facts.retain(|fact| !prompt.notes.iter().any(|note| note.contains(fact.as_str())));
    (!facts.is_empty()).then(|| cut(&facts.join(" "), NOTE_BYTES_MAX))
}

/// The report is written whenever the picture changes, so its age is how long nothing did.
fn idle(task: &Task, prompt: &Prompt) -> Option<String> {
    if task.is_closed() || prompt.changed() {
        return None;
    }
    let written = prompt.report.as_ref()?.written_at.as_deref()?;
    let days = prompt.wake.days_since(written)?;
    let day = day(written)?;
    (days >= IDLE_DAYS).then(|| format!("Nothing changed since {day}."))
}
