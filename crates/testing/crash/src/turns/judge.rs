//! Whether what was asked for is there, once each, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use super::model::Given;
use crate::Violation;

/// Something that was asked for and acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Of which agent, by its place.
    pub agent: usize,
    /// For what.
    pub text: String,
}

/// The titles on the list of each agent's task.
pub type Lists = Vec<Vec<String>>;

/// Compares what was acknowledged with what is on the lists. Each item begins with what was asked for and
/// ends with what the model made of it, which it never says twice.
#[must_use]
pub fn judge(
    asked: &[Asked],
    lists: &Lists,
    given: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut wanted: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for one in asked {
        *wanted.entry((one.agent, &one.text)).or_default() += 1;
    }
    let mut found: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for (agent, list) in lists.iter().enumerate() {
        for title in list {
            let text = title.rsplit_once(" ~").map_or(title.as_str(), |(text, _)| text);
            *found.entry((agent, text)).or_default() += 1;
            violations.extend(stranger(title, text, given, &mut seen));
        }
    }
    let all: BTreeSet<(usize, &str)> = wanted.keys().chain(found.keys()).copied().collect();
    for key in all {
        let [wanted, found] = [&wanted, &found].map(|map| map.get(&key).copied().unwrap_or(0));
        if wanted != found {
            let text = key.1.to_owned();
            violations.push(Violation::Items { agent: key.0, text, wanted, found });
        }
    }
    violations
}

/// What is wrong with a title by itself.
fn stranger<'a>(
    title: &'a str,
    text: &str,
    given: &Given,
    seen: &mut BTreeSet<&'a str>,
) -> Option<Violation> {
    let why = if !given.get(text).is_some_and(|titles| titles.contains(title)) {
        "no model ever gave"
    } else if !seen.insert(title) {
        "is there twice"
    } else {
        return None;
    };
    Some(Violation::Stranger { title: title.to_owned(), why })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(lists: &[&[&str]]) -> Vec<String> {
        let asked = [(0, "a"), (0, "b"), (0, "b"), (1, "a")];
        let asked = asked.map(|(agent, text)| Asked { agent, text: text.to_owned() });
        let titles = |titles: &[&str]| titles.iter().map(|&title| title.to_owned()).collect();
        let given = [("a".to_owned(), titles(&["a ~1", "a ~2"])), {
            ("b".to_owned(), titles(&["b ~3", "b ~4", "b ~5"]))
        }];
        let lists =
            lists.iter().map(|&list| list.iter().map(|&t| t.to_owned()).collect()).collect();
        judge(&asked, &lists, &given.into()).iter().map(Violation::to_string).collect()
    }

    #[test]
    fn what_was_asked_for_is_there_once_each_and_nothing_else() {
        assert!(said(&[&["a ~1", "b ~4", "b ~3"], &["a ~2"]]).is_empty());
        for (lists, wrong) in [
            (&[&["a ~1", "b ~3"][..], &["a ~2"]][..], "1 times"),
            (&[&["a ~1", "b ~3", "b ~4", "b ~5"], &["a ~2"]], "3 times"),
            (&[&["a ~1", "b ~3", "b ~3"], &["a ~2"]], "twice"),
            (&[&["a ~1", "b ~3", "b ~4", "c"], &["a ~2"]], "no model ever gave"),
            (&[&["a ~1", "b ~3", "b ~4"], &["a ~9"]], "no model ever gave"),
            (&[&["a ~1", "b ~3", "b ~4"], &[]], "0 times"),
        ] {
            let said = said(lists);
            assert!(said.iter().any(|line| line.contains(wrong)), "{lists:?}: {said:?}");
        }
    }
}
