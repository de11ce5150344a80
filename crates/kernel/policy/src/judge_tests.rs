use std::collections::{BTreeMap, BTreeSet};

use types::{
    AgentId, BodyType, Capability, CategoryId, Code, Digest, Domain, Epoch, Fence, Idempotency,
    OperationId, Quota, TaskId, ToolCounts, WakeReason,
};

use super::*;
use crate::{Complaint, Earlier, Plan, Rights, Terms, Written};

/// A call of `set_title` that every rule lets through, and what it is judged by.
struct Case {
    agent: AgentId,
    scope: BTreeSet<CategoryId>,
    task: Option<TaskId>,
    kinds: &'static [BodyType],
    rights: Rights,
    complaints: Vec<Complaint>,
    plan: Option<Plan>,
    idempotency: Idempotency,
    offers_preview: bool,
    wake_reason: WakeReason,
    operation: Option<OperationId>,
    preview: bool,
    fences: [Fence; 2],
    stopped: BTreeSet<Capability>,
    earlier: Option<(&'static str, &'static str, bool, bool)>,
    counts: ToolCounts,
}

const EPOCH: Epoch = Epoch { boot: 3, attempt: 1 };

fn good() -> Case {
    let home: CategoryId = "category_home".parse().unwrap();
    let quota = Quota { max_per_session: Some(2), max_per_day: Some(4) };
    Case {
        agent: "agent_a".parse().unwrap(),
        scope: [home.clone()].into(),
        task: Some(task("ferns")),
        kinds: &[BodyType::Task],
        rights: Rights {
            capabilities: [Capability::TaskWrite].into(),
            tools: Some(["set_title".to_owned()].into()),
            quotas: BTreeMap::from([("set_title".to_owned(), quota)]),
        },
        complaints: vec![],
        plan: Some(Plan {
            targets: [Some(home.clone()), None].into(),
            destinations: [home].into(),
            writes: [Written::Record(BodyType::Task), Written::Link].into(),
            tasks: [[task("ferns")].into(), [task("ferns"), task("moss")].into()].into(),
            ..Plan::of(Domain::Journal)
        }),
        idempotency: Idempotency::OperationId,
        offers_preview: false,
        wake_reason: WakeReason::Subscription,
        operation: Some(OperationId(Digest::ZERO)),
        preview: false,
        fences: [Fence { epoch: EPOCH, closed: false }; 2],
        stopped: [Capability::ReportWrite].into(),
        earlier: None,
        counts: ToolCounts { session: 1, day: 1, counted: false },
    }
}

impl Case {
    fn judged(&self) -> Decision {
        let other: AgentId = "agent_b".parse().unwrap();
        let request = Request {
            terms: Terms {
                tool: "set_title",
                capabilities: &[Capability::TaskWrite],
                wake_reasons: &[WakeReason::Subscription, WakeReason::Manual],
                idempotency: self.idempotency,
                kinds: self.kinds,
                preview: self.offers_preview,
            },
            agent: &self.agent,
            epoch: EPOCH,
            wake_reason: self.wake_reason,
            scope: &self.scope,
            task: self.task.as_ref(),
            operation: self.operation,
            preview: self.preview,
        };
        let earlier = self.earlier.map(|(tool, agent, same_arguments, done)| Earlier {
            tool,
            agent: Some(if agent == "agent_a" { &self.agent } else { &other }),
            same_arguments,
            done,
        });
        let snapshot = Snapshot {
            complaints: &self.complaints,
            rights: &self.rights,
            global_fence: self.fences[0],
            agent_fence: self.fences[1],
            stopped: &self.stopped,
            earlier,
            counts: self.counts,
            plan: self.plan.as_ref(),
        };
        judge(&request, &snapshot)
    }

    fn denied(&self) -> (&'static str, Code) {
        match self.judged() {
            Decision::Denied(denied) => (denied.rule, denied.denial.code),
            other => panic!("expected a denial, got {other:?}"),
        }
    }
}

fn case(change: impl FnOnce(&mut Case)) -> Case {
    let mut case = good();
    change(&mut case);
    case
}

