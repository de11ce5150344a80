use super::*;
use sha2::{Digest, Sha256};
use zstd::zstd_safe::CParameter;

const MESSAGE: &str = r#"{"agent_id":"agent_01m7hrgs40dr9j9mat1kf828nx","thread":"agent_01m7hrgs40dr9j9mat1kf828nx:session:garden","kind":"thought","run_key":"56f89fef930131a1f0a23f394456621d5ea766eca8b9539d877bd70a3e00e38b","previous":"message_56f89feff221e8abbe68297af8fc6cd2","content":{"subject":"turn_56f89fef0a90c62b2f8b5c26abeab639","hash":"3fb3f24237f90da6b1df890593fc69362d515a04a99b05214cc25f58804dfc30"},"tokens_approx":20,"metadata":{"prompt_id":"task_agent","prompt_version":1,"model_id":"local/test-model"},"trigger_source_id":"envelope_56f89fef0a90c62b2f8b5c26abeab639","summary":{"depth":1,"made_by":"extractor-1"}}"#;

/// A body that is long enough.
fn body() -> String {
    let more = [MESSAGE; WORTH_BYTES / MESSAGE.len() + 1].join(",");
    format!(r#"{{"kind":"thought","more":[{more}]}}"#)
}

/// Numbers that look like chance and are the same each time.
fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let next = |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    (0..length).map(next).collect()
}

fn come_back(given: &[u8]) {
    let packed = pack(given);
    let stored = packed.as_deref().unwrap_or(given);
    assert_eq!(bytes(stored).unwrap(), given, "{} bytes", given.len());
    if !is_packed(given) {
        assert!(stored.len() <= given.len(), "{} bytes became {}", given.len(), stored.len());
    }
}

#[test]
fn the_words_never_change() {
    let hash = Sha256::digest(WORDS);
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hash, "9fde9a625acfe1d61df0c8b619a2a8dc2ec7d20581bdb273bcaba4b7e60b13ce");
    assert_eq!(WORDS[4..8], WORDS_ID.to_le_bytes());
}

#[test]
fn whatever_is_packed_comes_back() {
    for seed in 0..400 {
        let length = usize::try_from(seed * seed % 5_000).unwrap();
        let noise = noise(seed, length);
        come_back(&noise);
        come_back(noise.iter().map(|byte| b'a' + byte % 4).collect::<Vec<_>>().as_slice());
        come_back(MESSAGE.repeat(length / 100).as_bytes());
        come_back([MAGIC.as_slice(), &noise].concat().as_slice());
    }
    come_back(&vec![b'x'; UNPACKED_BYTES_MAX]);
    come_back(&vec![b'x'; UNPACKED_BYTES_MAX + 1]);
    come_back(&[MAGIC.as_slice(), &noise(1, UNPACKED_BYTES_MAX - MAGIC.len())].concat());
}

#[test]
fn a_body_becomes_smaller_and_what_gains_nothing_stays() {
    assert!(pack(body().as_bytes()).unwrap().len() * 3 < body().len() * 2);
    assert_eq!(pack(&body().as_bytes()[..WORTH_BYTES - 1]), None);
    assert_eq!(pack(&noise(7, 2 * WORTH_BYTES)), None);
    assert_eq!(pack(&vec![b'x'; UNPACKED_BYTES_MAX + 1]), None);
}

#[test]
fn what_only_looks_packed_is_packed_and_comes_back_as_it_was() {
    let packed = pack(body().as_bytes()).unwrap();
    let twice = pack(&packed).unwrap();
    assert_eq!(bytes(&twice).unwrap(), packed);
    assert_eq!(bytes(&pack(&MAGIC).unwrap()).unwrap(), MAGIC.as_slice());
}

