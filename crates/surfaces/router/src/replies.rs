//! From what the services return to what goes over the wire.

use api_types::{
    AgentReply, AllowanceReply, BudgetReply, ClosureReply, EventReply, FailureReply,
    ObligationReply, OccurrenceReply, RunReply, ScheduleReply, TemplateReply, WakeEdge,
};
use runtime::{AgentStatus, Awaits, Edge, Obligation, ScheduleView, Spending, Template};
use types::{
    Account, AttemptTimeline, Event, FailureArtifact, LastTurn, Lifecycle, Occurrence,
    OccurrenceState, Recovery, Run, RunEnd, RunFailure, RunState, Turn, TurnState,
};

pub(crate) fn agent(status: AgentStatus) -> AgentReply {
    let (flagged, sleep) = (status.is_flagged(), status.sleep());
    let AgentStatus { view, posture, edges, obligations, rest, last_turn } = status;
    AgentReply {
        id: view.id.to_string(),
        name: view.identity.display_name,
        template: view.identity.template,
        task: view.identity.task_id.map(|task| task.to_string()),
        lifecycle: view.identity.lifecycle.as_str().to_owned(),
        dormant_because: match view.identity.lifecycle {
            Lifecycle::Dormant { cause } => Some(cause.as_str().to_owned()),
            _ => None,
        },
        posture: posture.to_owned(),
        created_at: view.created_at,
        wake_edges: edges.into_iter().map(wake_edge).collect(),
        obligations: obligations.into_iter().map(obligation).collect(),
        flagged,
        last_wake_reason: rest.map(|rest| rest.last_wake_reason.as_str().to_owned()),
        slept_at: sleep.map(|(since, _)| since),
        sleeps_because: sleep.map(|(_, why)| why.as_str().to_owned()),
        closure: last_turn.as_ref().map(closure),
        budget: None,
        again: view.again,
    }
}

pub(crate) fn budget(spending: &Spending) -> BudgetReply {
    let Spending { day, account: Account { spent, reserved }, limits } = *spending;
    let allowance = |spent, set_aside, limit| AllowanceReply { spent, set_aside, limit };
    BudgetReply {
        day,
        tokens: allowance(spent.tokens, reserved.tokens, limits.tokens),
        cost_micros: allowance(spent.cost_micros, reserved.cost_micros, limits.cost_micros),
        tool_calls: allowance(spent.tool_calls, reserved.tool_calls, limits.tool_calls),
        runtime_ms: allowance(spent.runtime_ms, reserved.runtime_ms, limits.runtime_ms),
    }
}

fn closure(last: &LastTurn) -> ClosureReply {
    ClosureReply {
        turn: last.turn.to_string(),
        outcome: last.outcome.as_str().to_owned(),
        waiting_reason: last.waiting_reason.map(|reason| reason.as_str().to_owned()),
    }
}

pub(crate) fn template(template: &Template) -> TemplateReply {
    TemplateReply {
        name: template.name.clone(),
        version: template.version,
        kind: template.kind.as_str().to_owned(),
        description: template.description.clone(),
        file: template.file.clone(),
        tools: template.tools.clone(),
        text: Some(template.text.clone()),
    }
}

fn wake_edge(edge: Edge) -> WakeEdge {
    WakeEdge { kind: edge.kind.to_owned(), id: edge.id, tokens: edge.what }
}

fn obligation(obligation: Obligation) -> ObligationReply {
    let Obligation { kind, id, what, edge } = obligation;
    ObligationReply { kind: kind.to_owned(), id, what, edge }
}

pub(crate) fn schedule(view: ScheduleView, occurrences: &[Occurrence]) -> ScheduleReply {
    let ScheduleView { id, schedule, next_at, again, .. } = view;
    ScheduleReply {
        id: id.to_string(),
        agent: schedule.agent_id.to_string(),
        label: schedule.recurrence.label,
        cron: schedule.recurrence.cron,
        every_seconds: schedule.recurrence.interval_seconds,
        zone: schedule.zone,
        status: schedule.status.as_str().to_owned(),
        overlap: schedule.overlap,
        catch_up: schedule.catch_up.allowed,
        once: schedule.auto_disable_after_run,
        always: schedule.always,
        ends_at: schedule.ends_at,
        next_at,
        occurrences: occurrences.iter().map(occurrence).collect(),
        again,
    }
}

