//! `cargo xtask contract`: each promise in `docs/contract` names the tests that hold it.
//!
//! A page `NN-chapter.md` has a table `| row | promise | proof |`, and may have a second one,
//! `| row | why it does not bind us |`. There is no third kind: a promise without a test is a wish.

use std::collections::BTreeMap;
use std::path::Path;

use crate::failure::Failure;
use crate::findings::Findings;
use crate::markdown;
use crate::metadata::{self, Depth};
use crate::proofs::Tests;
use crate::tree::Tree;

const PAGES: &str = "docs/contract/";
const PROVED: [&str; 3] = ["row", "promise", "proof"];
const NOT_BINDING: [&str; 2] = ["row", "why it does not bind us"];

/// Checks all pages; prints a line for each, the total, and every finding.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let tree = Tree::read(root)?;
    let packages = metadata::packages(root, Depth::Workspace)?;
    let mut findings = Findings::default();
    let chapters = check(&tree, &Tests::find(&tree, &packages), &mut findings);
    for line in summary(&chapters) {
        println!("{line}");
    }
    findings.report("contract")
}

/// What a page holds.
#[derive(Debug, Default, PartialEq, Eq)]
struct Chapter {
    name: String,
    proved: usize,
    not_binding: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Table {
    Proved,
    NotBinding,
    /// Of no concern here, and so without rows of the contract.
    Other,
}

/// Row ids with the page that took them first.
type Taken = BTreeMap<String, String>;

fn check(tree: &Tree, tests: &Tests, findings: &mut Findings) -> Vec<Chapter> {
    let mut taken = Taken::new();
    let mut chapters = Vec::new();
    for (path, text) in tree.texts(PAGES, ".md") {
        let name = &path[PAGES.len()..path.len() - ".md".len()];
        if name == "README" {
            continue;
        }
        match chapter_word(name) {
            Some(word) => {
                let mut page = Page { path, word, tests, taken: &mut taken, findings };
                let (proved, not_binding) = page.check(text);
                chapters.push(Chapter { name: name.to_owned(), proved, not_binding });
            }
            None => findings.add(path, 1, "is not called `NN-chapter.md`"),
        }
    }
    if chapters.is_empty() {
        findings.add(PAGES, 1, "there is no page, so nothing is promised");
    }
    chapters
}

/// `12-sync` speaks of `SYNC`.
fn chapter_word(name: &str) -> Option<String> {
    let (number, word) = name.split_once('-')?;
    let is_number = number.len() == 2 && number.bytes().all(|b| b.is_ascii_digit());
    let is_word = !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
    (is_number && is_word).then(|| word.to_uppercase())
}

fn summary(chapters: &[Chapter]) -> Vec<String> {
    let total = Chapter {
        name: "total".to_owned(),
        proved: chapters.iter().map(|c| c.proved).sum(),
        not_binding: chapters.iter().map(|c| c.not_binding).sum(),
    };
    chapters
        .iter()
        .chain([&total])
        .map(|c| format!("{:<13} {:>2} proved {:>3} not binding", c.name, c.proved, c.not_binding))
        .collect()
}

/// A page while it is read.
struct Page<'a> {
    path: &'a str,
    word: String,
    tests: &'a Tests,
    taken: &'a mut Taken,
    findings: &'a mut Findings,
}

impl Page<'_> {
    /// Returns the numbers of rows proved and not binding.
    fn check(&mut self, text: &str) -> (usize, usize) {
        let (mut proved, mut not_binding) = (0, 0);
        let mut table = None;
        for (line, text) in markdown::prose(text) {
            if text.trim_start_matches('#').trim() == "Held by shape" {
                self.complain(line, "a promise is held by a test, not by shape");
            }
            let Some(cells) = markdown::cells(text) else {
                table = None;
                continue;
            };
            let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
            match table {
                None => table = Some(self.header(line, &cells)),
                Some(_) if is_rule(&cells) => {}
                Some(Table::Proved) => proved += usize::from(self.proved(line, &cells)),
                Some(Table::NotBinding) => not_binding += usize::from(self.free(line, &cells)),
                Some(Table::Other) => self.other(line, &cells),
            }
        }
        (proved, not_binding)
    }

    fn header(&mut self, line: usize, cells: &[&str]) -> Table {
        if cells == PROVED {
            return Table::Proved;
        }
        if cells == NOT_BINDING {
            return Table::NotBinding;
        }
        if cells.first() == Some(&"row") {
            self.complain(line, format!("no table of rows is headed `{}`", cells.join(" | ")));
        }
        Table::Other
    }

    fn proved(&mut self, line: usize, cells: &[&str]) -> bool {
        let &[row, promise, proof] = cells else {
            self.complain(line, "expected `| row | promise | proof |`");
            return false;
        };
        if promise.is_empty() {
            self.complain(line, format!("{row} promises nothing"));
        }
        let is_proved = self.proof(line, row, proof);
        self.row(line, row) && is_proved
    }

    fn proof(&mut self, line: usize, row: &str, proof: &str) -> bool {
        let mut holds = true;
        for part in proof.split(", ") {
            let name = part.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
            let complaint = match name {
                Some(name) if self.tests.has(name) => continue,
                Some(name) => format!("{row}: there is no test `{name}`"),
                None => format!("{row}: expected the name of a test in backticks, not `{part}`"),
            };
            self.complain(line, complaint);
            holds = false;
        }
        holds
    }

    fn free(&mut self, line: usize, cells: &[&str]) -> bool {
        let &[row, why] = cells else {
            self.complain(line, "expected `| row | why it does not bind us |`");
            return false;
        };
        if why.is_empty() {
            self.complain(line, format!("{row}: say why it does not bind us"));
        }
        self.row(line, row) && !why.is_empty()
    }

    fn other(&mut self, line: usize, cells: &[&str]) {
        if let Some(row) = cells.first().filter(|cell| prefix_of(cell).is_some()) {
            self.complain(line, format!("{row} stands in a table that proves nothing"));
        }
    }

    /// Whether the id is one of this chapter and new.
    fn row(&mut self, line: usize, row: &str) -> bool {
        if prefix_of(row) != Some(&self.word) {
            self.complain(line, format!("`{row}` is no row of the chapter {}", self.word));
            return false;
        }
        if let Some(first) = self.taken.get(row) {
            self.complain(line, format!("{row} is already in {first}"));
            return false;
        }
        self.taken.insert(row.to_owned(), self.path.to_owned());
        true
    }

    fn complain(&mut self, line: usize, text: impl Into<String>) {
        self.findings.add(self.path, line, text);
    }
}

/// Whether this is the line of dashes under a header.
fn is_rule(cells: &[&str]) -> bool {
    cells.iter().all(|cell| !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':')))
}

/// The chapter in a row id such as `SYNC-L01`; none if it is no row id.
fn prefix_of(row: &str) -> Option<&str> {
    let (chapter, rest) = row.split_once('-')?;
    let number = rest.strip_prefix(['L', 'H', 'P'])?;
    let is_id = !chapter.is_empty()
        && chapter.bytes().all(|b| b.is_ascii_uppercase())
        && !number.is_empty()
        && number.bytes().all(|b| b.is_ascii_digit());
    is_id.then_some(chapter)
}

#[cfg(test)]
#[path = "contract_tests.rs"]
mod tests;
