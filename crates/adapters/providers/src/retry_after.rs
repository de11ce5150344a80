//! When a provider wants to be asked again.

use std::time::UNIX_EPOCH;

use egress::HeaderMap;
use types::At;

/// Milliseconds from now, as the head of an answer says: in milliseconds, in seconds, or as a date.
pub(crate) fn retry_after_ms(headers: &HeaderMap, now: At) -> Option<u64> {
    let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    if let Some(millis) = said("retry-after-ms").and_then(|text| decimal(text, 0)) {
        return Some(millis);
    }
    let text = said("retry-after")?;
    decimal(text, 3).or_else(|| until(text, now))
}

/// A number with an optional fraction, times a power of ten, rounded up.
fn decimal(text: &str, shift: usize) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit())
    {
        return None;
    }
    let kept: String = fraction.chars().chain("000".chars()).take(shift).collect();
    let rest = fraction.bytes().skip(shift).any(|byte| byte != b'0');
    let number: u64 = format!("{whole}{kept}").parse().ok()?;
    number.checked_add(u64::from(rest))
}

/// Until a date; one that has passed is now.
fn until(text: &str, now: At) -> Option<u64> {
    let date = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    let millis = i64::try_from(date.as_millis()).ok()?;
    Some(u64::try_from(millis.saturating_sub(now.millis())).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use egress::{HeaderName, HeaderValue};

    fn said(headers: &[(&'static str, &'static str)]) -> Option<u64> {
        let pairs = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        retry_after_ms(&pairs.collect(), "2027-01-01T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn seconds_milliseconds_and_dates_are_understood() {
        assert_eq!(said(&[("retry-after", "2")]), Some(2_000));
        assert_eq!(said(&[("retry-after", "0.0315")]), Some(32));
        assert_eq!(said(&[("retry-after-ms", "150")]), Some(150));
        assert_eq!(said(&[("retry-after-ms", "150.5"), ("retry-after", "9")]), Some(151));
        assert_eq!(said(&[("retry-after-ms", "soon"), ("retry-after", "9")]), Some(9_000));
        assert_eq!(said(&[("retry-after", "Fri, 01 Jan 2027 00:00:07 GMT")]), Some(7_000));
        assert_eq!(said(&[("retry-after", "Fri, 01 Jan 2021 00:00:00 GMT")]), Some(0));
    }

    #[test]
    fn what_is_no_time_says_nothing() {
        for text in ["", "-1", "soon", "1e9", ".5", "1.x", "99999999999999999999"] {
            assert_eq!(said(&[("retry-after", text)]), None, "{text:?}");
        }
        assert_eq!(said(&[]), None);
    }
}
