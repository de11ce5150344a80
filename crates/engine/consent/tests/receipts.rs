//! Receipts over a store: agreed to, looked at, outdated by new terms, taken back.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::Arc;

use consent::{Consent, Error, Known, Standing};
use sqlite::Config;
use store::{Store, wait};
use testkit::{FakeWorld, TempHome};
use types::{Code, Domain, ModelConsent, ModelRef, Problem, ProviderTerms};

struct House {
    _home: TempHome,
    store: Arc<dyn Store>,
    world: Arc<FakeWorld>,
}

impl House {
    fn new() -> House {
        let home = TempHome::new();
        let store: Arc<dyn Store> = Arc::new(home.open(&Config::default()));
        House { store, world: Arc::new(FakeWorld::seeded(1)), _home: home }
    }

    /// The service as it is after a start with this configuration.
    fn with(&self, known: Known) -> Consent {
        Consent::new(Arc::clone(&self.store), Arc::clone(&self.world) as _, known)
    }

    fn audited(&self) -> Vec<(String, String)> {
        let entries = wait(self.store.audit(Domain::Agent, 0, 100)).unwrap();
        let about = entries.into_iter().filter(|entry| entry.action.starts_with("consent."));
        about.map(|entry| (entry.action, entry.subject)).collect()
    }
}

fn model() -> ModelRef {
    "local/test-model".parse().unwrap()
}

/// The receipts about a model.
fn receipts(consent: &Consent, model: &ModelRef) -> Vec<ModelConsent> {
    let all = wait(consent.list()).unwrap().into_iter().map(|receipt| receipt.consent);
    all.filter(|it| (it.provider.as_str(), it.model.as_str()) == (model.provider(), model.model()))
        .collect()
}

fn known(base_url: &str) -> Known {
    let terms = ProviderTerms {
        provider: "local".to_owned(),
        transport: "openai_chat_completions".to_owned(),
        base_url: base_url.to_owned(),
        training: Some("never".to_owned()),
        ..ProviderTerms::default()
    };
    let models = [model(), "local/other".parse().unwrap(), ModelRef::scribe()].into();
    Known { models, providers: [("local".to_owned(), terms)].into() }
}

const HERE: &str = "http://127.0.0.1:9999/v1";

#[test]
fn what_is_agreed_to_says_where_it_goes_and_what_nobody_stated() {
    let house = House::new();
    let statement = house.with(known(HERE)).statement("local/test-model").unwrap();
    assert_eq!(statement.destination, HERE);
    assert_eq!(statement.transport, "openai_chat_completions");
    assert_eq!(statement.training, "never");
    for unknown in [statement.retention, statement.jurisdiction] {
        assert_eq!(unknown, "not stated in config.toml");
    }
}

#[test]
fn a_receipt_names_provider_model_version_and_time_and_is_given_once() {
    let house = House::new();
    let consent = house.with(known(HERE));
    assert_eq!(receipts(&consent, &model()), []);
    let first = wait(consent.grant("local/test-model", None)).unwrap();
    assert_eq!(first.consent.provider, "local");
    assert_eq!(first.consent.model, "test-model");
    assert_eq!(first.consent.policy_version, consent.known().versions()["local"]);
    house.world.advance_ms(1_000);
    let again = wait(consent.grant("local/test-model", None)).unwrap();
    assert_eq!(again, first, "the same receipt, from then");
    assert_eq!(receipts(&consent, &model()), std::slice::from_ref(&first.consent));
    assert_eq!(receipts(&consent, &"local/other".parse().unwrap()), []);
    assert_eq!(wait(consent.list()).unwrap(), [first]);
    assert_eq!(house.audited().len(), 1);
}

#[test]
fn other_terms_need_another_receipt() {
    let house = House::new();
    let before = house.with(known(HERE));
    wait(before.grant("local/test-model", None)).unwrap();
    let after = house.with(known("https://elsewhere.example/v1"));
    let old = wait(after.list()).unwrap();
    assert_eq!(old[0].standing, Standing::Outdated);
    let version = &after.known().versions()["local"];
    let held = receipts(&after, &model());
    assert!(held.iter().all(|receipt| receipt.policy_version != *version));
    wait(after.grant("local/test-model", None)).unwrap();
    let all: Vec<Standing> = wait(after.list()).unwrap().iter().map(|r| r.standing).collect();
    assert_eq!(all, [Standing::Stands, Standing::Outdated], "newest first");
    // Whoever goes back to the terms of before finds what was agreed to then.
    assert_eq!(wait(before.list()).unwrap()[1].standing, Standing::Stands);
}

#[test]
fn only_the_terms_that_were_shown_are_agreed_to() {
    let house = House::new();
    let consent = house.with(known(HERE));
    let shown = consent.statement("local/test-model").unwrap().policy_version;
    let changed = house.with(known("https://elsewhere.example/v1"));
    let refused = wait(changed.grant("local/test-model", Some(&shown))).unwrap_err();
    assert_eq!(Problem::from(refused).code, Code::Conflict);
    assert_eq!(wait(changed.list()).unwrap(), []);
    wait(consent.grant("local/test-model", Some(&shown))).unwrap();
}

#[test]
fn what_is_taken_back_is_taken_back_under_all_terms_and_can_be_given_again() {
    let house = House::new();
    let old = house.with(known(HERE));
    wait(old.grant("local/test-model", None)).unwrap();
    let consent = house.with(known("https://elsewhere.example/v1"));
    wait(consent.grant("local/test-model", None)).unwrap();
    wait(consent.grant("local/other", None)).unwrap();
    assert_eq!(wait(consent.revoke("local/test-model")).unwrap().standing, Standing::Revoked);
    wait(consent.revoke("local/test-model")).expect("once more is no failure");
    let held = receipts(&consent, &model());
    assert!(held.len() == 2 && held.iter().all(|receipt| receipt.revoked), "{held:?}");
    let other = receipts(&consent, &"local/other".parse().unwrap());
    assert!(!other[0].revoked);
    house.world.advance_ms(1_000);
    let again = wait(consent.grant("local/test-model", None)).unwrap();
    assert_eq!((again.standing, again.consent.revoked), (Standing::Stands, false));
    assert_eq!(receipts(&consent, &model()).iter().filter(|r| !r.revoked).count(), 1);
    let actions: Vec<String> = house.audited().into_iter().map(|(action, _)| action).collect();
    let grant = "consent.grant";
    assert_eq!(actions, [grant, grant, grant, "consent.revoke", grant]);
    // A provider that is gone can still be forgotten.
    wait(house.with(Known::default()).revoke("local/other")).unwrap();
}

#[test]
fn what_is_not_configured_cannot_be_agreed_to() {
    let house = House::new();
    let consent = house.with(known(HERE));
    let code = |model: &str| Problem::from(wait(consent.grant(model, None)).unwrap_err()).code;
    assert_eq!(code("gpt"), Code::WrongUsage);
    assert_eq!(code("far/test-model"), Code::ProviderNotAllowed);
    assert_eq!(code("local/unheard-of"), Code::ModelNotAllowed);
    assert_eq!(code("builtin/scribe"), Code::NoSuchStep);
    let never = wait(consent.revoke("local/test-model")).unwrap_err();
    assert_eq!(never, Error::NeverGranted { model: model() });
    assert_eq!(Problem::from(never).code, Code::UnknownRecord);
    assert_eq!(house.audited(), []);
}
