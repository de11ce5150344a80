//! The models that can be asked: the one that is built in, and those of configured providers.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use config::Config;
use host::Machine;
use model::{Asking, Listen, Model, Price, ProviderStanding, Request, Response};
use providers::{PriceTable, ProviderConfig, Providers};
use scribe::Scribe;
use types::{Code, Invalid, ModelRef, Problem};

/// The file of a home that says what models cost.
pub(crate) const PRICES: &str = "prices.toml";

/// Whoever is asked.
struct Asked {
    scribe: Scribe,
    providers: Providers,
}

impl Model for Asked {
    fn ask(&self, request: Request, listen: Arc<dyn Listen>) -> Asking {
        match request.model.is_builtin() {
            true => self.scribe.ask(request, listen),
            false => self.providers.ask(request, listen),
        }
    }

    fn again(&self, request: &Request) -> Option<Response> {
        self.scribe.again(request)
    }

    fn price(&self, model: &ModelRef) -> Option<Price> {
        match model.is_builtin() {
            true => self.scribe.price(model),
            false => self.providers.price(model),
        }
    }

    fn providers(&self) -> Vec<ProviderStanding> {
        self.providers.providers()
    }
}

/// The models of a home.
pub(crate) fn of_home(folder: &Path, config: &Config) -> Result<Arc<dyn Model>, Problem> {
    let bad = |invalid: Invalid| {
        let hint = "correct it, or move the file away";
        Problem::new(Code::BadConfig, invalid.to_string(), hint)
    };
    let configs: Vec<ProviderConfig> =
        config.models.providers.iter().map(|(name, one)| provider(name, one)).collect();
    let egress = providers::way_out(&configs, egress::Limits::default()).map_err(bad)?;
    let prices = prices(folder)?;
    let providers = Providers::new(configs, prices, egress, Arc::new(Machine)).map_err(bad)?;
    Ok(Arc::new(Asked { scribe: Scribe, providers }))
}

fn provider(name: &str, configured: &config::Provider) -> ProviderConfig {
    ProviderConfig {
        secret: configured.secret.clone(),
        stream: configured.stream,
        allowed_tools: configured.allowed_tools,
        max_completion_tokens: configured.max_completion_tokens,
        ..ProviderConfig::new(name, configured.transport, &configured.base_url)
    }
}

/// What models cost: the table that comes with the program, and what the home's own says instead.
fn prices(folder: &Path) -> Result<PriceTable, Problem> {
    let path = folder.join(PRICES);
    let bad = |what: String| {
        let message = format!("{}: {what}", path.display());
        Problem::new(Code::BadConfig, message, "correct it, or move the file away")
    };
    match config::text(&path) {
        Ok(text) => {
            let own = PriceTable::parse(&text).map_err(|invalid| bad(invalid.to_string()))?;
            Ok(PriceTable::builtin().under(own))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(PriceTable::builtin()),
        Err(error) => Err(bad(error.to_string())),
    }
}
