//! What a line below a task says of it: `priority p1 · due 2026-11-20 09:00 · labels garden, home`.

use types::{Due, Task, TaskPriority, TaskStatus};

use super::escape::{escape, unescape};

const BETWEEN: &str = " · ";

/// Where a task can stand besides open and done.
const STATUSES: [(TaskStatus, &str); 4] = [
    (TaskStatus::InProgress, "in progress"),
    (TaskStatus::Blocked, "blocked"),
    (TaskStatus::OnHold, "on hold"),
    (TaskStatus::Cancelled, "cancelled"),
];

/// What is said of a task besides its title and its box.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Details {
    pub(super) status: Option<TaskStatus>,
    pub(super) priority: Option<TaskPriority>,
    pub(super) due: Option<Due>,
    pub(super) estimate_minutes: Option<u32>,
    pub(super) language: Option<String>,
    pub(super) labels: Vec<String>,
}

impl Details {
    /// What there is to say of a task, its labels by their names.
    pub(super) fn of(task: &Task, labels: Vec<String>) -> Details {
        let status = STATUSES.iter().find(|(status, _)| *status == task.status);
        Details {
            status: status.map(|(status, _)| *status),
            priority: (task.priority != TaskPriority::P2).then_some(task.priority),
            due: task.due,
            estimate_minutes: task.estimate_minutes,
            language: task.language.clone(),
            labels,
        }
    }

    /// The details as a line; absent if there are none.
    pub(super) fn line(&self) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        let status = self.status.and_then(|own| STATUSES.iter().find(|(status, _)| *status == own));
        parts.extend(status.map(|(_, word)| (*word).to_owned()));
        parts.extend(self.priority.map(|priority| format!("priority {}", priority.as_str())));
        parts.extend(self.due.map(|due| format!("due {}", due.to_string().replace('T', " "))));
        let estimate = self.estimate_minutes.map(rules::when::show_minutes);
        parts.extend(estimate.map(|estimate| format!("estimate {estimate}")));
        parts.extend(self.language.as_ref().map(|language| format!("language {language}")));
        if !self.labels.is_empty() {
            let labels: Vec<String> = self.labels.iter().map(|label| escape(label)).collect();
            parts.push(format!("labels {}", labels.join(", ")));
        }
        (!parts.is_empty()).then(|| parts.join(BETWEEN))
    }

    /// The details that a line gives; absent if it is about anything else.
    pub(super) fn read(line: &str) -> Option<Details> {
        let mut details = Details::default();
        for part in line.split(BETWEEN) {
            let (word, value) = part.split_once(' ').unwrap_or((part, ""));
            match word {
                "priority" => {
                    let known = TaskPriority::ALL.into_iter().find(|p| p.as_str() == value);
                    details.priority = Some(known?);
                }
                "due" => details.due = Some(value.replace(' ', "T").parse().ok()?),
                "estimate" => details.estimate_minutes = Some(rules::when::minutes(value).ok()?),
                "language" => details.language = Some(value.to_owned()).filter(|v| !v.is_empty()),
                "labels" if !value.is_empty() => {
                    details.labels = value.split(", ").map(unescape).collect();
                }
                _ => {
                    let (status, _) = STATUSES.iter().find(|(_, known)| *known == part)?;
                    details.status = Some(*status);
                }
            }
        }
        Some(details)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_come_back_from_their_line_and_other_lines_are_none() {
        let details = Details {
            status: Some(TaskStatus::OnHold),
            priority: Some(TaskPriority::P0),
            due: Some("2026-11-20T09:00".parse().unwrap()),
            estimate_minutes: Some(90),
            language: Some("pt-BR".to_owned()),
            labels: vec!["garden".to_owned(), "*soon*".to_owned()],
        };
        let line = details.line().unwrap();
        assert_eq!(
            line,
            "on hold · priority p0 · due 2026-11-20 09:00 · estimate 1h 30m · language pt-BR · \
             labels garden, \\*soon\\*"
        );
        assert_eq!(Details::read(&line), Some(details));
        assert_eq!(Details::default().line(), None);
        for other in ["due soon", "call the vet", "", "priority high", "blocked by rain"] {
            assert_eq!(Details::read(other), None, "{other}");
        }
    }
}
