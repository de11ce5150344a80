//! Taking it back.

use types::{AuditDraft, Guard, ModelConsent, RecordDraft, Write};

use crate::service::named;
use crate::steps::REVOKE;
use crate::{Consent, Error, ReceiptView, Standing};

impl Consent {
    /// Takes back what was agreed to about a model, under whichever terms, also if it is no longer
    /// configured. Answers with the last receipt. From here on the model is not asked any more.
    ///
    /// # Errors
    /// If nobody ever agreed to it.
    pub async fn revoke(&self, model: &str) -> Result<ReceiptView, Error> {
        let model = named(model)?;
        let receipts = self.about(&model).await?;
        let last = receipts.iter().max_by_key(|receipt| receipt.consent.confirmed_at);
        let last = last.cloned().ok_or_else(|| Error::NeverGranted { model: model.clone() })?;
        let open = receipts.into_iter().filter(|receipt| !receipt.consent.revoked);
        let (guards, writes): (Vec<Guard>, Vec<Write>) = open.map(taken_back).unzip();
        if !writes.is_empty() {
            let (subject, detail) = (model.to_string(), String::new());
            let audit = AuditDraft { action: "consent.revoke", subject, detail };
            self.commit(REVOKE, guards, writes, audit).await?;
        }
        let consent = ModelConsent { revoked: true, ..last.consent };
        Ok(ReceiptView { consent, standing: Standing::Revoked, ..last })
    }
}

fn taken_back(receipt: ReceiptView) -> (Guard, Write) {
    let guard = Guard::Revision { record: (&receipt.id).into(), expected: receipt.revision };
    let consent = ModelConsent { revoked: true, ..receipt.consent };
    (guard, Write::Record(RecordDraft::live(&receipt.id, consent)))
}
