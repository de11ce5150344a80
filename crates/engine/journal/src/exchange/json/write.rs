//! Writing an archive as JSON.

use serde_json::json;

use crate::exchange::archive::{Archive, Gone, KINDS, LINKS, Piece, Tie};

/// The version of the format; a reader refuses a higher one.
pub(super) const VERSION: u32 = 1;

/// The archive as text. A record takes a line, so that two exports can be compared line by line.
pub(crate) fn write(archive: &Archive) -> String {
    let mut out = format!("{{\"dormouse\":{VERSION}");
    for (kind, name) in KINDS {
        section(&mut out, name, archive.of(kind).map(piece));
    }
    section(&mut out, LINKS, archive.ties.iter().map(tie));
    section(&mut out, "gone", archive.gone.iter().map(gone));
    out + "}\n"
}

fn section(out: &mut String, name: &str, rows: impl Iterator<Item = String>) {
    *out += &format!(",\n\"{name}\":[");
    let mut first = true;
    for row in rows {
        *out += if first { "\n" } else { ",\n" };
        *out += &row;
        first = false;
    }
    *out += if first { "]" } else { "\n]" };
}

fn piece(piece: &Piece) -> String {
    let Piece { id, created_at, body } = piece;
    // Ids and instants need no escapes, and a body is an object with at least one field: its first
    // brace becomes a comma.
    format!("{{\"id\":\"{id}\",\"created_at\":\"{created_at}\",{}", &body.encode()[1..])
}

fn tie(tie: &Tie) -> String {
    let mut row = json!({ "from": tie.from, "relation": tie.relation, "to": tie.to });
    if tie.hidden {
        row["hidden"] = true.into();
    }
    if !tie.body.is_empty() {
        row["body"] = tie.body.clone().into();
    }
    row.to_string()
}

fn gone(gone: &Gone) -> String {
    match &gone.category_id {
        Some(category) => json!({ "id": gone.id, "category_id": category }).to_string(),
        None => json!({ "id": gone.id }).to_string(),
    }
}
