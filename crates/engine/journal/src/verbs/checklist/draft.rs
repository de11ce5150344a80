//! Items as arguments.

use serde::Deserialize;
use serde_json::{Value, json};
use types::limits;

use crate::verbs::schema;

/// An item to be made: what is to be done, or that and whether it is done already.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum ItemDraft {
    /// What is to be done.
    Title(String),
    /// That, and whether it is done.
    Item(ItemFields),
}

/// What an item is made from.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ItemFields {
    title: String,
    #[serde(default)]
    checked: bool,
}

impl ItemDraft {
    /// What is to be done, and whether it is.
    pub(super) fn parts(self) -> (String, bool) {
        let (title, checked) = match self {
            ItemDraft::Title(title) => (title, false),
            ItemDraft::Item(item) => (item.title, item.checked),
        };
        (title.trim().to_owned(), checked)
    }
}

/// The argument that holds items to be made.
pub(super) fn items() -> Value {
    let title = schema::line("What is to be done, in one line.", limits::TITLE_BYTES_MAX);
    let fields = [("title", title.clone()), ("checked", schema::flag("It is done already."))];
    let item = json!({ "anyOf": [title, schema::object(&fields, &["title"])] });
    schema::list(item, limits::CHECKLIST_ITEMS_MAX)
}

/// An argument that names items.
pub(super) fn item_ids(description: &str) -> Value {
    schema::list(schema::id("item", description), limits::CHECKLIST_ITEMS_MAX)
}
