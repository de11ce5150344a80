use super::*;
use crate::schedule::civil;

fn matches(line: &str, hands: &str) -> bool {
    parse(line).unwrap().matches(civil::minute(hands.parse().unwrap()))
}

fn why(line: &str) -> String {
    match parse(line) {
        Err(ScheduleError::BadCron { why, .. }) => why,
        other => panic!("{line} gave {other:?}"),
    }
}

#[test]
fn a_line_matches_the_minutes_that_its_fields_say() {
    // 15 November 2026 is a Sunday.
    for (line, yes, no) in [
        ("* * * * *", "2026-11-15T07:13", ""),
        ("0 7 * * *", "2026-11-15T07:00", "2026-11-15T07:01"),
        ("  0\t7 * * * ", "2026-11-15T07:00", "2026-11-15T08:00"),
        ("*/15 * * * *", "2026-11-15T07:45", "2026-11-15T07:50"),
        ("5-20/5 * * * *", "2026-11-15T07:20", "2026-11-15T07:25"),
        ("1,2,58-59 * * * *", "2026-11-15T07:58", "2026-11-15T07:03"),
        ("0 0 1 JAN *", "2026-01-01T00:00", "2026-02-01T00:00"),
        ("0 0 1 jan-Mar,dec *", "2026-12-01T00:00", "2026-04-01T00:00"),
        ("0 0 * * SUN", "2026-11-15T00:00", "2026-11-16T00:00"),
        ("0 0 * * 7", "2026-11-15T00:00", "2026-11-16T00:00"),
        ("0 0 * * 0", "2026-11-15T00:00", "2026-11-14T00:00"),
        ("0 0 * * fri-sun", "2026-11-15T00:00", "2026-11-12T00:00"),
        ("0 0 * * 5-7", "2026-11-15T00:00", "2026-11-16T00:00"),
        ("0 0 * * 1-5", "2026-11-16T00:00", "2026-11-15T00:00"),
        ("0 0 29 2 *", "2028-02-29T00:00", "2027-02-28T00:00"),
        ("@hourly", "2026-11-15T07:00", "2026-11-15T07:01"),
        ("@daily", "2026-11-15T00:00", "2026-11-15T01:00"),
        ("@Weekly", "2026-11-15T00:00", "2026-11-16T00:00"),
        ("@monthly", "2026-11-01T00:00", "2026-11-15T00:00"),
        ("@yearly", "2026-01-01T00:00", "2026-11-01T00:00"),
    ] {
        assert!(matches(line, yes), "{line} has {yes}");
        assert!(no.is_empty() || !matches(line, no), "{line} does not have {no}");
    }
}

#[test]
fn a_day_matches_either_day_field_if_both_are_restricted() {
    let line = "0 0 13 * FRI";
    assert!(matches(line, "2026-11-13T00:00"), "both");
    assert!(matches(line, "2026-11-20T00:00"), "a Friday");
    assert!(matches(line, "2026-12-13T00:00"), "a thirteenth");
    assert!(!matches(line, "2026-12-14T00:00"), "neither");
    // A field that begins with a star is not restricted, whatever its step.
    assert!(matches("0 0 */2 * SUN", "2026-11-15T00:00"), "an odd Sunday");
    assert!(!matches("0 0 */2 * SUN", "2026-11-22T00:00"), "an even Sunday");
    assert!(!matches("0 0 */2 * SUN", "2026-11-17T00:00"), "an odd Tuesday");
}

#[test]
fn a_line_that_cannot_be_read_says_which_field_and_why() {
    for (line, expected) in [
        ("61 * * * *", "the minute field has 61, which is above 59"),
        ("99999999999 * * * *", "the minute field has 99999999999, which is above 59"),
        ("* 24 * * *", "the hour field has 24, which is above 23"),
        ("* * 0 * *", "the day-of-month field has 0, which is below 1"),
        ("* * 32 * *", "the day-of-month field has 32, which is above 31"),
        ("* * * 13 *", "the month field has 13, which is above 12"),
        ("* * * 0 *", "the month field has 0, which is below 1"),
        ("* * * * 8", "the day-of-week field has 8, which is above 7"),
        ("* * * * MOON", "the day-of-week field has MOON, which is not a number or a name"),
        ("* MON * * *", "the hour field has MON, which is not a number"),
        ("-5 * * * *", "the minute field has an empty place"),
        ("+5 * * * *", "the minute field has +5, which is not a number"),
        ("1,,2 * * * *", "the minute field has an empty place"),
        ("*/0 * * * *", "the minute field has a step of 0"),
        ("*/90 * * * *", "the minute field has 90, which is above 59"),
        ("*/ * * * *", "the minute field has nothing, which is not a number"),
        ("*/2/3 * * * *", "the minute field has 2/3, which is not a number"),
        ("5/10 * * * *", "the minute field has 5/10, where a step needs a range or *"),
        ("* 5-2 * * *", "the hour field has 5-2, which runs backwards"),
        ("* * * * 5-0", "the day-of-week field has 5-0, which runs backwards"),
        ("* * L * *", "the day-of-month field has L, which is not a number"),
        ("٣ * * * *", "the minute field has ٣, which is not a number"),
        ("* * * *", "it has 4 fields, a cron line has 5"),
        ("* * * * * *", "it has 6 fields, a cron line has 5"),
        ("", "it has 0 fields, a cron line has 5"),
        ("@reboot", "@reboot is not one of @hourly, @daily, @weekly, @monthly, @yearly"),
    ] {
        assert_eq!(why(line), expected, "{line}");
    }
    let error = parse("61 * * * *").unwrap_err().to_string();
    let expected = "the cron line \"61 * * * *\" cannot be read: the minute field has 61, which is \
                    above 59";
    assert_eq!(error, expected);
}

#[test]
fn a_line_that_is_too_long_is_refused_and_not_repeated_in_full() {
    let line = "é".repeat(5_000);
    let Err(ScheduleError::BadCron { line, why }) = parse(&line) else { panic!("it was read") };
    assert_eq!((line.chars().count(), why.as_str()), (200, "it has 10000 bytes, the limit is 200"));
}

#[test]
fn a_line_that_matches_no_day_of_any_year_is_refused() {
    for line in ["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 30 FEB */2"] {
        let expected = ScheduleError::NeverComes { pattern: line.to_owned() };
        assert_eq!(parse(line), Err(expected));
    }
    // Rare is not never: a leap day on a Sunday, and a day that matches by its weekday.
    assert!(parse("0 0 29 2 */7").is_ok());
    assert!(parse("0 0 30 2 MON").is_ok());
}
