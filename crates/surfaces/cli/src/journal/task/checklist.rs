//! Checklists.

use api_types::ProblemReply;
use clap::Subcommand;
use client::Client;
use serde_json::json;

use crate::journal::change::{Named, change, counted, given, id_of, listed, short, undoable};
use crate::screen::Screen;

#[derive(Debug, Subcommand)]
pub(crate) enum ChecklistCommand {
    /// Add a checklist to a task
    #[command(
        after_help = "Example:\n  dormouse task checklist add TASK Shopping --item bread --item cheese"
    )]
    Add {
        /// The task's id, or its last characters, four or more
        task: String,
        /// What to call it
        title: String,
        /// An item for it; may be repeated
        #[arg(long = "item", value_name = "TEXT")]
        items: Vec<String>,
        #[command(flatten)]
        named: Named,
    },
    /// Give a checklist another name
    #[command(after_help = "Example:\n  dormouse task checklist rename CHECKLIST \"To buy\"")]
    Rename {
        /// The checklist's id, or its last characters, four or more
        checklist: String,
        /// What to call it
        title: String,
        #[command(flatten)]
        named: Named,
    },
    /// Remove a checklist with its items
    #[command(after_help = "Example:\n  dormouse task checklist rm CHECKLIST")]
    #[command(aliases = ["remove", "delete"])]
    Rm {
        /// The checklist's id, or its last characters, four or more
        checklist: String,
        #[command(flatten)]
        named: Named,
    },
}

pub(super) fn ask(
    command: ChecklistCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    match command {
        ChecklistCommand::Add { task, title, items, named } => {
            let arguments = given([
                ("taskId", Some(json!(task))),
                ("title", Some(json!(title))),
                ("items", listed(&items)),
            ]);
            let done = change(client, screen, "create_checklist", arguments, named)?;
            let shown = json!({
                "id": id_of(&done), "title": done.answer["title"], "task": done.answer["taskId"],
                "items": done.answer["items"], "operation": done.operation,
            });
            screen.show(&shown, |_| format!("added {title}  {}\n", short(&id_of(&done))));
        }
        ChecklistCommand::Rename { checklist, title, named } => {
            let arguments = json!({ "checklistId": checklist, "title": title });
            let done = change(client, screen, "edit_checklist", arguments, named)?;
            let shown = json!({
                "id": id_of(&done), "title": done.answer["title"], "operation": done.operation,
            });
            screen.show(&shown, |_| format!("it is called {title} now\n"));
        }
        ChecklistCommand::Rm { checklist, named } => {
            let arguments = json!({ "checklistId": checklist });
            let done = change(client, screen, "remove_checklist", arguments, named)?;
            let items = &done.answer["items"];
            let shown = json!({ "id": id_of(&done), "items": items, "operation": done.operation });
            let number = items.as_u64().and_then(|number| usize::try_from(number).ok());
            screen.show(&shown, |_| {
                format!("removed it with {}\n", counted(number.unwrap_or(0), "item"))
            });
            undoable(screen, &done);
        }
    }
    Ok(())
}
