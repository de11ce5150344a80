use crate::*;

fn samples() -> Vec<(RecordId, Body)> {
    let agent: AgentId = "agent_a".parse().unwrap();
    let thread = ThreadId::from_stored("agent_a:session:s".to_owned());
    let content = ContentRef { subject: (&agent).into(), hash: Digest::ZERO };
    let task = Task {
        title: "water the ferns".to_owned(),
        status: TaskStatus::InProgress,
        priority: TaskPriority::P1,
        category_id: "category_home".parse().unwrap(),
    };
    let message = Message {
        agent_id: agent.clone(),
        thread,
        role: MessageRole::Summary,
        previous: Some("message_1".parse().unwrap()),
        content,
    };
    let subscription = Subscription::to(agent.clone(), vec![Token::semantic("TASK").unwrap()]);
    let trigger = ExternalTrigger { agent_id: agent.clone(), status: TriggerStatus::Active };
    vec![
        ("agent_a".parse().unwrap(), identity(&agent).into()),
        ("state_a".parse().unwrap(), AgentState::newborn(agent.clone()).into()),
        ("subscription_a".parse().unwrap(), subscription.into()),
        ("schedule_a".parse().unwrap(), schedule(&agent).into()),
        ("trigger_a".parse().unwrap(), trigger.into()),
        ("wait_a".parse().unwrap(), wait(&agent).into()),
        ("envelope_a".parse().unwrap(), envelope(&agent).into()),
        ("message_2".parse().unwrap(), message.into()),
        ("category_home".parse().unwrap(), Category { name: "home".to_owned() }.into()),
        ("task_1".parse().unwrap(), task.into()),
    ]
}

fn schedule(agent: &AgentId) -> Schedule {
    let label = "mornings".to_owned();
    Schedule {
        agent_id: agent.clone(),
        recurrence: Recurrence {
            label,
            cron: Some("0 7 * * *".to_owned()),
            interval_seconds: None,
        },
        trigger: ScheduleTrigger::Cron,
        action: ScheduleAction::Wake,
        zone: "Europe/Berlin".to_owned(),
        status: ScheduleStatus::Active,
        overlap: Overlap::Forbid,
        catch_up: CatchUp::ONCE,
        auto_disable_after_run: false,
        always: false,
        starts_at: At::EPOCH,
        ends_at: Some(At::from_millis(9)),
    }
}

fn wait(agent: &AgentId) -> Wait {
    Wait {
        agent_id: agent.clone(),
        waiting_for: WaitFor::Job { job: "job_1".to_owned() },
        description: "the build".to_owned(),
        run_key: RunKey(Digest::ZERO),
        deadline: At::from_millis(9),
        state: WaitState::Broken { why: "it is gone".to_owned() },
    }
}

fn envelope(agent: &AgentId) -> Envelope {
    Envelope {
        agent_id: agent.clone(),
        kind: EnvelopeKind::WebhookEvent,
        origin: EnvelopeOrigin::Webhook { source: "forge".to_owned(), event_type: None },
        trust: EnvelopeTrust::TrustedIntegration,
        authority_class: AuthorityClass::IntegrationSignal,
        priority: Priority::Normal,
        trigger_kind: TriggerKind::ExternalEvent,
        delivery_surface: DeliverySurface::HttpWebhook,
        admission_context: AdmissionContext::ExternalTriggerCapability,
        content: ContentRef { subject: agent.into(), hash: Digest::ZERO },
        run_key: RunKey(Digest::ZERO),
        deliver_at: None,
        work_item_id: None,
        task_id: None,
        source_refs: [("delivery".to_owned(), "d1".to_owned())].into(),
        correlation_id: Some("c1".to_owned()),
        causation_id: None,
    }
}

fn identity(agent: &AgentId) -> AgentIdentity {
    AgentIdentity {
        agent_id: agent.clone(),
        template: "watcher".to_owned(),
        kind: AgentKind::Named,
        display_name: "Fern keeper".to_owned(),
        lifecycle: Lifecycle::Dormant { cause: DormantCause::Paused },
        mode: Mode::Autonomous,
        visibility: Visibility::Public,
        ownership: Ownership::SelfOwned,
        profile: Profile::PublicNamed,
        agent_home: "agents/agent_a".to_owned(),
        lineage_parent_agent_id: None,
        allowed_category_ids: ["category_home".parse().unwrap()].into(),
        current_state_id: "state_a".parse().unwrap(),
        config: AgentConfig::default(),
    }
}

#[test]
fn every_kind_of_record_round_trips() {
    let samples = samples();
    assert_eq!(samples.len(), BodyType::ALL.len(), "a kind of record has no sample");
    for (id, body) in samples {
        body.check(&id).unwrap();
        assert_eq!(Body::decode(body.kind(), body.encode()), body);
        let record = Record {
            id,
            body,
            schema_version: 1,
            revision: 3,
            created_at: At::from_millis(5),
            updated_at: At::from_millis(6),
            deleted_at: Some(At::from_millis(7)),
            clock: VectorClock::new(),
        };
        let json = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<Record>(&json).unwrap(), record);
    }
}

