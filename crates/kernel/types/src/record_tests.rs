use crate::*;

fn samples() -> Vec<(RecordId, Body)> {
    let agent: AgentId = "agent_a".parse().unwrap();
    let thread = ThreadId::from_stored("agent_a:session:s".to_owned());
    let content = ContentRef { subject: (&agent).into(), hash: Digest::ZERO };
    let task = Task {
        status: TaskStatus::InProgress,
        priority: TaskPriority::P1,
        ..Task::new("water the ferns", "category_home".parse().unwrap())
    };
    let span = SummarySpan {
        start: "message_0".parse().unwrap(),
        end: "message_1".parse().unwrap(),
        depth: 1,
        made_by: "extract 1".to_owned(),
        content_hash: Digest::ZERO,
    };
    let message = Message {
        previous: Some("message_1".parse().unwrap()),
        summary: Some(span),
        ..Message::of(agent.clone(), thread.clone(), MessageKind::Summary, content.clone())
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
        ("turn_a".parse().unwrap(), turn(&agent, thread, content.clone()).into()),
        ("session_a".parse().unwrap(), session(&agent).into()),
        ("grounding_a".parse().unwrap(), grounding().into()),
        ("report_a".parse().unwrap(), report(&agent, content).into()),
        ("head_a".parse().unwrap(), head(&agent).into()),
        ("consent_a".parse().unwrap(), consent().into()),
        ("invocation_a".parse().unwrap(), invocation(&agent).into()),
        ("category_home".parse().unwrap(), Category::named("home").into()),
        ("task_1".parse().unwrap(), task.into()),
    ]
    .into_iter()
    .chain(authored())
    .collect()
}

fn turn(agent: &AgentId, thread: ThreadId, content: ContentRef) -> Turn {
    let block = BlockRef {
        kind: BlockKind::Task,
        stability: Stability::TurnScoped,
        trust: Trust::Operator,
        hash: Some(Digest::ZERO),
        tokens: 12,
        reason: "the task it tends".to_owned(),
    };
    let terminal = TurnTerminal {
        turn_index: 3,
        kind: TurnKind::Completed,
        last_assistant_message: None,
        completed_at: At::from_millis(9),
        duration_ms: 4,
    };
    let closure = ClosureDecision {
        outcome: ClosureOutcome::Waiting,
        waiting_reason: Some(WaitingReason::AwaitingTimer),
        runtime_posture: "sleeping".to_owned(),
        evidence: vec!["a nap".to_owned()],
    };
    let brief = Brief { kind: BriefKind::Result, content };
    let spent = TurnSpent { model_calls: 2, tokens: TokenUsage::of(7, 2), cost_micros: 1 };
    Turn {
        agent_id: agent.clone(),
        run_key: RunKey(Digest::ZERO),
        thread,
        reason: WakeReason::Subscription,
        continuation: Some(continuation()),
        workflow: "turn".to_owned(),
        version: 1,
        began_at: At::from_millis(5),
        prompt: PromptRef {
            id: "task_agent".to_owned(),
            version: 1,
            blocks: vec![block],
            words: None,
            tools: vec![],
        },
        model: ModelRef::scribe(),
        exposed: false,
        dialog_act: Some(DialogAct::Request),
        classified: Some(Classified {
            model: "local/tiny".parse().unwrap(),
            act: Some(DialogAct::Request),
            asked: Digest::ZERO,
            took: spent,
        }),
        rounds: 2,
        looked: None,
        state: TurnState::Settled {
            terminal,
            closure,
            brief,
            spent,
            failure: None,
            timeline: None,
            recovery: None,
            warning: None,
            grounding: Some(Grounding {
                act: GroundingAct::Initiate,
                evidence: AcceptanceEvidence::Answered,
            }),
        },
    }
}

fn session(agent: &AgentId) -> Session {
    Session {
        agent_id: agent.clone(),
        name: "s".to_owned(),
        conversation_id: "conversation_a".parse().unwrap(),
        status: SessionStatus::Ended,
        participants: [Participant::Operator, Participant::Agent(agent.clone())].into(),
        continued_from: Some("session_0".parse().unwrap()),
        continued_by: None,
        began_at: At::from_millis(1),
        over_at: Some(At::from_millis(2)),
        channel: DeliverySurface::CliPrompt,
        token_capacity: 32_000,
    }
}

fn grounding() -> GroundingNote {
    GroundingNote {
        conversation_id: "conversation_a".parse().unwrap(),
        turn_id: "turn_a".parse().unwrap(),
        act: GroundingAct::Cancel,
    }
}

fn continuation() -> Continuation {
    Continuation {
        trigger_kind: TriggerKind::ExternalEvent,
        class: ContinuationClass::LocalContinuation,
        model_visible: true,
        prior_outcome: Some(ClosureOutcome::Completed),
        prior_waiting_reason: None,
        matched_waiting_reason: false,
        evidence: vec!["woken by subscription".to_owned()],
    }
}

