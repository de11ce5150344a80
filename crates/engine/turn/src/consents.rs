//! What the operator agreed to, for whoever judges whether a model may be asked.

use policy::{Denial, inference};
use rules::planted::{self, Fault};
use store::Listing;
use types::{Body, BodyType, Domain, ModelConsent, ModelRef, Record, limits};

use crate::Turns;
use crate::broken::Broken;

/// How often receipts are read anew because something was written meanwhile.
const LOOKS_MAX: u32 = 16;

impl Turns {
    /// The receipt for a model under the terms of today. If there is none, those under other terms: then
    /// somebody agreed once, and can be told what has changed since.
    pub(crate) async fn receipts(&self, model: &ModelRef) -> Result<Vec<ModelConsent>, Broken> {
        let Some(terms) = self.settings.models.providers.get(model.provider()) else {
            return Ok(vec![]);
        };
        let id = rules::consent::id(model, terms);
        let today = self.store.record(Domain::Agent, id.into()).await?.and_then(receipt);
        if let Some(today) = today {
            return Ok(vec![today]);
        }
        let listing = Listing::of("consents", BodyType::ModelConsent, limits::ROWS_PER_READ_MAX);
        let all = self.store.records(Domain::Agent, listing).await?;
        let about =
            |one: &ModelConsent| one.provider == model.provider() && one.model == model.model();
        Ok(all.into_iter().filter_map(receipt).filter(about).collect())
    }

    /// Why a model may not be asked, as far as that goes by them; nothing if it may.
    pub(crate) async fn not_agreed_to(&self, model: &ModelRef) -> Result<Option<Denial>, Broken> {
        let receipts = self.receipts(model).await?;
        Ok(inference::agreed_to(model, &self.settings.models.providers, &receipts).err())
    }

    /// The same as they stand at this moment: what is taken back while they are read is read again. Whoever
    /// takes something back is told so after the log has grown by it.
    pub(crate) async fn receipts_now(&self, model: &ModelRef) -> Result<Vec<ModelConsent>, Broken> {
        let log = self.store.watch(Domain::Agent);
        let mut receipts = vec![];
        // Where others never stop writing, the last look has to do.
        for _ in 0..LOOKS_MAX {
            let before = *log.borrow();
            receipts = self.receipts(model).await?;
            if *log.borrow() == before {
                break;
            }
        }
        Ok(receipts)
    }
}

fn receipt(record: Record) -> Option<ModelConsent> {
    match record.body {
        Body::ModelConsent(consent) if record.deleted_at.is_none() => {
            let revoked = consent.revoked && !planted::is(Fault::ConsentKept);
            Some(ModelConsent { revoked, ..consent })
        }
        _ => None,
    }
}
