//! The fields of what people author: a name that is not here would make an agent blind without a word.

use types::BodyType;

/// The fields of each kind, as change images name them.
const FIELDS: &[(BodyType, &[&str])] = &[
    (BodyType::Category, &["colour", "name"]),
    (
        BodyType::Task,
        &[
            "category_id",
            "closed_at",
            "due",
            "estimate_minutes",
            "labels",
            "language",
            "priority",
            "status",
            "title",
        ],
    ),
    (BodyType::TaskLabel, &["category_id", "colour", "name"]),
    (BodyType::Checklist, &["task_id", "title"]),
    (BodyType::ChecklistItem, &["checked", "checklist_id", "rank", "task_id", "title"]),
    (BodyType::Entry, &["at", "category_id", "day", "kind", "media", "task_id", "text"]),
    (
        BodyType::TimeEntry,
        &["day", "description", "ended_at", "source_entry_id", "started_at", "task_id"],
    ),
];

/// The fields of a kind that a template can name, by its semantic key.
pub(super) fn of(semantic_key: &str) -> Option<&'static [&'static str]> {
    let found = FIELDS.iter().find(|(kind, _)| kind.semantic_key() == semantic_key);
    found.map(|(_, fields)| *fields)
}

/// The kinds that a template can name.
pub(super) fn kinds() -> String {
    let keys: Vec<&str> = FIELDS.iter().map(|(kind, _)| kind.semantic_key()).collect();
    keys.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{
        At, Body, Category, Checklist, ChecklistItem, Entry, EntryKind, Media, Task, TaskLabel,
        TimeEntry,
    };

    /// One record of each kind in which every field is set.
    fn full() -> Vec<Body> {
        let (category, task) = ("category_a".parse().unwrap(), "task_a".parse().unwrap());
        let (at, day) = (At::from_millis(5), "2026-11-15".parse().unwrap());
        let colour = Some("#2f7d4f".to_owned());
        let media = Some(Media { uri: "a.ogg".to_owned(), media_type: None });
        vec![
            Category { name: "home".to_owned(), colour: colour.clone() }.into(),
            Task {
                estimate_minutes: Some(5),
                due: Some("2026-11-15T09:00".parse().unwrap()),
                language: Some("de".to_owned()),
                labels: ["label_a".parse().unwrap()].into(),
                closed_at: Some(at),
                ..Task::new("ferns", category)
            }
            .into(),
            TaskLabel { name: "g".to_owned(), colour, category_id: "category_a".parse().ok() }
                .into(),
            Checklist { task_id: task, title: "list".to_owned() }.into(),
            ChecklistItem {
                checklist_id: "checklist_a".parse().unwrap(),
                task_id: "task_a".parse().unwrap(),
                title: "item".to_owned(),
                checked: true,
                rank: "m".to_owned(),
            }
            .into(),
            Entry {
                kind: EntryKind::Audio,
                text: "words".to_owned(),
                media,
                category_id: "category_a".parse().unwrap(),
                task_id: "task_a".parse().ok(),
                at,
                day,
            }
            .into(),
            TimeEntry {
                task_id: "task_a".parse().unwrap(),
                started_at: At::EPOCH,
                ended_at: Some(at),
                day,
                description: "dug".to_owned(),
                source_entry_id: "entry_a".parse().ok(),
            }
            .into(),
        ]
    }

    #[test]
    fn the_table_names_exactly_the_fields_that_records_have() {
        let bodies = full();
        assert_eq!(bodies.len(), FIELDS.len());
        for (body, (kind, fields)) in bodies.iter().zip(FIELDS) {
            assert_eq!(body.body_type(), Some(*kind));
            let encoded: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(&body.encode()).unwrap();
            let mut names: Vec<&str> = encoded.keys().map(String::as_str).collect();
            names.sort_unstable();
            assert_eq!(names, *fields, "{kind:?}");
        }
    }
}
