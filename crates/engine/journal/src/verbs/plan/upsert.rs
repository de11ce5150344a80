//! Adding, changing and removing blocks of a day.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract, Risk};
use types::{BlockId, BodyType, limits};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::block::{BlockDraft, blocks, plan_date, take, unknown};
use super::open::OpenPlan;
use super::seen::seen;

/// Adds and changes blocks of a day, and takes others away, in one go.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct UpsertDayPlanBlocks {
    plan_date: String,
    #[serde(default)]
    upserts: Vec<BlockDraft>,
    #[serde(default)]
    deletes: Vec<String>,
}

impl Verb for UpsertDayPlanBlocks {
    const NAME: &'static str = "upsert_day_plan_blocks";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let day = desk.day(&self.plan_date)?;
        let mut open = OpenPlan::of(desk, day).await?;
        let revision = open.place.revision;
        let mut destinations = Vec::new();
        let mut upserted: Vec<BlockId> = Vec::new();
        for draft in self.upserts {
            let was = match &draft.id {
                Some(id) => take(desk, &mut open.plan, revision, id)?,
                None => None,
            };
            let block = draft.block(desk, day, was.as_ref()).await?;
            destinations.push(block.category_id.clone());
            upserted.push(block.id.clone());
            open.plan.blocks.push(block);
        }
        for id in &self.deletes {
            take(desk, &mut open.plan, revision, id)?.ok_or_else(|| unknown(day, id))?;
        }
        let mut plan = open.written();
        destinations.iter().for_each(|category| plan.lands_in(category));
        let mut answer = seen(desk, &open.plan).await?;
        answer["upserted"] = json!(upserted);
        Ok(plan.answering(answer))
    }
}

impl Offered for UpsertDayPlanBlocks {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Add, change and remove blocks of a day's plan; only blocks of your categories. \
                      The answer names blocks that overlap.",
        capabilities: &[Capability::DayPlanWrite],
        input,
        side_effects: &[BodyType::DayPlan],
        risk: Risk::Medium,
        preview: true,
        data_minimization: "in_scope_records_only",
        ..CHANGE
    };
}

fn input() -> Value {
    let deletes = json!({
        "type": "array",
        "items": schema::id("block", "A block to remove."),
        "maxItems": limits::PLAN_BLOCKS_MAX,
    });
    schema::object(
        &[("planDate", plan_date()), ("upserts", blocks()), ("deletes", deletes)],
        &["planDate"],
    )
}
