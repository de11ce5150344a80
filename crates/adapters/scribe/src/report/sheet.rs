//! A sheet of bounded size on which every line is a claim.

use serde_json::{Value, json};
use types::RecordId;

use crate::limits::{CLAIMS_MAX, LINE_BYTES_MAX, REPORT_BYTES_MAX, SECTION_LINES_MAX, SOURCES_MAX};
use crate::plain::{cut, line as one_line, markdown};

use super::private::Private;

/// Room for saying that there is more, and for the last line.
const MORE_BYTES: usize = 48;

/// Bytes of one line: a title with a quotation fits.
const WORDS_BYTES_MAX: usize = 2 * LINE_BYTES_MAX;

/// What stands under every report, so that nobody takes it for more than it is.
const FOOT: &str = "\n*Put together by scribe, Dormouse's built-in rule-based model.*\n";

/// One line of a report, and what it claims.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    /// What it begins with, in Markdown.
    mark: &'a str,
    /// What it shows.
    words: &'a str,
    /// What it claims.
    said: &'a str,
    /// What it rests on; if nothing is named, the task.
    sources: &'a [RecordId],
    /// It was concluded, not read.
    inferred: bool,
}

impl<'a> Line<'a> {
    /// A line of a list that was read from these records.
    pub(super) fn read(words: &'a str, sources: &'a [RecordId]) -> Line<'a> {
        Line { mark: "- ", words, said: words, sources, inferred: false }
    }

    /// The same with another beginning, and with the claim in words of its own.
    pub(super) fn marked(self, mark: &'a str, said: &'a str) -> Line<'a> {
        Line { mark, said, ..self }
    }

    /// The same, concluded.
    pub(super) fn concluded(self) -> Line<'a> {
        Line { inferred: true, ..self }
    }
}

/// A report being written. What has no room is counted and said.
pub(super) struct Sheet {
    /// What a claim rests on if its own record has no name.
    subject: RecordId,
    private: Private,
    text: String,
    claims: Vec<Value>,
    section: &'static str,
    lines: usize,
    left_out: usize,
}

impl Sheet {
    /// A sheet with a heading, about a record, on which nothing private comes.
    pub(super) fn headed(heading: &str, subject: RecordId, private: Private) -> Sheet {
        let heading = if private.holds(heading) { "Report" } else { heading };
        Sheet {
            subject,
            private,
            text: format!("# {}\n", markdown(&one_line(heading, LINE_BYTES_MAX))),
            claims: Vec::new(),
            section: "",
            lines: 0,
            left_out: 0,
        }
    }

    /// Begins a section; its heading comes with its first line.
    pub(super) fn section(&mut self, name: &'static str) {
        self.end_section();
        (self.section, self.lines, self.left_out) = (name, 0, 0);
    }

    /// Writes a line, unless there is no room for it. Whatever its words are, they stay on it and mean
    /// nothing to Markdown.
    pub(super) fn put(&mut self, line: &Line<'_>) {
        let shown = format!("{}{}", line.mark, markdown(&one_line(line.words, WORDS_BYTES_MAX)));
        let heading = match (self.lines, self.section) {
            (0, "Status") => "\n".to_owned(),
            (0, section) => format!("\n## {section}\n\n"),
            _ => String::new(),
        };
        let room = REPORT_BYTES_MAX - FOOT.len() - MORE_BYTES;
        let private = self.private.holds(line.words) || self.private.holds(line.said);
        let fits = self.text.len() + heading.len() + shown.len() < room;
        if private || !fits || self.lines >= SECTION_LINES_MAX || self.claims.len() >= CLAIMS_MAX {
            self.left_out += 1;
            return;
        }
        self.text = format!("{}{heading}{shown}\n", self.text);
        self.lines += 1;
        self.claims.push(self.claim(line));
    }

    fn claim(&self, line: &Line<'_>) -> Value {
        let inferred = line.inferred;
        let named: Vec<&RecordId> = match line.sources {
            [] if inferred => Vec::new(),
            [] => vec![&self.subject],
            some => some.iter().take(SOURCES_MAX).collect(),
        };
        let text = one_line(line.said, WORDS_BYTES_MAX);
        json!({ "text": text, "section": self.section, "sources": named, "inferred": inferred })
    }

    fn end_section(&mut self) {
        let more = match (self.left_out, self.lines, self.section) {
            (0, ..) | (_, 0, "" | "Status") => return,
            (left_out, 0, section) => {
                format!("\n## {section}\n\n- … and {left_out} that are not shown\n")
            }
            (left_out, ..) => format!("- … and {left_out} more\n"),
        };
        if self.text.len() + more.len() + FOOT.len() <= REPORT_BYTES_MAX {
            self.text.push_str(&more);
        }
    }

    /// The words and the claims.
    pub(super) fn finish(mut self) -> (String, Vec<Value>) {
        self.end_section();
        let room = REPORT_BYTES_MAX - FOOT.len();
        (cut(&self.text, room) + FOOT, self.claims)
    }
}
