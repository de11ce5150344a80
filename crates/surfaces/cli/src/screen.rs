//! Where the command line writes.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal, Write};

use api_types::ProblemReply;
use serde::Serialize;
use serde_json::json;

use crate::paint::{self, Tone, paint};

/// stdout for data, stderr for talk.
pub(crate) struct Screen {
    out: RefCell<Box<dyn Write>>,
    err: RefCell<Box<dyn Write>>,
    json: bool,
    /// Whether answers and complaints are in colours.
    colours: (bool, bool),
    /// Answers go to somebody's eyes, not into a file or to a program.
    seen: bool,
    /// Why an answer did not arrive, if one did not.
    lost: RefCell<Option<io::Error>>,
    /// What is to be written later, in its order, while it is held back.
    held: RefCell<Option<Vec<(Stream, String)>>>,
}

/// Where something is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

impl Screen {
    pub(crate) fn terminal(json: bool) -> Screen {
        let (out, err) = (io::stdout(), io::stderr());
        let set = |name: &str| std::env::var_os(name);
        let (seen, told) = (out.is_terminal(), err.is_terminal());
        let colours = (colours(seen, set), colours(told, set));
        let (out, err) = (RefCell::new(Box::new(out) as _), RefCell::new(Box::new(err) as _));
        Screen { out, err, json, colours, seen, lost: RefCell::new(None), held: RefCell::new(None) }
    }

    /// Shows an answer: as JSON, or as the text made for people.
    pub(crate) fn show<T: Serialize>(&self, answer: &T, text: impl FnOnce(&T) -> String) {
        if self.json {
            self.show_json(answer);
        } else {
            self.write(&paint::shown(&text(answer), self.colours.0));
        }
    }

    /// Shows an answer whose text is a file: not a letter of it is made prettier.
    pub(crate) fn show_as_is<T: Serialize>(&self, answer: &T, text: &str) {
        if self.json {
            self.show_json(answer);
        } else {
            self.write_bytes(text.as_bytes());
        }
    }

    /// Shows an answer that is for programs, whatever was asked for.
    pub(crate) fn show_json<T: Serialize>(&self, answer: &T) {
        let answer = serde_json::to_string(answer).expect("answers are JSON");
        self.write(&(paint::plain_json(&answer) + "\n"));
    }

    /// Writes bytes as they are: a script, an export. On a terminal, what would command it is shown.
    pub(crate) fn write_bytes(&self, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        match self.seen {
            true => self.write(&paint::shown(&text, false)),
            false => self.write(&text),
        }
    }

    /// Writes a piece of what somebody says, as it comes.
    pub(crate) fn write_words(&self, words: &str) {
        self.write(&paint::shown(words, false));
    }

    fn write(&self, shown: &str) {
        self.put(Stream::Out, shown);
    }

    /// Holds back what is written from now on, until it is released. A reader may be slow, as somebody
    /// who turns pages is, and nobody else should wait for them meanwhile.
    pub(crate) fn hold(&self) {
        *self.held.borrow_mut() = Some(Vec::new());
    }

    /// Writes what was held back.
    pub(crate) fn release(&self) {
        let held = self.held.borrow_mut().take();
        for (stream, text) in held.unwrap_or_default() {
            self.put(stream, &text);
        }
    }

    fn put(&self, stream: Stream, text: &str) {
        if let Some(held) = self.held.borrow_mut().as_mut() {
            return held.push((stream, text.to_owned()));
        }
        let to = if stream == Stream::Out { &self.out } else { &self.err };
        let mut to = to.borrow_mut();
        let written = to.write_all(text.as_bytes()).and_then(|()| to.flush());
        // Whoever reads may have gone away, as `head` does; that is no failure of ours. If nobody hears
        // what goes wrong, there is nobody to tell.
        if let Err(error) = written
            && stream == Stream::Out
            && error.kind() != ErrorKind::BrokenPipe
        {
            self.lost.borrow_mut().get_or_insert(error);
        }
    }

    /// Whether all answers arrived where they were to go.
    ///
    /// # Errors
    /// If one did not: a file that is cut off must not look like a whole one.
    pub(crate) fn arrived(&self) -> Result<(), ProblemReply> {
        match self.lost.borrow().as_ref() {
            None => Ok(()),
            Some(error) => Err(ProblemReply {
                code: "store_io".to_owned(),
                message: format!("the answer could not be written: {error}"),
                hint: "what you asked for was done; what was written of the answer is not whole"
                    .to_owned(),
            }),
        }
    }

    /// Whether answers are for somebody who looks on.
    pub(crate) fn is_watched(&self) -> bool {
        self.seen && !self.json
    }

    /// Whether answers are for programs.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Asks something that is answered on the same line.
    pub(crate) fn ask(&self, question: &str) {
        self.put(Stream::Err, &paint::shown(question, false));
    }

    /// Says something besides.
    pub(crate) fn say(&self, line: &str) {
        self.put(Stream::Err, &paint::shown(&format!("dormouse: {line}\n"), false));
    }

    /// Says that an earlier answer comes again: what is asked for now may be something else.
    pub(crate) fn say_repeated(&self) {
        self.say("this request id was used before: nothing was changed, the first answer stands");
    }

    /// Says what went wrong.
    pub(crate) fn fail(&self, problem: &ProblemReply) {
        if self.json {
            let problem = json!({ "error": problem }).to_string();
            return self.put(Stream::Err, &(paint::plain_json(&problem) + "\n"));
        }
        let ProblemReply { code, message, hint } = problem;
        self.complain(&format!(
            "error: {message}\n  code: {code} (see docs/errors/{code}.md)\n  hint: {hint}\n"
        ));
    }

    /// Says a text that is a complaint already.
    pub(crate) fn complain(&self, text: &str) {
        let text = match text.strip_prefix("error:") {
            Some(rest) => paint(Tone::Bad, "error:") + rest,
            None => text.to_owned(),
        };
        self.put(Stream::Err, &paint::shown(&text, self.colours.1));
    }
}

/// Whether whoever reads wants colours: a terminal that has them, unless somebody said otherwise. Who
/// wants none has the last word.
fn colours(terminal: bool, set: impl Fn(&str) -> Option<OsString>) -> bool {
    let said = |name: &str| set(name).filter(|value| !value.is_empty());
    let dumb = said("TERM").is_some_and(|term| term == "dumb");
    let unwanted = said("CLICOLOR").is_some_and(|value| value == "0");
    let forced = said("CLICOLOR_FORCE").is_some_and(|value| value != "0");
    said("NO_COLOR").is_none() && (forced || (terminal && !dumb && !unwanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_and_for_whoever_insists_and_never_for_who_wants_none() {
        for (terminal, set, expected) in [
            (true, &[][..], true),
            (false, &[], false),
            (true, &[("NO_COLOR", "1")], false),
            (true, &[("NO_COLOR", "")], true),
            (true, &[("TERM", "dumb")], false),
            (true, &[("CLICOLOR", "0")], false),
            (false, &[("CLICOLOR_FORCE", "1")], true),
            (false, &[("CLICOLOR_FORCE", "0")], false),
            (true, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        ] {
            let value = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            };
            assert_eq!(colours(terminal, value), expected, "{terminal} {set:?}");
        }
    }
}
