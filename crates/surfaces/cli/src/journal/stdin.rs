//! Words that may come from standard input.

use std::io::{self, IsTerminal, Read};

use api_types::ProblemReply;

use crate::screen::Screen;

/// Bytes that are taken at once: a long list, not an archive.
const BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The words that were given; `-`, or none while something is piped in, reads standard input.
pub(crate) fn words(given: Option<String>, what: &str) -> Result<String, ProblemReply> {
    match given {
        Some(text) if text != "-" => Ok(text),
        None if io::stdin().is_terminal() => Err(refused(
            format!("it does not say {what}"),
            "write it behind the command, or pipe it in",
        )),
        _ => text(),
    }
}

/// What somebody types or pipes in, up to the end of it. Who types is told how it ends.
pub(crate) fn typed(screen: &Screen, what: &str) -> Result<String, ProblemReply> {
    if io::stdin().is_terminal() {
        screen.say(&format!("write {what}, then end with Ctrl-D"));
    }
    text()
}

/// A text from standard input. What cannot be read is refused whole, so that nobody believes it was
/// kept.
fn text() -> Result<String, ProblemReply> {
    let mut bytes = Vec::new();
    let whole = io::stdin().lock().take(BYTES_MAX + 1).read_to_end(&mut bytes);
    whole.map_err(|error| {
        let message = format!("standard input cannot be read: {error}");
        refused(message, "nothing was taken; try again")
    })?;
    if bytes.len() as u64 > BYTES_MAX {
        let message = format!("the input has more than {BYTES_MAX} bytes; nothing was taken");
        return Err(refused(message, "give it in parts"));
    }
    String::from_utf8(bytes).map(|text| text.trim_start_matches('\u{feff}').to_owned()).map_err(
        |error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
            let message = format!("line {line} is not UTF-8; nothing was taken");
            refused(message, "write it in UTF-8 first, for example with iconv")
        },
    )
}

fn refused(message: String, hint: &str) -> ProblemReply {
    ProblemReply { code: "wrong_usage".to_owned(), message, hint: hint.to_owned() }
}
