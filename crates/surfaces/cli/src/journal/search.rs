//! Finding what one keeps by its words.

use api_types::{FoundReply, HitReply, JournalLook, ProblemReply, Request};
use clap::Args;
use client::Client;

use crate::number::how_many;
use crate::paint::{Tone, paint};
use crate::screen::Screen;

use super::change::short;
use super::more;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  dormouse search ferns balcony\n  dormouse search '\"water the\"' --kind note\n  dormouse search report --without draft --category work\n  dormouse search 'report -draft'"
)]
pub(crate) struct Search {
    /// The words: all of them have to be there, "as a phrase" if quoted; the last may be unfinished
    #[arg(required = true, num_args = 1..)]
    pub(crate) words: Vec<String>,
    /// A word that must not be there; may be repeated
    #[arg(long, value_name = "WORD")]
    pub(crate) without: Vec<String>,
    /// Only of this kind: task, item, checklist, note, time, plan or rating; may be repeated
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Vec<String>,
    /// Only in this category
    #[arg(long, value_name = "NAME")]
    pub(crate) category: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = how_many, allow_negative_numbers = true)]
    pub(crate) limit: usize,
}

pub(crate) fn ask(words: Search, client: &Client, screen: &Screen) -> Result<(), ProblemReply> {
    let query = query(&words);
    let Search { kind: kinds, category, limit, .. } = words;
    let look = JournalLook::Search { words: query, kinds, category, limit: Some(limit) };
    let found: FoundReply = client.ask(Request::Look(look))?;
    screen.show(&found, lines);
    Ok(())
}

/// All words in one line: those that must not be there come first, as the last one may be unfinished.
fn query(words: &Search) -> String {
    let without = words.without.iter();
    let without = without.map(|word| format!("-\"{}\"", word.replace(['"', '“', '”', '„'], " ")));
    without.chain(words.words.iter().cloned()).collect::<Vec<String>>().join(" ")
}

fn lines(found: &FoundReply) -> String {
    if found.hits.is_empty() {
        return "nothing found\n".to_owned();
    }
    let mut text: String = found.hits.iter().map(line).collect();
    let more = found.total - found.hits.len();
    if more > 0 {
        let way = match found.hits.len() < more::ROWS_MAX {
            true => "--limit shows them",
            false => "narrow it down to see them",
        };
        text += &paint(Tone::Quiet, &format!("and {more} more; {way}"));
        text.push('\n');
    }
    text
}

fn line(hit: &HitReply) -> String {
    let id = paint(Tone::Quiet, short(&hit.id));
    let excerpt: String = marked(&hit.excerpt.split_whitespace().collect::<Vec<_>>().join(" "));
    format!("{id}  {:<9}  {excerpt}\n", hit.kind)
}

/// What was found stands out: in colour, or between its marks where there is none.
fn marked(excerpt: &str) -> String {
    let mut text = String::new();
    for (place, part) in excerpt.split(['«', '»']).enumerate() {
        text += &if place % 2 == 1 { paint(Tone::Strong, part) } else { part.to_owned() };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_must_not_be_there_come_first_and_close_their_quotes() {
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        let words = Search {
            words: texts(&["oat", "mil"]),
            without: texts(&["soy", "rice \"cream\""]),
            kind: vec![],
            category: None,
            limit: 20,
        };
        assert_eq!(query(&words), "-\"soy\" -\"rice  cream \" oat mil");
    }
}
