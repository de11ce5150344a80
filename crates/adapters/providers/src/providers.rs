//! All configured providers, as one model port.

use std::collections::BTreeMap;
use std::sync::Arc;

use egress::Egress;
use model::{Asking, Listen, Model, Price, ProviderStanding, Request};
use types::{Invalid, ModelFailureKind, ModelRef};
use world::World;

use crate::answer::Miss;
use crate::ask::ask;
use crate::chat::{Dialect, Written};
use crate::{PriceTable, ProviderConfig};

/// All configured providers.
#[derive(Clone)]
pub struct Providers {
    inner: Arc<Inner>,
}

/// What every request needs.
pub(crate) struct Inner {
    pub(crate) providers: BTreeMap<String, Provider>,
    prices: PriceTable,
    pub(crate) egress: Egress,
    pub(crate) world: Arc<dyn World>,
}

/// A provider, and how it reads requests.
pub(crate) struct Provider {
    pub(crate) config: ProviderConfig,
    pub(crate) dialect: Dialect,
    pub(crate) written: Written,
}

impl Providers {
    /// These providers, by this way out; [`crate::way_out`] makes one that leads to them alone.
    ///
    /// # Errors
    /// If the name or the address of one cannot be used, or two have the same name. One whose transport
    /// is not spoken is kept: whoever asks it is told so.
    pub fn new(
        configs: Vec<ProviderConfig>,
        prices: PriceTable,
        egress: Egress,
        world: Arc<dyn World>,
    ) -> Result<Providers, Invalid> {
        let mut providers = BTreeMap::new();
        for config in configs {
            let provider = Provider::of(config)?;
            let name = provider.config.name.clone();
            if providers.insert(name.clone(), provider).is_some() {
                return Err(Invalid::new("name", format!("two providers are called {name:?}")));
            }
        }
        Ok(Providers { inner: Arc::new(Inner { providers, prices, egress, world }) })
    }
}

impl Provider {
    fn of(config: ProviderConfig) -> Result<Provider, Invalid> {
        let destination = config.destination()?;
        let dialect = Dialect {
            stream: config.stream,
            allowed_tools: config.allowed_tools,
            // Its own newer models refuse the older name.
            completion_tokens: config.max_completion_tokens
                || destination.host() == "api.openai.com",
            schemas: config.schemas,
        };
        Ok(Provider { config, dialect, written: Written::default() })
    }
}

impl Inner {
    /// The provider of a model, if it can be spoken to.
    pub(crate) fn select(&self, model: &ModelRef) -> Result<&Provider, Miss> {
        let refuse =
            |message| Miss::stopped("select", ModelFailureKind::UnsupportedTransport, message);
        let name = model.provider();
        let Some(provider) = self.providers.get(name) else {
            return Err(refuse(format!("no provider is called {name}")));
        };
        let transport = provider.config.transport;
        if !transport.is_spoken() {
            return Err(refuse(format!("the transport {transport} is not spoken")));
        }
        Ok(provider)
    }
}

impl Model for Providers {
    fn ask(&self, request: Request, listen: Arc<dyn Listen>) -> Asking {
        let inner = Arc::clone(&self.inner);
        Box::pin(async move { ask(&inner, request, &*listen).await.map_err(|failure| *failure) })
    }

    fn price(&self, model: &ModelRef) -> Option<Price> {
        self.inner.prices.price(model)
    }

    fn providers(&self) -> Vec<ProviderStanding> {
        self.inner.standings()
    }
}
