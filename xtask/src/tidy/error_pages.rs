//! Every error code has its page, and every page its code.

use std::collections::BTreeMap;

use crate::findings::Findings;
use crate::tree::Tree;

const CODES: &str = "crates/kernel/types/src/codes.rs";
const PAGES: &str = "docs/errors/";
const HEADINGS: [&str; 3] = ["## What happened", "## What it means", "## What to try"];

/// Counts error codes.
pub(super) fn check(tree: &Tree, findings: &mut Findings) -> usize {
    let Some(text) = tree.text(CODES) else {
        findings.add(CODES, 1, "the list of error codes is missing");
        return 0;
    };
    let codes = declared(text, findings);
    if codes.is_empty() {
        findings.add(CODES, 1, "no line of the form `    Variant = \"code\",` declares a code");
    }
    for (code, line) in &codes {
        match tree.text(&format!("{PAGES}{code}.md")) {
            Some(page) => check_page(code, page, findings),
            None => findings.add(CODES, *line, format!("`{code}` has no page {PAGES}{code}.md")),
        }
    }
    for (path, _) in tree.texts(PAGES, ".md") {
        let page = path.trim_start_matches(PAGES).trim_end_matches(".md");
        if page != "README" && !codes.contains_key(page) {
            findings.add(path, 1, format!("no code `{page}` is declared in {CODES}"));
        }
    }
    codes.len()
}

/// The codes with the line of each.
fn declared<'a>(text: &'a str, findings: &mut Findings) -> BTreeMap<&'a str, usize> {
    let mut codes = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        if let Some(code) = declared_code(line)
            && codes.insert(code, index + 1).is_some()
        {
            findings.add(CODES, index + 1, format!("`{code}` is declared twice"));
        }
    }
    codes
}

/// The code in a line of the form `    Variant = "code",`.
fn declared_code(line: &str) -> Option<&str> {
    let (variant, rest) = line.split_once(" = \"")?;
    let (code, rest) = rest.split_once('"')?;
    let name = variant.trim_start();
    let is_declaration = name.len() < variant.len()
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && !code.is_empty()
        && code.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_'))
        && rest.starts_with(',');
    is_declaration.then_some(code)
}

fn check_page(code: &str, page: &str, findings: &mut Findings) {
    let path = format!("{PAGES}{code}.md");
    let title = format!("# {code}");
    if page.lines().next() != Some(&title) {
        findings.add(&path, 1, format!("the first line is not `{title}`"));
    }
    for heading in HEADINGS {
        if !page.lines().any(|line| line.trim_end() == heading) {
            findings.add(&path, 1, format!("the heading `{heading}` is missing"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# disk_full\n\n## What happened\n## What it means\n## What to try\n";
    const DECLARED: &str = "codes! {\n    /// No room.\n    DiskFull = \"disk_full\",\n}\n";

    fn check_tree(files: &[(&str, &str)]) -> Vec<String> {
        let mut findings = Findings::default();
        check(&Tree::of(files), &mut findings);
        findings.into_lines()
    }

    #[test]
    fn a_code_with_its_page_passes() {
        let files =
            [(CODES, DECLARED), ("docs/errors/disk_full.md", PAGE), ("docs/errors/README.md", "")];
        assert_eq!(check_tree(&files), [""; 0]);
    }

    #[test]
    fn a_code_without_a_page_fails() {
        assert_eq!(
            check_tree(&[(CODES, DECLARED)]),
            [format!("{CODES}:3: `disk_full` has no page docs/errors/disk_full.md")]
        );
    }

    #[test]
    fn a_page_without_a_code_fails() {
        let files = [
            (CODES, DECLARED),
            ("docs/errors/disk_full.md", PAGE),
            ("docs/errors/gone.md", "# gone"),
        ];
        assert_eq!(check_tree(&files).len(), 1);
    }

    #[test]
    fn a_page_has_its_title_and_headings() {
        let files = [(CODES, DECLARED), ("docs/errors/disk_full.md", "# full\n## What happened\n")];
        assert_eq!(check_tree(&files).len(), 3);
    }

    #[test]
    fn a_missing_or_empty_list_fails() {
        assert_eq!(check_tree(&[]).len(), 1);
        assert_eq!(check_tree(&[(CODES, "// nothing")]).len(), 1);
    }

    #[test]
    fn a_code_is_declared_once() {
        let twice = "    A = \"disk_full\",\n    B = \"disk_full\",\n";
        let files = [(CODES, twice), ("docs/errors/disk_full.md", PAGE)];
        assert_eq!(check_tree(&files), [format!("{CODES}:2: `disk_full` is declared twice")]);
    }

    #[test]
    fn only_declarations_are_codes() {
        assert_eq!(declared_code("    DiskFull = \"disk_full\", // why"), Some("disk_full"));
        for line in ["A = \"a\",", "    a = \"a\",", "    A = \"No\",", "    const A = \"a\","] {
            assert_eq!(declared_code(line), None, "{line}");
        }
    }
}
