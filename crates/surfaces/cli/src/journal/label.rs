//! Labels.

use api_types::{JournalLook, LabelReply, ProblemReply, Request};
use clap::{Args, Subcommand};
use client::Client;
use serde_json::{Value, json};

use crate::render::table;
use crate::screen::Screen;

use super::change::{Named, change, changed_word, counted, given, id_of, short, undoable};

#[derive(Debug, Subcommand)]
pub(crate) enum LabelCommand {
    /// Add a label
    #[command(
        after_help = "Examples:\n  dormouse label add urgent --colour '#c0392b'\n  dormouse label add plants --category home"
    )]
    Add(LabelAdd),
    /// List labels with how many open tasks bear them
    #[command(after_help = "Example:\n  dormouse label list")]
    #[command(alias = "ls")]
    List,
    /// Change a label
    #[command(
        after_help = "Examples:\n  dormouse label edit urgent --name now\n  dormouse label edit plants --any-category --colour none"
    )]
    Edit(LabelEdit),
    /// Remove a label
    #[command(after_help = "Example:\n  dormouse label rm urgent --force")]
    #[command(aliases = ["remove", "delete"])]
    Rm {
        /// The label, by name or id
        label: String,
        /// Take it from the tasks that bear it, in the same step
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        named: Named,
    },
}

#[derive(Debug, Args)]
pub(crate) struct LabelAdd {
    /// What to call it
    pub(crate) name: String,
    /// In which colour to show it, such as #2f7d4f
    #[arg(long, value_name = "COLOUR")]
    pub(crate) colour: Option<String>,
    /// The category whose tasks may bear it; all if left out
    #[arg(long, value_name = "NAME")]
    pub(crate) category: Option<String>,
    #[command(flatten)]
    pub(crate) named: Named,
}

#[derive(Debug, Args)]
#[command(
    group(clap::ArgGroup::new("what").required(true).multiple(true)),
    override_usage = "dormouse label edit LABEL [OPTIONS]"
)]
pub(crate) struct LabelEdit {
    /// The label, by name or id
    pub(crate) label: String,
    /// What to call it
    #[arg(long, group = "what")]
    pub(crate) name: Option<String>,
    /// In which colour to show it; none takes the colour away
    #[arg(long, value_name = "COLOUR", group = "what")]
    pub(crate) colour: Option<String>,
    /// The category whose tasks may bear it
    #[arg(long, value_name = "NAME", conflicts_with = "any_category", group = "what")]
    pub(crate) category: Option<String>,
    /// The tasks of every category may bear it
    #[arg(long, group = "what")]
    pub(crate) any_category: bool,
    #[command(flatten)]
    pub(crate) named: Named,
}

pub(crate) fn ask(
    command: LabelCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    match command {
        LabelCommand::Add(add) => {
            let arguments = given([
                ("name", Some(json!(add.name))),
                ("colour", add.colour.map(Value::from)),
                ("categoryId", add.category.map(Value::from)),
            ]);
            let done = change(client, screen, "add_label", arguments, add.named)?;
            let name = done.answer["label"]["name"].clone();
            let shown = json!({ "id": id_of(&done), "name": name, "operation": done.operation });
            screen.show(&shown, |_| format!("added label {}\n", name.as_str().unwrap_or_default()));
        }
        LabelCommand::List => {
            let labels: Vec<LabelReply> = client.ask(Request::Look(JournalLook::Labels {}))?;
            screen.show(&labels, |labels| lines(labels));
        }
        LabelCommand::Edit(edit) => {
            let done = rewrite(edit, client, screen)?;
            let shown = json!({
                "id": id_of(&done), "label": done.answer["label"], "operation": done.operation
            });
            let word = changed_word(done.operation.is_some());
            let name = done.answer["label"]["name"].as_str().unwrap_or_default();
            screen.show(&shown, |_| format!("{word} label {name}\n"));
        }
        LabelCommand::Rm { label, force, named } => {
            let arguments = json!({ "labelId": label, "force": force });
            let done = change(client, screen, "remove_label", arguments, named)?;
            let (name, tasks) = (&done.answer["name"], &done.answer["tasks"]);
            let shown = json!({
                "id": id_of(&done), "name": name, "tasks": tasks, "operation": done.operation
            });
            screen.show(&shown, |_| {
                let tasks = tasks.as_u64().and_then(|tasks| usize::try_from(tasks).ok());
                let taken = match tasks.unwrap_or(0) {
                    0 => String::new(),
                    some => format!(" and took it from {}", counted(some, "task")),
                };
                format!("removed label {}{taken}\n", name.as_str().unwrap_or_default())
            });
            undoable(screen, &done);
        }
    }
    Ok(())
}

fn rewrite(
    edit: LabelEdit,
    client: &Client,
    screen: &Screen,
) -> Result<api_types::DoneReply, ProblemReply> {
    let category = match (edit.category, edit.any_category) {
        (Some(category), _) => Some(Value::from(category)),
        (None, true) => Some(Value::Null),
        (None, false) => None,
    };
    let arguments = given([
        ("labelId", Some(json!(edit.label))),
        ("name", edit.name.map(Value::from)),
        ("colour", edit.colour.map(super::change::colour)),
        ("categoryId", category),
    ]);
    change(client, screen, "edit_label", arguments, edit.named)
}

fn lines(labels: &[LabelReply]) -> String {
    let rows = labels.iter().map(|label| {
        let category = label.category.clone().unwrap_or_else(|| "any".to_owned());
        let colour = label.colour.clone().unwrap_or_default();
        [
            label.name.clone(),
            label.open_tasks.to_string(),
            category,
            colour,
            short(&label.id).to_owned(),
        ]
    });
    table(["NAME", "OPEN TASKS", "CATEGORY", "COLOUR", "ID"], rows, "no labels yet\n")
}
