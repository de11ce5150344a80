//! Amounts of money, exactly.

/// Digits after the point that count.
const PLACES: usize = 6;

/// An amount as it is written, in millionths; none if it has more places than that, an exponent or a sign.
pub(crate) fn micros(text: &str) -> Option<u64> {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(part) || part.len() > PLACES {
        return None;
    }
    let part: u64 = format!("{part:0<PLACES$}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_read_to_the_millionth() {
        for (text, expected) in [("0", 0), ("2.5", 2_500_000), ("0.000001", 1), ("+7", 7_000_000)] {
            assert_eq!(micros(text), Some(expected), "{text}");
        }
        for bad in ["", ".5", "-1", "1e3", "0.0000001", "nan", "inf", "99999999999999999999"] {
            assert_eq!(micros(bad), None, "{bad}");
        }
    }
}
