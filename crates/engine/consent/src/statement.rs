//! What is shown before somebody agrees.

use types::{ModelRef, ProviderTerms};

/// What somebody agrees to, in words. What nobody wrote down is said to be unknown, never left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Which model.
    pub model: ModelRef,
    /// Where everything goes that agents work with.
    pub destination: String,
    /// By which transport.
    pub transport: String,
    /// How long it is kept there.
    pub retention: String,
    /// Whether it is learnt from.
    pub training: String,
    /// Under whose law.
    pub jurisdiction: String,
    /// The version of all this.
    pub policy_version: String,
}

impl Statement {
    pub(crate) fn of(model: &ModelRef, terms: &ProviderTerms) -> Statement {
        let stated = |text: &Option<String>| match text {
            Some(text) => text.clone(),
            None => "not stated in config.toml".to_owned(),
        };
        Statement {
            model: model.clone(),
            destination: terms.base_url.clone(),
            transport: terms.transport.clone(),
            retention: stated(&terms.retention),
            training: stated(&terms.training),
            jurisdiction: stated(&terms.jurisdiction),
            policy_version: rules::consent::policy_version(terms),
        }
    }
}
