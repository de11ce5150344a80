//! A tool's schema as a model is shown it.

use serde_json::Value;

/// What a model does not need to know to make a call: the gate knows it, and tells whoever goes beyond.
const LEFT_OUT: [&str; 5] = ["maxLength", "minLength", "maxItems", "minItems", "pattern"];

/// The schema without its bounds. They are words in every prompt of every turn, and hardly ever matter.
#[must_use]
pub fn slim(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(name, value)| {
                // A field of the arguments may bear such a name; then a schema stands behind it.
                !LEFT_OUT.contains(&name.as_str()) || value.is_object()
            });
            Value::Object(kept.map(|(name, value)| (name.clone(), slim(value))).collect())
        }
        Value::Array(values) => Value::Array(values.iter().map(slim).collect()),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn bounds_are_left_out_and_everything_else_stays() {
        let schema = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "title": { "type": "string", "maxLength": 9, "minLength": 1, "description": "what" },
                "pattern": { "type": "string", "pattern": "^a" },
                "items": { "type": "array", "maxItems": 3, "items": { "type": "string" } },
            },
            "required": ["title"],
        });
        let expected = json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "title": { "type": "string", "description": "what" },
                "pattern": { "type": "string" },
                "items": { "type": "array", "items": { "type": "string" } },
            },
            "required": ["title"],
        });
        assert_eq!(slim(&schema), expected);
    }
}
