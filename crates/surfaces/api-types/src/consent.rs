//! What a person agrees to, on the wire.

use serde::{Deserialize, Serialize};
use types::At;

/// What would be agreed to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TermsReply {
    /// The model, as `provider/model`.
    pub model: String,
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

/// A receipt for what was agreed to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConsentReply {
    /// Its id.
    pub id: String,
    /// Whose model.
    pub provider: String,
    /// Which.
    pub model: String,
    /// Under which version of the terms.
    pub policy_version: String,
    /// When.
    pub confirmed_at: At,
    /// It was taken back.
    pub revoked: bool,
    /// `stands`, `outdated` or `revoked`.
    pub standing: String,
}
