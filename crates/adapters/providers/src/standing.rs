//! How the providers stand, without a word to any of them.

use model::{ProviderStanding, RetryPolicy};

use crate::ProviderConfig;
use crate::providers::{Inner, Provider};
use crate::retry::{ATTEMPTS_MAX, BACKOFF_MS, RETRY_AFTER_MS_MAX};

/// What becomes of questions that fail, at every provider.
const RETRY: RetryPolicy = RetryPolicy {
    attempts_max: ATTEMPTS_MAX,
    backoff_ms: BACKOFF_MS,
    wait_ms_max: RETRY_AFTER_MS_MAX,
};

impl Inner {
    /// How each of them stands, by name.
    pub(crate) fn standings(&self) -> Vec<ProviderStanding> {
        self.providers.values().map(standing).collect()
    }
}

fn standing(provider: &Provider) -> ProviderStanding {
    let config = &provider.config;
    ProviderStanding {
        provider: config.name.clone(),
        transport: config.transport.to_string(),
        destination: config.base_url.clone(),
        obstacle: obstacle(config),
        retry: RETRY,
    }
}

/// What stops a question before it is sent.
fn obstacle(config: &ProviderConfig) -> Option<String> {
    if !config.transport.is_spoken() {
        return Some(format!("the transport {} is not spoken", config.transport));
    }
    let secret = config.secret.as_ref().map(secrets::resolve).transpose();
    secret.err().map(|error| error.to_string())
}
