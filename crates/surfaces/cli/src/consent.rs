//! The words about what one agrees to.

use std::io::{self, BufRead, IsTerminal};

use api_types::{ConsentReply, ProblemReply, Request, TermsReply};
use clap::Subcommand;
use client::Client;

use crate::screen::Screen;
use crate::table::table;

#[derive(Debug, Subcommand)]
pub(crate) enum ConsentCommand {
    /// Agree that a model is sent what agents work with, under the terms that are shown
    #[command(
        after_help = "Examples:\n  dormouse consent grant local/test-model\n  dormouse consent grant local/test-model --yes\n\nIt shows the terms and asks. Where nobody can be asked, and with --json, it agrees to nothing without --yes."
    )]
    Grant {
        /// The model, as PROVIDER/MODEL
        model: String,
        /// Agree without being asked; the terms are shown all the same
        #[arg(long)]
        yes: bool,
        /// The version of the terms that were shown
        #[arg(skip)]
        shown: Option<String>,
    },
    /// List what was agreed to, newest first
    #[command(after_help = "Example:\n  dormouse consent list")]
    #[command(alias = "ls")]
    List,
    /// Take it back: the model is asked no more
    #[command(after_help = "Example:\n  dormouse consent revoke local/test-model")]
    Revoke {
        /// The model, as PROVIDER/MODEL
        model: String,
    },
}

impl ConsentCommand {
    /// The model whose terms have to be shown and agreed to first.
    pub(crate) fn is_about(&self) -> Option<&str> {
        match self {
            ConsentCommand::Grant { model, .. } => Some(model),
            ConsentCommand::List | ConsentCommand::Revoke { .. } => None,
        }
    }

    /// The same, once the terms were shown and agreed to. Asking happens while nobody holds the home.
    pub(crate) fn agreed(
        self,
        terms: &TermsReply,
        screen: &Screen,
    ) -> Result<ConsentCommand, ProblemReply> {
        let ConsentCommand::Grant { model, yes, .. } = self else { return Ok(self) };
        let asked = !yes && !screen.is_json() && io::stdin().is_terminal();
        match asked {
            true => screen.ask(&(shown(terms) + "Agree? [y/N] ")),
            false => shown(terms).lines().for_each(|line| screen.say(line)),
        }
        if yes || (asked && answered_yes()) {
            let shown = Some(terms.policy_version.clone());
            return Ok(ConsentCommand::Grant { model, yes, shown });
        }
        let hint = match asked {
            true => "the built-in model needs no consent".to_owned(),
            // Silence is no agreement.
            false => format!(
                "nobody could be asked here; `dormouse consent grant {model} --yes` agrees to the terms \
                 that are shown"
            ),
        };
        let message = format!("{model} was not agreed to; nothing has changed");
        Err(ProblemReply { code: "privacy_confirmation_required".to_owned(), message, hint })
    }
}

fn answered_yes() -> bool {
    let mut answer = String::new();
    let read = io::stdin().lock().read_line(&mut answer);
    read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes")
}

pub(crate) fn ask(
    command: ConsentCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    match command {
        ConsentCommand::Grant { model, shown, .. } => {
            let request = Request::ConsentGrant { model, policy_version: shown };
            let receipt: ConsentReply = client.ask(request)?;
            screen.show(&receipt, |receipt| {
                let ConsentReply { provider, model, id, .. } = receipt;
                format!("agreed to {provider}/{model} ({id})\n")
            });
        }
        ConsentCommand::List => {
            let receipts: Vec<ConsentReply> = client.ask(Request::ConsentList {})?;
            screen.show(&receipts, |receipts| list(receipts));
        }
        ConsentCommand::Revoke { model } => {
            let receipt: ConsentReply = client.ask(Request::ConsentRevoke { model })?;
            screen.show(&receipt, |receipt| {
                format!("{}/{} is asked no more\n", receipt.provider, receipt.model)
            });
        }
    }
    Ok(())
}

fn shown(terms: &TermsReply) -> String {
    let mut text = format!("{} would be sent what agents work with.\n", terms.model);
    for (what, said) in [
        ("goes to", &terms.destination),
        ("by", &terms.transport),
        ("is kept", &terms.retention),
        ("training", &terms.training),
        ("jurisdiction", &terms.jurisdiction),
    ] {
        text += &format!("  {what:<13} {said}\n");
    }
    text + "This is what config.toml says; Dormouse cannot check it.\n"
}

fn list(receipts: &[ConsentReply]) -> String {
    let rows = receipts.iter().map(|receipt| {
        [
            format!("{}/{}", receipt.provider, receipt.model),
            receipt.standing.clone(),
            receipt.confirmed_at.to_string(),
            receipt.policy_version.chars().take(12).collect(),
        ]
    });
    table(["MODEL", "STANDING", "AGREED", "TERMS"], rows, "nothing was agreed to yet\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_say_where_it_goes_and_what_becomes_of_it() {
        let text = shown(&TermsReply {
            model: "local/test-model".to_owned(),
            destination: "http://127.0.0.1:9999/v1".to_owned(),
            transport: "openai_chat_completions".to_owned(),
            retention: "30 days".to_owned(),
            training: "never".to_owned(),
            jurisdiction: "not stated in config.toml".to_owned(),
            policy_version: "v".to_owned(),
        });
        for said in [
            "local/test-model would be sent",
            "goes to       http://127.0.0.1:9999/v1\n",
            "by            openai_chat_completions\n",
            "is kept       30 days\n",
            "training      never\n",
            "jurisdiction  not stated",
        ] {
            assert!(text.contains(said), "{text}");
        }
    }
}
