//! How many tokens a text is.

/// About how many tokens a text is: a quarter of its bytes, rounded up. It errs towards too many, so
/// that what fits by this count also fits a model.
#[must_use]
pub fn tokens(text: &str) -> u64 {
    text.len().div_ceil(4) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bytes_are_a_token_and_a_part_of_one_counts_whole() {
        assert_eq!(["", "a", "abcd", "abcde"].map(tokens), [0, 1, 1, 2]);
    }
}
