//! Export and import.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use api_types::{
    ExportReply, ImportParams, ImportReply, JournalLook, ProblemReply, Request, UploadReply,
};
use clap::{Args, ValueEnum};
use client::Client;

use crate::screen::Screen;

/// Bytes of a file that go into one request. A server takes requests of 8 MiB, and a text may become
/// six times as long when it is written as JSON.
const PIECE_BYTES: usize = 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutFormat {
    Json,
    Markdown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum InFormat {
    Json,
    Markdown,
    Taskwarrior,
    Todotxt,
}

#[derive(Debug, Args)]
pub(crate) struct ExportWords {
    /// json for programs, markdown for people; both hold everything
    #[arg(long, value_enum)]
    pub(crate) format: OutFormat,
}

#[derive(Debug, Args)]
pub(crate) struct ImportWords {
    /// What the file is; json and markdown are those that export writes
    #[arg(long, value_enum)]
    pub(crate) format: InFormat,
    /// The file; - reads standard input
    pub(crate) file: PathBuf,
    /// Where things go that do not say where they belong [default: inbox]
    #[arg(long, value_name = "NAME")]
    pub(crate) category: Option<String>,
    /// Take what the file says where the journal says something else
    #[arg(long, conflicts_with = "skip")]
    pub(crate) replace: bool,
    /// Keep what the journal says where the file says something else
    #[arg(long)]
    pub(crate) skip: bool,
    /// Check the file and say what would come in, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What the file holds, read before a home is opened or made for it
    #[arg(skip)]
    text: Option<String>,
}

impl ImportWords {
    /// The same with what the file holds.
    pub(crate) fn with_input(self) -> Result<ImportWords, ProblemReply> {
        let text = Some(contents(&self.file)?);
        Ok(ImportWords { text, ..self })
    }
}

pub(crate) fn export(
    words: &ExportWords,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let format = match words.format {
        OutFormat::Json => "json",
        OutFormat::Markdown => "markdown",
    };
    let look = JournalLook::Export { format: format.to_owned() };
    let export: ExportReply = client.ask(Request::Look(look))?;
    match words.format {
        // It is one JSON value already.
        OutFormat::Json => screen.write_bytes(export.text.as_bytes()),
        OutFormat::Markdown => screen.show_as_is(&export, &export.text),
    }
    if export.unknown > 0 {
        screen.say(&format!(
            "{} records were made by a newer Dormouse and are not in it",
            export.unknown
        ));
    }
    Ok(())
}

pub(crate) fn import(
    words: ImportWords,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let text = words.text.unwrap_or_default();
    let mut params = ImportParams {
        format: match words.format {
            InFormat::Json => "json",
            InFormat::Markdown => "markdown",
            InFormat::Taskwarrior => "taskwarrior",
            InFormat::Todotxt => "todotxt",
        }
        .to_owned(),
        text: String::new(),
        upload: None,
        piece: None,
        category: words.category,
        replace: words.replace,
        skip: words.skip,
        preview: words.dry_run,
    };
    let pieces = pieces(&text);
    let (last, before) = pieces.split_last().expect("a text has at least one piece");
    for (piece, text) in before.iter().enumerate() {
        let (upload, text) = (params.upload.take(), (*text).to_owned());
        let reply: UploadReply = client.ask(Request::ImportPiece { upload, piece, text })?;
        params.upload = Some(reply.upload);
    }
    params.piece = params.upload.is_some().then_some(before.len());
    params.text = (*last).to_owned();
    let imported: ImportReply =
        client.ask(Request::Import(params)).map_err(|problem| of_file(&words.file, problem))?;
    screen.show(&imported, told);
    Ok(())
}

/// The same with the name of the file that cannot be taken as it is.
fn of_file(file: &Path, problem: ProblemReply) -> ProblemReply {
    if problem.code != "bad_import" || file == Path::new("-") {
        return problem;
    }
    let message = format!("{}: {}", file.display(), problem.message);
    ProblemReply { message, ..problem }
}

fn contents(file: &Path) -> Result<String, ProblemReply> {
    let mut text = String::new();
    let (name, read) = match file == Path::new("-") {
        true => ("standard input".to_owned(), up_to_most(io::stdin().lock(), &mut text)),
        false => {
            let read = File::open(file).and_then(|file| up_to_most(file, &mut text));
            (file.display().to_string(), read)
        }
    };
    read.map_err(|error| ProblemReply {
        code: "bad_import".to_owned(),
        message: format!("{name} cannot be read: {error}"),
        hint: "name a file of text in UTF-8; nothing was changed".to_owned(),
    })?;
    if text.len() as u64 > FILE_MIB_MAX << 20 {
        let message =
            format!("{name} is too large: at most {FILE_MIB_MAX} MiB can be imported at once");
        let hint = "split it, and import its parts".to_owned();
        return Err(ProblemReply { code: "limit_reached".to_owned(), message, hint });
    }
    Ok(text)
}

/// Reads a text, but not much more of it than can be imported: what has no end is not waited for.
fn up_to_most(from: impl Read, into: &mut String) -> io::Result<usize> {
    from.take((FILE_MIB_MAX << 20) + 4).read_to_string(into)
}

/// As much as a home takes of one file.
const FILE_MIB_MAX: u64 = 256;

/// A text in pieces that fit into requests; one, if it is short.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while rest.len() > PIECE_BYTES {
        let mut end = PIECE_BYTES;
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces.push(rest);
    pieces
}

