//! Ratings.

use api_types::{JournalLook, MeanReply, ProblemReply, RatingReply, RatingsReply, Request};
use clap::{Args, Subcommand};
use client::Client;
use serde_json::{Map, Value, json};

use crate::render::table;
use crate::screen::Screen;

use super::change::{Changed, Named, change, given, id_of, short, undoable};
use super::say;

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  dormouse rate today 4 --dimension focus=5 --note \"Calm and clear\"\n  dormouse rate TASK 3\n  dormouse rate show today\n  dormouse rate summary --from \"30 days ago\""
)]
pub(crate) struct Rate {
    #[command(subcommand)]
    look: Option<RateCommand>,
    /// What to rate: a day such as today, or the id of a task, a note or a time entry
    #[arg(required = true)]
    target: Option<String>,
    /// From 1, poor, to 5, very good
    #[arg(required = true, value_name = "1..5", value_parser = points, allow_negative_numbers = true)]
    score: Option<u8>,
    /// The same for one side of it, such as focus=4; can be given more than once
    #[arg(long = "dimension", value_name = "NAME=1..5", value_parser = dimension)]
    dimensions: Vec<(String, u8)>,
    /// What there is to say
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    #[command(flatten)]
    named: Named,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RateCommand {
    /// Show how something was rated
    #[command(after_help = "Examples:\n  dormouse rate show today\n  dormouse rate show TASK")]
    Show {
        /// A day such as today, or the id of a task, a note or a time entry
        target: String,
    },
    /// Count the ratings of some days
    #[command(
        after_help = "Examples:\n  dormouse rate summary\n  dormouse rate summary --from \"90 days ago\" --category work"
    )]
    Summary {
        /// The first day
        #[arg(long, value_name = "DAY", default_value = "30 days ago")]
        from: String,
        /// The last day
        #[arg(long, value_name = "DAY", default_value = "today")]
        to: String,
        /// Only those of this category
        #[arg(long, value_name = "NAME")]
        category: Option<String>,
    },
    /// Take a rating back
    #[command(after_help = "Example:\n  dormouse rate rm today")]
    #[command(aliases = ["remove", "delete"])]
    Rm {
        /// A day such as today, or the id of a task, a note or a time entry
        target: String,
        #[command(flatten)]
        named: Named,
    },
}

impl Rate {
    /// Whether it only shows ratings.
    pub(crate) fn looks(&self) -> bool {
        matches!(self.look, Some(RateCommand::Show { .. } | RateCommand::Summary { .. }))
    }

    /// Whether it rates something.
    pub(crate) fn rates(&self) -> bool {
        self.look.is_none()
    }
}

fn dimension(text: &str) -> Result<(String, u8), String> {
    let wrong = || format!("{text:?} is not like focus=4");
    let (name, score) = text.split_once('=').ok_or_else(wrong)?;
    Ok((name.trim().to_owned(), points(score.trim()).map_err(|_| wrong())?))
}

fn points(text: &str) -> Result<u8, String> {
    let points = text.parse().ok().filter(|points| (1..=5).contains(points));
    points.ok_or_else(|| "it has to be a number from 1 to 5".to_owned())
}

pub(crate) fn ask(rate: Rate, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    match rate.look {
        None => give(rate, client, screen),
        Some(RateCommand::Show { target }) => {
            let look = Request::Look(JournalLook::Rating { target: target.clone() });
            let rating: Option<RatingReply> = client.ask(look)?;
            screen.show(&rating, |rating| match rating {
                Some(rating) => format!("{}\n", score(rating)),
                None => format!("{target} was not rated\n"),
            });
            Ok(())
        }
        Some(RateCommand::Summary { from, to, category }) => {
            let look = JournalLook::Ratings { from, to, category };
            let ratings: RatingsReply = client.ask(Request::Look(look))?;
            screen.show(&ratings, summary);
            Ok(())
        }
        Some(RateCommand::Rm { target, named }) => {
            let done =
                change(client, screen, "remove_rating", json!({ "targetId": target }), named)?;
            let removed = json!({ "id": id_of(&done), "operation": done.operation });
            screen.show(&removed, |_| format!("removed the rating of {target}\n"));
            undoable(screen, &done);
            Ok(())
        }
    }
}

fn give(rate: Rate, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let sides: Map<String, Value> =
        rate.dimensions.into_iter().map(|(name, score)| (name, json!(score))).collect();
    let target = rate.target.unwrap_or_default();
    let arguments = given([
        ("targetId", Some(json!(target))),
        ("score", rate.score.map(Value::from)),
        ("dimensions", Some(Value::Object(sides)).filter(|sides| sides != &json!({}))),
        ("note", rate.note.map(Value::from)),
    ]);
    let done = change(client, screen, "create_or_update_rating", arguments, rate.named)?;
    let about = done.answer["targetId"].as_str().unwrap_or_default().to_owned();
    let look = Request::Look(JournalLook::Rating { target: about });
    let what: Option<RatingReply> = client.ask(look)?;
    let Some(what) = what else { return Ok(()) };
    let changed = Changed { what, operation: done.operation };
    screen.show(&changed, |changed| {
        let about = match changed.what.target.strip_prefix("plan_") {
            Some(day) => day.to_owned(),
            None => short(&changed.what.target).to_owned(),
        };
        format!("rated {about}: {}\n", score(&changed.what))
    });
    Ok(())
}

/// A rating in one line: `4/5 (focus 5): calm and clear`.
pub(super) fn score(rating: &RatingReply) -> String {
    let sides: Vec<String> =
        rating.dimensions.iter().map(|(name, score)| format!("{name} {score}")).collect();
    let mut text = format!("{}/5", rating.score);
    if !sides.is_empty() {
        text += &format!(" ({})", sides.join(", "));
    }
    if !rating.note.is_empty() {
        text += &format!(": {}", rating.note);
    }
    text
}

fn summary(ratings: &RatingsReply) -> String {
    let number =
        |mean: Option<f64>| mean.map_or_else(|| "-".to_owned(), |mean| format!("{mean:.2}"));
    let row = |name: String, of: &MeanReply| [name, of.count.to_string(), number(of.mean)];
    let days = ratings.days.iter().map(|(day, of)| row(say::day(*day, ratings.to), of));
    let sides = ratings.dimensions.iter().map(|(name, of)| row(name.clone(), of));
    let all = MeanReply { count: ratings.count, mean: ratings.mean };
    let rows: Vec<[String; 3]> = match ratings.count {
        0 => vec![],
        _ => days.chain(sides).chain([row("all".to_owned(), &all)]).collect(),
    };
    table(["OF", "COUNT", "MEAN"], rows.into_iter(), "no ratings in these days\n")
}
