//! The model is one that the operator chose for this agent. No rule means no.

use types::Code;

use crate::Denial;
use crate::inference::{Request, Snapshot};

pub(crate) const NAME: &str = "model_access";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<(), Denial> {
    if snapshot.access.allows(request) {
        return Ok(());
    }
    let model = request.model;
    let (message, hint) = match snapshot.access.models.contains(model) {
        true => (
            format!("{model} is not for this agent, or not for what it works on"),
            "widen [[models.access]] in config.toml, or give the agent another model",
        ),
        false => (
            format!("{model} is none of models.default, models.fast and models.fallback"),
            "choose it in config.toml, or give the agent one that is there",
        ),
    };
    Err(Denial::of(Code::ModelNotAllowed, message, hint))
}
