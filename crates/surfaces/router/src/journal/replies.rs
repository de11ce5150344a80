//! From what the journal returns to what goes over the wire.

use api_types::{
    CategoryReply, ChecklistReply, DoneReply, FoundReply, HitReply, ItemReply, RelationReply,
    TaskReply,
};
use runtime::{Answer, CategoryView, FoundView, TaskView};

pub(crate) fn done(answer: Answer) -> DoneReply {
    DoneReply {
        operation: answer.operation.map(|id| id.to_string()),
        answer: answer.answer,
        repeated: answer.repeated,
        preview: answer.preview,
    }
}

pub(super) fn task(view: TaskView) -> TaskReply {
    let items = view.checklists.iter().flat_map(|list| {
        list.items.iter().map(|item| ItemReply {
            id: item.id.to_string(),
            title: item.title.clone(),
            checked: item.checked,
            checklist: list.id.to_string(),
        })
    });
    let lists = view.checklists.iter();
    let relations = view.relations.into_iter();
    TaskReply {
        id: view.id.to_string(),
        status: view.task.status.as_str().to_owned(),
        priority: view.task.priority.as_str().to_owned(),
        category: view.category,
        labels: view.labels,
        due: view.task.due.map(|due| due.to_string()),
        due_words: view.due_words,
        overdue: view.overdue,
        estimate_minutes: view.task.estimate_minutes,
        estimate_words: view.estimate_words,
        language: view.task.language,
        revision: view.revision,
        created_at: view.created_at,
        updated_at: view.updated_at,
        closed_at: view.task.closed_at,
        title: view.task.title,
        items_done: view.progress.0,
        items_all: view.progress.1,
        items: items.collect(),
        checklists: lists
            .map(|list| ChecklistReply { id: list.id.to_string(), title: list.title.clone() })
            .collect(),
        relations: relations
            .map(|(relation, task, title)| RelationReply {
                relation,
                task: task.to_string(),
                title,
            })
            .collect(),
    }
}

pub(super) fn found(view: FoundView) -> FoundReply {
    let hits = view.hits.into_iter().map(|hit| HitReply {
        id: hit.id.to_string(),
        kind: hit.kind.to_owned(),
        title: hit.title,
        excerpt: hit.excerpt,
    });
    FoundReply { total: view.total, hits: hits.collect() }
}

pub(super) fn category(view: CategoryView) -> CategoryReply {
    CategoryReply { id: view.id.to_string(), name: view.name, colour: view.colour }
}
