//! Scripts with names, for use from outside.

use std::time::Duration;

use host::Machine;
use serde_json::json;
use world::World;

use crate::{Asked, Reply, Script};

/// The names, each with what it does.
pub const NAMES: &[(&str, &str)] = &[
    ("hello", "says a few words"),
    ("checklist", "adds two items to the checklist, then says a few words"),
    ("fresh-checklist", "the same, but no two calls or items are ever the same"),
    ("loop", "asks for tools for ever"),
    ("bad-arguments", "calls a tool with arguments that are no JSON, then says a few words"),
    ("rate-limit", "answers every other request with 429 and the rest with words"),
    ("error", "always fails with 500"),
    ("context-length", "always says that the prompt is too long"),
    ("cut", "breaks off in the middle"),
    ("garbage", "answers with something else altogether"),
    ("huge", "answers with ten megabytes"),
    ("hang", "never answers"),
    ("slow", "answers in small pieces, a tenth of a second apart"),
    ("stream-error", "a stream that ends in an error"),
];

/// The script of that name.
#[must_use]
pub fn named(name: &str) -> Option<Script> {
    let words = || Reply::text("All is well. There is nothing to do.");
    Some(match name {
        "hello" => Script::always(words()),
        "checklist" => Script::of(move |asked| match asked.is_after_tools() {
            true => words(),
            false => items(asked, "call_1", "Buy milk", "Feed the dormouse"),
        }),
        "fresh-checklist" => Script::of(move |asked| match asked.is_after_tools() {
            true => words(),
            false => fresh(asked),
        }),
        "loop" => Script::of(fresh),
        "bad-arguments" => Script::of(move |asked| match asked.is_after_tools() {
            true => words(),
            false => Reply::nothing().and_call("call_1", "update_report", "{\"content\": \"Hal"),
        }),
        "rate-limit" => Script::of(move |asked| match asked.n % 2 {
            0 => Reply::rate_limited().header("retry-after", "1"),
            _ => words(),
        }),
        "error" => Script::always(Reply::server_error()),
        "context-length" => Script::always(Reply::context_length_exceeded()),
        "cut" => Script::always(words().cut_after(300)),
        "garbage" => Script::always(Reply::raw(200, "application/json", "<html>Hello</html>")),
        "huge" => Script::always(Reply::text("x".repeat(10 * 1024 * 1024))),
        "hang" => Script::always(Reply::hang()),
        "slow" => Script::always(words().slowly(64, Duration::from_millis(100))),
        "stream-error" => {
            Script::always(words().then_error("server_error", None, "The server gave up."))
        }
        _ => return None,
    })
}

/// A call that was never asked for before: whoever asks twice gets another answer.
fn fresh(asked: &Asked) -> Reply {
    let suffix = format!("{}-{:08x}", asked.n, Machine.random() & 0xffff_ffff);
    let (first, second) = (format!("Buy milk {suffix}"), format!("Feed it {suffix}"));
    items(asked, &format!("call_{suffix}"), &first, &second)
}

/// Two items for the task that the prompt is about; without one, a call that will be refused.
fn items(asked: &Asked, id: &str, first: &str, second: &str) -> Reply {
    let arguments = json!({"taskId": asked.task(), "items": [first, second]});
    Reply::call(id, "add_multiple_checklist_items", &arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_script_and_no_other_word_has() {
        for (name, _) in NAMES {
            assert!(named(name).is_some(), "{name}");
        }
        assert!(named("model").is_none());
    }
}
