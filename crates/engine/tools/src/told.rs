//! Where the words came from that an answer tells.

use std::collections::BTreeSet;

use serde_json::Value;
use store::StoreError;
use tool::Failure;
use types::{Label, RecordId, limits};

use crate::Executor;
use crate::bounded::is_cut;

impl Executor {
    /// Where the words came from of all records that an answer names; nothing, if they are the operator's alone.
    /// A tool that tells words of a record names it, so none has to say what it tells.
    /// Besides there are those whose words are in it all the same.
    pub(crate) async fn origin_of(
        &self,
        answer: &Value,
        besides: &BTreeSet<RecordId>,
    ) -> Result<Option<Label>, StoreError> {
        let mut named = besides.clone();
        names(answer, &mut named);
        self.origin_of_all(named).await
    }

    /// The same of an answer that was kept. Of one that had to be cut nobody knows any more whom it named.
    pub(crate) async fn origin_of_kept(&self, answer: &Value) -> Result<Option<Label>, StoreError> {
        match is_cut(answer) {
            true => Ok(Some(Label::untrusted())),
            false => self.origin_of(answer, &BTreeSet::new()).await,
        }
    }

    /// The same of a failure, which names records in the middle of its words.
    pub(crate) async fn origin_of_failure(
        &self,
        failure: &Failure,
    ) -> Result<Option<Label>, StoreError> {
        let mut named = BTreeSet::new();
        failure.details.iter().for_each(|details| names(details, &mut named));
        for text in [Some(&failure.message), failure.recovery_hint.as_ref()].into_iter().flatten() {
            named.extend(names_in(text));
        }
        self.origin_of_all(named).await
    }

    async fn origin_of_all(&self, named: BTreeSet<RecordId>) -> Result<Option<Label>, StoreError> {
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

/// The same in a text.
fn names_in(text: &str) -> impl Iterator<Item = RecordId> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || "_-".contains(c)));
    words.filter(|word| word.contains('_')).filter_map(|word| word.parse().ok())
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

    #[test]
    fn a_failure_names_records_in_the_middle_of_its_words() {
        let text = "\"Äpfel und mehr\" (task_a) comes before task_b: not `item_c`.";
        let found: Vec<RecordId> = names_in(text).collect();
        let found: Vec<&str> = found.iter().map(RecordId::as_str).collect();
        assert_eq!(found, ["task_a", "task_b", "item_c"]);
    }
}
