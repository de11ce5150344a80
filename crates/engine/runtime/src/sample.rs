//! A sample workspace: something to look at in a home that is new.

use fleet::{CreateAgent, Subject};
use journal::{Ask, ItemView, TaskView};
use serde_json::{Value, json};
use types::{Code, Problem};

use crate::Runtime;

/// What there is of the sample: as it was made, or as it was left at an earlier time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sample {
    /// Its task has an agent that wakes for it.
    Tended {
        /// The title of the task.
        title: String,
        /// The item to show a change with, unless it is done or gone.
        open: Option<ItemView>,
    },
    /// The agent of its task rests until it is resumed.
    Resting {
        /// The title of the task.
        title: String,
        /// The agent's id.
        agent: String,
    },
    /// Its task has no agent any more.
    Untended {
        /// The title of the task.
        title: String,
        /// The task's id.
        task: String,
    },
    /// Its task was removed.
    Removed,
}

const TITLE: &str = "Plan a weekend in the hills";
const ITEMS: [&str; 4] =
    ["Choose a hut", "Ask Mara and Jo", "Look up the trains", "Pack rain coats"];

impl Runtime {
    /// Makes a task with a checklist, gives it an agent, and makes another task that nobody tends. The
    /// same again makes nothing more, as every step is a request with a name of its own, and says what
    /// has become of it.
    ///
    /// # Errors
    /// If the store cannot write.
    pub async fn sample(&self) -> Result<Sample, Problem> {
        let category = self.journal.category_find("home").await?.id;
        let task = json!({ "title": TITLE, "categoryId": category });
        let task = text(&self.sampled("create_task", "task", task).await?, "id");
        if self.sample_task(&task).await?.is_none() {
            return Ok(Sample::Removed);
        }
        let items = json!({ "taskId": task, "items": ITEMS });
        let items = self.sampled("add_multiple_checklist_items", "items", items).await?;
        let other = json!({ "title": "Water the ferns", "categoryId": category });
        self.sampled("create_task", "other", other).await?;
        // Once more: now it has its items.
        match self.sample_task(&task).await? {
            Some(task) => self.sample_tended(task, &text(&items["items"][0], "id")).await,
            None => Ok(Sample::Removed),
        }
    }

    /// Checks an item of the sample, as its owner would.
    ///
    /// # Errors
    /// If the item is gone, or the store cannot write.
    pub async fn sample_check(&self, item: &ItemView) -> Result<(), Problem> {
        let arguments = json!({ "items": [{ "id": item.id.as_str(), "checked": true }] });
        // Without a name: somebody may have opened it again since it was first checked.
        let verb = "update_checklist_items".to_owned();
        self.journal.perform(Ask { verb, arguments, request: None, preview: false }).await?;
        Ok(())
    }

    /// The task of the sample, if it is there.
    async fn sample_task(&self, task: &str) -> Result<Option<TaskView>, Problem> {
        match self.journal.task_get(task).await.map_err(Problem::from) {
            Ok(task) => Ok(Some(task)),
            Err(problem) if problem.code == Code::UnknownTask => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// Who tends the task of the sample. It is given an agent once: who destroys that wants none.
    async fn sample_tended(&self, task: TaskView, item: &str) -> Result<Sample, Problem> {
        if self.fleet.agent_of_task(&task.id).await?.is_none() {
            let create = CreateAgent {
                template: "task_agent".to_owned(),
                subject: Subject::Task(task.id.clone()),
                name: None,
                request: Some("sample-agent".to_owned()),
            };
            self.agent_create(create).await?;
        }
        let (title, agent) = (task.task.title, self.fleet.agent_of_task(&task.id).await?);
        let Some(agent) = agent else {
            return Ok(Sample::Untended { title, task: task.id.to_string() });
        };
        if !agent.identity.lifecycle.may_wake() {
            return Ok(Sample::Resting { title, agent: agent.id.to_string() });
        }
        let mut items = task.checklists.into_iter().flat_map(|list| list.items);
        let open = items.find(|one| one.id.as_str() == item && !one.checked);
        Ok(Sample::Tended { title, open })
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
