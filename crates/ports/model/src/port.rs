//! The trait.

use std::pin::Pin;
use std::sync::Arc;

use types::{ModelRef, TokenUsage};

use crate::{Failure, Listen, ProviderStanding, Request, Response};

/// A model being asked.
pub type Asking = Pin<Box<dyn Future<Output = Result<Response, Failure>> + Send>>;

/// What a model costs, in millionths of the currency of the price table for a million tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Price {
    /// Sent.
    pub input_micros: u64,
    /// Received.
    pub output_micros: u64,
}

impl Price {
    /// What so many tokens cost, rounded up: a budget is never undercounted.
    #[must_use]
    pub fn of(&self, usage: &TokenUsage) -> u64 {
        let part =
            |tokens: u64, price: u64| (u128::from(tokens) * u128::from(price)).div_ceil(1_000_000);
        let sum = part(usage.input_tokens, self.input_micros)
            + part(usage.output_tokens, self.output_micros);
        u64::try_from(sum).unwrap_or(u64::MAX)
    }
}

/// Models that can be asked: the built-in one, or those of configured providers.
pub trait Model: Send + Sync {
    /// Asks, retrying as its policy says. Nothing is sent if the secret or the destination fails.
    fn ask(&self, request: Request, listen: Arc<dyn Listen>) -> Asking;

    /// The answer of a model that is a function of its question and of nothing else, made again without a word to
    /// anybody; none of any other.
    fn again(&self, _request: &Request) -> Option<Response> {
        None
    }

    /// What a model costs; nothing is known of one that is in no table, and it costs nothing.
    fn price(&self, model: &ModelRef) -> Option<Price>;

    /// How the providers stand, by name, without a word to any of them; none, if none are needed.
    fn providers(&self) -> Vec<ProviderStanding> {
        vec![]
    }
}
