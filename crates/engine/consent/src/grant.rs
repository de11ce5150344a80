//! Agreeing.

use types::{AuditDraft, Domain, Guard, ModelConsent, RecordDraft, Write};

use crate::service::named;
use crate::steps::GRANT;
use crate::{Consent, Error, ReceiptView, Standing};

impl Consent {
    /// Agrees to a model under the terms as they are now. `shown` is the version that was shown, if one
    /// was: another one is refused. Agreeing again to what stands is answered with what stands. Agents that were
    /// refused for want of it look again.
    ///
    /// # Errors
    /// If the model is not one that is configured or needs no consent, or the terms are not those that
    /// were shown.
    pub async fn grant(&self, model: &str, shown: Option<&str>) -> Result<ReceiptView, Error> {
        let model = named(model)?;
        let version = rules::consent::policy_version(self.known.terms(&model)?);
        if shown.is_some_and(|shown| shown != version) {
            return Err(Error::OtherTerms { model });
        }
        let id = rules::consent::id(&model, &version);
        let before = self.store.record(Domain::Agent, (&id).into()).await?;
        let before = before.and_then(|record| ReceiptView::of(record, &self.known));
        if let Some(receipt) = &before
            && receipt.standing == Standing::Stands
        {
            return Ok(receipt.clone());
        }
        let expected = before.map_or(0, |receipt| receipt.revision);
        let consent = ModelConsent {
            provider: model.provider().to_owned(),
            model: model.model().to_owned(),
            policy_version: version.clone(),
            confirmed_at: self.world.now(),
            revoked: false,
        };
        let guard = Guard::Revision { record: (&id).into(), expected };
        let mut writes = vec![Write::Record(RecordDraft::live(&id, consent.clone()))];
        writes.extend(self.looks_after(&model, (&id, consent.confirmed_at)).await?);
        let subject = model.to_string();
        let audit = AuditDraft { action: "consent.grant", subject, detail: version };
        self.commit(GRANT, vec![guard], writes, audit).await?;
        Ok(ReceiptView { id, consent, standing: Standing::Stands, revision: expected + 1 })
    }
}
