//! Moving an item within its checklist.

use serde::Deserialize;
use serde_json::json;
use types::{Checklist, ChecklistItem, Code, RecordId};

use crate::Error;
use crate::desk::{Desk, Loaded, typed};
use crate::plan::Plan;
use crate::verb::Verb;

use super::place::{afresh, on_list};

/// Puts an item before or after another one of its list, or at one of its ends.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ReorderChecklistItems {
    item_id: String,
    #[serde(default)]
    before: Option<String>,
    #[serde(default)]
    after: Option<String>,
    #[serde(default)]
    to_top: bool,
    #[serde(default)]
    to_end: bool,
}

impl Verb for ReorderChecklistItems {
    const NAME: &'static str = "reorder_checklist_items";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let (item, task) = desk.item(&self.item_id).await?;
        let spot = self.spot(desk, &item).await?;
        let list: Option<Loaded<Checklist>> =
            desk.read(&item.body.checklist_id, typed::checklist).await?;
        let mut order = desk.items(list.as_slice()).await?;
        order.retain(|other| other.id != item.id);
        let place = |id: &RecordId| order.iter().position(|other| other.id == *id);
        let place = match spot {
            Spot::Top => 0,
            Spot::End => order.len(),
            Spot::Before(id) => place(&id).unwrap_or(0),
            Spot::After(id) => place(&id).map_or(order.len(), |place| place + 1),
        };
        order.insert(place, item.clone());
        let mut plan = Plan::about(task.id);
        rank(&mut plan, &order, place);
        let answer = json!({
            "id": item.id, "checklistId": item.body.checklist_id,
            "place": place + 1, "of": order.len(),
        });
        Ok(plan.answering(answer))
    }
}

/// Where an item is to go.
enum Spot {
    Top,
    End,
    Before(RecordId),
    After(RecordId),
}

impl ReorderChecklistItems {
    async fn spot(&self, desk: &mut Desk, item: &Loaded<ChecklistItem>) -> Result<Spot, Error> {
        let (neighbour, spot): (&String, fn(RecordId) -> Spot) =
            match (&self.before, &self.after, self.to_top, self.to_end) {
                (None, None, true, false) => return Ok(Spot::Top),
                (None, None, false, true) => return Ok(Spot::End),
                (Some(neighbour), None, false, false) => (neighbour, Spot::Before),
                (None, Some(neighbour), false, false) => (neighbour, Spot::After),
                _ => {
                    let message = "it is not clear where the item is to go";
                    let hint = "say one of: before an item, after one, to the top, to the end";
                    return Err(Error::refuse(Code::WrongUsage, message, hint));
                }
            };
        let (neighbour, _) = desk.item(neighbour).await?;
        on_list(&neighbour, &(&item.body.checklist_id).into())?;
        if neighbour.id == item.id {
            let message = "an item cannot stand before or after itself";
            return Err(Error::refuse(Code::WrongUsage, message, "name another item"));
        }
        Ok(spot(neighbour.id))
    }
}

/// Gives the item at a place a key between its neighbours'; if there is none, all of them new ones.
fn rank(plan: &mut Plan, order: &[Loaded<ChecklistItem>], place: usize) {
    let key = |place: Option<usize>| {
        place.and_then(|place| order.get(place)).map(|item| item.body.rank.as_str())
    };
    let (before, after) = (key(place.checked_sub(1)), key(Some(place + 1)));
    let own = order[place].body.rank.as_str();
    // Where it is already: nothing to do.
    if before.is_none_or(|before| before < own) && after.is_none_or(|after| own < after) {
        return;
    }
    match rules::rank::between(before, after) {
        Ok(rank) => {
            let item = &order[place];
            plan.change(item, ChecklistItem { rank, ..item.body.clone() });
        }
        Err(_) => {
            for (item, rank) in order.iter().zip(afresh(order.len())) {
                plan.change(item, ChecklistItem { rank, ..item.body.clone() });
            }
        }
    }
}
