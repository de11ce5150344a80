use std::collections::{BTreeMap, BTreeSet};

use types::{
    Account, AgentId, Amounts, At, BudgetLimits, CategoryId, Code, DormantCause, Fence, Lifecycle,
    ModelConsent, ModelRef,
};

use super::*;
use crate::inference::{Access, Narrowing};

/// A call of `local/test` that every rule lets through, and what it is judged by.
struct Case {
    agent: AgentId,
    category: Option<CategoryId>,
    model: ModelRef,
    estimate: Amounts,
    closed: bool,
    lifecycle: Lifecycle,
    access: Access,
    providers: BTreeMap<String, String>,
    receipts: Vec<ModelConsent>,
    projection: Result<(), &'static str>,
    account: Account,
    limits: BudgetLimits,
}

fn model(name: &str) -> ModelRef {
    name.parse().unwrap()
}

fn models(names: &[&str]) -> BTreeSet<ModelRef> {
    names.iter().map(|name| model(name)).collect()
}

fn tokens(tokens: u64) -> Amounts {
    Amounts { tokens, ..Amounts::default() }
}

fn receipt(model: &str, policy_version: &str, revoked: bool) -> ModelConsent {
    ModelConsent {
        provider: "local".to_owned(),
        model: model.to_owned(),
        policy_version: policy_version.to_owned(),
        confirmed_at: At::EPOCH,
        revoked,
    }
}

fn good() -> Case {
    Case {
        agent: "agent_a".parse().unwrap(),
        category: Some("category_home".parse().unwrap()),
        model: model("local/test"),
        estimate: tokens(10),
        closed: false,
        lifecycle: Lifecycle::Active,
        access: Access { models: models(&["local/test", "builtin/scribe"]), narrowed: vec![] },
        providers: BTreeMap::from([("local".to_owned(), "terms-2".to_owned())]),
        receipts: vec![receipt("test", "terms-1", false), receipt("test", "terms-2", false)],
        projection: Ok(()),
        account: Account { spent: tokens(60), reserved: tokens(30) },
        limits: BudgetLimits { tokens: Some(100), ..BudgetLimits::default() },
    }
}

impl Case {
    fn judged(&self) -> Result<Permitted, Denied> {
        let request = Request {
            agent: &self.agent,
            kind: "task_agent",
            category: self.category.as_ref(),
            model: &self.model,
            estimate: self.estimate,
        };
        let snapshot = Snapshot {
            global_fence: Fence { closed: self.closed, ..Fence::default() },
            lifecycle: self.lifecycle,
            access: &self.access,
            providers: &self.providers,
            receipts: &self.receipts,
            projection: self.projection,
            account: self.account,
            limits: self.limits,
        };
        judge(&request, &snapshot)
    }

    fn denied(&self) -> (&'static str, Code) {
        let denied = self.judged().expect_err("it was permitted");
        (denied.rule, denied.denial.code)
    }

    fn words(&self) -> String {
        let denial = self.judged().expect_err("it was permitted").denial;
        format!("{}; {}", denial.message, denial.hint)
    }
}

fn case(change: impl FnOnce(&mut Case)) -> Case {
    let mut case = good();
    change(&mut case);
    case
}

/// Makes a good case one that a rule objects to.
type Spoil = fn(&mut Case);

/// For each rule something that only it objects to.
const OBJECTIONS: &[(&str, Code, Spoil)] = &[
    ("kill_switch", Code::KillSwitchOn, |case| case.closed = true),
    ("lifecycle", Code::AgentStopped, |case| {
        case.lifecycle = Lifecycle::Dormant { cause: DormantCause::Paused };
    }),
    ("model_access", Code::ModelNotAllowed, |case| {
        case.access.models.remove(&model("local/test"));
    }),
    ("provider", Code::ProviderNotAllowed, |case| case.providers.clear()),
    ("consent", Code::PrivacyConfirmationRequired, |case| case.receipts.clear()),
    ("projection", Code::OversharedPayloadBlocked, |case| case.projection = Err("task_b")),
    ("budget", Code::BudgetExceeded, |case| case.estimate.tokens = 11),
];

#[test]
fn the_rules_before_a_model_stand_in_this_order() {
    let names: Vec<&str> = ORDER.iter().map(|(name, _)| *name).collect();
    let pinned =
        ["kill_switch", "lifecycle", "model_access", "provider", "consent", "projection", "budget"];
    assert_eq!(names, pinned);
}

#[test]
fn every_rule_before_a_model_denies_by_itself_with_its_name_and_code() {
    assert_eq!(OBJECTIONS.len(), ORDER.len(), "a rule has no case");
    for (rule, code, spoil) in OBJECTIONS {
        assert_eq!(case(spoil).denied(), (*rule, *code));
    }
}

#[test]
fn of_two_rules_before_a_model_that_object_the_earlier_speaks() {
    for (place, (rule, code, first)) in OBJECTIONS.iter().enumerate() {
        for (_, _, second) in &OBJECTIONS[place + 1..] {
            let both = case(|case| {
                first(case);
                second(case);
            });
            assert_eq!(both.denied(), (*rule, *code));
        }
    }
}

#[test]
fn what_every_rule_passes_is_permitted_for_this_agent_model_and_amount() {
    let permitted = good().judged().expect("every rule passes");
    assert_eq!((permitted.agent().as_str(), permitted.model().as_str()), ("agent_a", "local/test"));
    assert_eq!(permitted.estimate(), tokens(10));
}

