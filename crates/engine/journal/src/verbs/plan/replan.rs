//! Planning the rest of a day anew.

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract, Risk};
use types::{At, BlockId, BodyType, Code, Day, PlanBlock};

use crate::Error;
use crate::desk::Desk;
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{CHANGE, Offered};
use crate::verbs::schema;

use super::block::{BlockDraft, blocks, plan_date, take};
use super::open::OpenPlan;
use super::seen::seen;

/// Replaces the blocks that start at a time or later. Whoever reaches only some categories replaces
/// only the blocks of those.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ReplanDayBlocks {
    plan_date: String,
    /// From when; from now on if absent, or the whole of another day.
    #[serde(default)]
    from_time: Option<String>,
    blocks: Vec<BlockDraft>,
}

impl Verb for ReplanDayBlocks {
    const NAME: &'static str = "replan_day_blocks";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let day = desk.day(&self.plan_date)?;
        let from = match &self.from_time {
            Some(text) => desk.moment_on(text, day)?,
            None if day == desk.today() => desk.now(),
            None => desk.bounds(day).0,
        };
        let mut open = OpenPlan::of(desk, day).await?;
        let revision = open.place.revision;
        let replaced = |desk: &Desk, block: &PlanBlock| {
            block.starts_at >= from && desk.reaches(&block.category_id)
        };
        let (mut going, staying): (Vec<PlanBlock>, Vec<PlanBlock>) =
            open.plan.blocks.drain(..).partition(|block| replaced(desk, block));
        going.iter().for_each(|block| desk.touch(&block.id, revision, Some(&block.category_id)));
        open.plan.blocks = staying;
        let mut destinations = Vec::new();
        for draft in self.blocks {
            let was = kept(desk, &mut open, &mut going, draft.id.as_deref())?;
            let block = draft.block(desk, day, was.as_ref()).await?;
            not_before(desk, day, &block, from)?;
            destinations.push(block.category_id.clone());
            open.plan.blocks.push(block);
        }
        let mut plan = open.written();
        destinations.iter().for_each(|category| plan.lands_in(category));
        let mut answer = seen(desk, &open.plan).await?;
        let removed: Vec<&BlockId> = going.iter().map(|block| &block.id).collect();
        answer["removed"] = json!(removed);
        Ok(plan.answering(answer))
    }
}

/// The block that a draft goes on from: one of those that would go, or one that stays.
fn kept(
    desk: &mut Desk,
    open: &mut OpenPlan,
    going: &mut Vec<PlanBlock>,
    id: Option<&str>,
) -> Result<Option<PlanBlock>, Error> {
    let Some(id) = id else { return Ok(None) };
    match going.iter().position(|block| block.id.as_str() == id) {
        Some(place) => Ok(Some(going.remove(place))),
        None => take(desk, &mut open.plan, open.place.revision, id),
    }
}

fn not_before(desk: &Desk, day: Day, block: &PlanBlock, from: At) -> Result<(), Error> {
    if block.starts_at >= from {
        return Ok(());
    }
    let (starts, from) = (desk.clock(block.starts_at), desk.clock(from));
    let message = format!("{day} is planned anew from {from}, but a block starts at {starts}");
    Err(Error::refuse(Code::BadTime, message, "plan from an earlier time, or start it later"))
}

impl Offered for ReplanDayBlocks {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Replace all blocks of your categories that start at a time of a day or later. \
                      Ask for a preview first.",
        capabilities: &[Capability::DayPlanWrite],
        input,
        side_effects: &[BodyType::DayPlan],
        risk: Risk::High,
        preview: true,
        data_minimization: "in_scope_records_only",
        ..CHANGE
    };
}

fn input() -> Value {
    schema::object(
        &[
            ("planDate", plan_date()),
            ("fromTime", schema::instant("Blocks that start then or later are replaced.")),
            ("blocks", blocks()),
        ],
        &["planDate", "fromTime", "blocks"],
    )
}
