//! Appending to the change log, its token index, the sequence log and the outbox.

use rusqlite::params;
use types::{ChangeUnit, Counter, Digest, Origin, PayloadType, Position, RecordId, Token};

use crate::fault::Fault;
use crate::pack::StoredText;
use crate::prepared::Prepared;
use crate::rows::int;

use super::state::Writer;
use super::touched::Touched;

/// Appends a commit's change and returns where, under which counter, and its identity.
pub(super) fn append(
    writer: &mut Writer,
    prepared: &Prepared,
    counter: Counter,
    touched: &Touched,
) -> Result<(Position, Counter, Digest), Fault> {
    let position = writer.tail.position + 1;
    let unit = |(payload_type, payload_id): &(PayloadType, RecordId)| ChangeUnit {
        origin: Origin::Local,
        host: writer.host.clone(),
        counter,
        payload_type: payload_type.clone(),
        payload_id: payload_id.clone(),
    };
    let units: Vec<ChangeUnit> = touched.units.iter().map(unit).collect();
    let key = rules::change::logical_key(&units);
    let tokens: Vec<&str> = touched.tokens.iter().map(Token::key).collect();
    let images = serde_json::to_string(&touched.images).expect("images are JSON").into();
    // Not packed: whoever looks for a change looks inside.
    let texts = (serde_json::to_string(&tokens).expect("texts are JSON"), images);
    log(writer, prepared, counter, position, &key, &texts)?;
    index(writer, position, &tokens)?;
    remember(writer, &units)?;
    let sql = "INSERT INTO outbox (position) VALUES (?1)";
    writer.connection.prepare_cached(sql)?.execute(params![int(position)])?;
    writer.tail.position = position;
    writer.tail.counter = counter.0;
    Ok((Position(position), counter, key))
}

fn log(
    writer: &Writer,
    prepared: &Prepared,
    counter: Counter,
    position: u64,
    key: &Digest,
    (tokens, images): &(String, StoredText),
) -> Result<(), Fault> {
    let sql = "INSERT INTO change_log (position, host, counter, origin, author, at,
                                       logical_change_key, tokens, images)
               VALUES (?1, ?2, ?3, 'local', ?4, ?5, ?6, ?7, ?8)";
    writer.connection.prepare_cached(sql)?.execute(params![
        int(position),
        writer.host.as_str(),
        int(counter.0),
        prepared.author,
        prepared.commit.at.millis(),
        key.as_bytes(),
        tokens,
        images,
    ])?;
    Ok(())
}

fn index(writer: &Writer, position: u64, tokens: &[&str]) -> Result<(), Fault> {
    let sql = "INSERT OR IGNORE INTO change_tokens (token_key, position) VALUES (key_of(?1), ?2)";
    let mut statement = writer.connection.prepare_cached(sql)?;
    for token in tokens {
        statement.execute(params![token, int(position)])?;
    }
    Ok(())
}

fn remember(writer: &Writer, units: &[ChangeUnit]) -> Result<(), Fault> {
    let sql = "INSERT INTO sequence_log (host, counter, payload_type, payload_id)
               VALUES (?1, ?2, ?3, ?4)";
    let mut statement = writer.connection.prepare_cached(sql)?;
    for unit in units {
        statement.execute(params![
            unit.host.as_str(),
            int(unit.counter.0),
            unit.payload_type.as_str(),
            unit.payload_id.as_str(),
        ])?;
    }
    Ok(())
}
