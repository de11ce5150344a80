//! What happened to an agent.

use api_types::{EventReply, ProblemReply, Request};
use clap::Args;
use client::Client;
use serde_json::Value;

use crate::number::{how_many, whole_number};
use crate::paint::cut;
use crate::render::run_name;
use crate::screen::Screen;
use crate::table::table;

/// Columns of a text that are shown.
const SHOWN: usize = 40;

#[derive(Debug, Args)]
pub(crate) struct EventsWords {
    /// The agent's id, or its last characters, four or more
    pub(crate) agent: String,
    /// Only what came after this one, by its number [default: the newest]
    #[arg(long, value_name = "NUMBER", value_parser = whole_number, allow_negative_numbers = true)]
    pub(crate) after: Option<u64>,
    /// At most this many
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = how_many, allow_negative_numbers = true)]
    pub(crate) limit: usize,
}

pub(crate) fn ask(
    words: EventsWords,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let EventsWords { agent, after, limit } = words;
    let events: Vec<EventReply> = client.ask(Request::EventList { agent, after, limit })?;
    match screen.is_json() {
        // One a line, so that whoever reads on can begin with the first.
        true => events.iter().for_each(|event| screen.show_json(event)),
        false => screen.show(&events, |events| shown(events)),
    }
    Ok(())
}

fn shown(events: &[EventReply]) -> String {
    let rows = events.iter().map(|event| {
        let number = event.event_seq.to_string();
        let run = run_name(event.body["run_key"].as_str().unwrap_or_default()).to_owned();
        [number, event.at.to_string(), event.kind.clone(), run, particulars(&event.body)]
    });
    table(["NUMBER", "AT", "WHAT", "RUN", "PARTICULARS"], rows, "nothing has happened\n")
}

/// The other particulars of an event that fit into a line: words and numbers by their names. All of them are in
/// the JSON.
fn particulars(body: &Value) -> String {
    let Value::Object(fields) = body else { return String::new() };
    let words = fields.iter().filter(|(name, _)| *name != "run_key");
    let words = words.map(|(name, value)| match value {
        Value::String(text) => format!("{name}={}", cut(&text.replace('\n', " "), SHOWN)),
        Value::Number(_) | Value::Bool(_) => format!("{name}={value}"),
        // Its own are named as they are within.
        Value::Object(_) => particulars(value),
        Value::Null | Value::Array(_) => String::new(),
    });
    words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn people_see_what_fits_into_a_line() {
        let event = EventReply {
            event_seq: 7,
            agent: "agent_a".to_owned(),
            at: api_types::At::from_millis(0),
            kind: "run_ended".to_owned(),
            body: json!({ "run_key": "ab".repeat(32), "status": "completed", "n": 2, "why": null, "all": [1], "text": "a\nb".repeat(30) }),
        };
        let text = shown(&[event]);
        let line = text.lines().nth(1).unwrap();
        assert!(line.starts_with("7 "), "{line}");
        assert!(line.contains("run_ended") && line.contains("status=completed"), "{line}");
        assert!(line.contains(" abababababab  n=2"), "{line}");
        assert!(line.contains("n=2") && line.contains("text=a ba b"), "{line}");
        assert!(!line.contains("why") && !line.contains("all") && line.ends_with('…'), "{line}");
        assert_eq!(shown(&[]), "nothing has happened\n");
        let lifecycle = json!({ "lifecycle": { "stage": "dormant", "cause": "paused" }, "x": {} });
        assert_eq!(particulars(&lifecycle), "cause=paused stage=dormant");
    }
}
