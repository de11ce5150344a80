//! Fields of JSON that somebody else made.

use std::str::FromStr;

use serde_json::{Deserializer, Value};

use crate::limits::LINE_BYTES_MAX;
use crate::plain::line;

/// The one JSON value behind the heading of a part.
pub(super) fn body(text: &str) -> Option<Value> {
    let start = text.trim_start();
    let json = match start.starts_with(['{', '[']) {
        true => start,
        false => start.split_once('\n')?.1,
    };
    Deserializer::from_str(json).into_iter().next()?.ok()
}

/// A text that says something.
pub(super) fn text(value: &Value, name: &str) -> Option<String> {
    let text = value.get(name)?.as_str()?;
    (!text.trim().is_empty()).then(|| text.to_owned())
}

/// A short word of a record, such as its status: one line wherever it is shown.
pub(super) fn word(value: &Value, name: &str) -> Option<String> {
    text(value, name).map(|text| line(&text, LINE_BYTES_MAX))
}

/// A text that names or dates something.
pub(super) fn parsed<T: FromStr>(value: &Value, name: &str) -> Option<T> {
    value.get(name)?.as_str()?.parse().ok()
}

/// Whether something holds; it does not if nobody says so.
pub(super) fn holds(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool).unwrap_or(false)
}

/// A number of things.
pub(super) fn number(value: &Value, name: &str) -> Option<u64> {
    value.get(name)?.as_u64()
}

/// The elements of a list; none if it is no list.
pub(super) fn each<'a>(value: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    elements(value.get(name))
}

/// The elements of a value; none if it is no list.
pub(super) fn elements(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}
