//! How the product is set up for measuring: as it serves a home, except that nobody is told to wait.
//!
//! The profile of the benchmark raises limits and changes nothing else: no cooldown, no hourly rate, no
//! full mailbox ([`SchedulerPolicy::UNTHROTTLED`]), 50 runs at once, no daily budgets.

use std::sync::Arc;

use consent::{Consent, Known};
use egress::Limits;
use host::Machine;
use model::Model;
use policy::inference::Access;
use providers::{PriceTable, ProviderConfig, Providers, way_out};
use runtime::{Models, Setup, Stay};
use store::Store;
use types::{ModelRef, ProviderTerms, SchedulerPolicy, Transport};

/// The model that all agents ask.
const MODEL: &str = "local/test-model";

/// Runs at once.
pub(super) const IN_FLIGHT: usize = 50;

pub(super) fn policy(in_flight: usize) -> SchedulerPolicy {
    SchedulerPolicy { global_max_concurrent_runs: in_flight, ..SchedulerPolicy::UNTHROTTLED }
}

/// The runtime's setup with one provider, the server at this address.
pub(super) fn of(base_url: &str) -> Setup {
    let name = MODEL.parse::<ModelRef>().expect("a provider and a model");
    let models = Models {
        default: name.clone(),
        access: Access { models: [name].into(), narrowed: vec![] },
        providers: known(base_url).versions(),
        ..Models::default()
    };
    Setup { models, ..Setup::with(Stay::UntilStopped, model(base_url)) }
}

/// Agrees to the model.
pub(super) async fn consent(store: &Arc<dyn Store>, base_url: &str) {
    let consent = Consent::new(Arc::clone(store), Arc::new(Machine), known(base_url));
    consent.grant(MODEL, None).await.expect("it is agreed to");
}

fn model(base_url: &str) -> Arc<dyn Model> {
    let transport = Transport::OpenaiChatCompletions;
    let provider = ProviderConfig::new("local", transport, base_url);
    let egress = way_out(std::slice::from_ref(&provider), Limits::default());
    let egress = egress.expect("the address can be used");
    let providers =
        Providers::new(vec![provider], PriceTable::builtin(), egress, Arc::new(Machine));
    Arc::new(providers.expect("one provider"))
}

fn known(base_url: &str) -> Known {
    let terms = ProviderTerms {
        provider: "local".to_owned(),
        transport: Transport::OpenaiChatCompletions.as_str().to_owned(),
        base_url: base_url.to_owned(),
        ..ProviderTerms::default()
    };
    let model = MODEL.parse().expect("a provider and a model");
    Known { models: [model].into(), providers: [("local".to_owned(), terms)].into() }
}
