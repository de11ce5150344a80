//! Why a file does not come in.

use std::fmt;

use types::{Code, RecordId};

use crate::Error;

use super::intake::Place;

/// The file is not what it should be, at this place.
pub(crate) fn bad(place: Place, why: impl fmt::Display) -> Error {
    broken(format!("{place}: {why}"))
}

/// The file as a whole is not what it should be.
pub(crate) fn broken(why: impl Into<String>) -> Error {
    let hint = "correct the file and import it again; nothing was changed";
    Error::refuse(Code::BadImport, why, hint)
}

/// The file was written by a later Dormouse.
pub(crate) fn newer(version: u64, known: u32) -> Error {
    let message = format!("it is of version {version}, and this Dormouse reads {known}");
    let hint = "update Dormouse, or export again with one that reads as far as this one";
    Error::refuse(Code::BadImport, message, hint)
}

/// The journal has something else under an id.
pub(crate) fn differs(place: Option<&Place>, id: &RecordId, others: usize) -> Error {
    let place = place.map_or_else(String::new, |place| format!("{place}: "));
    let others = match others {
        0 => String::new(),
        1 => ", and so does another record".to_owned(),
        many => format!(", and so do {many} others"),
    };
    let message = format!("{place}{id} is in the journal and says something else there{others}");
    let hint = "--replace takes what the file says, --skip keeps what the journal says; nothing was \
                changed";
    Error::refuse(Code::ImportConflict, message, hint)
}

/// The journal has a name, or the timer that runs, for something else.
pub(crate) fn taken(place: Option<&Place>, what: &str, by: &RecordId) -> Error {
    let place = place.map_or_else(String::new, |place| format!("{place}: "));
    let message = format!("{place}{what} is {by} in the journal");
    let hint = "rename or end one of the two; --skip takes those of one name for the same";
    Error::refuse(Code::ImportConflict, message, hint)
}
