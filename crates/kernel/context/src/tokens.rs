//! How many tokens a text is.

use types::Block;

/// About how many tokens a text is: a quarter of its bytes, rounded up, but one at least for each character of scripts
/// that write a word or a syllable with one. For words that errs towards too many; ids, digits and the marks of JSON are
/// more than it says, so a provider may still refuse what fits by this count.
#[must_use]
pub fn tokens(text: &str) -> u64 {
    // As many as a byte counts to, so that the processor can add up many of them at once.
    let dense: usize = text.as_bytes().chunks(255).map(|some| usize::from(dense_in(some))).sum();
    (text.len() + dense).div_ceil(4) as u64
}

/// The same of parts of a prompt.
#[must_use]
pub fn tokens_of(blocks: &[Block]) -> u64 {
    blocks.iter().map(|block| tokens(&block.text)).sum()
}

/// How many of at most 255 bytes begin a character of such a script: it has three bytes, and the first of them is
/// one of these.
fn dense_in(bytes: &[u8]) -> u8 {
    bytes.iter().map(|byte| u8::from((0xE0..=0xEF).contains(byte))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bytes_are_a_token_and_a_part_of_one_counts_whole() {
        assert_eq!(["", "a", "abcd", "abcde"].map(tokens), [0, 1, 1, 2]);
        assert_eq!(["äöü", "水やり", "🌱"].map(tokens), [2, 3, 1]);
        assert_eq!(tokens(&"水".repeat(1_000)), 1_000);
    }
}
