//! A sample workspace: something to look at in a home that is new.

use fleet::{CreateAgent, Subject};
use journal::Ask;
use serde_json::{Value, json};
use types::Problem;

use crate::Runtime;

/// What was made, or found from an earlier time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The task that has an agent.
    pub task: String,
    /// Its title.
    pub title: String,
    /// An item that is still open.
    pub item: String,
    /// What the item says.
    pub item_title: String,
}

const TITLE: &str = "Plan a weekend in the hills";
const ITEMS: [&str; 4] =
    ["Choose a hut", "Ask Mara and Jo", "Look up the trains", "Pack rain coats"];

impl Runtime {
    /// Makes a task with a checklist, gives it an agent, and makes another task that nobody tends. The
    /// same again makes nothing more: every step is a request with a name of its own.
    ///
    /// # Errors
    /// If the store cannot write.
    pub async fn sample(&self) -> Result<Sample, Problem> {
        let category = self.journal.category_find("home").await?.id;
        let task = json!({ "title": TITLE, "categoryId": category });
        let task = text(&self.sampled("create_task", "task", task).await?, "id");
        let items = json!({ "taskId": task, "items": ITEMS });
        let items = self.sampled("add_multiple_checklist_items", "items", items).await?;
        let other = json!({ "title": "Water the ferns", "categoryId": category });
        self.sampled("create_task", "other", other).await?;
        let create = CreateAgent {
            template: "task_agent".to_owned(),
            subject: Subject::Task(task.parse().map_err(|_| gone())?),
            name: None,
            request: Some("sample-agent".to_owned()),
        };
        self.agent_create(create).await?;
        let item = text(&items["items"][0], "id");
        let (title, item_title) = (TITLE.to_owned(), ITEMS[0].to_owned());
        Ok(Sample { task, title, item, item_title })
    }

    /// Checks an item of the sample, as its owner would.
    ///
    /// # Errors
    /// If the store cannot write.
    pub async fn sample_check(&self, sample: &Sample) -> Result<(), Problem> {
        let items = json!({ "items": [{ "id": sample.item, "checked": true }] });
        self.sampled("update_checklist_items", "check", items).await?;
        Ok(())
    }

    async fn sampled(&self, verb: &str, step: &str, arguments: Value) -> Result<Value, Problem> {
        let request = Some(format!("sample-{step}"));
        let ask = Ask { verb: verb.to_owned(), arguments, request, preview: false };
        Ok(self.journal.perform(ask).await?.answer)
    }
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

fn gone() -> Problem {
    let hint = "make a task and an agent of your own; `dormouse --help` says how";
    Problem::new(types::Code::UnknownTask, "the sample's task is gone", hint)
}
