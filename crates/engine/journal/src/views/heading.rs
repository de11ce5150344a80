//! What people call a record.

use std::collections::BTreeMap;

use types::{Body, Domain, RecordId};

use crate::{Error, Journal};

/// Characters of a heading that is cut from a longer text.
const CHARACTERS_MAX: usize = 60;

/// The title or name of a record; the beginning of its words if it has none.
pub(crate) fn heading(body: &Body) -> String {
    match body {
        Body::Task(task) => task.title.clone(),
        Body::Category(category) => category.name.clone(),
        Body::TaskLabel(label) => label.name.clone(),
        Body::Checklist(list) => list.title.clone(),
        Body::ChecklistItem(item) => item.title.clone(),
        Body::Entry(entry) => first_line(&entry.text, entry.kind.as_str()),
        Body::TimeEntry(time) => first_line(&time.description, "time"),
        Body::DayPlan(plan) => format!("plan of {}", plan.day),
        Body::Rating(rating) => format!("{} of 5", rating.score),
        other => other.kind().to_owned(),
    }
}

/// The first line that says anything, or else this.
fn first_line(text: &str, otherwise: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or(otherwise);
    match line.char_indices().nth(CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line.to_owned(),
    }
}

impl Journal {
    /// What people call these records, removed ones too.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn headings(&self, ids: Vec<RecordId>) -> Result<BTreeMap<RecordId, String>, Error> {
        let records = self.store.records_by_id(Domain::Journal, ids).await?;
        Ok(records.into_iter().map(|record| (record.id, heading(&record.body))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_note_is_called_by_its_first_words() {
        assert_eq!(first_line("\n  bought moss \nand more", "text"), "bought moss");
        assert_eq!(first_line(" \n", "audio"), "audio");
        let long = "ä".repeat(70);
        assert_eq!(first_line(&long, "text"), format!("{}…", "ä".repeat(60)));
    }
}
