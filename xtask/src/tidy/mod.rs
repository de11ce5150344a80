//! `cargo xtask tidy`: the rules of the tree that need no compiler.
//!
//! Each file holds one rule as a function from a tree to findings, which returns how many things
//! it looked at.

mod budgets;
mod decisions;
mod error_pages;
mod links;
mod marks;
mod migrations;
mod names;
mod tables_of_contents;
mod verdict;

pub(crate) use verdict::{lock_migrations, run};
