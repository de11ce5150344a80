//! A receipt as it stands now.

use types::{Body, ConsentId, ModelConsent, Record};

use crate::Known;

/// Whether a receipt is still worth anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It covers the terms as they are now.
    Stands,
    /// The terms have changed since, or its provider is no longer configured.
    Outdated,
    /// It was taken back.
    Revoked,
}

impl Standing {
    /// The word that is shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Standing::Stands => "stands",
            Standing::Outdated => "outdated",
            Standing::Revoked => "revoked",
        }
    }
}

/// A receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptView {
    /// Its id.
    pub id: ConsentId,
    /// What was agreed to.
    pub consent: ModelConsent,
    /// What it is worth now.
    pub standing: Standing,
    pub(crate) revision: u64,
}

impl ReceiptView {
    pub(crate) fn of(record: Record, known: &Known) -> Option<ReceiptView> {
        let id = record.id.as_str().parse().ok()?;
        let Body::ModelConsent(consent) = record.body else { return None };
        let terms = known.providers.get(&consent.provider);
        let version = terms.map(rules::consent::policy_version);
        let standing = match version {
            _ if consent.revoked => Standing::Revoked,
            Some(version) if version == consent.policy_version => Standing::Stands,
            _ => Standing::Outdated,
        };
        Some(ReceiptView { id, consent, standing, revision: record.revision })
    }
}
