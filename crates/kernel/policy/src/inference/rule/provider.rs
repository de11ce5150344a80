//! The provider is configured; the built-in one always is.

use types::Code;

use crate::Denial;
use crate::inference::{Request, Snapshot};

pub(crate) const NAME: &str = "provider";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<(), Denial> {
    let (model, provider) = (request.model, request.model.provider());
    if model.is_builtin() || snapshot.providers.contains_key(provider) {
        return Ok(());
    }
    let message = format!("there is no provider {provider:?} to ask for {model}");
    let hint = format!("configure [models.providers.{provider}] in config.toml");
    Err(Denial::of(Code::ProviderNotAllowed, message, hint))
}
