//! What a model sees of a prompt, as far as it needs it here.

use model::Request;
use serde_json::Value;
use types::BlockKind;

/// What it sees.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// The task that the agent tends.
    pub(super) task: Option<String>,
    /// Items of its checklists.
    pub(super) items: Vec<String>,
    /// The tools that are offered.
    pub(super) tools: Vec<String>,
}

impl Seen {
    /// What is in a request.
    pub(super) fn of(request: &Request) -> Seen {
        let tools = request.tools.iter().map(|tool| tool.name.clone()).collect();
        let block = request.prompt.iter().find(|block| block.kind == BlockKind::Task);
        let body = block.and_then(|block| block.text.split_once('\n'));
        let task: Value =
            body.and_then(|(_, json)| serde_json::from_str(json).ok()).unwrap_or_default();
        let lists = task["checklists"].as_array().cloned().unwrap_or_default();
        let items = lists.iter().filter_map(|list| list["items"].as_array()).flatten();
        Seen {
            task: task["id"].as_str().map(str::to_owned),
            items: items.filter_map(|item| item["id"].as_str()).map(str::to_owned).collect(),
            tools,
        }
    }

    /// Whether a tool is offered.
    pub(super) fn offers(&self, tool: &str) -> bool {
        self.tools.iter().any(|name| name == tool)
    }
}
