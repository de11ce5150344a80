//! All rules over the tree, and the one line that says what was looked at.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use super::{budgets, decisions, error_pages, links, marks, migrations, names, tables_of_contents};
use crate::failure::Failure;
use crate::findings::Findings;
use crate::tree::Tree;

type Check = fn(&Tree, &mut Findings) -> usize;

/// Each rule with the word for what it counts.
const CHECKS: [(&str, Check); 8] = [
    ("functions", budgets::check),
    ("names", names::check),
    ("Rust files", marks::check),
    ("tables of contents", tables_of_contents::check),
    ("error codes", error_pages::check),
    ("migrations", migrations::check),
    ("links", links::check),
    ("decisions", decisions::check),
];

/// Checks the tree; prints every finding, or one line of counts.
pub(crate) fn run(root: &Path) -> Result<(), Failure> {
    let tree = Tree::read(root)?;
    let mut findings = Findings::default();
    let counts: Vec<String> = CHECKS
        .iter()
        .map(|(what, check)| format!("{} {what}", check(&tree, &mut findings)))
        .collect();
    findings.report("tidy")?;
    println!("tidy: {}", counts.join(", "));
    Ok(())
}

/// Adds the new migrations to the lock, then checks the tree. What is locked stays as it is.
pub(crate) fn lock_migrations(root: &Path) -> Result<(), Failure> {
    let addition = migrations::lock_addition(&Tree::read(root)?);
    if !addition.is_empty() {
        OpenOptions::new()
            .append(true)
            .create(true)
            .open(root.join(migrations::LOCK))
            .and_then(|mut file| file.write_all(addition.as_bytes()))
            .map_err(|e| Failure::step(format!("failed to write {}", migrations::LOCK), e))?;
    }
    run(root)
}