fn task(name: &str) -> TaskId {
    format!("task_{name}").parse().unwrap()
}

fn work() -> CategoryId {
    "category_work".parse().unwrap()
}

/// Makes a good case one that a rule objects to.
type Spoil = fn(&mut Case);

/// For each rule something that only it objects to.
fn objections() -> Vec<(&'static str, Code, Spoil)> {
    let spoil_arguments = |case: &mut Case| {
        let field = Some("title".to_owned());
        case.complaints.push(Complaint {
            field,
            what: "is a number".to_owned(),
            is_uncertain: false,
        });
    };
    vec![
        ("kill_switch", Code::KillSwitchOn, |case| case.fences[0].closed = true),
        ("fence", Code::Fenced, |case| case.fences[1].epoch.attempt = 2),
        ("recorded", Code::Conflict, |case| {
            case.earlier = Some(("set_due", "agent_a", true, true));
        }),
        ("offered", Code::CapabilityMissing, |case| {
            case.rights.tools = Some(["set_due".to_owned()].into());
        }),
        ("schema", Code::BadArguments, spoil_arguments),
        ("capability", Code::CapabilityMissing, |case| case.rights.capabilities.clear()),
        ("wake_reason", Code::WakeReasonNotAllowed, |case| case.wake_reason = WakeReason::Tick),
        ("preview", Code::PreviewNotOffered, |case| case.preview = true),
        ("operation_id", Code::OperationIdMissing, |case| case.operation = None),
        ("tool_class", Code::ToolClassStopped, |case| {
            case.stopped.insert(Capability::TaskWrite);
        }),
        ("category_scope", Code::OutOfScope, |case| {
            case.plan.as_mut().unwrap().destinations.insert(work());
        }),
        ("own_task", Code::OutOfScope, |case| {
            case.plan.as_mut().unwrap().tasks.insert([task("moss")].into());
        }),
        ("side_effects", Code::InvalidRecord, |case| {
            case.plan.as_mut().unwrap().writes.insert(Written::Other);
        }),
        ("quota", Code::ToolQuotaExceeded, |case| case.counts.session = 2),
    ]
}

#[test]
fn the_rules_stand_in_this_order() {
    let names: Vec<&str> = ORDER.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names,
        [
            "kill_switch",
            "fence",
            "recorded",
            "offered",
            "schema",
            "capability",
            "wake_reason",
            "preview",
            "operation_id",
            "tool_class",
            "category_scope",
            "own_task",
            "side_effects",
            "quota",
        ]
    );
}

#[test]
fn every_rule_denies_by_itself_with_its_name_and_code() {
    let objections = objections();
    assert_eq!(objections.len(), ORDER.len(), "a rule has no case");
    for (rule, code, spoil) in objections {
        assert_eq!(case(spoil).denied(), (rule, code));
    }
}

#[test]
fn of_two_rules_that_object_the_earlier_speaks() {
    let objections = objections();
    for (place, (rule, code, first)) in objections.iter().enumerate() {
        for (_, _, second) in &objections[place + 1..] {
            let both = case(|case| {
                first(case);
                second(case);
            });
            assert_eq!(both.denied(), (*rule, *code));
        }
    }
}

#[test]
fn what_every_rule_passes_is_admitted_with_its_operation() {
    let Decision::Admitted(admitted) = good().judged() else { panic!("not admitted") };
    assert_eq!((admitted.tool(), admitted.agent().as_str()), ("set_title", "agent_a"));
    assert_eq!(admitted.operation(), Some(OperationId(Digest::ZERO)));
    assert_eq!(admitted.rule(), "capability");
}

#[test]
fn who_was_offered_nothing_in_particular_calls_what_its_capabilities_cover() {
    assert!(matches!(case(|case| case.rights.tools = None).judged(), Decision::Admitted(_)));
    assert_eq!(case(|case| case.rights.tools = Some([].into())).denied().0, "offered");
}

#[test]
fn nothing_is_admitted_before_its_plan_is_seen() {
    assert_eq!(case(|case| case.plan = None).judged(), Decision::Plan);
    let hopeless = case(|case| {
        case.plan = None;
        case.rights.capabilities.clear();
    });
    assert_eq!(hopeless.denied().0, "capability", "and what has no chance is not planned");
}

