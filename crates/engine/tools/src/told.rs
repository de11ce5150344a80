//! Where the words came from that an answer tells.

use std::collections::BTreeSet;

use serde_json::Value;
use store::StoreError;
use types::{Label, RecordId, limits};

use crate::Executor;

impl Executor {
    /// Where the words came from of all records that an answer names; nothing, if they are the operator's alone.
    /// A tool that tells words of a record names it, so none has to say what it tells.
    pub(crate) async fn origin_of(&self, answer: &Value) -> Result<Option<Label>, StoreError> {
        let mut named = BTreeSet::new();
        names(answer, &mut named);
        let (named, mut found) = (Vec::from_iter(named), Vec::new());
        for page in named.chunks(limits::ROWS_PER_READ_MAX) {
            found.extend(self.store.origins(page.to_vec()).await?.into_values());
        }
        Ok(Label::of_all(&found))
    }
}

/// Every text that may be the id of a record. A word that is none finds nothing.
fn names(value: &Value, found: &mut BTreeSet<RecordId>) {
    match value {
        Value::String(text) if text.contains('_') => found.extend(text.parse::<RecordId>().ok()),
        Value::Array(values) => values.iter().for_each(|value| names(value, found)),
        Value::Object(fields) => {
            for (field, value) in fields {
                found.extend(field.contains('_').then(|| field.parse().ok()).flatten());
                names(value, found);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn records_are_found_wherever_an_answer_names_them() {
        let mut found = BTreeSet::new();
        let answer = json!({
            "tasks": [{ "id": "task_a", "title": "Wörter sind keine", "n": 1 }],
            "of": { "task_b": { "item_c": true } },
            "status": "open",
        });
        names(&answer, &mut found);
        let found: Vec<&str> = found.iter().map(RecordId::as_str).collect();
        assert_eq!(found, ["item_c", "task_a", "task_b"]);
    }
}
