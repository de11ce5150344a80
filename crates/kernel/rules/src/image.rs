//! What a change did to a record, as far as matching and facts need to know.

use std::collections::BTreeSet;

use serde_json::Value;
use types::{Body, BodyType, Image, Properties, RecordId};

use crate::token;

/// The properties of each kind by which its records can be matched.
const PROPERTIES: &[(BodyType, &[&str])] = &[
    (BodyType::Agent, &[]),
    (BodyType::AgentState, &["agent"]),
    (BodyType::AgentSubscription, &["agent"]),
    (BodyType::AgentSchedule, &["agent", "status"]),
    (BodyType::AgentTrigger, &["agent", "status"]),
    (BodyType::AgentWait, &["agent", "state"]),
    (BodyType::AgentEnvelope, &["agent", "kind"]),
    (BodyType::AgentMessage, &["agent"]),
    (BodyType::AgentTurn, &["agent"]),
    (BodyType::AgentSession, &["agent"]),
    (BodyType::AgentGrounding, &["conversation"]),
    (BodyType::AgentReport, &["agent"]),
    (BodyType::AgentReportHead, &["agent"]),
    (BodyType::ModelConsent, &[]),
    (BodyType::AgentToolInvocation, &["agent", "tool"]),
    (BodyType::Category, &[]),
    (BodyType::Task, &["category", "priority", "status"]),
    (BodyType::TaskLabel, &[]),
    (BodyType::Checklist, &["task"]),
    (BodyType::ChecklistItem, &["checked", "checklist", "task"]),
    (BodyType::Entry, &["category", "kind", "task"]),
    (BodyType::TimeEntry, &["state", "task"]),
    (BodyType::DayPlan, &["day"]),
    (BodyType::Rating, &["category", "day", "target"]),
];

/// The kind behind a semantic key, and its properties; none if nobody can be woken by it.
#[must_use]
pub fn kind(semantic_key: &str) -> Option<(BodyType, &'static [&'static str])> {
    let mut heard = PROPERTIES.iter().copied().filter(|(kind, _)| token::is_heard(*kind));
    heard.find(|(kind, _)| kind.semantic_key() == semantic_key)
}

