//! Categories.

mod find;
mod seed;

pub use find::CategoryView;
