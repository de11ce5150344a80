//! The operator agreed to the model under the terms as they are now. What stays in the machine needs no
//! consent.

use std::collections::BTreeMap;

use types::{Code, ModelConsent, ModelRef};

use crate::Denial;
use crate::inference::{Request, Snapshot};

pub(crate) const NAME: &str = "consent";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<(), Denial> {
    agreed_to(request.model, snapshot.providers, snapshot.receipts)
}

/// Whether a model may be asked, as far as that goes by these receipts.
///
/// # Errors
/// Why not, and how somebody agrees.
pub fn agreed_to(
    model: &ModelRef,
    providers: &BTreeMap<String, String>,
    receipts: &[ModelConsent],
) -> Result<(), Denial> {
    if model.is_builtin() {
        return Ok(());
    }
    let version = providers.get(model.provider());
    let about: Vec<&ModelConsent> = receipts
        .iter()
        .filter(|receipt| receipt.provider == model.provider() && receipt.model == model.model())
        .collect();
    let now = about.iter().find(|receipt| version == Some(&receipt.policy_version));
    let message = match now {
        Some(receipt) if !receipt.revoked => return Ok(()),
        Some(_) => format!("the consent to {model} was taken back"),
        None if about.iter().any(|receipt| !receipt.revoked) => {
            format!("the terms of {} have changed since {model} was agreed to", model.provider())
        }
        None => format!("nobody has agreed yet that {model} is sent what agents work with"),
    };
    let hint = format!("`dormouse consent grant {model}` shows the terms and agrees to them");
    Err(Denial::of(Code::PrivacyConfirmationRequired, message, hint))
}
