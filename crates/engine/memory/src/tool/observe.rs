//! Keeping notes.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Call, Capability, Contract, Failure, Planned, Planning, Tool};
use types::{
    BodyType, Domain, Guard, Message, MessageId, MessageKind, OperationId, RecordDraft, Write,
    limits,
};

use crate::Memory;

use super::contract::{OWN, unread, wrong};
use super::private;

/// Keeps notes for the agent itself: each is a message that is never written again.
pub(crate) struct RecordObservations(pub(crate) Memory);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    notes: Vec<String>,
}

/// Its name.
pub(crate) const NAME: &str = "record_observations";

const CONTRACT: Contract = Contract {
    name: NAME,
    description: "Keep private notes for your later self: what you noticed, decided or want to \
                  watch. Nobody else is shown them, and they never belong into the report.",
    capabilities: &[Capability::ObservationWrite],
    input,
    output,
    side_effects: &[BodyType::AgentMessage],
    ..OWN
};

fn input() -> Value {
    let max = limits::NOTE_BYTES_MAX / 4;
    let note = json!({ "type": "string", "minLength": 1, "maxLength": max,
        "description": "One note, in words that you will still understand in a month." });
    let max = limits::NOTES_PER_CALL_MAX;
    json!({
        "type": "object",
        "properties": { "notes": { "type": "array", "minItems": 1, "maxItems": max, "items": note } },
        "required": ["notes"],
        "additionalProperties": false,
    })
}

fn output() -> Value {
    let changed = json!({ "type": "array", "items": { "type": "string" } });
    json!({
        "type": "object",
        "properties": { "recorded": { "type": "integer" }, "changed": changed },
        "required": ["recorded", "changed"],
    })
}

impl Tool for RecordObservations {
    fn contract(&self) -> &Contract {
        &CONTRACT
    }

    /// It rests on nothing, so the same notes again in the same run are the same call.
    fn plan<'a>(&'a self, call: &'a Call) -> Planning<'a> {
        Box::pin(async move { (BTreeSet::new(), self.planned(call).await) })
    }
}

impl RecordObservations {
    async fn planned(&self, call: &Call) -> Result<Planned, Failure> {
        let notes = notes(&call.arguments)?;
        let told = self.0.standing_words(&call.agent).await.map_err(unread)?;
        for (place, note) in notes.iter().enumerate() {
            if told.iter().any(|words| private::holds(words, note)) {
                let message = format!("note {} stands in the report already", place + 1);
                let hint = "what everybody may read in the report needs no private note";
                return Err(wrong(&format!("notes.{place}"), message, hint));
            }
        }
        // Before it has its name nothing is carried out, and any will do.
        let operation = call.operation.unwrap_or(OperationId(call.run.0));
        let named = |place: usize| rules::report::note(&call.run, &operation, place);
        let ids: Vec<MessageId> = (0..notes.len()).map(named).collect();
        let drafts = ids.iter().zip(&notes);
        Ok(Planned {
            subject: (&call.agent).into(),
            domain: Domain::Agent,
            destinations: BTreeSet::new(),
            writes: drafts.flat_map(|(id, note)| draft(call, id, note)).collect(),
            guards: ids.iter().map(is_new).collect(),
            answer: json!({ "recorded": notes.len(), "changed": ids }),
            words_of: BTreeSet::new(),
        })
    }
}

fn notes(arguments: &Value) -> Result<Vec<String>, Failure> {
    let hint = "say what was noticed, in a sentence";
    let Arguments { notes } = serde_json::from_value(arguments.clone())
        .map_err(|error| wrong("notes", format!("the notes are no texts: {error}"), hint))?;
    let notes: Vec<String> = notes.iter().map(|note| note.trim().to_owned()).collect();
    match notes.iter().position(String::is_empty) {
        Some(place) => {
            let message = format!("note {} is empty", place + 1);
            Err(wrong(&format!("notes.{place}"), message, hint))
        }
        None => Ok(notes),
    }
}

fn draft(call: &Call, id: &MessageId, note: &str) -> [Write; 2] {
    let (kept, content) = rules::content::keep(id.into(), call.label(), note.as_bytes().to_vec());
    let message = Message {
        run_key: Some(call.run),
        tokens_approx: note.len().div_ceil(4) as u64,
        ..Message::of(call.agent.clone(), call.thread.clone(), MessageKind::Observation, content)
    };
    [kept, Write::Record(RecordDraft::live(id, message))]
}

fn is_new(id: &MessageId) -> Guard {
    Guard::Revision { record: id.into(), expected: 0 }
}
