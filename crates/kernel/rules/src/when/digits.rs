//! Texts of digits.

/// Whether a text is a number without sign, point or spaces.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number that digits say; one that is too long is as wrong as the largest there is.
pub(super) fn number(digits: &str) -> i64 {
    digits.parse().unwrap_or(i64::MAX)
}
