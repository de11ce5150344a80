//! How a provider of models is spoken to.

use std::fmt;
use std::str::FromStr;

use crate::Invalid;

/// How a provider is spoken to. All of these can be named; one is spoken today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transport {
    /// Chat Completions, which most servers offer.
    OpenaiChatCompletions,
    /// Not spoken.
    OpenaiResponses,
    /// Not spoken.
    AnthropicMessages,
    /// Not spoken.
    Gemini,
}

impl Transport {
    /// All of them.
    pub const ALL: [Transport; 4] = [
        Transport::OpenaiChatCompletions,
        Transport::OpenaiResponses,
        Transport::AnthropicMessages,
        Transport::Gemini,
    ];

    /// As it is configured and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Transport::OpenaiChatCompletions => "openai_chat_completions",
            Transport::OpenaiResponses => "openai_responses",
            Transport::AnthropicMessages => "anthropic_messages",
            Transport::Gemini => "gemini",
        }
    }

    /// Whether Dormouse speaks it.
    #[must_use]
    pub const fn is_spoken(self) -> bool {
        matches!(self, Transport::OpenaiChatCompletions)
    }
}

impl FromStr for Transport {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Transport, Invalid> {
        let found = Transport::ALL.into_iter().find(|transport| transport.as_str() == text);
        found.ok_or_else(|| {
            let known = Transport::ALL.map(Transport::as_str).join(", ");
            Invalid::new("transport", format!("{text:?} is none of {known}"))
        })
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transport_is_read_as_it_is_shown_and_one_is_spoken() {
        for transport in Transport::ALL {
            assert_eq!(transport.to_string().parse::<Transport>().unwrap(), transport);
        }
        assert!("smoke_signals".parse::<Transport>().is_err());
        assert_eq!(Transport::ALL.into_iter().filter(|known| known.is_spoken()).count(), 1);
    }
}