#[test]
fn a_damaged_value_is_an_error_whichever_byte_it_is() {
    let given = MESSAGE.repeat(4);
    let packed = pack(given.as_bytes()).unwrap();
    for end in 0..packed.len() {
        assert!(unpack(&packed[..end]).is_err(), "the first {end} bytes");
    }
    for at in 0..packed.len() {
        for bit in 0..8 {
            let mut damaged = packed.clone();
            damaged[at] ^= 1 << bit;
            // Without a checksum some come back as something else; none takes more room than it may.
            let read = unpack(&damaged).map_or(0, |read| read.len());
            assert!(read <= UNPACKED_BYTES_MAX);
        }
    }
    let followed = [packed.as_slice(), b"more"].concat();
    assert_eq!(unpack(&followed), Err(Unreadable::Damaged));
    assert_eq!(unpack(&[packed.as_slice(), &packed].concat()), Err(Unreadable::Damaged));
}

#[test]
fn a_length_beyond_everything_is_refused_before_room_is_made() {
    // A frame with eight bytes of length: the magic, what follows, the words' number, the length.
    let claim = |length: u64| {
        let parts = [MAGIC.as_slice(), &[0xe3], &WORDS_ID.to_le_bytes(), &length.to_le_bytes()];
        parts.concat()
    };
    assert_eq!(unpack(&claim(u64::MAX - 2)), Err(Unreadable::Length));
    assert_eq!(unpack(&claim(UNPACKED_BYTES_MAX as u64 + 1)), Err(Unreadable::Length));
    assert_eq!(unpack(&claim(UNPACKED_BYTES_MAX as u64)), Err(Unreadable::Damaged));
    let mut silent = Compressor::with_prepared_dictionary(&PACKING).unwrap();
    silent.set_parameter(CParameter::ContentSizeFlag(false)).unwrap();
    assert_eq!(unpack(&silent.compress(body().as_bytes()).unwrap()), Err(Unreadable::Length));
}

#[test]
fn other_words_are_not_known() {
    let without = zstd::bulk::compress(body().as_bytes(), LEVEL).unwrap();
    assert_eq!(unpack(&without), Err(Unreadable::Words));
    let mut packed = pack(body().as_bytes()).unwrap();
    let at = packed.windows(4).position(|four| *four == WORDS_ID.to_le_bytes()).unwrap();
    packed[at] ^= 1;
    assert_eq!(unpack(&packed), Err(Unreadable::Words));
    assert_eq!(unpack(b""), Err(Unreadable::Words));
}

#[test]
fn a_text_is_stored_by_its_type() {
    let long = StoredText::from(body());
    let StoredText::Packed(packed) = &long else { panic!("{long:?}") };
    assert_eq!(text(ValueRef::Blob(packed)).unwrap(), body());
    assert!(matches!(StoredText::from("{}".to_owned()), StoredText::AsItIs(text) if text == "{}"));
    assert_eq!(text(ValueRef::Text(body().as_bytes())).unwrap(), body());
    assert_eq!(text(ValueRef::Blob(body().as_bytes())), Err(Unreadable::Words));
    let no_text = pack(&[0xff; WORTH_BYTES]).unwrap();
    assert_eq!(text(ValueRef::Blob(&no_text)), Err(Unreadable::NoText));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "functions need no file")]
fn sql_can_look_inside() {
    let connection = Connection::open_in_memory().unwrap();
    crate::keys::teach(&connection).unwrap();
    let asked = |sql: &str, value: &dyn ToSql| -> Value {
        connection.query_row(sql, [value], |row| row.get(0)).unwrap()
    };
    let kind = "SELECT unpacked(?1) ->> 'kind'";
    let thought = Value::Text("thought".to_owned());
    assert_eq!(asked(kind, &StoredText::from(body())), thought);
    assert_eq!(asked(kind, &body()), thought);
    assert_eq!(asked("SELECT unpacked(packed(?1))", &body()), Value::Text(body()));
    let bytes = vec![0xff; WORTH_BYTES];
    assert_eq!(asked("SELECT unpacked(packed(?1))", &bytes), Value::Blob(bytes));
    assert_eq!(asked("SELECT unpacked(?1)", &MAGIC.to_vec()), Value::Null);
    assert_eq!(asked("SELECT packed(?1)", &7), Value::Integer(7));
}
