//! `config.toml` of a home: which models may be asked, how their providers are reached, what agents may
//! spend, and how they work.
//!
//! Without the file everything has its default, and nothing leaves the machine. What is not understood is
//! refused with its line and its name, because a setting that is silently ignored would be worse. No
//! secret is ever in here: only where one is to be found.

mod budget;
mod config;
mod error;
mod key;
mod models;
mod money;
mod provider;
mod read;
mod section;
mod working;

pub use budget::Budget;
pub use config::Config;
pub use error::Error;
pub use models::Models;
pub use provider::Provider;
pub use read::{FILE, text};
pub use working::ToolOutput;
