//! What stands under a task: checklists, time, notes.

use serde_json::{Value, json};
use types::{BodyType, Checklist, ChecklistId, ItemId, TaskId, TimeEntryId};

use crate::Error;
use crate::exchange::refuse::bad;

use super::build::{Around, Builder, Carried, carried};
use super::notes::Spot;
use super::seen;
use super::tree::{Node, Shape};

/// What a checklist is called that nobody has named.
const USUAL_TITLE: &str = "Checklist";

impl Builder<'_> {
    /// Takes in what stands under a task.
    pub(super) fn under_task(
        &mut self,
        nodes: &[Node],
        task: &TaskId,
        around: &Around,
    ) -> Result<(), Error> {
        let mut lists: Vec<(ChecklistId, Vec<&Node>)> = Vec::new();
        let mut loose: Vec<&Node> = Vec::new();
        let mut notes: Vec<&Node> = Vec::new();
        for node in nodes {
            match node.shape {
                Shape::Box(_) => loose.push(node),
                Shape::Bullet if node.about() == Some("time") => self.time(node, task)?,
                Shape::Bullet if node.about() == Some("checklist") || has_boxes(node) => {
                    let list = self.checklist(node, task)?;
                    let boxes = |node: &&Node| matches!(node.shape, Shape::Box(_));
                    lists.push((list, node.children.iter().filter(boxes).collect()));
                    notes.extend(node.children.iter().filter(|node| !boxes(node)));
                }
                _ => notes.push(node),
            }
        }
        if !loose.is_empty() {
            if lists.is_empty() {
                lists.push((self.usual_checklist(loose[0], task)?, vec![]));
            }
            lists[0].1.append(&mut loose);
        }
        for (list, boxes) in lists {
            let mut flat = Vec::new();
            flatten(&boxes, &mut flat, &mut notes);
            self.items(&flat, &list, task)?;
        }
        let spot = Spot { around: around.clone(), task: Some(task.clone()) };
        self.notes(&notes, &spot)
    }

    fn checklist(&mut self, node: &Node, task: &TaskId) -> Result<ChecklistId, Error> {
        let Carried { id, created_at, fields } = carried(node, "checklist")?;
        let title = node.words();
        let seen = seen::fields(&Checklist { task_id: task.clone(), title: title.clone() });
        let carried = Carried { id, created_at, fields: seen::whole(seen, fields) };
        let id = self.record(node.place(), BodyType::Checklist, carried, |intake| {
            let name = intake.named(["markdown checklist", task.as_str(), &title]);
            ChecklistId::from_digest(&name).into()
        })?;
        id.as_str().parse().map_err(|error| bad(node.place(), error))
    }

    /// The checklist of items that stand under a task without one.
    fn usual_checklist(&mut self, first: &Node, task: &TaskId) -> Result<ChecklistId, Error> {
        let name = self.intake.named(["markdown checklist", task.as_str(), ""]);
        let id = ChecklistId::from_digest(&name);
        let list = Checklist { task_id: task.clone(), title: USUAL_TITLE.to_owned() };
        self.intake.make(first.place(), &id, list)?;
        Ok(id)
    }

    /// Items in the order of their lines.
    fn items(&mut self, nodes: &[&Node], list: &ChecklistId, task: &TaskId) -> Result<(), Error> {
        let ranks = ranks(nodes);
        for (node, rank) in nodes.iter().zip(ranks) {
            let Shape::Box(checked) = node.shape else { continue };
            let title = node.words();
            let Carried { id, created_at, mut fields } = carried(node, "item")?;
            fields.entry("rank").or_insert(json!(rank));
            let fields = seen::whole(seen::item(&title, checked, list, task), fields);
            let carried = Carried { id, created_at, fields };
            self.record(node.place(), BodyType::ChecklistItem, carried, |intake| {
                let name = intake.named(["markdown item", list.as_str(), &title]);
                ItemId::from_digest(&name).into()
            })?;
        }
        Ok(())
    }

    fn time(&mut self, node: &Node, task: &TaskId) -> Result<(), Error> {
        let Carried { id, created_at, fields } = carried(node, "time")?;
        let Value::Object(seen) = json!({ "task_id": task }) else { unreachable!("an object") };
        let carried = Carried { id, created_at, fields: seen::whole(seen, fields) };
        self.record(node.place(), BodyType::TimeEntry, carried, |intake| {
            TimeEntryId::from_digest(&intake.named(["markdown time", task.as_str()])).into()
        })?;
        Ok(())
    }
}

fn has_boxes(node: &Node) -> bool {
    node.comment.is_none() && node.children.iter().any(|node| matches!(node.shape, Shape::Box(_)))
}

/// Items of items follow them; what else stands under an item is a note.
fn flatten<'n>(boxes: &[&'n Node], items: &mut Vec<&'n Node>, notes: &mut Vec<&'n Node>) {
    for node in boxes {
        items.push(node);
        let (below, beside): (Vec<&Node>, Vec<&Node>) =
            node.children.iter().partition(|node| matches!(node.shape, Shape::Box(_)));
        notes.extend(beside);
        flatten(&below, items, notes);
    }
}

/// The places of items in their list: those that have one keep it, the others come between.
fn ranks(nodes: &[&Node]) -> Vec<String> {
    let own = |node: &Node| {
        let rank = node.comment.as_ref()?.fields.get("rank")?.as_str()?;
        Some(rank.to_owned())
    };
    let mut ranks: Vec<String> = Vec::new();
    let mut last: Option<String> = None;
    for (number, node) in nodes.iter().enumerate() {
        let rank = own(node).unwrap_or_else(|| {
            let next = nodes[number..].iter().find_map(|node| own(node));
            let next = next.filter(|next| last.as_ref().is_none_or(|last| last < next));
            let between = rules::rank::between(last.as_deref(), next.as_deref());
            // In a list that is out of order, or full, it comes last.
            let highest = || ranks.iter().chain(last.iter()).max();
            let after = || rules::rank::between(highest().map(String::as_str), None);
            between.or_else(|_| after()).unwrap_or_default()
        });
        last = Some(rank.clone());
        ranks.push(rank);
    }
    ranks
}
