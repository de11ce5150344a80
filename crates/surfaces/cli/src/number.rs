//! Numbers as options take them.
//!
//! An option that takes one lets a minus in, so that whoever writes it is told what is needed instead of
//! how to write an option that is none.

use std::num::{IntErrorKind, ParseIntError};

/// How many of something are wanted at most: with none of them there is nothing to show.
pub(crate) fn how_many(text: &str) -> Result<usize, String> {
    let needed = || "a whole number of 1 or more is needed".to_owned();
    let many = text.parse().map_err(|error| too_large(&error, 1).unwrap_or_else(needed))?;
    if many == 0 { Err(needed()) } else { Ok(many) }
}

/// A whole number that is not below zero.
pub(crate) fn whole_number(text: &str) -> Result<u64, String> {
    let needed = || "a whole number is needed, and none below 0".to_owned();
    text.parse().map_err(|error| too_large(&error, 0).unwrap_or_else(needed))
}

/// What is said of a number that no option has room for.
fn too_large(error: &ParseIntError, least: u64) -> Option<String> {
    let too_large = *error.kind() == IntErrorKind::PosOverflow;
    too_large.then(|| format!("a whole number from {least} to {} is needed", u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_writes_a_number_that_is_none_or_too_large_is_told_what_is_needed() {
        assert_eq!((how_many("7"), whole_number("0")), (Ok(7), Ok(0)));
        for text in ["0", "-1", "many", "1.5"] {
            assert_eq!(how_many(text).unwrap_err(), "a whole number of 1 or more is needed");
        }
        assert_eq!(whole_number("-1").unwrap_err(), "a whole number is needed, and none below 0");
        let large = "99999999999999999999";
        let to = "to 18446744073709551615 is needed";
        assert_eq!(how_many(large).unwrap_err(), format!("a whole number from 1 {to}"));
        assert_eq!(whole_number(large).unwrap_err(), format!("a whole number from 0 {to}"));
    }
}
