//! Pages that hold, and each way in which a page does not.

use super::*;
use crate::metadata::Package;

const PROVED_HEADER: &str = "| row | promise | proof |\n|---|---|---|\n";
const FREE_HEADER: &str = "| row | why it does not bind us |\n|---|---|\n";

fn check_pages(pages: &[(&str, String)]) -> (Vec<Chapter>, Vec<String>) {
    let rules = Package {
        name: "rules".to_owned(),
        version: "0.1.0".to_owned(),
        folder: Some("crates/kernel/rules".to_owned()),
        licence: None,
        dependencies: Vec::new(),
    };
    let source = "#[test]\nfn one() {}\n#[test]\nfn two() {}";
    let mut files = vec![("crates/kernel/rules/src/clock.rs", source)];
    files.extend(pages.iter().map(|(path, text)| (*path, text.as_str())));
    let tree = Tree::of(&files);
    let mut findings = Findings::default();
    let chapters = check(&tree, &Tests::find(&tree, &[rules]), &mut findings);
    (chapters, findings.into_lines())
}

fn check_page(text: String) -> Vec<String> {
    check_pages(&[("docs/contract/12-sync.md", text)]).1
}

fn proved(row: &str) -> Vec<String> {
    check_page(format!("{PROVED_HEADER}{row}\n"))
}

#[test]
fn a_proved_page_passes_and_is_counted() {
    let text = format!(
        "# Sync\n\nProse.\n\n{PROVED_HEADER}| SYNC-L01 | a | `rules::clock::one`, `rules::two` |\n\
         | SYNC-P02 | b | `rules::one` |\n\n{FREE_HEADER}| SYNC-H01 | no such thing |\n\n\
         | word | meaning |\n|---|---|\n| peer | another device |\n"
    );
    let readme = ("docs/contract/README.md", "| row |\n".to_owned());
    let (chapters, found) = check_pages(&[("docs/contract/12-sync.md", text), readme]);
    assert_eq!(found, [""; 0]);
    assert_eq!(chapters, [Chapter { name: "12-sync".to_owned(), proved: 2, not_binding: 1 }]);
}

#[test]
fn a_test_that_does_not_exist_fails() {
    assert_eq!(
        proved("| SYNC-L01 | a | `rules::one`, `rules::clock::three` |"),
        ["docs/contract/12-sync.md:3: SYNC-L01: there is no test `rules::clock::three`"]
    );
}

#[test]
fn a_proof_is_a_name_in_backticks() {
    for proof in ["", "by shape", "rules::one", "`rules::one`,`rules::two`"] {
        assert_eq!(proved(&format!("| SYNC-L01 | a | {proof} |")).len(), 1, "{proof}");
    }
}

#[test]
fn a_row_has_an_id_of_its_chapter() {
    for row in ["WAKE-L01", "SYNC-X01", "SYNC-L", "sync-L01", "", "SYNC-L01a"] {
        assert_eq!(proved(&format!("| {row} | a | `rules::one` |")).len(), 1, "{row}");
    }
}

#[test]
fn a_row_is_complete() {
    assert_eq!(proved("| SYNC-L01 | `rules::one` |").len(), 1);
    assert_eq!(proved("| SYNC-L01 |  | `rules::one` |").len(), 1);
    assert_eq!(check_page(format!("{FREE_HEADER}| SYNC-L01 |  |\n")).len(), 1);
    assert_eq!(check_page(format!("{FREE_HEADER}| SYNC-L01 |\n")).len(), 1);
}

#[test]
fn a_row_stands_once() {
    let row = "| SYNC-L01 | a | `rules::one` |\n";
    assert_eq!(check_page(format!("{PROVED_HEADER}{row}{row}")).len(), 1);
    let free = format!("{PROVED_HEADER}{row}\n{FREE_HEADER}| SYNC-L01 | why |\n");
    assert_eq!(check_page(free).len(), 1);
    let page = format!("{PROVED_HEADER}{row}");
    let (_, found) = check_pages(&[
        ("docs/contract/12-sync.md", page.clone()),
        ("docs/contract/13-sync.md", page),
    ]);
    assert_eq!(
        found,
        ["docs/contract/13-sync.md:3: SYNC-L01 is already in docs/contract/12-sync.md"]
    );
}

#[test]
fn nothing_is_held_by_shape() {
    let text =
        "## Held by shape\n\n| row | promise | held by |\n|---|---|---|\n| SYNC-L01 | a | b |\n";
    assert_eq!(check_page(text.to_owned()).len(), 3);
}

#[test]
fn pages_are_numbered() {
    let (_, found) = check_pages(&[("docs/contract/sync.md", String::new())]);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn no_page_is_no_contract() {
    assert_eq!(check_pages(&[]).1.len(), 1);
}

#[test]
fn the_summary_lists_chapters_and_the_total() {
    let chapters = [
        Chapter { name: "12-sync".to_owned(), proved: 14, not_binding: 2 },
        Chapter { name: "14-operations".to_owned(), proved: 1, not_binding: 0 },
    ];
    assert_eq!(
        summary(&chapters),
        [
            "12-sync       14 proved   2 not binding",
            "14-operations  1 proved   0 not binding",
            "total         15 proved   2 not binding",
        ]
    );
}
