//! Every relative link in the documents leads somewhere.

use crate::findings::Findings;
use crate::markdown;
use crate::tree::Tree;

const AT_THE_ROOT: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

/// Counts relative links.
pub(super) fn check(tree: &Tree, findings: &mut Findings) -> usize {
    let at_the_root = AT_THE_ROOT.iter().filter_map(|path| Some((*path, tree.text(path)?)));
    at_the_root
        .chain(tree.texts("docs/", ".md"))
        .map(|(path, text)| check_page(tree, path, text, findings))
        .sum()
}

fn check_page(tree: &Tree, page: &str, text: &str, findings: &mut Findings) -> usize {
    let mut count = 0;
    for (line, link) in markdown::links(text) {
        let target = link.split('#').next().unwrap_or_default();
        if target.is_empty() || is_address(target) {
            continue;
        }
        count += 1;
        if !resolve(page, target).is_some_and(|path| tree.has(&path)) {
            findings.add(page, line, format!("the link `{link}` leads nowhere"));
        }
    }
    count
}

/// Whether the target starts with a scheme, such as `https:` or `mailto:`.
fn is_address(target: &str) -> bool {
    target.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || c == '+')
    })
}

/// The path from the root of the tree; none when the link leaves the tree. A leading `/` is the root.
fn resolve(page: &str, target: &str) -> Option<String> {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (start, target) = target.strip_prefix('/').map_or((folder, target), |rest| ("", rest));
    let mut path: Vec<&str> = Vec::new();
    for part in start.split('/').chain(target.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(path.pop()?),
            _ => path.push(part),
        }
    }
    Some(path.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_text(text: &str) -> Vec<String> {
        let mut findings = Findings::default();
        let files = [("docs/a/page.md", text), ("docs/other.md", ""), ("README.md", "")];
        check(&Tree::of(&files), &mut findings);
        findings.into_lines()
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        for link in ["page.md", "../other.md#part", "../../README.md", "/docs/other.md", "../a/"] {
            assert_eq!(check_text(&format!("[x]({link})")), [""; 0], "{link}");
        }
    }

    #[test]
    fn addresses_and_anchors_are_not_followed() {
        assert_eq!(check_text("[x](https://a.b/c) [y](#z) [m](mailto:a@b.c)"), [""; 0]);
    }

    #[test]
    fn links_that_lead_nowhere_fail() {
        for link in ["gone.md", "other.md", "../../../README.md", "../oth"] {
            let expected = format!("docs/a/page.md:1: the link `{link}` leads nowhere");
            assert_eq!(check_text(&format!("[x]({link})")), [expected]);
        }
    }
}