#[test]
fn a_body_of_a_newer_version_is_kept_word_for_word() {
    // An unknown kind, a field this version lacks, and a value it lacks.
    let newer = [
        ("agentDream", r#"{"depth":  3}"#),
        ("category", r#"{"name":"home","icon":"fern"}"#),
        (
            "task",
            r#"{"title":"t","status":"delegated","priority":"p1","category_id":"category_home"}"#,
        ),
    ];
    for (kind, json) in newer {
        let body = Body::decode(kind, json.to_owned());
        assert_eq!(body, Body::Unknown { kind: kind.to_owned(), raw: json.to_owned() });
        assert_eq!(body.encode(), json);
        assert!(body.check(&"x".parse().unwrap()).is_err(), "an unknown body may not be written");
    }
}

#[test]
fn an_identity_without_a_mandatory_field_is_rejected() {
    let agent: AgentId = "agent_a".parse().unwrap();
    let whole = serde_json::to_value(identity(&agent)).unwrap();
    let fields: Vec<String> = whole.as_object().unwrap().keys().cloned().collect();
    for field in fields {
        let mut part = whole.clone();
        part.as_object_mut().unwrap().remove(&field);
        let decoded = serde_json::from_value::<AgentIdentity>(part);
        assert!(decoded.is_err(), "an identity without {field} was accepted");
    }
}

#[test]
fn an_identity_must_agree_with_its_record_and_itself() {
    let agent: AgentId = "agent_a".parse().unwrap();
    let good = identity(&agent);
    let id: RecordId = (&agent).into();
    assert!(good.check(&"agent_b".parse().unwrap()).is_err());
    let nameless = AgentIdentity { display_name: " ".to_owned(), ..good.clone() };
    assert_eq!(nameless.check(&id).unwrap_err().field, "name");
    let orphan =
        AgentIdentity { kind: AgentKind::Child, profile: Profile::PrivateChild, ..good.clone() };
    assert_eq!(orphan.check(&id).unwrap_err().field, "lineage_parent_agent_id");
    let public_child = AgentIdentity {
        kind: AgentKind::Child,
        lineage_parent_agent_id: Some(agent.clone()),
        ..good
    };
    assert_eq!(public_child.check(&id).unwrap_err().field, "profile");
}

#[test]
fn closed_sets_refuse_other_values() {
    assert!(serde_json::from_str::<Mode>("\"hybrid\"").is_ok());
    assert!(serde_json::from_str::<Mode>("\"eager\"").is_err());
    assert!(serde_json::from_str::<AgentKind>("\"default\"").is_ok());
    assert!(serde_json::from_str::<AgentKind>("\"other\"").is_err());
    assert!(serde_json::from_str::<Visibility>("\"secret\"").is_err());
    assert!(serde_json::from_str::<Ownership>("\"shared\"").is_err());
    assert!(serde_json::from_str::<Profile>("\"public_child\"").is_err());
    assert!(serde_json::from_str::<Lifecycle>(r#"{"stage":"asleep"}"#).is_err());
    let dormant = r#"{"stage":"dormant","cause":"failures"}"#;
    let expected = Lifecycle::Dormant { cause: DormantCause::Failures };
    assert_eq!(serde_json::from_str::<Lifecycle>(dormant).unwrap(), expected);
    assert!(serde_json::from_str::<Lifecycle>(r#"{"stage":"dormant"}"#).is_err());
}

#[test]
fn slots_start_empty_at_version_zero_and_count_their_edits() {
    let mut slots = Slots::default();
    let versions = |s: &Slots| {
        [
            s.primary_goal.version,
            s.active_task_id.version,
            s.open_loop_ids.version,
            s.preference_by_key.version,
            s.extension.version,
        ]
    };
    assert_eq!(versions(&slots), [0; 5]);
    slots.primary_goal.set(Some("ferns alive".to_owned()));
    slots.primary_goal.set(None);
    assert_eq!(versions(&slots), [2, 0, 0, 0, 0]);
}

#[test]
fn an_extension_takes_registered_namespaced_keys_only() {
    let agent: AgentId = "agent_a".parse().unwrap();
    let mut state = AgentState::newborn(agent);
    assert!(state.slots.extension.value.0.is_empty());
    state.slots.extension.value.0.insert("ui:color".to_owned(), "green".into());
    state.check().unwrap();
    state.slots.extension.value.0.insert("color".to_owned(), "green".into());
    assert_eq!(state.check().unwrap_err().field, "slots.extension");
}
