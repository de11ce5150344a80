//! Changing the journal.

use api_types::{DoneReply, ProblemReply, Request};
use client::Client;
use serde::Serialize;
use serde_json::{Value, json};

use crate::screen::Screen;

/// Names for a request, and whether it is only shown.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Named {
    /// Names this request: the same again answers as before and changes nothing
    #[arg(long, value_name = "ID")]
    pub(crate) request_id: Option<String>,
}

impl Named {
    /// The name of a part of a request that is done in several steps.
    pub(crate) fn part(&self, name: &str) -> Named {
        Named { request_id: self.request_id.as_ref().map(|id| format!("{id}.{name}")) }
    }
}

/// What was changed as it is now, and by which operation.
#[derive(Debug, Serialize)]
pub(crate) struct Changed<T> {
    /// What was changed.
    #[serde(flatten)]
    pub(crate) what: T,
    /// The operation, by which it can be undone; absent if nothing had to change.
    pub(crate) operation: Option<String>,
}

impl<T> Changed<T> {
    /// How it went, in the words before what is shown.
    pub(crate) fn word(&self) -> &'static str {
        changed_word(self.operation.is_some())
    }
}

/// What is said of something that was to be changed: whether it had to be.
pub(crate) const fn changed_word(changed: bool) -> &'static str {
    if changed { "changed" } else { "nothing to change:" }
}

/// Does something to the journal. Whoever gets an earlier answer is told so: what they ask for now may be
/// something else.
pub(crate) fn change(
    client: &Client,
    screen: &Screen,
    verb: &str,
    arguments: Value,
    named: Named,
) -> Result<DoneReply, ProblemReply> {
    let done = change_quietly(client, verb, arguments, named)?;
    if done.repeated {
        screen.say_repeated();
    }
    Ok(done)
}

/// The same for who counts by themselves what was done before.
pub(crate) fn change_quietly(
    client: &Client,
    verb: &str,
    arguments: Value,
    named: Named,
) -> Result<DoneReply, ProblemReply> {
    let (verb, request_id) = (verb.to_owned(), named.request_id);
    client.ask(Request::Do { verb, arguments, request_id, preview: false })
}

/// Shows what would be done to the journal.
pub(crate) fn preview(
    client: &Client,
    verb: &str,
    arguments: Value,
) -> Result<DoneReply, ProblemReply> {
    let verb = verb.to_owned();
    client.ask(Request::Do { verb, arguments, request_id: None, preview: true })
}

/// The id in an answer.
pub(crate) fn id_of(done: &DoneReply) -> String {
    done.answer["id"].as_str().unwrap_or_default().to_owned()
}

/// A colour; `none` takes it away.
pub(crate) fn colour(word: String) -> Value {
    if word == "none" { Value::Null } else { Value::from(word) }
}

/// What is shown, with the operation that made it so.
pub(crate) fn with_operation<T: Serialize>(shown: &T, done: &DoneReply) -> Value {
    let mut shown = serde_json::to_value(shown).expect("answers are JSON");
    shown["operation"] = json!(done.operation);
    shown
}

/// Says how to put something back.
pub(crate) fn undoable(screen: &Screen, done: &DoneReply) {
    if let Some(operation) = done.operation.as_deref().and_then(|id| id.get(..12)) {
        screen.say(&format!("`dormouse undo {operation}` puts it back"));
    }
}

/// An object of those arguments that were given.
pub(crate) fn given<const N: usize>(arguments: [(&str, Option<Value>); N]) -> Value {
    let given = arguments.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(given.collect())
}

/// A list of texts, if any was given.
pub(crate) fn listed(texts: &[String]) -> Option<Value> {
    (!texts.is_empty()).then(|| json!(texts))
}

/// The end of an id, by which people name it. A plan is named by its day.
pub(crate) fn short(id: &str) -> &str {
    if let Some(day) = id.strip_prefix("plan_") {
        return day;
    }
    let own = id.rsplit_once('_').map_or(id, |(_, own)| own);
    let start = own.len().saturating_sub(6);
    own.get(start..).unwrap_or(own)
}

/// A number of things: `1 item`, `3 items`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_named_by_its_own_end() {
        assert_eq!(short("task_01m7gfrxph2byr0my6wrrt4rrj"), "rt4rrj");
        assert_eq!((short("category_work"), short("plan_2026-11-15")), ("work", "2026-11-15"));
        assert_eq!([counted(1, "item"), counted(0, "item")], ["1 item", "0 items"]);
    }
}
