//! What people configure of a provider.

use egress::{Destination, Egress, Limits};
use model::Emission;
use types::{Invalid, SecretRef, Transport, limits};

/// One provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderConfig {
    /// What stands before the slash of its models.
    pub name: String,
    /// How it is spoken to.
    pub transport: Transport,
    /// Where it is, up to `/v1`.
    pub base_url: String,
    /// Where its secret is; none is sent if absent.
    pub secret: Option<SecretRef>,
    /// Ask for answers piece by piece.
    pub stream: bool,
    /// It understands `tool_choice` of the type `allowed_tools`; most servers do not.
    pub allowed_tools: bool,
    /// It knows the bound of an answer as `max_completion_tokens`; most servers know its older name alone.
    pub max_completion_tokens: bool,
    /// In which form it is told the schemas of tools.
    pub schemas: Emission,
}

impl ProviderConfig {
    /// A provider with what is usual.
    #[must_use]
    pub fn new(name: &str, transport: Transport, base_url: &str) -> ProviderConfig {
        ProviderConfig {
            name: name.to_owned(),
            transport,
            base_url: base_url.to_owned(),
            secret: None,
            stream: true,
            allowed_tools: false,
            max_completion_tokens: false,
            schemas: Emission::Relaxed,
        }
    }

    /// Where its requests go.
    ///
    /// # Errors
    /// If its name or its address cannot be used.
    pub fn destination(&self) -> Result<Destination, Invalid> {
        Invalid::unless_line("name", &self.name, limits::NAME_BYTES_MAX)?;
        if self.name.contains('/') || self.name == "builtin" {
            let reason = format!("{:?} is no name for a provider", self.name);
            return Err(Invalid::new("name", reason));
        }
        if self.base_url.contains(['?', '#']) {
            // What is asked for there is appended to it, and what follows a question mark is often secret.
            return Err(Invalid::new("base_url", "must end with its path"));
        }
        Destination::of(&self.base_url).map_err(|error| Invalid::new("base_url", error.to_string()))
    }

    /// The URL of its completions.
    pub(crate) fn url(&self) -> String {
        format!("{}/chat/completions", self.base_url.trim_end_matches('/'))
    }
}

/// The way out for these providers: to their destinations and nowhere else.
///
/// # Errors
/// If the name or the address of one cannot be used.
pub fn way_out(configs: &[ProviderConfig], limits: Limits) -> Result<Egress, Invalid> {
    let allowed = configs.iter().map(ProviderConfig::destination);
    Ok(Egress::new(allowed.collect::<Result<Vec<_>, _>>()?, limits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_has_a_name_and_an_address_that_can_be_used() {
        let check = |name, url| {
            ProviderConfig::new(name, Transport::OpenaiChatCompletions, url).destination()
        };
        assert_eq!(
            check("local", "http://127.0.0.1:9/v1").unwrap().to_string(),
            "http://127.0.0.1:9"
        );
        let bad = [
            ("", "http://a/v1"),
            ("a/b", "http://a/v1"),
            ("builtin", "http://a/v1"),
            ("local", "127.0.0.1:9"),
            ("local", "http://me:pw@a/v1"),
            ("local", "http://a/v1?key=hush"),
        ];
        for (name, url) in bad {
            let refused = check(name, url).unwrap_err().to_string();
            assert!(!refused.contains("hush") && !refused.contains("pw"), "{refused}");
        }
    }
}
