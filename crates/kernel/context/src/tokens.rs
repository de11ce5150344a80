//! How many tokens a text is.

/// About how many tokens a text is: a quarter of its bytes, rounded up, but one at least for each character of scripts
/// that write a word or a syllable with one. It errs towards too many, so that what fits by this count also fits a
/// model.
#[must_use]
pub fn tokens(text: &str) -> u64 {
    // Such a character has three bytes, and the first of them is one of these.
    let dense = text.bytes().filter(|byte| (0xE0..=0xEF).contains(byte)).count();
    (text.len() + dense).div_ceil(4) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bytes_are_a_token_and_a_part_of_one_counts_whole() {
        assert_eq!(["", "a", "abcd", "abcde"].map(tokens), [0, 1, 1, 2]);
        assert_eq!(["äöü", "水やり", "🌱"].map(tokens), [2, 3, 1]);
    }
}
