//! `template`: what agents are made from.

use api_types::{ProblemReply, Request, TemplateReply};
use clap::Subcommand;
use client::Client;

use crate::screen::Screen;
use crate::table::table;

#[derive(Debug, Subcommand)]
pub(crate) enum TemplateCommand {
    /// List what agents can be made from: what is built in, and the files in `templates` of the home
    #[command(after_help = "Example:\n  dormouse template list")]
    #[command(alias = "ls")]
    List,
    /// Print the file of a template, to read it or to make one of your own from it
    #[command(
        after_help = "Examples:\n  dormouse template show task_agent\n  dormouse template show task_agent > ~/.dormouse/templates/mine.toml\n\nA file in the folder `templates` of the home is a template under the name that stands in it; the name of a\nbuilt-in one takes its place. An empty file is passed over. A server reads the folder when it\nstarts."
    )]
    Show {
        /// Its name
        #[arg(value_name = "NAME")]
        template: String,
    },
}

pub(crate) fn ask(
    command: TemplateCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    match command {
        TemplateCommand::List => {
            let templates: Vec<TemplateReply> = client.ask(Request::TemplateList {})?;
            screen.show(&templates, |templates| list(templates));
        }
        TemplateCommand::Show { template } => {
            let template: TemplateReply = client.ask(Request::TemplateGet { template })?;
            screen.show_as_is(&template, template.text.as_deref().unwrap_or_default());
        }
    }
    Ok(())
}

fn list(templates: &[TemplateReply]) -> String {
    let rows = templates.iter().map(|template| {
        let file = template.file.clone().unwrap_or_else(|| "built in".to_owned());
        let version = template.version.to_string();
        [template.name.clone(), version, file, template.description.clone()]
    });
    table(["NAME", "VERSION", "FILE", "WHAT IT IS"], rows, "no templates\n")
}
