//! A prompt, read.

use model::Request;
use serde_json::Value;
use types::BlockKind;

use super::field::{body, elements, number, text};
use super::{Change, Input, Linked, Standing, Task, Wake};

/// What a prompt says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Prompt {
    pub(crate) task: Option<Task>,
    pub(crate) linked: Vec<Linked>,
    pub(crate) report: Option<Standing>,
    /// The agent's notes: read so that none is made twice, and never repeated to anybody.
    pub(crate) notes: Vec<String>,
    pub(crate) changes: Vec<Change>,
    /// Changes that were not shown.
    pub(crate) changes_left_out: u64,
    pub(crate) wake: Wake,
    pub(crate) inputs: Vec<Input>,
}

impl Prompt {
    /// Reads the parts of a request, each by its kind.
    pub(crate) fn read(request: &Request) -> Prompt {
        let mut prompt = Prompt::default();
        for block in &request.prompt {
            let Some(body) = body(&block.text) else { continue };
            match block.kind {
                BlockKind::Task => prompt.task = Task::read(&body).or(prompt.task),
                BlockKind::Linked => prompt.linked.extend(list(&body, Linked::read)),
                BlockKind::Report => prompt.report = Standing::read(&body).or(prompt.report),
                BlockKind::Observations => {
                    prompt.notes.extend(list(&body, |note| text(note, "text")));
                }
                BlockKind::Delta => {
                    prompt.changes.extend(list(&body, Change::read));
                    let cut = elements(Some(&body)).filter_map(|one| number(one, "left_out"));
                    let all = cut.fold(prompt.changes_left_out, u64::saturating_add);
                    prompt.changes_left_out = all;
                }
                BlockKind::Wake => prompt.wake = Wake::read(&body),
                BlockKind::Input => prompt.inputs.extend(Input::read(&body, block.trust)),
                // Words for models that need telling, what was said on other days, and what nobody asks for.
                BlockKind::Policy | BlockKind::Role | BlockKind::History | BlockKind::Hints => {}
            }
        }
        prompt
    }

    /// Whether the report has something to catch up with, whatever else is asked: a first wake has
    /// everything.
    pub(crate) fn has_news(&self) -> bool {
        self.changed() || self.wake.first
    }

    /// Whether anything changed, shown or not.
    pub(crate) fn changed(&self) -> bool {
        !self.changes.is_empty() || self.changes_left_out > 0
    }

    /// What the operator said, in order.
    pub(crate) fn told(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().filter(|input| input.binds)
    }

    /// What came from elsewhere, in order.
    pub(crate) fn received(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().filter(|input| !input.binds)
    }
}

fn list<T>(body: &Value, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
    elements(Some(body)).filter_map(read).collect()
}
