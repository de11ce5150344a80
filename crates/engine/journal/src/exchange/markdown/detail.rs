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
            let labels: Vec<String> = self.labels.iter().map(|label| written(label)).collect();
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
                    details.labels = labels(value);
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

/// A label as it stands in a line: neither the mark between two parts nor the one between two labels is in it.
fn written(label: &str) -> String {
    let text = escape(label);
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    for (at, c) in text.char_indices() {
        let after = text[at + c.len_utf8()..].chars().next();
        let alone = before.is_none_or(|c| c == ' ') && after.is_none_or(|c| c == ' ');
        if c == ',' && after == Some(' ') || c == '·' && alone {
            out.push('\\');
        }
        out.push(c);
        before = Some(c);
    }
    out
}

/// The labels that a text gives.
fn labels(text: &str) -> Vec<String> {
    let (mut found, mut from, mut escaped) = (vec![], 0, false);
    for (at, c) in text.char_indices() {
        if !escaped && text[at..].starts_with(", ") {
            found.push(&text[from..at]);
            from = at + 2;
        }
        escaped = c == '\\' && !escaped;
    }
    found.push(&text[from..]);
    // A backslash of a label is written twice, so before this mark it is ours.
    found.into_iter().map(|label| unescape(&label.replace("\\·", "·"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_come_back_whatever_stands_in_them() {
        for labels in [
            vec!["A · B"],
            vec!["a, b · c", "·", "c ·", "· d", "e,"],
            vec!["\\·", "back\\", "\\, x", "·\\"],
            vec!["a·b", "1,5", "labels x · priority p0"],
        ] {
            let labels = labels.into_iter().map(str::to_owned).collect();
            let priority = Some(TaskPriority::P1);
            let details = Details { priority, labels, ..Details::default() };
            let line = details.line().unwrap();
            assert_eq!(Details::read(&line), Some(details), "{line}");
        }
    }

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
