//! Categories.

use api_types::{CategoryReply, JournalLook, ProblemReply, Request};
use clap::Subcommand;
use client::Client;
use serde_json::{Value, json};

use crate::render::table;
use crate::screen::Screen;

use super::change::{Named, change, changed_word, colour, given, id_of, undoable};

#[derive(Debug, Subcommand)]
pub(crate) enum CategoryCommand {
    /// List categories
    #[command(after_help = "Example:\n  dormouse category list")]
    #[command(alias = "ls")]
    List,
    /// Add a category
    #[command(after_help = "Example:\n  dormouse category add garden --colour '#2f7d4f'")]
    Add {
        /// What to call it
        name: String,
        /// In which colour to show it, such as #2f7d4f
        #[arg(long, value_name = "COLOUR")]
        colour: Option<String>,
        #[command(flatten)]
        named: Named,
    },
    /// Rename a category, or change its colour
    #[command(
        after_help = "Examples:\n  dormouse category rename work office\n  dormouse category rename work --colour '#2f7d4f'"
    )]
    #[command(
        group(clap::ArgGroup::new("what").required(true).multiple(true).args(["to", "colour"])),
        override_usage = "dormouse category rename CATEGORY [NAME] [OPTIONS]"
    )]
    Rename {
        /// The category, by name or id
        category: String,
        /// What to call it
        #[arg(value_name = "NAME")]
        to: Option<String>,
        /// In which colour to show it; none takes the colour away
        #[arg(long, value_name = "COLOUR")]
        colour: Option<String>,
        #[command(flatten)]
        named: Named,
    },
    /// Remove a category in which nothing lies any more
    #[command(after_help = "Example:\n  dormouse category rm garden")]
    #[command(aliases = ["remove", "delete"])]
    Rm {
        /// The category, by name or id
        category: String,
        #[command(flatten)]
        named: Named,
    },
}

pub(crate) fn ask(
    command: CategoryCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    match command {
        CategoryCommand::List => {
            let look = Request::Look(JournalLook::Categories {});
            let categories: Vec<CategoryReply> = client.ask(look)?;
            screen.show(&categories, |categories| lines(categories));
        }
        CategoryCommand::Add { name, colour, named } => {
            let arguments =
                given([("name", Some(json!(name))), ("colour", colour.map(|c| json!(c)))]);
            let done = change(client, screen, "add_category", arguments, named)?;
            let shown = json!({ "id": id_of(&done), "name": name, "operation": done.operation });
            screen.show(&shown, |_| format!("added category {name}\n"));
        }
        CategoryCommand::Rename { category, to, colour: shade, named } => {
            let arguments = given([
                ("categoryId", Some(json!(category))),
                ("name", to.map(Value::from)),
                ("colour", shade.map(colour)),
            ]);
            let done = change(client, screen, "edit_category", arguments, named)?;
            let name = done.answer["name"].as_str().unwrap_or_default();
            let shown = json!({
                "id": id_of(&done), "name": name, "colour": done.answer["colour"],
                "operation": done.operation
            });
            let word = changed_word(done.operation.is_some());
            screen.show(&shown, |_| format!("{word} category {name}\n"));
        }
        CategoryCommand::Rm { category, named } => {
            let done = change(
                client,
                screen,
                "remove_category",
                json!({ "categoryId": category }),
                named,
            )?;
            let name = done.answer["name"].as_str().unwrap_or_default();
            let shown = json!({ "id": id_of(&done), "name": name, "operation": done.operation });
            screen.show(&shown, |_| format!("removed category {name}\n"));
            undoable(screen, &done);
        }
    }
    Ok(())
}

fn lines(categories: &[CategoryReply]) -> String {
    let rows = categories.iter().map(|category| {
        let colour = category.colour.clone().unwrap_or_default();
        [category.name.clone(), colour, category.id.clone()]
    });
    table(["NAME", "COLOUR", "ID"], rows, "no categories\n")
}