fn report(agent: &AgentId, content: ContentRef) -> Report {
    let source = SourceRef {
        source_type: SourceType::Journal,
        source_locator: "task_1".to_owned(),
        captured_at: At::from_millis(2),
        freshness_at: At::from_millis(1),
    };
    let claim = Claim {
        id: "c1".to_owned(),
        section: "Progress".to_owned(),
        text: "one of two is done".to_owned(),
        sources: vec![source],
        inferred: false,
        confidence: Some(90),
    };
    Report {
        agent_id: agent.clone(),
        scope: ReportScope::Current,
        run_key: RunKey(Digest::ZERO),
        content,
        confidence: None,
        model: "builtin/scribe".to_owned(),
        journal_seen: Position(7),
        written_at: At::from_millis(3),
        claims: vec![claim],
        based_on: None,
    }
}

fn head(agent: &AgentId) -> ReportHead {
    ReportHead {
        agent_id: agent.clone(),
        scope: ReportScope::Current,
        report_id: "report_a".parse().unwrap(),
        updated_at: At::from_millis(3),
    }
}

fn consent() -> ModelConsent {
    ModelConsent {
        provider: "local".to_owned(),
        model: "test".to_owned(),
        policy_version: "1".to_owned(),
        confirmed_at: At::from_millis(3),
        revoked: false,
    }
}

/// What people author besides tasks.
fn authored() -> Vec<(RecordId, Body)> {
    let (task_id, day): (TaskId, Day) = ("task_1".parse().unwrap(), "2026-11-15".parse().unwrap());
    let category_id: CategoryId = "category_home".parse().unwrap();
    let (start, end) = (At::from_millis(1), At::from_millis(60_001));
    let label = TaskLabel {
        name: "garden".to_owned(),
        colour: Some("#2f7d4f".to_owned()),
        category_id: Some(category_id.clone()),
    };
    let item = ChecklistItem {
        checklist_id: "checklist_1".parse().unwrap(),
        task_id: task_id.clone(),
        title: "find the can".to_owned(),
        checked: true,
        rank: "h".to_owned(),
    };
    let entry = Entry {
        kind: EntryKind::Audio,
        text: "they looked thirsty".to_owned(),
        media: Some(Media { uri: "notes/1.ogg".to_owned(), media_type: None }),
        category_id: category_id.clone(),
        task_id: Some(task_id.clone()),
        at: start,
        day,
    };
    let time = TimeEntry {
        task_id: task_id.clone(),
        started_at: start,
        ended_at: Some(end),
        day,
        description: "watering".to_owned(),
        source_entry_id: Some("entry_1".parse().unwrap()),
    };
    let block = PlanBlock {
        id: "block_1".parse().unwrap(),
        category_id: category_id.clone(),
        starts_at: start,
        ends_at: end,
        note: "garden".to_owned(),
        task_id: Some(task_id.clone()),
    };
    let plan = DayPlan { blocks: vec![block], ..DayPlan::empty(day) };
    let rating = Rating {
        target_id: (&task_id).into(),
        category_id: Some(category_id),
        score: 4,
        dimensions: [("focus".to_owned(), 5)].into(),
        note: String::new(),
        day,
    };
    let list = Checklist { task_id, title: "todo".to_owned() };
    vec![
        ("label_garden".parse().unwrap(), label.into()),
        ("checklist_1".parse().unwrap(), list.into()),
        ("item_1".parse().unwrap(), item.into()),
        ("entry_1".parse().unwrap(), entry.into()),
        ("time_1".parse().unwrap(), time.into()),
        (DayPlan::id(day).into(), plan.into()),
        ("rating_1".parse().unwrap(), rating.into()),
    ]
}