#[test]
fn a_new_agent_may_ask_and_a_destroyed_one_is_told_that_it_is_over() {
    assert!(case(|case| case.lifecycle = Lifecycle::Created).judged().is_ok());
    let over = case(|case| case.lifecycle = Lifecycle::Destroyed { at: At::EPOCH });
    assert_eq!(over.denied(), ("lifecycle", Code::AgentDestroyed));
}

#[test]
fn a_model_that_is_in_no_rule_may_not_be_asked() {
    let nothing = case(|case| case.access = Access::default());
    assert_eq!(nothing.denied(), ("model_access", Code::ModelNotAllowed));
    let scribe = case(|case| {
        case.model = ModelRef::scribe();
        case.access.models = models(&["local/test"]);
    });
    assert_eq!(scribe.denied().0, "model_access", "not even the built-in one, if it is not chosen");
}

#[test]
fn access_is_narrowed_by_agent_template_and_category_and_never_widened() {
    let narrowed = |agent: Option<&str>, kind: Option<&str>, category: Option<&str>| {
        case(|case| {
            case.access.narrowed.push(Narrowing {
                agent: agent.map(|id| id.parse().unwrap()),
                kind: kind.map(str::to_owned),
                category: category.map(|id| id.parse().unwrap()),
                models: models(&["builtin/scribe"]),
            });
        })
    };
    let refused = ("model_access", Code::ModelNotAllowed);
    assert_eq!(narrowed(Some("agent_a"), None, None).denied(), refused);
    assert_eq!(narrowed(None, Some("task_agent"), None).denied(), refused);
    assert_eq!(narrowed(None, None, Some("category_home")).denied(), refused);
    assert_eq!(narrowed(None, Some("task_agent"), Some("category_home")).denied(), refused);
    for other in [
        narrowed(Some("agent_b"), None, None),
        narrowed(None, Some("watcher"), None),
        narrowed(None, None, Some("category_work")),
        narrowed(Some("agent_a"), None, Some("category_work")),
    ] {
        assert!(other.judged().is_ok());
    }
    let mut nowhere = narrowed(None, None, Some("category_work"));
    nowhere.category = None;
    assert_eq!(nowhere.denied(), refused, "what lies in no category could be from there");
    let widened = case(|case| {
        case.model = model("local/other");
        let models = models(&["local/other"]);
        case.access.narrowed.push(Narrowing { models, ..Narrowing::default() });
    });
    assert_eq!(widened.denied(), refused);
}

#[test]
fn consent_is_for_one_model_under_the_terms_of_now() {
    let with = |receipts: Vec<ModelConsent>| case(|case| case.receipts = receipts).words();
    let another_model = with(vec![receipt("other", "terms-2", false)]);
    assert!(another_model.contains("nobody has agreed yet"), "{another_model}");
    let changed = with(vec![receipt("test", "terms-1", false)]);
    assert!(changed.contains("have changed"), "{changed}");
    let taken_back =
        with(vec![receipt("test", "terms-2", true), receipt("test", "terms-1", false)]);
    assert!(taken_back.contains("taken back"), "{taken_back}");
    let elsewhere =
        ModelConsent { provider: "far".to_owned(), ..receipt("test", "terms-2", false) };
    assert!(with(vec![elsewhere]).contains("dormouse consent grant local/test"));
}

#[test]
fn the_built_in_model_needs_neither_provider_nor_consent() {
    let scribe = case(|case| {
        case.model = ModelRef::scribe();
        case.providers.clear();
        case.receipts.clear();
    });
    assert!(scribe.judged().is_ok());
}

#[test]
fn every_limit_of_a_day_counts_what_is_spent_set_aside_and_asked_for() {
    let one = Amounts { tokens: 1, cost_micros: 1, tool_calls: 1, runtime_ms: 1 };
    let limited = |limits: BudgetLimits| {
        case(|case| {
            case.account = Account { spent: one, reserved: one };
            (case.estimate, case.limits) = (one, limits);
        })
    };
    let none = BudgetLimits::default();
    let each = |limit: Option<u64>| {
        [
            ("tokens_per_day", BudgetLimits { tokens: limit, ..none }),
            ("cost_per_day", BudgetLimits { cost_micros: limit, ..none }),
            ("tool_calls_per_day", BudgetLimits { tool_calls: limit, ..none }),
            ("minutes_per_day", BudgetLimits { runtime_ms: limit, ..none }),
        ]
    };
    for (_, limits) in each(Some(3)) {
        assert!(limited(limits).judged().is_ok(), "a limit may be reached");
    }
    for (name, limits) in each(Some(2)) {
        assert_eq!(limited(limits).denied(), ("budget", Code::BudgetExceeded));
        assert!(limited(limits).words().contains(name));
    }
    assert!(limited(none).judged().is_ok(), "an agent without limits is unlimited");
}

#[test]
fn who_has_worked_as_long_as_it_may_is_not_asked_again() {
    let worked = |ms: u64, limit: u64| {
        case(|case| {
            case.account.spent.runtime_ms = ms;
            case.limits.runtime_ms = Some(limit);
        })
    };
    assert!(worked(59_999, 60_000).judged().is_ok());
    for reached in [worked(60_000, 60_000), worked(0, 0)] {
        assert_eq!(reached.denied(), ("budget", Code::BudgetExceeded));
    }
}
