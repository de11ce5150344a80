//! The schemas of tools as a provider is told them.
//!
//! | emission | objects | fields that may be left out |
//! |---|---|---|
//! | relaxed | take nothing unknown | may be left out |
//! | strict | take nothing unknown | are required, and may be null |

use std::borrow::Cow;

use serde_json::{Map, Value, json};

/// How closely a provider holds a model to a schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Emission {
    /// As it is: what may be left out may be left out. The executor checks the arguments in any case.
    #[default]
    Relaxed,
    /// In the form that providers need who promise to keep to it.
    Strict,
}

impl Emission {
    /// A schema in this form. One that has it already is not made anew.
    #[must_use]
    pub fn of(self, schema: &Value) -> Cow<'_, Value> {
        match self {
            Emission::Relaxed if is_closed(schema) => Cow::Borrowed(schema),
            Emission::Relaxed | Emission::Strict => Cow::Owned(self.emitted(schema)),
        }
    }

    /// Whether a provider is told that it has to keep to it.
    #[must_use]
    pub const fn is_strict(self) -> bool {
        matches!(self, Emission::Strict)
    }

    fn emitted(self, schema: &Value) -> Value {
        match schema {
            Value::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.clone(), self.emitted(value)));
                Value::Object(self.closed(fields.collect()))
            }
            Value::Array(values) => values.iter().map(|value| self.emitted(value)).collect(),
            other => other.clone(),
        }
    }

    fn closed(self, mut schema: Map<String, Value>) -> Map<String, Value> {
        if !is_object(&schema) {
            return schema;
        }
        schema.insert("additionalProperties".to_owned(), Value::Bool(false));
        if self == Emission::Relaxed {
            return schema;
        }
        let required: Vec<Value> =
            schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else {
            return schema;
        };
        for (name, property) in properties.iter_mut() {
            if !required.iter().any(|one| one == name) {
                *property = nullable(property.take());
            }
        }
        let all: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
        schema.insert("required".to_owned(), Value::Array(all));
        schema
    }
}

/// Whether it is the schema of an object whose fields are named.
fn is_object(schema: &Map<String, Value>) -> bool {
    // A field of an object may be called `properties` too; then no type stands beside it.
    schema.get("type").is_some_and(|kind| kind == "object")
        && schema.get("properties").is_some_and(Value::is_object)
}

fn is_closed(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            let here =
                !is_object(fields) || fields.get("additionalProperties") == Some(&json!(false));
            here && fields.values().all(is_closed)
        }
        Value::Array(values) => values.iter().all(is_closed),
        _ => true,
    }
}

/// The same, or null.
fn nullable(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else { return schema };
    let nothing = Value::from("null");
    if let Some(Value::Array(words)) = fields.get_mut("enum")
        && !words.contains(&Value::Null)
    {
        words.push(Value::Null);
    }
    if let Some(Value::Array(either)) = fields.get_mut("anyOf") {
        let is_null = |one: &Value| one.get("type") == Some(&nothing);
        if !either.iter().any(is_null) {
            either.push(json!({ "type": "null" }));
        }
        return Value::Object(fields);
    }
    match fields.get_mut("type") {
        Some(Value::Array(types)) if !types.contains(&nothing) => types.push(nothing),
        Some(Value::Array(_)) | None => {}
        Some(kind) if *kind == nothing => {}
        Some(kind) => *kind = Value::Array(vec![kind.take(), nothing]),
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source() -> Value {
        json!({
            "type": "object",
            "properties": {
                "taskId": { "type": "string", "description": "Which." },
                "priority": { "type": "string", "enum": ["P0", "P1"] },
                "due": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                "items": { "type": "array", "items": {
                    "type": "object",
                    "properties": { "title": { "type": "string" }, "done": { "type": "boolean" } },
                    "required": ["title"],
                } },
                "properties": { "type": "object", "properties": { "type": { "type": "string" } } },
            },
            "required": ["taskId"],
        })
    }

    #[test]
    fn relaxed_takes_nothing_unknown_and_lets_everything_else_be() {
        let emitted = Emission::Relaxed.of(&source()).into_owned();
        let mut expected = source();
        expected["additionalProperties"] = json!(false);
        expected["properties"]["items"]["items"]["additionalProperties"] = json!(false);
        expected["properties"]["properties"]["additionalProperties"] = json!(false);
        assert_eq!(emitted, expected);
        assert!(matches!(Emission::Relaxed.of(&emitted), Cow::Borrowed(_)), "it has the form");
        assert!(!Emission::default().is_strict());
    }

    #[test]
    fn strict_requires_every_field_at_any_depth_and_what_could_be_left_out_may_be_null() {
        let expected = json!({
            "type": "object",
            "properties": {
                "taskId": { "type": "string", "description": "Which." },
                "priority": { "type": ["string", "null"], "enum": ["P0", "P1", null] },
                "due": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                "items": { "type": ["array", "null"], "items": {
                    "type": "object",
                    "properties": {
                        "title": { "type": "string" },
                        "done": { "type": ["boolean", "null"] },
                    },
                    "required": ["done", "title"],
                    "additionalProperties": false,
                } },
                "properties": {
                    "type": ["object", "null"],
                    "properties": { "type": { "type": ["string", "null"] } },
                    "required": ["type"],
                    "additionalProperties": false,
                },
            },
            "required": ["due", "items", "priority", "properties", "taskId"],
            "additionalProperties": false,
        });
        let emitted = Emission::Strict.of(&source()).into_owned();
        assert_eq!(emitted, expected);
        assert_eq!(*Emission::Strict.of(&emitted), expected, "the same again is the same");
    }
}
