//! Concluding a task.

use serde::Deserialize;
use serde_json::Value;
use tool::{Capability, Contract, Risk};
use types::{BodyType, Code, Task, limits};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered, SPOKEN};
use crate::verbs::schema;

use super::carry::{CloseAs, Items, carry_on, close_as};

/// Closes a task and carries what is open on its checklists into a follow-up, in one step: no item is
/// lost and none is there twice.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ConcludeTaskWithRollover {
    task_id: String,
    close_as: CloseAs,
    follow_up_title: String,
}

impl Verb for ConcludeTaskWithRollover {
    const NAME: &'static str = "conclude_task_with_rollover";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let source = desk.task(&self.task_id).await?;
        if source.body.status.is_closed() {
            // Concluded once more it would have a second follow-up.
            let status = source.body.status.as_str();
            let message = format!("{} is {status} already", source.id);
            let hint = "a follow-up carries on from a closed task: `dormouse task follow-up`";
            let refused = Error::refuse(Code::NoSuchStep, message, hint);
            return Err(refused.for_agents("a follow-up task carries on from a closed one"));
        }
        let next = Task {
            labels: source.body.labels.clone(),
            ..Task::new(self.follow_up_title.trim(), source.body.category_id.clone())
        };
        carry_on(desk, &source, next, Items::Carry, Some(self.close_as)).await
    }
}

impl Offered for ConcludeTaskWithRollover {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Close a task and carry its open checklist items into a follow-up task.",
        capabilities: &[Capability::TaskWrite, Capability::ChecklistWrite],
        wake_reasons: SPOKEN,
        input,
        side_effects: &[BodyType::Task, BodyType::Checklist, BodyType::ChecklistItem],
        risk: Risk::High,
        preview: true,
        ..CHANGE
    };
}

fn input() -> Value {
    schema::object(
        &[
            ("taskId", schema::id("task", "The task to conclude.")),
            ("closeAs", close_as("How to close it.")),
            ("followUpTitle", schema::line("What is left to do.", limits::TITLE_BYTES_MAX)),
        ],
        &["taskId", "closeAs", "followUpTitle"],
    )
}
