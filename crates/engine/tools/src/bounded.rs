//! Keeping what is said within its limits.

use serde_json::{Value, json};
use types::limits;

/// A value, or, if its text has more bytes than allowed, its beginning and its hash.
pub(crate) fn bounded(value: &Value, bytes_max: usize) -> Value {
    let text = value.to_string();
    if text.len() <= bytes_max {
        return value.clone();
    }
    json!({
        "preview": cut(&text, limits::TOOL_PREVIEW_BYTES_MAX),
        "digest": rules::hash::bytes(text.as_bytes()),
        "bytes": text.len(),
    })
}

/// Whether there was more of it.
pub(crate) fn is_cut(value: &Value) -> bool {
    ["preview", "digest", "bytes"].iter().all(|field| value.get(field).is_some())
}

/// The same, except that as much of the beginning is kept as fits.
pub(crate) fn fitted(value: &Value, bytes_max: usize) -> Value {
    let text = value.to_string();
    if text.len() <= bytes_max {
        return value.clone();
    }
    let digest = rules::hash::bytes(text.as_bytes());
    let with = |preview: &str| json!({ "preview": preview, "digest": digest, "bytes": text.len() });
    let mut room = bytes_max;
    for _ in 0..TRIES {
        let written = with(cut(&text, room).as_str()).to_string().len();
        if written <= bytes_max {
            break;
        }
        // Quotes inside of a text are written with a mark before them, and the hash needs its place: how
        // much is known once it is written.
        room = room * bytes_max / written;
    }
    with(&cut(&text, room))
}

/// How often a preview is made shorter until it fits.
const TRIES: u32 = 8;

/// A text, or its beginning with a mark that there was more.
pub(crate) fn cut(text: &str, bytes_max: usize) -> String {
    const MORE: &str = "…";
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(bytes_max.saturating_sub(MORE.len()));
    format!("{}{MORE}", &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_becomes_its_beginning_and_its_hash() {
        let long = json!({ "text": "ü".repeat(3_000) });
        assert_eq!(bounded(&long, 10_000), long);
        let short = bounded(&long, 5_000);
        assert!(short["preview"].as_str().unwrap().starts_with(r#"{"text":"üü"#));
        assert!(short["preview"].as_str().unwrap().len() <= limits::TOOL_PREVIEW_BYTES_MAX);
        assert_eq!(short["digest"].as_str().unwrap().len(), 64);
        assert_eq!(short["bytes"], long.to_string().len());
        assert_eq!(bounded(&long, 5_000), short, "the same again is the same");
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("äöü", 6), "äöü");
        assert_eq!(cut("äöüß", 7), "äö…");
        assert_eq!(cut("abc", 0), "…");
    }
}
