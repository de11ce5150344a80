//! How a provider of models is reached.

use types::{Generation, ProviderTerms, SecretRef, Transport};

use crate::key;
use crate::section::{Section, Wrong};

/// A provider of models.
#[derive(Debug, Clone, PartialEq)]
pub struct Provider {
    /// How it is spoken to.
    pub transport: Transport,
    /// Where, without a slash at the end.
    pub base_url: String,
    /// Where its secret is; absent if it needs none.
    pub secret: Option<SecretRef>,
    /// How long it keeps what it is sent, in the operator's words.
    pub retention: Option<String>,
    /// Whether it learns from it, likewise.
    pub training: Option<String>,
    /// Under whose law, likewise.
    pub jurisdiction: Option<String>,
    /// Its answers are heard word by word.
    pub stream: bool,
    /// Tokens that its models take in all; absent if nobody knows.
    pub context_tokens: Option<u64>,
    /// It can be told which of the tools may be called in one request.
    pub allowed_tools: bool,
    /// It wants the bound of an answer under its newer name.
    pub max_completion_tokens: bool,
    /// How its answers are made.
    pub generation: Generation,
}

impl Provider {
    const KEYS: [&str; 14] = [
        "transport",
        "base_url",
        "secret",
        "retention",
        "training",
        "jurisdiction",
        "stream",
        "context_tokens",
        "allowed_tools",
        "max_completion_tokens",
        "temperature",
        "top_p",
        "max_output_tokens",
        "seed",
    ];

    pub(crate) fn of(section: &Section<'_>) -> Result<Provider, Wrong> {
        section.only(&Provider::KEYS)?;
        let context_tokens = section.number("context_tokens")?;
        if context_tokens == Some(0) {
            return Err(section.refuse("context_tokens", "is nothing at all"));
        }
        let transport = section.needed("transport", transport)?;
        let base_url = section.needed("base_url", key::address)?;
        let secret = section
            .parsed("secret", |text| text.parse::<SecretRef>().map_err(|invalid| invalid.why))?;
        if secret.is_some() && key::is_heard_on_the_way(&base_url) {
            let why = "would be sent in the clear to a far host; begin `base_url` with https://";
            return Err(section.refuse("secret", why));
        }
        Ok(Provider {
            transport,
            base_url,
            secret,
            retention: section.parsed("retention", statement)?,
            training: section.parsed("training", statement)?,
            jurisdiction: section.parsed("jurisdiction", statement)?,
            stream: section.flag("stream")?.unwrap_or(true),
            context_tokens,
            allowed_tools: section.flag("allowed_tools")?.unwrap_or(false),
            max_completion_tokens: section.flag("max_completion_tokens")?.unwrap_or(false),
            generation: generation(section, context_tokens)?,
        })
    }

    /// What a person agrees to.
    #[must_use]
    pub fn terms(&self, name: &str) -> ProviderTerms {
        ProviderTerms {
            provider: name.to_owned(),
            transport: self.transport.as_str().to_owned(),
            base_url: self.base_url.clone(),
            retention: self.retention.clone(),
            training: self.training.clone(),
            jurisdiction: self.jurisdiction.clone(),
        }
    }
}

/// How answers are made: what is not said is left to the provider.
fn generation(section: &Section<'_>, context_tokens: Option<u64>) -> Result<Generation, Wrong> {
    let usual = Generation::default();
    let said = section.number("max_output_tokens")?;
    let most = said.unwrap_or(usual.max_output_tokens);
    if said.is_none() && context_tokens.is_some_and(|all| most >= all) {
        let what =
            format!("leaves no room beside the {most} of max_output_tokens, if that is not set");
        return Err(section.refuse("context_tokens", &what));
    }
    if most == 0 || context_tokens.is_some_and(|all| most >= all) {
        let what = "leaves no room: it is at least 1, and less than context_tokens";
        return Err(section.refuse("max_output_tokens", what));
    }
    Ok(Generation {
        temperature: section.share("temperature", 2)?,
        top_p: section.share("top_p", 1)?,
        max_output_tokens: most,
        seed: section.number("seed")?,
        ..usual
    })
}

/// A sentence that is shown before somebody agrees.
fn statement(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("says nothing".to_owned()),
        text if text.len() > types::limits::TITLE_BYTES_MAX => Err("is too long".to_owned()),
        text => Ok(text.to_owned()),
    }
}

fn transport(text: &str) -> Result<Transport, String> {
    let known = || Transport::ALL.map(Transport::as_str).join(", ");
    text.parse().map_err(|_| format!("{text:?} is not a transport; there are {}", known()))
}
