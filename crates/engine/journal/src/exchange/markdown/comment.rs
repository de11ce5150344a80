//! Comments that carry what Markdown does not show: `<!-- task {"id":"task_…"} -->`.

use serde_json::{Map, Value};

/// What a comment can be about.
const KINDS: [&str; 16] = [
    "dormouse",
    "category",
    "label",
    "task",
    "checklist",
    "item",
    "entry",
    "time",
    "plan",
    "block",
    "pin",
    "rating",
    "link",
    "gone",
    "record",
    "end",
];

/// Fields of a record.
pub(super) type Fields = Map<String, Value>;

/// A comment of ours.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Comment {
    /// What it is about.
    pub(super) kind: &'static str,
    /// What it carries.
    pub(super) fields: Fields,
}

/// A comment as text. Angle brackets are escaped, so that nothing in it begins or ends a comment.
pub(super) fn comment(kind: &str, fields: &Fields) -> String {
    let json = serde_json::to_string(fields).expect("fields are JSON");
    let json = json.replace('<', "\\u003c").replace('>', "\\u003e");
    format!("<!-- {kind} {json} -->")
}

/// What a line shows, and the comment at its end if there is one of ours.
///
/// # Errors
/// If a comment of ours is broken.
pub(super) fn split(line: &str) -> Result<(&str, Option<Comment>), String> {
    let Some((shown, kind, json)) = last(line) else {
        let begun = KINDS.iter().any(|kind| line.contains(&format!("<!-- {kind} {{")));
        return match begun {
            true => Err("a comment of Dormouse has no end".to_owned()),
            false => Ok((line, None)),
        };
    };
    let fields = serde_json::from_str(json)
        .map_err(|error| format!("the comment about a {kind} is broken: {error}"))?;
    Ok((shown.strip_suffix(' ').unwrap_or(shown), Some(Comment { kind, fields })))
}

/// The last comment of a line, if it ends the line and is one of ours.
fn last(line: &str) -> Option<(&str, &'static str, &str)> {
    let inside = line.trim_end().strip_suffix("-->")?;
    let start = inside.rfind("<!--")?;
    let (kind, json) = inside[start + 4..].trim().split_once(' ')?;
    let kind = KINDS.iter().find(|known| **known == kind)?;
    json.starts_with('{').then_some((&line[..start], *kind, json))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_comment_comes_back_whatever_stands_before_it_and_in_it() {
        let Value::Object(fields) = json!({ "id": "task_a", "x": "--> <!-- end {} -->" }) else {
            unreachable!("an object")
        };
        let text = comment("task", &fields);
        assert_eq!(text.matches("-->").count(), 1);
        for shown in ["- [ ] a", "", "  spaces  ", "<!-- task {} -->", "<!-- remark -->"] {
            let (found, comment) =
                split(&format!("{shown} {text}")).map(|(a, b)| (a.to_owned(), b)).unwrap();
            assert_eq!((found.as_str(), comment.unwrap().fields), (shown, fields.clone()));
        }
    }

    #[test]
    fn comments_of_others_are_theirs_and_broken_ones_of_ours_are_refused() {
        for line in ["a <!-- remark -->", "<!-- task for later -->", "a --> b", "<!-- x {} -->"] {
            assert_eq!(split(line), Ok((line, None)));
        }
        assert!(split("- [ ] a <!-- task {\"id\":\"task").is_err());
        assert!(split("- [ ] a <!-- task {\"id\":} -->").is_err());
    }
}