pub(crate) fn occurrence(occurrence: &Occurrence) -> OccurrenceReply {
    let skip_reason = match occurrence.state {
        OccurrenceState::Skipped(why) => Some(why.as_str().to_owned()),
        _ => None,
    };
    OccurrenceReply {
        first_slot: occurrence.first_slot.to_string(),
        last_slot: occurrence.last_slot.to_string(),
        count: occurrence.count,
        due_at: occurrence.due_at,
        source: occurrence.source.as_str().to_owned(),
        state: occurrence.state.as_str().to_owned(),
        skip_reason,
        decision: occurrence.decision.map(|decision| decision.as_str().to_owned()),
        run_key: occurrence.run_key.map(|key| key.to_string()),
        ended_at: occurrence.ended_at,
    }
}

/// Something that happened.
pub(crate) fn event(event: Event) -> EventReply {
    let Event { agent, event_seq, kind, at, body } = event;
    EventReply { event_seq, agent: agent.to_string(), at, kind, body }
}

/// A run, and the turn that it took.
pub(crate) fn run(run: Run, turn: Option<Turn>, awaits: Option<Awaits>) -> RunReply {
    let status = run.state.as_str().to_owned();
    let (next_at, held_because) = match awaits {
        Some(Awaits::Time(at)) => (Some(at), None),
        Some(Awaits::Release(why)) => (None, Some(why.to_owned())),
        Some(Awaits::Turn) | None => (None, None),
    };
    let (completed_at, end) = match run.state {
        RunState::Ended { at, end } => (Some(at), Some(end)),
        RunState::Queued { .. } | RunState::Started { .. } => (None, None),
    };
    let asked = turn.as_ref().map(|turn| &turn.model);
    let model = asked.or(run.draft.model.as_ref()).map(ToString::to_string);
    let continuation = turn.as_ref().and_then(|turn| turn.continuation.clone());
    let settled = turn.and_then(settled).unwrap_or_default();
    let (receipt, failure) = match end {
        Some(RunEnd::NothingToDo(receipt)) => (Some(receipt), None),
        Some(RunEnd::Failed(RunFailure { code, message })) => {
            let (artifact, timeline) = (settled.failure, settled.timeline);
            (None, Some(FailureReply { code: code.to_string(), message, artifact, timeline }))
        }
        _ => (None, None),
    };
    RunReply {
        run_key: run.draft.run_key.to_string(),
        reason: run.draft.reason.as_str().to_owned(),
        reason_id: run.draft.reason_id,
        status,
        model_calls: run.usage.model_calls,
        tokens_in: run.usage.tokens_in,
        tokens_out: run.usage.tokens_out,
        merged_into: run.merged_into.map(|key| key.to_string()),
        receipt,
        failure,
        attempt: run.attempt,
        next_at,
        held_because,
        failed_before: None,
        taken_up_by: None,
        created_at: run.created_at,
        completed_at,
        cost: settled.cost,
        model,
        turn_index: settled.index,
        closure: settled.closure.map(str::to_owned),
        continuation,
        recovery: settled.recovery,
        warning: settled.warning,
    }
}

/// What is shown of a turn that came to its end; nothing of one that did not.
#[derive(Default)]
struct Settled {
    cost: Option<f64>,
    index: Option<u64>,
    closure: Option<&'static str>,
    failure: Option<FailureArtifact>,
    timeline: Option<AttemptTimeline>,
    recovery: Option<Recovery>,
    warning: Option<String>,
}

fn settled(turn: Turn) -> Option<Settled> {
    let TurnState::Settled {
        terminal, closure, spent, failure, timeline, recovery, warning, ..
    } = turn.state
    else {
        return None;
    };
    // Exact up to billions: what people pay has no more digits than that.
    let cost = spent.cost_micros as f64 / 1_000_000.0;
    let (index, closure) = (terminal.turn_index, closure.outcome.as_str());
    let (cost, index, closure) = (Some(cost), Some(index), Some(closure));
    Some(Settled { cost, index, closure, failure, timeline, recovery, warning })
}
