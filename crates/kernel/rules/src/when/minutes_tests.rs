use proptest::prelude::*;

use super::*;
use crate::when::show_minutes;

fn why(text: &str) -> String {
    minutes(text).unwrap_err().to_string()
}

#[test]
fn a_duration_is_read_in_every_way_that_people_write_one() {
    let table: [(u32, &[&str]); 7] = [
        (0, &["0", "0m", "0:00", "0h"]),
        (1, &["1", "1 min", "a minute", "0:01", "0.02h"]),
        (45, &["45", "45m", "45 min", "45 Minutes", "0:45", "0.75h"]),
        (
            90,
            &[
                "90",
                "90m",
                "1h30",
                "1h 30",
                "1h30m",
                "1h 30m",
                " 1H  30 MIN ",
                "1:30",
                "1.5h",
                "1,5 h",
            ],
        ),
        (120, &["2h", "2 hrs", "2 hours", "1h 60m", "1 hour 1 hour"]),
        (20, &["0.33333h", "0.333 hours", "20mins"]),
        (MINUTES_MAX, &["525600", "8760h", "8760:00"]),
    ];
    for (expected, texts) in table {
        for text in texts {
            assert_eq!(minutes(text), Ok(expected), "{text}");
        }
    }
}

#[test]
fn days_are_refused_because_nobody_knows_how_long_one_is() {
    for text in ["1d", "2 weeks", "1 day 2h", "1 month"] {
        let expected = format!(
            "{text:?} is not a duration: a day has no fixed number of hours; \
             write hours, like \"8h\""
        );
        assert_eq!(why(text), expected);
    }
}

#[test]
fn what_is_no_duration_is_refused_with_what_would_be() {
    for text in ["", "soon", "-5", "+5", "1h30x", "h", "m5", "1.5", "5 5", "1:2:3", "2h ago"] {
        let expected = format!("{text:?} is not a duration; write \"45m\", \"1h 30m\" or \"1.5h\"");
        assert_eq!(why(text), expected);
    }
    let longer = "at most 525600 minutes, a year, are allowed";
    for (text, reason) in [
        ("1h90", "an hour has the minutes 0 to 59"),
        ("1:60", "an hour has the minutes 00 to 59"),
        ("1:5", "an hour has the minutes 00 to 59"),
        ("1.5m", "only hours can have a fraction"),
        ("525601", longer),
        ("8761h", longer),
        ("99999999999999999999999", longer),
        ("99999999999999999999:00", longer),
        ("9999999h", "the number is too large"),
    ] {
        assert_eq!(why(text), format!("{text:?} is not a duration: {reason}"));
    }
}

proptest! {
    #[test]
    fn a_duration_that_is_shown_can_be_read(duration in 0..=MINUTES_MAX) {
        prop_assert_eq!(minutes(&show_minutes(duration)), Ok(duration));
    }

    #[test]
    fn no_text_is_too_strange_for_a_duration(
        text in prop_oneof!["\\PC{0,40}", "[0-9hmd.,: ]{0,20}", any::<String>()]
    ) {
        prop_assert!(minutes(&text).is_ok_and(|found| found <= MINUTES_MAX) || !why(&text).is_empty());
    }
}
