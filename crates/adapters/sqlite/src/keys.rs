//! Numbers by which rows are found: what an index holds instead of texts.
//!
//! An id is some forty bytes, an owner with its kind a hundred. An index of such texts is as large as what
//! it finds, and each of a turn's rows would write a page of it. A number is eight bytes. Two texts may
//! have the same one, so whoever looks up by a number compares the texts as well.
//!
//! The functions are known to SQL under their names, on every connection of this crate: the same statement
//! says by which number it looks and what it compares.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use types::digits;

use crate::pack;

/// Characters of an id that say to whom it belongs, five bits each.
const FAMILY_CHARS: usize = 7;

/// Bits of a number that tell texts of one family apart.
const OWN_BITS: u32 = 28;

/// Bits of a shelf below its owner's: the kind, and the finer kind.
const KIND_BITS: u32 = 39;
const FINER_BITS: u32 = 23;

/// Makes the functions known to a connection's SQL. The store's own connections know them; whoever goes
/// around it, to measure it or to tamper with it in a test, has to be taught.
///
/// # Errors
/// If the connection takes no functions.
pub fn teach(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_UTF8;
    connection.create_scalar_function("key_of", 1, flags, |call| Ok(of_text(text(call, 0)?)))?;
    connection.create_scalar_function("content_key", 2, flags, |call| {
        Ok(of_content(text(call, 0)?, call.get_raw(1).as_bytes()?))
    })?;
    connection.create_scalar_function("digest_key", 1, flags, |call| {
        Ok(of_digest(call.get_raw(0).as_bytes()?))
    })?;
    connection.create_scalar_function("shelf_of", 3, flags, |call| {
        Ok(shelf(text(call, 0)?, text(call, 1)?, text(call, 2)?))
    })?;
    // From where to where the shelves of an owner stand, or those of one kind of an owner's.
    connection
        .create_scalar_function("first_shelf", 1, flags, |call| Ok(owner_bits(text(call, 0)?)))?;
    connection.create_scalar_function("first_shelf", 2, flags, |call| {
        Ok(owner_bits(text(call, 0)?) | kind_bits(text(call, 1)?))
    })?;
    connection.create_scalar_function("last_shelf", 1, flags, |call| {
        Ok(owner_bits(text(call, 0)?) | low(KIND_BITS))
    })?;
    connection.create_scalar_function("last_shelf", 2, flags, |call| {
        Ok(owner_bits(text(call, 0)?) | kind_bits(text(call, 1)?) | low(FINER_BITS))
    })?;
    pack::teach(connection)
}

fn text<'a>(call: &'a Context<'_>, place: usize) -> rusqlite::Result<&'a str> {
    Ok(call.get_raw(place).as_str()?)
}

/// The number of an id, or of a token that ends in one. Ids of one time, or of one family, have numbers
/// next to each other: what is written together lies together.
fn of_text(text: &str) -> i64 {
    let bytes = text.as_bytes();
    let before = bytes.iter().rposition(|byte| matches!(byte, b'|' | b'=' | b':'));
    let id = &bytes[before.map_or(0, |at| at + 1)..];
    let prefix = id.iter().position(|byte| *byte == b'_');
    let mut chars = id[prefix.map_or(0, |at| at + 1)..].iter();
    let mut family = 0;
    for _ in 0..FAMILY_CHARS {
        family =
            family << 5 | chars.next().map_or(0, |digit| i64::from(PLACES[usize::from(*digit)]));
    }
    family << OWN_BITS | scattered(bytes) & low(OWN_BITS)
}

/// The number of a content: next to those about the same subject. Agents that were made together are of one
/// family and begin with the same words, so the subject as a whole tells them apart.
fn of_content(subject: &str, hash: &[u8]) -> i64 {
    let family = of_text(subject) >> OWN_BITS << OWN_BITS;
    family | (scattered(subject.as_bytes()) ^ of_digest(hash)) & low(OWN_BITS)
}

