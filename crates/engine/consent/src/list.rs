//! Looking at receipts.

use store::Listing;
use types::{BodyType, Domain, ModelRef, limits};

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

    pub(crate) async fn about(&self, model: &ModelRef) -> Result<Vec<ReceiptView>, Error> {
        let mut receipts = self.list().await?;
        receipts.retain(|receipt| {
            receipt.consent.provider == model.provider() && receipt.consent.model == model.model()
        });
        Ok(receipts)
    }
}
