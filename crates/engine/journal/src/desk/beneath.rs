//! What may come to rest on a record while nobody looks.

use types::{BodyType, RecordId, Token};

/// The tokens of all that may come to lie under a record, or be said of it: whoever lets go of the record does so only
/// if nothing has come meanwhile. Who bears a label has no token; there is a mark for that.
pub(crate) fn beneath(id: &RecordId) -> Vec<Token> {
    use BodyType::{Checklist, ChecklistItem, Entry, Rating, Task, TaskLabel, TimeEntry};
    let rated = (Rating, "target");
    let kinds: &[(BodyType, &str)] = match id.as_str().split_once('_').map(|(kind, _)| kind) {
        Some("category") => &[(Task, "category"), (Entry, "category")],
        Some("task") => &[
            (Checklist, "task"),
            (ChecklistItem, "task"),
            (Entry, "task"),
            (TimeEntry, "task"),
            rated,
        ],
        Some("checklist") => &[(ChecklistItem, "checklist")],
        Some("entry" | "time") => &[rated],
        _ => &[],
    };
    let of_kinds = kinds.iter().map(|(kind, name)| rules::token::of_property(*kind, name, id));
    // A label says only that it is one: there are few, and they seldom change.
    let labels = id.as_str().starts_with("category_").then(|| {
        Token::semantic(TaskLabel.semantic_key()).expect("semantic keys have no separator")
    });
    of_kinds.chain(labels).collect()
}
