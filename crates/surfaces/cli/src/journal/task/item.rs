//! Items of checklists.

use api_types::{DoneReply, ProblemReply};
use clap::{Args, Subcommand};
use client::Client;
use serde_json::{Value, json};

use crate::journal::change::{Named, change, counted, given, id_of, preview, short, undoable};
use crate::screen::Screen;

#[derive(Debug, Subcommand)]
pub(crate) enum ItemCommand {
    /// Add items to a task's checklist
    #[command(
        after_help = "Example:\n  dormouse task item add TASK bread cheese \"a bottle of milk\""
    )]
    Add {
        /// The task's id, or its last characters, four or more
        task: String,
        /// What is to be done
        #[arg(required = true, value_name = "TEXT")]
        texts: Vec<String>,
        /// Onto this checklist, instead of the first
        #[arg(long, value_name = "CHECKLIST")]
        list: Option<String>,
        #[command(flatten)]
        named: Named,
    },
    /// Check items: they are done
    #[command(after_help = "Example:\n  dormouse task item check ITEM ITEM")]
    Check(Items),
    /// Uncheck items: they are to be done
    #[command(after_help = "Example:\n  dormouse task item uncheck ITEM")]
    Uncheck(Items),
    /// Reword an item
    #[command(after_help = "Example:\n  dormouse task item edit ITEM \"a bottle of oat milk\"")]
    Edit {
        /// The item's id, or its last characters, four or more
        item: String,
        /// What is to be done
        text: String,
        #[command(flatten)]
        named: Named,
    },
    /// Move items to another checklist, or to a task of their own
    #[command(
        after_help = "Examples:\n  dormouse task item move ITEM --to CHECKLIST\n  dormouse task item move ITEM ITEM --new-task \"Repair the pump\""
    )]
    Move(Move),
    /// Remove items
    #[command(after_help = "Example:\n  dormouse task item rm ITEM")]
    #[command(aliases = ["remove", "delete"])]
    Rm(Items),
    /// Move an item within its checklist
    #[command(after_help = "Example:\n  dormouse task item reorder ITEM --before ITEM")]
    Reorder(Reorder),
}

#[derive(Debug, Args)]
pub(crate) struct Items {
    /// The items' ids, or their last characters, four or more
    #[arg(required = true, value_name = "ITEM")]
    items: Vec<String>,
    #[command(flatten)]
    named: Named,
}

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("where").required(true).args(["to", "new_task"])),
    override_usage = "dormouse task item move ITEM... <--to CHECKLIST|--new-task TITLE> [OPTIONS]"
)]
pub(crate) struct Move {
    /// The items' ids, or their last characters, four or more
    #[arg(required = true, value_name = "ITEM")]
    items: Vec<String>,
    /// To this checklist, of the same task or of another one
    #[arg(long, value_name = "CHECKLIST")]
    to: Option<String>,
    /// To a new task with this title
    #[arg(long, value_name = "TITLE")]
    new_task: Option<String>,
    /// They are to be done again
    #[arg(long, requires = "to")]
    uncheck: bool,
    /// Only show what would be done
    #[arg(long)]
    preview: bool,
    #[command(flatten)]
    named: Named,
}

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("where").required(true)),
    override_usage = "dormouse task item reorder ITEM <--before ITEM|--after ITEM|--top|--end> [OPTIONS]"
)]
pub(crate) struct Reorder {
    /// The item's id, or its last characters, four or more
    item: String,
    /// Before this item
    #[arg(long, value_name = "ITEM", group = "where")]
    before: Option<String>,
    /// After this item
    #[arg(long, value_name = "ITEM", group = "where")]
    after: Option<String>,
    /// To the top
    #[arg(long, group = "where")]
    top: bool,
    /// To the end
    #[arg(long, group = "where")]
    end: bool,
    #[command(flatten)]
    named: Named,
}

