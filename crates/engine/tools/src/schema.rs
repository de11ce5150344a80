//! JSON Schemas, compiled once and asked often.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use policy::Complaint;
use serde_json::Value;
use tool::ID_END;
use types::limits;

use crate::bounded::cut;

/// A compiled schema.
pub(crate) struct Schema(Validator);

impl Schema {
    /// Compiles a schema. One that points elsewhere is refused: nothing is fetched.
    pub(crate) fn compile(schema: &Value) -> Result<Schema, String> {
        jsonschema::options()
            .offline()
            .should_validate_formats(true)
            .build(schema)
            .map(Schema)
            .map_err(|error| error.to_string())
    }

    /// Whether a value is one that the schema allows.
    pub(crate) fn allows(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// What is wrong with a value: the first few things, in words that do not repeat it.
    pub(crate) fn complaints(&self, value: &Value) -> Vec<Complaint> {
        if value.is_string() {
            // What a model sent and nobody could read is kept as the text that it is.
            let what = "they are no JSON object that can be read".to_owned();
            return vec![Complaint { field: None, what, is_uncertain: false }];
        }
        let errors = self.0.iter_errors(value).take(limits::TOOL_COMPLAINTS_MAX);
        errors.map(|error| complaint(&error)).collect()
    }
}

fn complaint(error: &ValidationError<'_>) -> Complaint {
    // What is missing or too much is what the complaint is about, not the thing around it.
    let inner = match error.kind() {
        ValidationErrorKind::Required { property } => property.as_str(),
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            unexpected.first().map(String::as_str)
        }
        _ => None,
    };
    let path = error.instance_path().to_string();
    let parts = path.split('/').skip(1).chain(inner);
    let field = parts.collect::<Vec<&str>>().join(".");
    let field = (!field.is_empty()).then(|| cut(&field, limits::NAME_BYTES_MAX));
    let what = match error.kind() {
        ValidationErrorKind::Required { .. } => "it is missing".to_owned(),
        ValidationErrorKind::AdditionalProperties { .. }
        | ValidationErrorKind::UnevaluatedProperties { .. } => "there is no such field".to_owned(),
        _ => cut(&error.masked().to_string(), limits::TOOL_MESSAGE_BYTES_MAX / 2),
    };
    let is_uncertain = matches!(
        error.kind(), ValidationErrorKind::Pattern { pattern } if pattern.ends_with(ID_END)
    );
    Complaint { field, what, is_uncertain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(value: &Value) -> Vec<(Option<String>, String)> {
        let schema = Schema::compile(&json!({
            "type": "object",
            "properties": {
                "title": { "type": "string", "maxLength": 5 },
                "day": { "type": "string", "format": "date" },
                "items": { "type": "array", "items": { "enum": ["a", "b"] } },
            },
            "required": ["title"],
            "additionalProperties": false,
        }));
        let complaints = schema.unwrap().complaints(value);
        complaints.into_iter().map(|complaint| (complaint.field, complaint.what)).collect()
    }

    #[test]
    fn a_complaint_names_the_field_and_never_repeats_what_it_held() {
        assert_eq!(told(&json!({ "title": "ferns", "items": ["a"], "day": "2026-11-15" })), []);
        let of = |value: &Value| told(value).remove(0);
        assert_eq!(of(&json!({})), (Some("title".to_owned()), "it is missing".to_owned()));
        let (field, what) = of(&json!({ "title": "t", "colour": 1 }));
        assert_eq!((field.unwrap().as_str(), what.as_str()), ("colour", "there is no such field"));
        let (field, what) = of(&json!({ "title": "a secret word" }));
        assert_eq!(field.unwrap(), "title");
        assert!(what.contains('5') && !what.contains("secret"), "{what}");
        assert_eq!(of(&json!({ "title": "t", "items": ["a", "c"] })).0.unwrap(), "items.1");
        assert_eq!(of(&json!({ "title": "t", "day": "tomorrow" })).0.unwrap(), "day");
        assert_eq!(of(&json!([])).0, None);
    }

    #[test]
    fn a_schema_that_points_elsewhere_is_refused() {
        let away = json!({ "$ref": "https://example.org/schema.json" });
        assert!(Schema::compile(&away).is_err());
        assert!(Schema::compile(&json!({ "type": "song" })).is_err());
    }
}
