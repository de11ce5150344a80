//! Where an entry belongs.

use types::{CategoryId, Code, Task, TaskId};

use crate::Error;
use crate::desk::{Desk, Loaded};

/// The category and the task of an entry, from what was said of them: a task brings its category, and
/// if both are given they must agree.
pub(super) async fn place(
    desk: &mut Desk,
    category: Option<&str>,
    task: Option<&str>,
) -> Result<(CategoryId, Option<TaskId>), Error> {
    let task = match task {
        Some(text) => Some(desk.task(text).await?),
        None => None,
    };
    let category: Option<CategoryId> = match category {
        Some(text) => Some(desk.category(text).await?.id()),
        None => None,
    };
    match (category, task) {
        (Some(category), Some(task)) if category != task.body.category_id => Err(elsewhere(&task)),
        (_, Some(task)) => Ok((task.body.category_id.clone(), Some(task.id()))),
        (Some(category), None) => Ok((category, None)),
        (None, None) => Err(Error::refuse(
            Code::WrongUsage,
            "it does not say where the note belongs",
            "name a task with --task or a category with --category",
        )),
    }
}

/// The task that an entry is about lies in another category.
pub(super) fn elsewhere(task: &Loaded<Task>) -> Error {
    let (title, id) = (&task.body.title, &task.id);
    let message = format!("the task {title:?} ({id}) lies in another category");
    let hint = "leave the category out: a note lies where its task does";
    Error::refuse(Code::OtherCategory, message, hint)
}
