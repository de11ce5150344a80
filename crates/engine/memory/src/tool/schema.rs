//! What `update_report` takes and answers.

use serde_json::{Value, json};
use types::{ReportScope, limits};

pub(crate) fn input() -> Value {
    let percent = json!({ "type": "integer", "minimum": 0, "maximum": 100,
        "description": "How sure you are, in percent." });
    let source = json!({ "type": "string", "pattern": "^[a-z0-9_-]+$",
        "maxLength": limits::ID_BYTES_MAX });
    let claim = json!({
        "type": "object",
        "properties": {
            "text": { "type": "string", "minLength": 1, "maxLength": limits::NOTE_BYTES_MAX / 4,
                "description": "One thing that the report says." },
            "section": { "type": "string", "maxLength": limits::NAME_BYTES_MAX,
                "description": "The heading it stands under." },
            "sources": { "type": "array", "maxItems": limits::CLAIM_SOURCES_MAX, "items": source,
                "description": "Ids of the records it rests on." },
            "inferred": { "type": "boolean",
                "description": "You concluded it; no record says so." },
            "confidence": percent,
        },
        "required": ["text"],
        "additionalProperties": false,
    });
    let scopes = ReportScope::ALL.map(ReportScope::as_str);
    json!({
        "type": "object",
        "properties": {
            "content": { "type": "string", "minLength": 1, "maxLength": limits::REPORT_BYTES_MAX,
                "description": "The whole report, in Markdown. No private notes." },
            "scope": { "type": "string", "enum": scopes,
                "description": "The stretch of time it is about; current if absent." },
            "confidence": percent,
            "claims": { "type": "array", "maxItems": limits::CLAIMS_MAX, "items": claim },
        },
        "required": ["content", "claims"],
        "additionalProperties": false,
    })
}

pub(crate) fn output() -> Value {
    let changed = json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "type": "object",
        "properties": {
            "reportId": { "type": "string" },
            "scope": { "type": "string" },
            "claims": { "type": "integer" },
            "changed": changed,
        },
        "required": ["reportId", "scope", "claims", "changed"],
    })
}