#[test]
fn a_preview_may_change_nothing_and_takes_nothing() {
    let shown = case(|case| {
        (case.preview, case.offers_preview, case.operation) = (true, true, None);
        case.counts = ToolCounts { session: 9, day: 9, counted: false };
    });
    let Decision::Admitted(admitted) = shown.judged() else { panic!("not admitted") };
    assert_eq!(admitted.operation(), None);
    let named = case(|case| (case.preview, case.offers_preview) = (true, true));
    let Decision::Admitted(admitted) = named.judged() else { panic!("not admitted") };
    assert_eq!(admitted.operation(), None, "a name makes no change of a preview");
    let read = case(|case| {
        (case.idempotency, case.operation) = (Idempotency::ReadOnly, None);
    });
    assert!(
        matches!(read.judged(), Decision::Admitted(admitted) if admitted.operation().is_none())
    );
}

#[test]
fn what_was_done_before_is_answered_whatever_has_changed_since() {
    let done = |case: &mut Case| case.earlier = Some(("set_title", "agent_a", true, true));
    assert_eq!(case(done).judged(), Decision::Recorded);
    for (rule, _, spoil) in objections() {
        let since = case(|case| {
            spoil(case);
            done(case);
        });
        let stops = ["kill_switch", "fence"].contains(&rule);
        assert_eq!(since.judged() == Decision::Recorded, !stops, "{rule}");
    }
    let unplanned = case(|case| {
        done(case);
        case.plan = None;
    });
    assert_eq!(unplanned.judged(), Decision::Recorded, "and nothing is planned again");
}

#[test]
fn a_name_that_stands_for_another_call_is_refused() {
    let others = [
        ("set_due", "agent_a", true, true),
        ("set_title", "agent_b", true, true),
        ("set_title", "agent_a", false, true),
        ("set_due", "agent_a", true, false),
    ];
    for earlier in others {
        let taken = case(|case| case.earlier = Some(earlier));
        assert_eq!(taken.denied(), ("recorded", Code::Conflict), "{earlier:?}");
    }
    let tried = case(|case| case.earlier = Some(("set_title", "agent_a", true, false)));
    assert!(matches!(tried.judged(), Decision::Admitted(_)), "one that was not done can be done");
}

#[test]
fn a_target_outside_of_the_scope_is_denied_and_one_of_no_category_only_to_who_has_none() {
    let outside = case(|case| {
        case.plan.as_mut().unwrap().targets.insert(Some(work()));
    });
    let Decision::Denied(denied) = outside.judged() else { panic!("not denied") };
    assert_eq!((denied.rule, denied.denial.code), ("category_scope", Code::OutOfScope));
    let told = format!("{} {}", denied.denial.message, denied.denial.hint);
    assert!(!told.contains("work"), "{told}");
    let missed = case(|case| case.plan.as_mut().unwrap().missed = true);
    assert_eq!(missed.judged(), outside.judged(), "what is not there is denied in the same words");
    let nowhere = |plan: Plan, scoped: bool| {
        let judged = case(|case| {
            if !scoped {
                case.scope.clear();
            }
            *case.plan.as_mut().unwrap() = plan;
        });
        matches!(judged.judged(), Decision::Admitted(_))
    };
    let journal = || Plan::of(Domain::Journal);
    let read = || Plan { targets: [None].into(), ..journal() };
    let written = || Plan { writes: [Written::Record(BodyType::Task)].into(), ..journal() };
    assert!(nowhere(read(), true) && nowhere(written(), true));
    assert!(!nowhere(read(), false) && !nowhere(written(), false));
    assert!(nowhere(journal(), false), "what touches nothing");
    assert!(nowhere(Plan::of(Domain::Agent), false), "what is its own");
}

#[test]
fn a_tool_writes_what_it_names() {
    let writes = |written: Written| {
        case(|case| {
            case.plan.as_mut().unwrap().writes = [written].into();
        })
    };
    assert!(matches!(writes(Written::Record(BodyType::Task)).judged(), Decision::Admitted(_)));
    for written in [Written::Record(BodyType::Entry), Written::Other] {
        assert_eq!(writes(written).denied().0, "side_effects");
    }
}

