//! Shorthand for the JSON Schemas of arguments and answers.

use serde_json::{Map, Value, json};
use tool::ID_END;

/// An object with these properties, and no others.
pub(crate) fn object(properties: &[(&str, Value)], required: &[&str]) -> Value {
    let properties: Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// A line of text.
pub(crate) fn line(description: &str, bytes_max: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": bytes_max, "description": description })
}

/// The id of a record of a kind, written out.
pub(crate) fn id(prefix: &str, description: &str) -> Value {
    let pattern = format!("^{prefix}{ID_END}");
    json!({ "type": "string", "pattern": pattern, "maxLength": 96, "description": description })
}

/// One of several words.
pub(crate) fn word(words: &[&str], description: &str) -> Value {
    json!({ "type": "string", "enum": words, "description": description })
}

/// Yes or no.
pub(crate) fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

/// A whole number within bounds.
pub(crate) fn number(min: u32, max: u32, description: &str) -> Value {
    json!({ "type": "integer", "minimum": min, "maximum": max, "description": description })
}

/// A day of the calendar.
pub(crate) fn day(description: &str) -> Value {
    let pattern = r"^\d{4}-\d{2}-\d{2}$";
    json!({ "type": "string", "pattern": pattern, "description": description })
}

/// A day, or a day with a time by the clock on the wall.
pub(crate) fn due(description: &str) -> Value {
    let pattern = r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2})?$";
    json!({ "type": "string", "pattern": pattern, "description": description })
}

/// An instant with its offset from UTC.
pub(crate) fn instant(description: &str) -> Value {
    let pattern = r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$";
    json!({ "type": "string", "pattern": pattern, "description": description })
}

/// A list of at least one.
pub(crate) fn list(items: Value, max: usize) -> Value {
    let mut schema = json!({ "type": "array", "minItems": 1, "maxItems": max });
    schema["items"] = items;
    schema
}

/// The same, or nothing: to take a value away.
pub(crate) fn or_null(schema: Value) -> Value {
    let mut either = json!({ "anyOf": [null, { "type": "null" }] });
    either["anyOf"][0] = schema;
    either
}
