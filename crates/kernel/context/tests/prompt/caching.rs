//! Names of prompts.

use context::{cache_key, fingerprint};

use crate::given::Given;

#[test]
fn the_cache_key_stays_while_only_the_parts_of_the_turn_change() {
    let (one, mut given) = (Given::fresh().prompt(), Given::fresh().prompted("Something else"));
    given.note(1, "And a note.");
    let other = given.prompt();
    assert_eq!(cache_key(&one.blocks), cache_key(&other.blocks));
    assert_ne!(fingerprint(&one.blocks), fingerprint(&other.blocks));
}

#[test]
fn the_cache_key_changes_with_the_role() {
    let mut given = Given::fresh();
    let before = cache_key(&given.prompt().blocks);
    given.role.push_str(" Be brief.");
    assert_ne!(before, cache_key(&given.prompt().blocks));
}

#[test]
fn a_fingerprint_tells_any_two_prompts_apart() {
    let mut blocks = Given::fresh().prompt().blocks;
    let before = fingerprint(&blocks);
    assert_eq!(before, fingerprint(&Given::fresh().prompt().blocks));
    blocks[2].text.push(' ');
    assert_ne!(before, fingerprint(&blocks));
}