#[test]
fn what_goes_among_the_agents_is_named_by_the_contract_too() {
    let own = |kinds: &'static [BodyType], written: Written| {
        case(|case| {
            case.kinds = kinds;
            let plan = Plan { writes: [written].into(), ..Plan::of(Domain::Agent) };
            case.plan = Some(plan);
        })
    };
    let (report, task) = (&[BodyType::AgentReport], &[BodyType::Task]);
    for written in [Written::Record(BodyType::AgentReport), Written::Link, Written::Beside] {
        assert!(matches!(own(report, written).judged(), Decision::Admitted(_)), "{written:?}");
        assert_eq!(own(task, written).denied().0, "side_effects", "{written:?}");
    }
    for written in [Written::Record(BodyType::Task), Written::Other] {
        assert_eq!(own(report, written).denied().0, "side_effects", "{written:?}");
        assert_eq!(own(task, written).denied().0, "side_effects", "{written:?}");
    }
    let words = case(|case| case.plan.as_mut().unwrap().writes = [Written::Beside].into());
    assert_eq!(words.denied().0, "side_effects", "the journal keeps its words in its records");
}

#[test]
fn who_tends_a_task_changes_it_and_what_the_plan_links_with_it_and_nothing_else() {
    type Tasks = &'static [&'static [&'static str]];
    let judged = |tends: Option<&str>, tasks: Tasks, made: &[(&str, &str)]| {
        let case = case(|case| {
            case.task = tends.map(task);
            let plan = case.plan.as_mut().unwrap();
            let named = |names: &&[&str]| names.iter().map(|name| task(name)).collect();
            plan.tasks = tasks.iter().map(named).collect();
            plan.made = made.iter().map(|(made, by)| (task(made), task(by))).collect();
        });
        match case.judged() {
            Decision::Admitted(_) => "admitted",
            Decision::Denied(denied) => denied.rule,
            other => panic!("{other:?}"),
        }
    };
    let (yes, no) = ("admitted", "own_task");
    assert_eq!(judged(Some("a"), &[&["a"]], &[]), yes, "its own");
    assert_eq!(judged(Some("a"), &[&["a"], &["b"]], &[]), no, "another one's beside it");
    assert_eq!(judged(Some("a"), &[&["a", "b"]], &[]), yes, "a relation with another one");
    assert_eq!(judged(Some("a"), &[&["b", "c"]], &[]), no, "a relation between others");
    assert_eq!(judged(Some("a"), &[&[]], &[]), no, "what belongs to no task");
    assert_eq!(judged(Some("a"), &[&["a"], &["b"]], &[("b", "a")]), yes, "what follows it");
    assert_eq!(judged(Some("a"), &[&["b"]], &[("b", "c")]), no, "what follows another");
    assert_eq!(judged(Some("a"), &[], &[]), yes, "nothing, or the agent's own records");
    assert_eq!(judged(None, &[&["b"], &[]], &[]), yes, "who tends no task is free of it");
}

#[test]
fn a_late_or_stopped_writer_is_told_which() {
    let global = case(|case| case.fences[0].epoch = Epoch { boot: 4, attempt: 0 });
    assert_eq!(global.denied(), ("fence", Code::Fenced));
    let stopped = case(|case| case.fences[1].closed = true);
    assert_eq!(stopped.denied(), ("fence", Code::Fenced));
}

#[test]
fn a_call_that_was_counted_takes_nothing_more() {
    let full =
        |counted: bool| case(|case| case.counts = ToolCounts { session: 2, day: 4, counted });
    assert_eq!(full(false).denied(), ("quota", Code::ToolQuotaExceeded));
    assert!(matches!(full(true).judged(), Decision::Admitted(_)));
    let free = case(|case| {
        case.counts.session = 9;
        case.rights.quotas.clear();
    });
    assert!(matches!(free.judged(), Decision::Admitted(_)), "no quota, no limit");
}
