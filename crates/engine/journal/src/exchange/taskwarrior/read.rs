//! Reading an export of Taskwarrior.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::Error;
use crate::exchange::intake::{Here, Intake, Place, Reading};
use crate::exchange::refuse::{bad, broken};

use super::task::{take, uuid_of};

/// An object with its place.
type Row = (Place, Map<String, Value>);

/// Reads a list of tasks, or a task a line.
pub(crate) fn read(text: &str, here: &Here) -> Result<Reading, Error> {
    let rows = if text.trim_start().starts_with('[') { list(text)? } else { lines(text)? };
    let mut intake = Intake::new(here);
    let deleted = |row: &Map<String, Value>| row.get("status") == Some(&Value::from("deleted"));
    let coming: BTreeSet<String> =
        rows.iter().filter(|(_, row)| !deleted(row)).filter_map(|(_, row)| uuid_of(row)).collect();
    for (place, row) in rows {
        if deleted(&row) {
            intake.leave_out("deleted tasks");
        } else {
            take(&mut intake, place, row, &coming)?;
        }
    }
    Ok(intake.finish(false))
}

fn list(text: &str) -> Result<Vec<Row>, Error> {
    let rows: Vec<Map<String, Value>> =
        serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
    Ok(rows.into_iter().enumerate().map(|(n, row)| (Place::Row("", n), row)).collect())
}

fn lines(text: &str) -> Result<Vec<Row>, Error> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let rows = lines.map(|(number, line)| {
        let place = Place::Line(number + 1);
        let object = line.trim().trim_end_matches(',');
        let row = serde_json::from_str(object).map_err(|error| bad(place, error))?;
        Ok((place, row))
    });
    rows.collect()
}