pub(super) fn ask(
    command: ItemCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    match command {
        ItemCommand::Add { task, texts, list, named } => {
            let arguments = given([
                ("taskId", Some(json!(task))),
                ("items", Some(json!(texts))),
                ("checklistId", list.map(|list| json!(list))),
            ]);
            let done = change(client, screen, "add_multiple_checklist_items", arguments, named)?;
            show(&done, screen);
        }
        ItemCommand::Check(items) => check(items, true, client, screen)?,
        ItemCommand::Uncheck(items) => check(items, false, client, screen)?,
        ItemCommand::Edit { item, text, named } => {
            let arguments = json!({ "items": [{ "id": item, "title": text }] });
            show(&change(client, screen, "update_checklist_items", arguments, named)?, screen);
        }
        ItemCommand::Move(words) => move_items(words, client, screen)?,
        ItemCommand::Rm(Items { items, named }) => {
            let arguments = json!({ "itemIds": items });
            let done = change(client, screen, "remove_checklist_items", arguments, named)?;
            let ids = &done.answer["ids"];
            let shown = json!({ "id": ids[0], "ids": ids, "operation": done.operation });
            let number = ids.as_array().map_or(0, Vec::len);
            screen.show(&shown, |_| format!("removed {}\n", counted(number, "item")));
            undoable(screen, &done);
        }
        ItemCommand::Reorder(words) => reorder(words, client, screen)?,
    }
    Ok(())
}

fn check(
    Items { items, named }: Items,
    checked: bool,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let change_of = |item: String| json!({ "id": item, "checked": checked });
    let items: Vec<Value> = items.into_iter().map(change_of).collect();
    show(
        &change(client, screen, "update_checklist_items", json!({ "items": items }), named)?,
        screen,
    );
    Ok(())
}

fn move_items(words: Move, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let (verb, arguments) = match (words.to, words.new_task) {
        (Some(to), _) => {
            let keep = !words.uncheck;
            let arguments = json!({
                "itemIds": words.items, "toChecklistId": to, "preserveCheckedState": keep,
            });
            ("move_checklist_items", arguments)
        }
        (None, title) => {
            let arguments = json!({ "itemIds": words.items, "newTaskTitle": title });
            ("move_checklist_items_to_new_task", arguments)
        }
    };
    let done = match words.preview {
        true => preview(client, verb, arguments)?,
        false => change(client, screen, verb, arguments, words.named)?,
    };
    let task = match verb {
        "move_checklist_items" => &done.answer["taskId"],
        _ if done.preview => &Value::Null,
        _ => &done.answer["id"],
    };
    let shown = json!({
        "items": done.answer["items"], "task": task, "operation": done.operation,
        "preview": done.preview,
    });
    screen.show(&shown, |shown| {
        let word = if done.preview { "would move" } else { "moved" };
        let to = task.as_str().map_or_else(|| "a new task".to_owned(), |id| short(id).to_owned());
        format!("{word} to {to}:\n{}", lines(&shown["items"]))
    });
    Ok(())
}

fn reorder(words: Reorder, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let arguments = given([
        ("itemId", Some(json!(words.item))),
        ("before", words.before.map(|item| json!(item))),
        ("after", words.after.map(|item| json!(item))),
        ("toTop", words.top.then_some(Value::Bool(true))),
        ("toEnd", words.end.then_some(Value::Bool(true))),
    ]);
    let done = change(client, screen, "reorder_checklist_items", arguments, words.named)?;
    let (place, of) = (&done.answer["place"], &done.answer["of"]);
    let shown = json!({
        "id": id_of(&done), "place": place, "of": of, "operation": done.operation,
    });
    screen.show(&shown, |_| format!("it is number {place} of {of} now\n"));
    Ok(())
}

/// Shows items that were made or changed. The first of them stands for one that was asked for alone.
fn show(done: &DoneReply, screen: &Screen) {
    let items = &done.answer["items"];
    let mut shown = items[0].clone();
    shown["items"] = items.clone();
    shown["operation"] = json!(done.operation);
    screen.show(&shown, |_| lines(items));
}

fn lines(items: &Value) -> String {
    let line = |item: &Value| {
        let mark = if item["checked"] == true { "x" } else { " " };
        let text = |field: &str| item[field].as_str().unwrap_or_default().to_owned();
        format!("[{mark}] {}  {}\n", text("title"), short(&text("id")))
    };
    items.as_array().map_or_else(String::new, |items| items.iter().map(line).collect())
}
