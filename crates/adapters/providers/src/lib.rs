//! Models of configured providers.
//!
//! [`Providers`] is a `model::Model`: it finds the provider of a request, lowers the request to the
//! provider's wire, sends it by the one way out, and reads the answer strictly: what is not what the
//! contract of the transport says is refused, never guessed. It tries three times at most, and tells
//! each attempt. It decides nothing about who may ask what: that was done before.

mod answer;
mod ask;
mod attempt;
mod chat;
mod classify;
mod config;
mod counted;
mod diagnose;
mod discreet;
mod error_body;
mod prices;
mod providers;
mod retry;
mod retry_after;
mod standing;
mod timeline;

pub use config::{ProviderConfig, way_out};
pub use prices::PriceTable;
pub use providers::Providers;
