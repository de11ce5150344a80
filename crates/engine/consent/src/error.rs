//! What can go wrong with agreeing.

use store::StoreError;
use types::{Code, Conflict, ModelRef, Problem};

/// Why nothing was agreed to or taken back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A text that names no model.
    #[error("{text:?} is not PROVIDER/MODEL")]
    NotAModel {
        /// The text.
        text: String,
    },
    /// The model is part of Dormouse.
    #[error("{model} is part of Dormouse: it is sent nothing, and nobody needs to agree")]
    NotNeeded {
        /// Which.
        model: ModelRef,
    },
    /// The provider is not configured.
    #[error("there is no provider {:?} to ask for {model}", model.provider())]
    UnknownProvider {
        /// Which model was meant.
        model: ModelRef,
    },
    /// The model is not among those that may be used.
    #[error("{model} is none of models.default, models.fast and models.fallback")]
    UnknownModel {
        /// Which.
        model: ModelRef,
    },
    /// The terms are not those that were shown.
    #[error("the terms of {model} are not those that were shown")]
    OtherTerms {
        /// Which.
        model: ModelRef,
    },
    /// Nobody agreed to it.
    #[error("nobody ever agreed to {model}")]
    NeverGranted {
        /// Which.
        model: ModelRef,
    },
    /// Somebody else was faster.
    #[error("the consent has changed meanwhile: {0}")]
    Conflict(#[from] Conflict),
    /// The store could not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let message = error.to_string();
        match error {
            Error::NotAModel { .. } => {
                Problem::new(Code::WrongUsage, message, "a model is written like local/test-model")
            }
            Error::NotNeeded { .. } => {
                Problem::new(Code::NoSuchStep, message, "it can be used as it is")
            }
            Error::UnknownProvider { model } => {
                let provider = model.provider();
                let hint = format!("configure [models.providers.{provider}] in config.toml first");
                Problem::new(Code::ProviderNotAllowed, message, hint)
            }
            Error::UnknownModel { .. } => {
                let hint = "choose it in config.toml first, then agree to it";
                Problem::new(Code::ModelNotAllowed, message, hint)
            }
            Error::OtherTerms { .. } => {
                Problem::new(Code::Conflict, message, "look at them again, then decide again")
            }
            Error::NeverGranted { .. } => {
                let hint = "`dormouse consent list` shows what was agreed to";
                Problem::new(Code::UnknownRecord, message, hint)
            }
            Error::Conflict(conflict) => {
                Problem::new(conflict.code(), message, "look at it again, then decide again")
            }
            Error::Store(error) => error.into(),
        }
    }
}
