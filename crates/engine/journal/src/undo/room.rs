//! Whether checklists have room for the items that come back to them.

use std::collections::BTreeMap;

use types::{Body, BodyType, ChecklistId, Domain, Record, limits};

use crate::{Error, Journal};

use super::refuse::because;
use super::steps::PutBack;

impl Journal {
    /// Refuses if a checklist would have more items than it may: no read would show them all.
    pub(super) async fn lists_have_room(
        &self,
        records: &[PutBack],
        now: &[Record],
    ) -> Result<(), Error> {
        // How many come to a list, and how many leave it in the same commit.
        let mut moves: BTreeMap<&ChecklistId, (usize, usize)> = BTreeMap::new();
        for PutBack { id, was, .. } in records {
            let will = was.as_ref().and_then(on_list);
            let is = now.iter().find(|found| found.id == *id).and_then(on_list);
            if will != is {
                will.into_iter().for_each(|list| moves.entry(list).or_default().0 += 1);
                is.into_iter().for_each(|list| moves.entry(list).or_default().1 += 1);
            }
        }
        for (list, (coming, leaving)) in moves.into_iter().filter(|(_, (coming, _))| *coming > 0) {
            let (kind, max) = (BodyType::ChecklistItem, limits::CHECKLIST_ITEMS_MAX);
            let has = self.store.records_of(Domain::Journal, vec![list.into()], kind, max).await?;
            let stay = has.len().saturating_sub(leaving);
            if stay + coming > max {
                let message =
                    format!("{list} has {stay} items by now; {coming} more are over {max}");
                return Err(because(message, "move or remove some of them first"));
            }
        }
        Ok(())
    }
}

/// The list that a live item is on.
fn on_list(record: &Record) -> Option<&ChecklistId> {
    match &record.body {
        Body::ChecklistItem(item) if record.deleted_at.is_none() => Some(&item.checklist_id),
        _ => None,
    }
}
