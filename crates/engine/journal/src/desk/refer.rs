//! From what somebody wrote to the id that they mean.

use rules::naming::{Naming, naming, way_out};
use store::Ending;
use types::{Code, Domain, RecordId};

use crate::Error;

use super::{Desk, Reach};

impl Desk {
    /// The id of a kind that a text names: the whole id, or for the operator its last characters.
    pub(crate) async fn refer(
        &self,
        prefix: &'static str,
        what: &'static str,
        text: &str,
    ) -> Result<RecordId, Error> {
        let text = text.trim();
        let ending = match naming(prefix, text) {
            Some(Naming::Whole(id)) => return Ok(id),
            Some(Naming::Ending(ending)) if self.reach == Reach::Operator => ending,
            _ => return Err(unknown(what, text)),
        };
        match Ending::find(&*self.store, Domain::Journal, prefix, ending).await? {
            Ending::Of(id) => Ok(id),
            Ending::Nobodys => Err(unknown(what, text)),
            Ending::OfSeveral => Err(Error::refuse(
                Code::AmbiguousReference,
                format!("more than one {what} ends with {text:?}"),
                "write more of the id",
            )),
        }
    }
}

/// The kinds that people refer to, each by the beginning of its ids.
const KINDS: [(&str, &str); 8] = [
    ("task", "task"),
    ("item", "checklist item"),
    ("checklist", "checklist"),
    ("entry", "note"),
    ("time", "time entry"),
    ("label", "label"),
    ("category", "category"),
    ("rating", "rating"),
];

impl crate::Journal {
    /// The record of any kind that a text names: by its id, by the last characters of it.
    ///
    /// # Errors
    /// If none is meant, or more than one.
    pub async fn record_named(&self, text: String) -> Result<RecordId, Error> {
        let desk = self.desk();
        if let Ok(id) = text.parse::<RecordId>()
            && desk.store.record(Domain::Journal, id.clone()).await?.is_some()
        {
            return Ok(id);
        }
        let mut found = Vec::new();
        for (prefix, what) in KINDS {
            match desk.refer(prefix, what, &text).await {
                Ok(id) if !text.starts_with(prefix) => found.push(id),
                Err(error @ Error::Store(_)) => return Err(error),
                _ => {}
            }
        }
        match found.as_slice() {
            [one] => Ok(one.clone()),
            [] => Err(unknown("record", &text)),
            _ => Err(Error::refuse(
                Code::AmbiguousReference,
                format!("more than one record ends with {text:?}"),
                "write the id out",
            )),
        }
    }

    /// A day as somebody wrote it.
    ///
    /// # Errors
    /// If it is none.
    pub fn day_named(&self, text: &str) -> Result<types::Day, Error> {
        self.desk().day(text)
    }

    /// An instant as one speaks of it here and now.
    #[must_use]
    pub fn moment_shown(&self, at: types::At) -> String {
        rules::when::show_moment(at, self.world.now(), &self.world.zone())
    }
}

/// No record of that kind is meant.
pub(crate) fn unknown(what: &'static str, text: &str) -> Error {
    let (code, hint) = match what {
        "task" => (Code::UnknownTask, "`dormouse task list` shows the tasks and their ids"),
        _ => (Code::UnknownRecord, "`dormouse search` finds what you keep, with its ids"),
    };
    let refused = Error::refuse(code, format!("there is no {what} {text:?}"), way_out(text, hint));
    refused.out_of_sight()
}