/// The properties of a record.
#[must_use]
pub fn properties(body: &Body) -> Properties {
    let pairs: Vec<(&str, &str)> = match body {
        Body::Task(task) => vec![
            ("category", task.category_id.as_str()),
            ("priority", task.priority.as_str()),
            ("status", task.status.as_str()),
        ],
        Body::AgentState(state) => vec![("agent", state.agent_id.as_str())],
        Body::AgentMessage(message) => vec![("agent", message.agent_id.as_str())],
        Body::AgentTurn(turn) => vec![("agent", turn.agent_id.as_str())],
        Body::AgentSession(session) => vec![("agent", session.agent_id.as_str())],
        Body::AgentGrounding(note) => vec![("conversation", note.conversation_id.as_str())],
        Body::AgentReport(report) => vec![("agent", report.agent_id.as_str())],
        Body::AgentReportHead(head) => vec![("agent", head.agent_id.as_str())],
        Body::AgentToolInvocation(invocation) => {
            vec![("agent", invocation.agent_id.as_str()), ("tool", invocation.tool.as_str())]
        }
        Body::AgentSubscription(subscription) => vec![("agent", subscription.agent_id.as_str())],
        Body::AgentSchedule(schedule) => {
            vec![("agent", schedule.agent_id.as_str()), ("status", schedule.status.as_str())]
        }
        Body::AgentTrigger(trigger) => {
            vec![("agent", trigger.agent_id.as_str()), ("status", trigger.status.as_str())]
        }
        Body::AgentWait(wait) => {
            vec![("agent", wait.agent_id.as_str()), ("state", wait.state.as_str())]
        }
        Body::AgentEnvelope(envelope) => {
            vec![("agent", envelope.agent_id.as_str()), ("kind", envelope.kind.as_str())]
        }
        _ => return of_journal(body),
    };
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The properties of what people author besides tasks.
fn of_journal(body: &Body) -> Properties {
    let mut found = Properties::new();
    let mut put = |name: &str, value: String| found.insert(name.to_owned(), value);
    match body {
        Body::Checklist(checklist) => {
            put("task", checklist.task_id.to_string());
        }
        Body::ChecklistItem(item) => {
            put("checked", item.checked.to_string());
            put("checklist", item.checklist_id.to_string());
            put("task", item.task_id.to_string());
        }
        Body::Entry(entry) => {
            put("category", entry.category_id.to_string());
            put("kind", entry.kind.as_str().to_owned());
            entry.task_id.as_ref().map(|task| put("task", task.to_string()));
        }
        Body::TimeEntry(time) => {
            put("state", if time.ended_at.is_some() { "stopped" } else { "running" }.to_owned());
            put("task", time.task_id.to_string());
        }
        Body::DayPlan(plan) => {
            put("day", plan.day.to_string());
        }
        Body::Rating(rating) => {
            rating.category_id.as_ref().map(|category| put("category", category.to_string()));
            put("day", rating.day.to_string());
            put("target", rating.target_id.to_string());
        }
        _ => {}
    }
    found
}

/// What a change did to a record: from what it was to what it is, either of which may be nothing. None
/// if nobody can be woken by it.
#[must_use]
pub fn of_change(id: &RecordId, before: Option<&Body>, after: Option<&Body>) -> Option<Image> {
    let kind = after.or(before)?.body_type().filter(|kind| token::is_heard(*kind))?;
    let kind = kind.semantic_key().to_owned();
    let fields = match (before, after) {
        (Some(before), Some(after)) => differing(before, after),
        _ => BTreeSet::new(),
    };
    let (before, after) = (before.map(properties), after.map(properties));
    Some(Image { id: id.clone(), kind, before, after, fields })
}

/// The names of the fields in which two bodies differ.
fn differing(before: &Body, after: &Body) -> BTreeSet<String> {
    let object = |body: &Body| match serde_json::from_str(&body.encode()) {
        Ok(Value::Object(object)) => object,
        _ => serde_json::Map::new(),
    };
    let (before, after) = (object(before), object(after));
    before
        .keys()
        .chain(after.keys())
        .filter(|name| before.get(*name) != after.get(*name))
        .cloned()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::{Task, TaskStatus};

    fn task(title: &str, status: TaskStatus) -> Body {
        let category_id = "category_home".parse().unwrap();
        Task { status, ..Task::new(title, category_id) }.into()
    }

    #[test]
    fn every_kind_has_its_row_and_a_task_has_the_properties_of_its_row() {
        let kinds: Vec<BodyType> = PROPERTIES.iter().map(|(kind, _)| *kind).collect();
        assert!(BodyType::ALL.iter().all(|kind| kinds.contains(kind)));
        let names: Vec<String> = properties(&task("t", TaskStatus::Open)).into_keys().collect();
        assert_eq!(names, kind("TASK").unwrap().1);
    }

    #[test]
    fn an_image_names_the_fields_that_differ_and_keeps_no_words() {
        let id: RecordId = "task_1".parse().unwrap();
        let (old, new) = (task("water", TaskStatus::Open), task("ferns", TaskStatus::Done));
        let image = of_change(&id, Some(&old), Some(&new)).unwrap();
        assert_eq!(image.fields, ["status".to_owned(), "title".to_owned()].into());
        assert_eq!(image.before.as_ref().unwrap()["status"], "open");
        assert_eq!(image.after.as_ref().unwrap()["status"], "done");
        let stored = serde_json::to_string(&image).unwrap();
        assert!(!stored.contains("ferns") && !stored.contains("water"));
        assert_eq!(serde_json::from_str::<Image>(&stored).unwrap(), image);
        let born = of_change(&id, None, Some(&new)).unwrap();
        assert!(born.before.is_none() && born.fields.is_empty());
        let gone = of_change(&id, Some(&old), None).unwrap();
        assert!(gone.after.is_none() && gone.kind == "TASK");
    }
}
