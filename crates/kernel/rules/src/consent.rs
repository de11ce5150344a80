//! What a person agrees to, by name: the version of a provider's terms, and the receipt for a model.

use types::{Code, ConsentId, ModelRef, ProviderTerms, Run, RunEnd, RunState};

use crate::hash;

/// The version of a provider's terms: another address, transport or statement is another version, and
/// what was agreed to before does not cover it.
#[must_use]
pub fn policy_version(terms: &ProviderTerms) -> String {
    // A mark before each, because nothing said is not the same as an empty text.
    let stated = |text: &Option<String>| match text {
        Some(text) => format!("+{text}"),
        None => "-".to_owned(),
    };
    let fields = [
        "terms".to_owned(),
        terms.provider.clone(),
        terms.transport.clone(),
        terms.base_url.clone(),
        stated(&terms.retention),
        stated(&terms.training),
        stated(&terms.jurisdiction),
    ];
    hash::fields(fields).to_string()
}

/// The receipt for a model under a version of its provider's terms: agreeing twice is the same receipt.
#[must_use]
pub fn id(model: &ModelRef, policy_version: &str) -> ConsentId {
    let fields = ["consent", model.provider(), model.model(), policy_version];
    ConsentId::from_digest(&hash::fields(fields))
}

/// Whether a run was refused because nobody had agreed.
#[must_use]
pub fn was_wanting(run: &Run) -> bool {
    match &run.state {
        RunState::Ended { end: RunEnd::Failed(failure), .. } => {
            failure.code == Code::PrivacyConfirmationRequired
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms() -> ProviderTerms {
        ProviderTerms {
            provider: "local".to_owned(),
            transport: "openai_chat_completions".to_owned(),
            base_url: "http://127.0.0.1:9999/v1".to_owned(),
            ..ProviderTerms::default()
        }
    }

    #[test]
    fn whatever_changes_in_the_terms_makes_another_version() {
        let said = |text: &str| Some(text.to_owned());
        let other = |base_url: &str| ProviderTerms { base_url: base_url.to_owned(), ..terms() };
        let all = [
            terms(),
            other("http://127.0.0.1:9998/v1"),
            ProviderTerms { transport: "gemini".to_owned(), ..terms() },
            ProviderTerms { retention: said(""), ..terms() },
            ProviderTerms { retention: said("30 days"), ..terms() },
            ProviderTerms { training: said("30 days"), ..terms() },
            ProviderTerms { jurisdiction: said("30 days"), ..terms() },
        ];
        let versions: std::collections::BTreeSet<String> = all.iter().map(policy_version).collect();
        assert_eq!(versions.len(), all.len());
        assert_eq!(policy_version(&terms()), policy_version(&terms()));
    }

    #[test]
    fn a_receipt_is_named_by_provider_model_and_version() {
        let model = |name: &str| name.parse::<ModelRef>().unwrap();
        assert_eq!(id(&model("a/b"), "1"), id(&model("a/b"), "1"));
        for (other, version) in [("a/c", "1"), ("b/b", "1"), ("a/b", "2"), ("a/b/c", "1")] {
            assert_ne!(id(&model("a/b"), "1"), id(&model(other), version));
        }
    }
}
