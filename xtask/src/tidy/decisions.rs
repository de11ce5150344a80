//! Decisions are numbered without gaps and short enough to be read.

use crate::findings::Findings;
use crate::tree::Tree;

const FOLDER: &str = "docs/decisions/";
const LINES_MAX: usize = 40;

/// Counts decisions.
pub(super) fn check(tree: &Tree, findings: &mut Findings) -> usize {
    let mut expected = 1;
    let mut count = 0;
    for (path, text) in tree.texts(FOLDER, ".md") {
        let name = &path[FOLDER.len()..];
        if name == "README.md" {
            continue;
        }
        count += 1;
        let lines = text.lines().count();
        if lines > LINES_MAX {
            findings.add(
                path,
                LINES_MAX + 1,
                format!("has {lines} lines, the limit is {LINES_MAX}"),
            );
        }
        match number(name) {
            None => findings.add(path, 1, "is not called `NNNN-slug.md`"),
            Some(number) => {
                if number + 1 == expected {
                    findings.add(path, 1, format!("the number {number:04} is taken"));
                } else if number != expected {
                    findings.add(path, 1, format!("the next number is {expected:04}"));
                }
                expected = number + 1;
            }
        }
    }
    count
}

/// The number of a decision called `NNNN-slug.md`, with a slug of small letters, digits and dashes.
fn number(name: &str) -> Option<usize> {
    let (number, slug) = name.strip_suffix(".md")?.split_once('-')?;
    let is_slug =
        !slug.is_empty() && slug.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-'));
    let is_number = number.len() == 4 && number.bytes().all(|b| b.is_ascii_digit());
    (is_slug && is_number).then(|| number.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_names(names: &[&str]) -> Vec<String> {
        let paths: Vec<String> = names.iter().map(|name| format!("{FOLDER}{name}")).collect();
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "# x\n")).collect();
        let mut findings = Findings::default();
        check(&Tree::of(&files), &mut findings);
        findings.into_lines()
    }

    #[test]
    fn contiguous_decisions_pass() {
        assert_eq!(check_names(&["0001-a.md", "0002-b-2.md", "README.md"]), [""; 0]);
    }

    #[test]
    fn gaps_and_doubles_fail() {
        assert_eq!(check_names(&["0002-a.md"]).len(), 1);
        assert_eq!(check_names(&["0001-a.md", "0003-b.md", "0004-c.md"]).len(), 1);
        assert_eq!(check_names(&["0001-a.md", "0001-b.md", "0002-c.md"]).len(), 1);
    }

    #[test]
    fn other_names_fail() {
        for name in ["1-a.md", "0001.md", "0001-A.md", "0001-.md", "notes.md", "+001-a.md"] {
            assert_eq!(check_names(&[name]).len(), 1, "{name}");
        }
    }

    #[test]
    fn a_long_decision_fails() {
        let check_lines = |lines: usize| {
            let mut findings = Findings::default();
            let text = "x\n".repeat(lines);
            check(&Tree::of(&[("docs/decisions/0001-a.md", &text)]), &mut findings);
            findings.into_lines().len()
        };
        assert_eq!((check_lines(40), check_lines(41)), (0, 1));
    }
}