/// The number of a digest. The order of numbers is that of digests.
fn of_digest(digest: &[u8]) -> i64 {
    let mut first = [0; 8];
    let length = digest.len().min(first.len());
    first[..length].copy_from_slice(&digest[..length]);
    (u64::from_be_bytes(first) >> 1).cast_signed()
}

/// Where a record of an owner stands, by its kind and finer kind.
fn shelf(owner: &str, kind: &str, finer: &str) -> i64 {
    owner_bits(owner) | kind_bits(kind) | scattered(finer.as_bytes()) & low(FINER_BITS)
}

fn owner_bits(owner: &str) -> i64 {
    (scattered(owner.as_bytes()) & low(63 - KIND_BITS)) << KIND_BITS
}

fn kind_bits(kind: &str) -> i64 {
    (scattered(kind.as_bytes()) & low(KIND_BITS - FINER_BITS)) << FINER_BITS
}

const fn low(bits: u32) -> i64 {
    (1 << bits) - 1
}

/// The places of the digits of ids in their order, five bits each; what is none comes last.
const PLACES: [u8; 256] = digits::places(digits::CROCKFORD, 31);

/// 63 bits that follow from all bytes: FNV-1a, its halves folded. It spreads; nobody relies on it to be hard
/// to guess.
fn scattered(bytes: &[u8]) -> i64 {
    let mixed = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, mixed);
    ((hash ^ hash >> 32) >> 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_family_have_numbers_next_to_each_other() {
        let family = |id: &str| of_text(id) >> OWN_BITS;
        let turn = "turn_42de16e7b4f20aef0464398c3d0f3210";
        let message = "message_42de16e7e1d01ac30c5da2e6b3739e06";
        assert_eq!(family(turn), family(message));
        assert_ne!(of_text(turn), of_text(message));
        assert_ne!(family(turn), family("turn_52de16e7b4f20aef0464398c3d0f3210"));
    }

    #[test]
    fn later_ids_have_larger_families() {
        let earlier = of_text("item_01m7hcwpx1wqjcdrz2fkgkbe8x");
        let later = of_text("item_01m7zcwpx1wqjcdrz2fkgkbe8x");
        assert!(earlier < later);
    }

    #[test]
    fn the_same_words_about_two_of_one_family_have_two_numbers() {
        let about = |agent: &str| of_content(agent, &[7; 32]);
        let one = about("agent_01m7hpy39afd1txgnh9p1vrgbf");
        let other = about("agent_01m7hpy3msz4qkh7pqcm91bcck");
        assert_eq!(one >> OWN_BITS, other >> OWN_BITS);
        assert_ne!(one, other);
    }

    #[test]
    fn a_token_lies_by_the_id_at_its_end() {
        let id = of_text("task_01m7hcwpwtztafc81p5n4kmba5") >> OWN_BITS;
        let token = of_text("subtypeToken|CHECKLIST_ITEM|task=task_01m7hcwpwtztafc81p5n4kmba5");
        assert_eq!(token >> OWN_BITS, id);
    }

    #[test]
    fn shelves_of_an_owner_lie_between_its_first_and_its_last() {
        let shelf = shelf("agent_a", "agentMessage", "thread");
        let owner = owner_bits("agent_a");
        assert!((owner..=owner | low(KIND_BITS)).contains(&shelf));
        let kind = owner | kind_bits("agentMessage");
        assert!((kind..=kind | low(FINER_BITS)).contains(&shelf));
        let other = owner | kind_bits("agentTurn");
        assert!(!(other..=other | low(FINER_BITS)).contains(&shelf));
    }

    #[test]
    fn no_number_is_negative_and_any_text_has_one() {
        for text in ["", "_", "a", "labels", "ZZZ|", "agent_é", "host_zzzzzzzzzzzzzzzzzzzz"] {
            assert!(of_text(text) >= 0, "{text}");
            assert!(of_content(text, text.as_bytes()) >= 0, "{text}");
            assert!(shelf(text, text, text) >= 0, "{text}");
        }
        assert!(of_digest(&[255; 32]) > of_digest(&[254; 32]));
    }
}