fn told(imported: &ImportReply) -> String {
    let [added, replaced, kept, left_out] = match imported.preview {
        true => ["would add", "would replace", "would keep as they are", "would leave out"],
        false => ["added", "replaced", "kept as they were", "left out"],
    };
    let mut text = format!("{added} {}\n", counted(&imported.added));
    for (what, counts) in [
        (replaced, &imported.replaced),
        ("unchanged", &imported.unchanged),
        (kept, &imported.skipped),
        (left_out, &imported.left_out),
    ] {
        if !counts.is_empty() {
            text += &format!("{what}: {}\n", counted(counts));
        }
    }
    let operations = imported.operations.iter().map(|id| id.get(..12).unwrap_or(id));
    match operations.collect::<Vec<&str>>().as_slice() {
        [] => text,
        [one] => text + &format!("`dormouse undo {one}` takes it back\n"),
        many => {
            text + &format!(
                "undone one by one in this order, these take it back:\n  {}\n",
                many.join(" ")
            )
        }
    }
}

fn counted(counts: &BTreeMap<String, usize>) -> String {
    let counts: Vec<String> = counts.iter().map(|(name, count)| many(*count, name)).collect();
    if counts.is_empty() { "nothing".to_owned() } else { counts.join(", ") }
}

/// A number of things, in words.
fn many(count: usize, section: &str) -> String {
    let (one, more) = match section {
        "categories" => ("category", "categories"),
        "entries" => ("note", "notes"),
        "time" => ("time entry", "time entries"),
        other => (other.strip_suffix('s').unwrap_or(other), other),
    };
    format!("{count} {}", if count == 1 { one } else { more })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_of_a_large_file_fits_into_a_request() {
        let text = "ü\u{1}".repeat(2_000_000);
        let pieces = pieces(&text);
        assert_eq!(pieces.concat(), text);
        for piece in pieces {
            let request = Request::ImportPiece { upload: None, piece: 0, text: piece.to_owned() };
            assert!(serde_json::to_vec(&request).unwrap().len() < 8 * 1024 * 1024);
        }
        assert_eq!(super::pieces(""), [""]);
    }

    #[test]
    fn what_was_only_looked_at_is_not_said_to_be_done() {
        let one = || BTreeMap::from([("tasks".to_owned(), 1)]);
        let told = |preview| {
            told(&ImportReply {
                format: "json".to_owned(),
                added: BTreeMap::new(),
                replaced: one(),
                unchanged: BTreeMap::new(),
                skipped: one(),
                left_out: one(),
                operations: Vec::new(),
                preview,
            })
        };
        let would = "would add nothing\nwould replace: 1 task\nwould keep as they are: 1 task\n\
                     would leave out: 1 task\n";
        assert_eq!(told(true), would);
        let done = "added nothing\nreplaced: 1 task\nkept as they were: 1 task\nleft out: 1 task\n";
        assert_eq!(told(false), done);
    }
}
