//! When a provider wants to be asked again.

use std::time::UNIX_EPOCH;

use egress::HeaderMap;
use types::At;

/// Seconds since 1970 that tell a time from a span, and seconds from milliseconds.
const YEAR_2001_S: u64 = 1_000_000_000;
const YEAR_5000_S: u64 = 100_000_000_000;

/// Milliseconds from now, as the head of an answer says: in milliseconds, in seconds, or as a date. If it
/// is an answer to too many requests, and says only when there may be more of what is used up, then.
pub(crate) fn retry_after_ms(status: u16, headers: &HeaderMap, now: At) -> Option<u64> {
    let said = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let millis = said("retry-after-ms").and_then(|text| decimal(text, 0));
    let after =
        || said("retry-after").and_then(|text| decimal(text, 3).or_else(|| until(text, now)));
    let reset =
        || (status == 429).then(|| reset_ms(said).or_else(|| reset_at(said, now))).flatten();
    millis.or_else(after).or_else(reset)
}

/// The same where there is one limit, whose end is told as a time: in seconds or milliseconds since 1970.
fn reset_at<'a>(said: impl Fn(&str) -> Option<&'a str>, now: At) -> Option<u64> {
    let at = said("x-ratelimit-reset").and_then(|text| decimal(text, 3))?;
    let millis = if at / 1_000 >= YEAR_5000_S { at / 1_000 } else { at };
    let wait = i64::try_from(millis).ok()?.saturating_sub(now.millis());
    // A small number is a span, and of what nobody says.
    (millis / 1_000 >= YEAR_2001_S).then(|| u64::try_from(wait).unwrap_or(0))
}

/// When all that is used up is there again. A limit of which something is left is not what stands in the
/// way.
fn reset_ms<'a>(said: impl Fn(&str) -> Option<&'a str>) -> Option<u64> {
    let of = |what: &str| {
        let is_used_up = said(&format!("x-ratelimit-remaining-{what}")) == Some("0");
        said(&format!("x-ratelimit-reset-{what}")).filter(|_| is_used_up).and_then(span)
    };
    ["requests", "tokens"].into_iter().filter_map(of).max()
}

/// A span of time such as `1s`, `6m0s`, `120ms` or `1h2m3.5s`; a bare number is seconds.
pub(crate) fn span(text: &str) -> Option<u64> {
    if let Some(seconds) = decimal(text, 3) {
        return Some(seconds);
    }
    let (mut rest, mut sum) = (text, 0_u64);
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, after) = rest.split_at(end);
        let next = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, left) = after.split_at(next);
        let millis = match unit {
            "ms" => decimal(number, 0)?,
            "s" => decimal(number, 3)?,
            "m" => decimal(number, 3)?.checked_mul(60)?,
            "h" => decimal(number, 3)?.checked_mul(3_600)?,
            _ => return None,
        };
        (rest, sum) = (left, sum.checked_add(millis)?);
    }
    (!text.is_empty()).then_some(sum)
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
        retry_after_ms(429, &pairs.collect(), "2027-01-01T00:00:00Z".parse().unwrap())
    }

    #[test]
    fn what_is_used_up_says_when_there_is_more() {
        let (none, some) = ("0", "149984");
        let reset = |requests: &'static str, tokens: &'static str, left: [&'static str; 2]| {
            said(&[
                ("x-ratelimit-remaining-requests", left[0]),
                ("x-ratelimit-reset-requests", requests),
                ("x-ratelimit-remaining-tokens", left[1]),
                ("x-ratelimit-reset-tokens", tokens),
            ])
        };
        assert_eq!(reset("1s", "6m0s", [none, some]), Some(1_000), "as OpenAI documents it");
        assert_eq!(reset("1s", "6m0s", [some, none]), Some(360_000));
        assert_eq!(reset("1h2m3.5s", "120ms", [none, none]), Some(3_723_500));
        assert_eq!(reset("120ms", "", [none, none]), Some(120));
        assert_eq!(reset("7.66", "1s", [none, some]), Some(7_660));
        for odd in ["", "soon", "1", "1d", "s", "1s2", "-1s", "1.s.2s"] {
            let expected = (odd == "1").then_some(1_000);
            assert_eq!(reset(odd, "1s", [none, some]), expected, "{odd:?}");
        }
        assert_eq!(reset("1s", "1s", [some, some]), None, "nothing is known to be used up");
        assert_eq!(said(&[("x-ratelimit-reset-requests", "1s")]), None);
        let headers = [("retry-after", "3"), ("x-ratelimit-remaining-requests", none)];
        assert_eq!(
            said(&[&headers[..], &[("x-ratelimit-reset-requests", "9s")]].concat()),
            Some(3_000)
        );
    }

    #[test]
    fn the_end_of_the_one_limit_may_be_told_as_a_time() {
        // 2027-01-01T00:00:07Z.
        for at in ["1798761607", "1798761607000"] {
            assert_eq!(said(&[("x-ratelimit-reset", at)]), Some(7_000), "{at}");
        }
        assert_eq!(said(&[("x-ratelimit-reset", "1798761500")]), Some(0), "it has passed");
        for odd in ["", "60", "soon", "99999999999999999999"] {
            assert_eq!(said(&[("x-ratelimit-reset", odd)]), None, "{odd:?}");
        }
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
