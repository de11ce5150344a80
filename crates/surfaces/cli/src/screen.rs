//! Where the command line writes.

use std::cell::RefCell;
use std::io::{self, Write};

use api_types::ProblemReply;
use serde::Serialize;
use serde_json::json;

/// stdout for data, stderr for talk.
pub(crate) struct Screen {
    out: RefCell<Box<dyn Write>>,
    err: RefCell<Box<dyn Write>>,
    json: bool,
}

impl Screen {
    pub(crate) fn terminal(json: bool) -> Screen {
        let (out, err) = (Box::new(io::stdout()), Box::new(io::stderr()));
        Screen { out: RefCell::new(out), err: RefCell::new(err), json }
    }

    /// Shows an answer: as JSON, or as the text made for people.
    pub(crate) fn show<T: Serialize>(&self, answer: &T, text: impl FnOnce(&T) -> String) {
        let shown = if self.json {
            serde_json::to_string(answer).expect("answers are JSON") + "\n"
        } else {
            text(answer)
        };
        // Whoever reads may have gone away, as `head` does; that is no failure of ours.
        let mut out = self.out.borrow_mut();
        let _ = out.write_all(shown.as_bytes()).and_then(|()| out.flush());
    }

    /// Says something besides.
    pub(crate) fn say(&self, line: &str) {
        let _ = writeln!(self.err.borrow_mut(), "dormouse: {line}");
    }

    /// Says what went wrong.
    pub(crate) fn fail(&self, problem: &ProblemReply) {
        let mut err = self.err.borrow_mut();
        let _ = if self.json {
            writeln!(err, "{}", json!({ "error": problem }))
        } else {
            let ProblemReply { code, message, hint } = problem;
            writeln!(
                err,
                "error: {message}\n  code: {code} (see docs/errors/{code}.md)\n  hint: {hint}"
            )
        };
    }
}
