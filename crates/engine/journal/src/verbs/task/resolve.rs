//! Which task somebody means.

use std::collections::BTreeSet;

use rules::reference::{self, Candidate, MATCHES_MAX, Match, Verdict};
use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Capability, Contract};
use types::{RecordId, Task, TaskStatus, limits};

use crate::Error;
use crate::desk::{Desk, Loaded, TaskQuery, typed};
use crate::plan::Plan;
use crate::verb::Verb;
use crate::verbs::offer::{Offered, READ};
use crate::verbs::schema;

use super::in_scope::line;

/// How many closed tasks of each kind may be meant: people speak of what was closed lately.
const CLOSED_MAX: usize = 200;

/// Says which tasks somebody may mean, best first. It chooses none: whoever wants to change one names it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ResolveTaskReference {
    reference: String,
    #[serde(default)]
    limit: Option<usize>,
}

impl Verb for ResolveTaskReference {
    const NAME: &'static str = "resolve_task_reference";

    async fn plan(self, desk: &mut Desk) -> Result<Plan, Error> {
        let tasks = may_be_meant(desk, &self.reference).await?;
        let candidates: Vec<Candidate> = tasks.iter().map(candidate).collect();
        let ranking = reference::rank(&self.reference, &candidates);
        let limit = self.limit.unwrap_or(MATCHES_MAX).clamp(1, MATCHES_MAX);
        let shown: Vec<Value> =
            ranking.matches.iter().take(limit).filter_map(|found| shown(found, &tasks)).collect();
        let ambiguous = ranking.verdict == Verdict::Ambiguous;
        let question = match ranking.verdict {
            Verdict::Exact | Verdict::Clear => Value::Null,
            Verdict::Ambiguous => json!(which(&self.reference, &shown)),
            Verdict::None => json!(format!(
                "No task here is like {:?}. Which task is meant, or is it a new one?",
                self.reference
            )),
        };
        Ok(Plan::read(json!({
            "candidates": shown,
            "verdict": ranking.verdict.as_str(),
            "disambiguation": ambiguous,
            "question": question,
        })))
    }
}

/// The tasks within reach that somebody may mean: one that is named by its id, those that are open,
/// and those that were closed lately.
async fn may_be_meant(desk: &Desk, reference: &str) -> Result<Vec<Loaded<Task>>, Error> {
    let open = TaskQuery { limit: limits::ROWS_PER_READ_MAX, ..TaskQuery::default() };
    let mut tasks = desk.tasks(&open).await?;
    if tasks.len() == open.limit {
        // Of those behind a full page the ones that have all of the words, written as they are.
        let words = reference.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let known: BTreeSet<RecordId> = tasks.iter().map(|task| task.id.clone()).collect();
        let older = desk.tasks(&TaskQuery { words, ..open }).await?;
        tasks.extend(older.into_iter().filter(|task| !known.contains(&task.id)));
    }
    for status in [TaskStatus::Done, TaskStatus::Cancelled] {
        let closed = TaskQuery { status: Some(status), limit: CLOSED_MAX, ..TaskQuery::default() };
        tasks.extend(desk.tasks(&closed).await?);
    }
    if let Ok(id) = reference.trim().parse::<types::TaskId>()
        && let Some(named) = desk.read(&id, typed::task).await?
        && desk.reaches(&named.body.category_id)
        && tasks.iter().all(|task| task.id != named.id)
    {
        tasks.push(named);
    }
    Ok(tasks)
}

fn candidate(task: &Loaded<Task>) -> Candidate {
    Candidate {
        id: task.id.to_string(),
        title: task.body.title.clone(),
        open: !task.body.status.is_closed(),
        updated_at: task.updated_at,
    }
}

fn shown(found: &Match, tasks: &[Loaded<Task>]) -> Option<Value> {
    let mut line = line(tasks.iter().find(|task| task.id.as_str() == found.id)?);
    line["confidence"] = json!(found.confidence);
    line["why"] = json!(found.why);
    Some(line)
}

fn which(reference: &str, shown: &[Value]) -> String {
    let name = |task: &Value| {
        let text = |field: &str| task[field].as_str().unwrap_or_default().to_owned();
        format!("{:?} ({}, {})", text("title"), text("status"), text("id"))
    };
    let names: Vec<String> = shown.iter().map(name).collect();
    format!("Which task is meant by {reference:?}: {}?", names.join(" or "))
}

impl Offered for ResolveTaskReference {
    const CONTRACT: Contract = Contract {
        name: Self::NAME,
        description: "Find which task somebody means by some words. If more than one may be \
                      meant, ask the question that comes back before you change anything.",
        capabilities: &[Capability::TaskRead],
        input,
        ..READ
    };
}

fn input() -> Value {
    let words = "What somebody called the task: words, a title, an id or the end of one.";
    schema::object(
        &[
            ("reference", schema::line(words, limits::TITLE_BYTES_MAX)),
            ("limit", schema::number(1, 10, "At most this many candidates; 10 if absent.")),
        ],
        &["reference"],
    )
}
