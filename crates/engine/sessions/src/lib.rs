//! Sessions: what an agent's operator says with it in one thread, from its start to its end, and the
//! conversations that they make.
//!
//! A session is a record that is written when it starts and when its status changes. Everything else that
//! is told here is read from what turns have left anyway, so nothing has to be brought back after a crash:
//! see `rules::session`.

mod begin;
mod conversation;
mod end;
mod error;
mod find;
mod history;
mod note;
mod service;
mod steps;
mod view;

pub use begin::StartSession;
pub use error::Error;
pub use service::Sessions;
pub use steps::STEPS;
pub use view::{ConversationView, SaidView, SessionView};
