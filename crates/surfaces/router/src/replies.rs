//! From what the services return to what goes over the wire.

use api_types::{AgentReply, CategoryReply, RunReply, TaskReply, WakeEdge};
use runtime::{AgentStatus, CategoryView, TaskView};
use serde_json::{Value, json};
use types::{Run, RunEnd, RunState, Subscription, SubscriptionId};

pub(crate) fn task(view: TaskView) -> TaskReply {
    let priority = serde_json::to_value(view.task.priority).expect("a priority is JSON");
    TaskReply {
        id: view.id.to_string(),
        title: view.task.title,
        status: view.task.status.as_str().to_owned(),
        priority: priority.as_str().unwrap_or_default().to_owned(),
        category: view.category,
        revision: view.revision,
        created_at: view.created_at,
        updated_at: view.updated_at,
        items: vec![],
    }
}

pub(crate) fn category(view: CategoryView) -> CategoryReply {
    CategoryReply { id: view.id.to_string(), name: view.name }
}

pub(crate) fn agent(status: AgentStatus) -> AgentReply {
    let AgentStatus { view, subscriptions, open_runs } = status;
    let running = open_runs.iter().any(|run| matches!(run.state, RunState::Started { .. }));
    let live = subscriptions.into_iter().filter(|(_, subscription)| subscription.active);
    AgentReply {
        id: view.id.to_string(),
        name: view.identity.display_name,
        template: view.identity.template,
        lifecycle: view.identity.lifecycle.as_str().to_owned(),
        posture: if running { "awake_running" } else { "asleep" }.to_owned(),
        created_at: view.created_at,
        wake_edges: live.map(|(id, subscription)| wake_edge(&id, &subscription)).collect(),
        obligations: open_runs.iter().map(obligation).collect(),
    }
}

fn wake_edge(id: &SubscriptionId, subscription: &Subscription) -> WakeEdge {
    WakeEdge {
        kind: "subscription".to_owned(),
        id: id.to_string(),
        tokens: subscription.tokens.iter().map(ToString::to_string).collect(),
    }
}

fn obligation(run: &Run) -> Value {
    json!({ "kind": "run", "id": run.draft.run_key, "status": run.state.as_str() })
}

pub(crate) fn run(run: Run) -> RunReply {
    let status = run.state.as_str().to_owned();
    let (receipt, completed_at) = match run.state {
        RunState::Ended { at, end: RunEnd::NothingToDo(receipt) } => (Some(receipt), Some(at)),
        RunState::Ended { at, .. } => (None, Some(at)),
        RunState::Queued { .. } | RunState::Started { .. } => (None, None),
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
        created_at: run.created_at,
        completed_at,
    }
}
