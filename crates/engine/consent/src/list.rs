//! Looking at receipts.

use store::Listing;
use types::{BodyType, Domain, ModelConsent, ModelRef, limits};

use crate::{Consent, Error, ReceiptView};

impl Consent {
    /// Every receipt there is, newest first, those that are worth nothing any more included.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn list(&self) -> Result<Vec<ReceiptView>, Error> {
        let listing = Listing::of("consents", BodyType::ModelConsent, limits::ROWS_PER_READ_MAX);
        let records = self.store.records(Domain::Agent, listing).await?;
        Ok(records.into_iter().filter_map(|r| ReceiptView::of(r, &self.known)).collect())
    }

    /// The receipts about a model, for whoever judges whether it may be asked. They are read anew each
    /// time: what was taken back does not hold for one call more.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn receipts(&self, model: &ModelRef) -> Result<Vec<ModelConsent>, Error> {
        if model.is_builtin() {
            return Ok(vec![]);
        }
        let about = self.about(model).await?;
        Ok(about.into_iter().map(|receipt| receipt.consent).collect())
    }

    pub(crate) async fn about(&self, model: &ModelRef) -> Result<Vec<ReceiptView>, Error> {
        let mut receipts = self.list().await?;
        receipts.retain(|receipt| {
            receipt.consent.provider == model.provider() && receipt.consent.model == model.model()
        });
        Ok(receipts)
    }
}
