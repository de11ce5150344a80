//! Typed tokens: what a change is about, and what a subscription listens for.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Invalid;

/// The class of a token. It is stated, never guessed from the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TokenClass {
    /// A kind of record, such as `TASK`.
    SemanticKey,
    /// A property within a kind, such as `category=…` in the namespace `TASK`.
    SubtypeToken,
    /// One record.
    EntityId,
}

impl TokenClass {
    /// The class as it stands in a token's key.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            TokenClass::SemanticKey => "semanticKey",
            TokenClass::SubtypeToken => "subtypeToken",
            TokenClass::EntityId => "entityId",
        }
    }
}

/// A token: class, namespace for subtype tokens and only for them, and value, held as the one text
/// that is its identity: `{class}|{namespace or -}|{value}`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Token {
    class: TokenClass,
    key: String,
}

impl Token {
    /// A kind of record.
    ///
    /// # Errors
    /// If the value is empty or has a separator in it.
    pub fn semantic(value: &str) -> Result<Token, Invalid> {
        Token::build(TokenClass::SemanticKey, None, value)
    }

    /// A property within a kind.
    ///
    /// # Errors
    /// If the namespace or value is empty or has a separator in it.
    pub fn subtype(namespace: &str, value: &str) -> Result<Token, Invalid> {
        Token::build(TokenClass::SubtypeToken, Some(namespace), value)
    }

    /// One record.
    #[must_use]
    pub fn entity(id: &crate::RecordId) -> Token {
        // An id has no separator in it.
        Token { class: TokenClass::EntityId, key: format!("entityId|-|{id}") }
    }

    /// Its class.
    #[must_use]
    pub fn class(&self) -> TokenClass {
        self.class
    }

    /// The canonical identity.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// The record that it names, if it names one.
    #[must_use]
    pub fn record(&self) -> Option<crate::RecordId> {
        let id = (self.class() == TokenClass::EntityId).then(|| self.key().rsplit('|').next());
        id.flatten().and_then(|id| id.parse().ok())
    }

    fn build(class: TokenClass, ns: Option<&str>, value: &str) -> Result<Token, Invalid> {
        let bad = |part: &str| part.is_empty() || part.contains('|');
        if bad(value) {
            return Err(Invalid::new("token.value", "is empty or contains `|`"));
        }
        if ns.is_some_and(|ns| bad(ns) || ns == "-") {
            return Err(Invalid::new("token.namespace", "is empty, `-` or contains `|`"));
        }
        if (class == TokenClass::SubtypeToken) != ns.is_some() {
            return Err(Invalid::new(
                "token.namespace",
                "belongs to subtype tokens and only there",
            ));
        }
        let key = [class.as_str(), ns.unwrap_or("-"), value].join("|");
        Ok(Token { class, key })
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)
    }
}

impl From<Token> for String {
    fn from(token: Token) -> String {
        token.key
    }
}

impl TryFrom<String> for Token {
    type Error = Invalid;

    fn try_from(key: String) -> Result<Token, Invalid> {
        let mut parts = key.splitn(3, '|');
        let (Some(class), Some(namespace), Some(value)) =
            (parts.next(), parts.next(), parts.next())
        else {
            return Err(Invalid::new("token", "is not `class|namespace|value`"));
        };
        let namespace = (namespace != "-").then_some(namespace);
        let class = match class {
            "semanticKey" => TokenClass::SemanticKey,
            "subtypeToken" => TokenClass::SubtypeToken,
            "entityId" => TokenClass::EntityId,
            other => return Err(Invalid::new("token.class", format!("{other:?} is unknown"))),
        };
        Token::build(class, namespace, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_one_canonical_key() {
        let gym = Token::subtype("TASK", "category=gym").unwrap();
        assert_eq!(gym.key(), "subtypeToken|TASK|category=gym");
        assert_eq!(Token::try_from(gym.key().to_owned()).unwrap(), gym);
        assert_eq!(Token::semantic("TASK").unwrap().key(), "semanticKey|-|TASK");
    }

    #[test]
    fn a_namespace_is_for_subtype_tokens_and_only_for_them() {
        for bad in ["semanticKey|TASK|x", "entityId|TASK|x", "subtypeToken|-|x", "TASK", "x|-|y"] {
            assert!(Token::try_from(bad.to_owned()).is_err(), "{bad} was accepted");
        }
    }
}
