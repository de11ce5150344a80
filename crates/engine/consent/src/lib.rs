//! What a person agrees to before a model is sent anything: the terms, the receipt, and taking it back.
//!
//! A receipt is for one model of one provider under one version of its terms. Whether it is enough is for
//! `policy::inference` to judge; here it is only kept.

mod error;
mod grant;
mod known;
mod list;
mod refused;
mod revoke;
mod service;
mod statement;
mod steps;
mod view;

pub use error::Error;
pub use known::Known;
pub use service::Consent;
pub use statement::Statement;
pub use steps::STEPS;
pub use view::{ReceiptView, Standing};
