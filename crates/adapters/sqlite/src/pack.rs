//! Values made smaller: packed against words that are known beforehand.
//!
//! Bodies repeat the names of their fields, and contents the words around what was said: most of a row is
//! what every such row says. A packed value is one frame of zstd. It begins with a magic number, names the
//! words that it was packed against and says how long it was, so that it needs nothing beside it to be read.
//!
//! A text that is packed is stored as BLOB and otherwise as TEXT: its type tells which, and rows of older
//! homes stay as they are. Contents are BLOB either way, and there the magic number tells. One that begins
//! with it by itself is packed whatever that costs, so that nobody takes it for what it is not.
//!
//! Hashes are of what was packed, never of how.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::LazyLock;

use rusqlite::functions::FunctionFlags;
use rusqlite::types::{ToSql, ToSqlOutput, Value, ValueRef};
use rusqlite::{Connection, Error};
use types::limits;
use zstd::bulk::{Compressor, Decompressor};
use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::{get_dict_id_from_frame, get_frame_content_size};

/// What bodies, events, contents, authors and tokens of journals and agents have in common: some ten
/// thousand of them, at most 2 KB of each, with ids, hashes, times and people's words made up anew, through
/// `zstd --train -1 --maxdict=16384`. It is never changed: others get another name, and are known beside it.
const WORDS: &[u8] = include_bytes!("pack/words-1.dict");

/// Their number, as every value that was packed against them says.
const WORDS_ID: u32 = 0x158d_7643;

/// The next ones take twice as long and gain next to nothing.
const LEVEL: i32 = 1;

/// How a packed value begins. No text does: it is not UTF-8.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Shorter values are left alone: there are many of them to pack and unpack, and the log says of a page only what
/// is new in it.
const WORTH_BYTES: usize = 2_000;

/// Longer values are left alone, and one that claims to have been longer is damaged: no row may take the
/// machine's memory. No content that a caller brings is longer.
const UNPACKED_BYTES_MAX: usize = limits::CONTENT_BYTES_MAX;

static PACKING: LazyLock<EncoderDictionary<'static>> =
    LazyLock::new(|| EncoderDictionary::copy(WORDS, LEVEL));
static UNPACKING: LazyLock<DecoderDictionary<'static>> =
    LazyLock::new(|| DecoderDictionary::copy(WORDS));

// Setting one up takes longer than most values do.
thread_local! {
    static PACKER: RefCell<Compressor<'static>> = RefCell::new(
        Compressor::with_prepared_dictionary(&PACKING).expect("the words can be packed against"),
    );
    static UNPACKER: RefCell<Decompressor<'static>> = RefCell::new(
        Decompressor::with_prepared_dictionary(&UNPACKING).expect("the words can be unpacked against"),
    );
}

/// Why a packed value cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("it is packed against words that this version does not know")]
    Words,
    #[error("it does not say how long it was, or longer than anything that is packed")]
    Length,
    #[error("it is packed and damaged")]
    Damaged,
    #[error("it is no text")]
    NoText,
}

/// The bytes packed, or nothing where that would gain nothing.
pub(crate) fn pack(bytes: &[u8]) -> Option<Vec<u8>> {
    let misleading = is_packed(bytes);
    let worth_it = (WORTH_BYTES..=UNPACKED_BYTES_MAX).contains(&bytes.len());
    if !worth_it && !misleading {
        return None;
    }
    let packed = PACKER.with_borrow_mut(|packer| packer.compress(bytes));
    let packed = packed.expect("there is room for what cannot be packed");
    (misleading || packed.len() < bytes.len()).then_some(packed)
}

/// What was packed.
pub(crate) fn unpack(packed: &[u8]) -> Result<Vec<u8>, Unreadable> {
    if get_dict_id_from_frame(packed).is_none_or(|id| id.get() != WORDS_ID) {
        return Err(Unreadable::Words);
    }
    let length = get_frame_content_size(packed).ok().flatten().ok_or(Unreadable::Length)?;
    let length = usize::try_from(length).map_err(|_| Unreadable::Length)?;
    if length > UNPACKED_BYTES_MAX {
        return Err(Unreadable::Length);
    }
    UNPACKER
        .with_borrow_mut(|unpacker| unpacker.decompress(packed, length))
        .map_err(|_| Unreadable::Damaged)
}

/// A content as it was before it was stored.
pub(crate) fn bytes(stored: &[u8]) -> Result<Cow<'_, [u8]>, Unreadable> {
    if is_packed(stored) { unpack(stored).map(Cow::Owned) } else { Ok(Cow::Borrowed(stored)) }
}

/// A text as it was before it was stored.
pub(crate) fn text(stored: ValueRef<'_>) -> Result<Cow<'_, str>, Unreadable> {
    match stored {
        ValueRef::Blob(packed) => {
            let text = String::from_utf8(unpack(packed)?);
            text.map(Cow::Owned).map_err(|_| Unreadable::NoText)
        }
        _ => stored.as_str().map(Cow::Borrowed).map_err(|_| Unreadable::NoText),
    }
}

fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// A text ready to be stored. The store makes its own; whoever goes around it, to measure it, takes the same.
#[derive(Debug)]
pub enum StoredText {
    /// It would gain nothing.
    AsItIs(String),
    /// Smaller than it was.
    Packed(Vec<u8>),
}

impl From<String> for StoredText {
    fn from(text: String) -> StoredText {
        pack(text.as_bytes()).map_or(StoredText::AsItIs(text), StoredText::Packed)
    }
}

impl ToSql for StoredText {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match self {
            StoredText::AsItIs(text) => text.to_sql(),
            StoredText::Packed(packed) => packed.to_sql(),
        }
    }
}

/// Makes `unpacked` and `packed` known to a connection's SQL, for whoever looks by hand and for migrations.
/// What cannot be read is NULL.
pub(crate) fn teach(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_UTF8;
    connection.create_scalar_function("unpacked", 1, flags, |call| match call.get_raw(0) {
        ValueRef::Blob(stored) if is_packed(stored) => {
            Ok(unpack(stored).map_or(Value::Null, shown))
        }
        other => Value::try_from(other).map_err(|error| Error::UserFunctionError(error.into())),
    })?;
    connection.create_scalar_function("packed", 1, flags, |call| {
        let value = call.get_raw(0);
        let packed = value.as_bytes().ok().and_then(pack);
        match packed {
            Some(packed) => Ok(Value::Blob(packed)),
            None => Value::try_from(value).map_err(|error| Error::UserFunctionError(error.into())),
        }
    })
}

/// Text wherever it is one: JSON functions take nothing else.
fn shown(bytes: Vec<u8>) -> Value {
    String::from_utf8(bytes).map_or_else(|error| Value::Blob(error.into_bytes()), Value::Text)
}

#[cfg(test)]
#[path = "pack_tests.rs"]
mod tests;