#[test]
fn what_people_author_is_refused_when_it_breaks_its_own_rules() {
    let refused = |change: fn(&mut Body)| {
        let found = authored().into_iter().find_map(|(id, mut body)| {
            let was = body.clone();
            change(&mut body);
            (body != was).then(|| body.check(&id))
        });
        found.expect("the change fits a sample").unwrap_err().field
    };
    assert_eq!(
        refused(|body| if let Body::TimeEntry(time) = body {
            time.ended_at = Some(time.started_at);
        }),
        "ended_at"
    );
    assert_eq!(
        refused(|body| if let Body::DayPlan(plan) = body {
            plan.blocks[0].ends_at = At::EPOCH;
        }),
        "ends_at"
    );
    assert_eq!(
        refused(|body| if let Body::DayPlan(plan) = body {
            plan.blocks.push(plan.blocks[0].clone());
        }),
        "blocks"
    );
    assert_eq!(
        refused(|body| if let Body::Rating(rating) = body {
            rating.score = 6;
        }),
        "score"
    );
    assert_eq!(
        refused(|body| if let Body::Entry(entry) = body {
            entry.media = None;
        }),
        "media"
    );
    assert_eq!(
        refused(|body| if let Body::TaskLabel(label) = body {
            label.colour = Some("green".to_owned());
        }),
        "colour"
    );
    assert_eq!(
        refused(|body| if let Body::ChecklistItem(item) = body {
            item.title = "two\nlines".to_owned();
        }),
        "title"
    );
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

fn invocation(agent: &AgentId) -> ToolInvocation {
    let content = ContentRef { subject: agent.into(), hash: Digest::ZERO };
    let changed = vec![ChangedRecord { id: "task_1".parse().unwrap(), clock: VectorClock::new() }];
    ToolInvocation {
        agent_id: agent.clone(),
        run_key: RunKey(Digest::ZERO),
        thread: ThreadId::from_stored("agent_a:session:s".to_owned()),
        action_type: ActionType::ToolCall,
        tool: "set_task_title".to_owned(),
        tool_version: 1,
        operation: Some(OperationId(Digest::ZERO)),
        group: Some("group_1".to_owned()),
        wake_reason: WakeReason::Subscription,
        scope: ["category_home".parse().unwrap()].into(),
        trace: Trace {
            attempt: 1,
            cause: Some("message_1".parse().unwrap()),
            correlation: Some("c1".to_owned()),
        },
        arguments: content.clone(),
        policy: "profile".to_owned(),
        state: InvocationState::Done {
            result: content,
            compliance: Compliance::Compliant,
            changed,
            changed_tokens: vec![Token::semantic("TASK").unwrap()],
            repeated: false,
        },
    }
}

#[test]
fn an_invocation_without_a_required_part_is_rejected() {
    let agent: AgentId = "agent_a".parse().unwrap();
    let done = invocation(&agent);
    let result = done.arguments.clone();
    let error = Some(CallError { code: "conflict".to_owned(), message: "it moved".to_owned() });
    let (rule, of_denial) = ("quota".to_owned(), result.clone());
    let denied = InvocationState::Denied { rule, result: of_denial, error: error.clone() };
    let failed = InvocationState::Failed { result, error };
    for state in [done.state.clone(), denied, failed] {
        let whole = serde_json::to_value(ToolInvocation { state, ..done.clone() }).unwrap();
        let without = |path: &[&str]| {
            let mut part = whole.clone();
            let (last, above) = path.split_last().unwrap();
            let holder = above.iter().fold(&mut part, |at, name| &mut at[*name]);
            holder.as_object_mut().unwrap().remove(*last).unwrap();
            Body::decode(BodyType::AgentToolInvocation.as_str(), part.to_string().into())
        };
        let parts = whole.as_object().unwrap().keys().map(|key| vec![key.as_str()]);
        let of_state = whole["state"].as_object().unwrap().keys().map(|key| vec!["state", key]);
        for path in parts.chain(of_state) {
            // A read has no operation, a call alone no group, a change of nothing no tokens; and records
            // of the first form had no type, no trace and no error in short.
            let optional = matches!(
                path[..],
                ["operation" | "group" | "action_type" | "trace"]
                    | ["state", "changed_tokens" | "error"]
            );
            let id: RecordId = "invocation_a".parse().unwrap();
            assert_eq!(without(&path).check(&id).is_ok(), optional, "without {path:?}");
        }
    }
}

#[test]
fn an_invocation_names_its_tool_so_that_it_can_be_a_token() {
    let agent: AgentId = "agent_a".parse().unwrap();
    for bad in ["", "a|b", "two words", "line\nbreak", &"x".repeat(65)] {
        let named = ToolInvocation { tool: bad.to_owned(), ..invocation(&agent) };
        assert_eq!(named.check().unwrap_err().field, "tool", "{bad:?}");
    }
    let nobodys = ToolInvocation { policy: " ".to_owned(), ..invocation(&agent) };
    assert_eq!(nobodys.check().unwrap_err().field, "policy");
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
        task_id: None,
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
        assert_eq!(Body::decode(body.kind(), body.encode().into()), body);
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
        let body = Body::decode(kind, json.into());
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

#[test]
fn the_details_of_a_failure_are_bounded() {
    let failure = |source_chain: Vec<String>, detail: String| FailureArtifact {
        category: FailureCategory::Transport,
        kind: "model_unavailable".to_owned(),
        summary: "nobody answers".to_owned(),
        provider: None,
        model_ref: None,
        status: None,
        source_chain,
        metadata: [("stage".to_owned(), detail)].into(),
    };
    let (few, many) = (limits::FAILURE_DETAILS_MAX, limits::FAILURE_DETAILS_MAX + 1);
    let long = "x".repeat(limits::FAILURE_DETAIL_BYTES_MAX);
    failure(vec![long.clone(); few], long.clone()).check().unwrap();
    assert_eq!(
        failure(vec![String::new(); many], String::new()).check().unwrap_err().field,
        "source_chain"
    );
    assert_eq!(failure(vec![], format!("{long}x")).check().unwrap_err().field, "detail");
    let agent: AgentId = "agent_a".parse().unwrap();
    let thread = ThreadId::from_stored("agent_a:run:r".to_owned());
    let content = ContentRef { subject: (&agent).into(), hash: Digest::ZERO };
    let mut turn = turn(&agent, thread, content);
    if let TurnState::Settled { failure: kept, .. } = &mut turn.state {
        *kept = Some(failure(vec![], format!("{long}x")));
    }
    assert_eq!(Body::from(turn).check(&"turn_a".parse().unwrap()).unwrap_err().field, "detail");
}
