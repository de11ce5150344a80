use super::*;

/// What people are told of the calls.
const GUIDE: &str = include_str!("../../../../docs/guides/serving.md");

/// The part of the guide under a heading.
fn under(heading: &str) -> &'static str {
    let (_, rest) = GUIDE.split_once(&format!("\n{heading}\n")).expect("the heading is there");
    rest.split_once("\n#").map_or(rest, |(part, _)| part)
}

/// The words between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The names that were expected instead of one that nothing has, as the reader of requests lists them.
fn expected(request: &str) -> Vec<String> {
    let Err(error) = serde_json::from_str::<Request>(request) else { return Vec::new() };
    let error = error.to_string();
    let listed = error.split_once("expected").map_or("", |(_, names)| names);
    quoted(listed).into_iter().map(str::to_owned).collect()
}

/// Fails unless each name has a row under the heading, and each of its fields is in that row.
fn told(heading: &str, before: &str, tag: &str) {
    let all = expected(&format!("{{{before}\"{tag}\":\"?\"}}"));
    assert!(all.len() > 5, "{heading}: {all:?}");
    let rows: Vec<&str> = under(heading).lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(rows.len(), all.len(), "{heading}: {all:?}");
    for name in all {
        let row = rows.iter().find(|row| row.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("{name} is not in the guide"));
        for field in expected(&format!("{{{before}\"{tag}\":\"{name}\",\"?\":0}}")) {
            assert!(quoted(row).contains(&field.as_str()), "{field} of {name} is not in the guide");
        }
    }
}

#[test]
fn every_call_is_in_the_guide_with_its_fields() {
    told("## Calls", "", "call");
    told("### Looks", "\"call\":\"look\",", "at");
    told("### Sessions", "\"call\":\"session\",", "to");
}

#[test]
fn what_the_guide_is_held_to_is_what_requests_are_read_by() {
    assert_eq!(expected(r#"{"call":"run_list","?":0}"#), ["agent", "limit"]);
    assert_eq!(expected(r#"{"call":"look","at":"time_sheet","?":0}"#), ["from", "to"]);
    assert!(expected(r#"{"call":"?"}"#).contains(&"schedule_backfill".to_owned()));
}

#[test]
fn what_no_request_has_is_refused_also_where_it_has_no_fields_at_all() {
    for name in expected(r#"{"call":"?"}"#) {
        let request = format!(r#"{{"call":"{name}","zzz":1}}"#);
        assert!(serde_json::from_str::<Request>(&request).is_err(), "{request}");
    }
    for name in expected(r#"{"call":"look","at":"?"}"#) {
        let request = format!(r#"{{"call":"look","at":"{name}","zzz":1}}"#);
        let why = serde_json::from_str::<Request>(&request).unwrap_err().to_string();
        assert!(why.contains("unknown field `zzz`"), "{why}");
    }
    let labels = Request::Look(crate::JournalLook::Labels {});
    let text = serde_json::to_string(&labels).unwrap();
    assert_eq!(text, r#"{"call":"look","at":"labels"}"#, "as ever");
    assert_eq!(serde_json::from_str::<Request>(&text).unwrap(), labels);
}
