//! How people name a record: by its id, or by the end of it; and a run by the beginning of its name.

use types::{RecordId, RunKey};

/// The shortest ending of an id that names it.
pub const ENDING_MIN: usize = 4;

/// What a text names a record by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Naming {
    /// Its id.
    Whole(RecordId),
    /// The last characters of its id; it may be the end of more than one, or of none.
    Ending(String),
}

/// How a text names a record of a kind whose ids begin with this prefix; nothing if it can name none.
#[must_use]
pub fn naming(prefix: &str, text: &str) -> Option<Naming> {
    let text = text.trim();
    let id: RecordId = text.parse().ok()?;
    let is_whole = text.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('_'));
    match is_whole {
        true => Some(Naming::Whole(id)),
        false => (text.len() >= ENDING_MIN).then(|| Naming::Ending(text.to_owned())),
    }
}

/// Whether a text names a run whose name begins so. A name that is left out by mistake names none.
#[must_use]
pub fn begins_so(run: &RunKey, text: &str) -> bool {
    text.len() >= ENDING_MIN && run.to_string().starts_with(text)
}

/// What helps whoever wrote something that names nothing: that it is too short, or else what is given here.
#[must_use]
pub fn way_out(text: &str, otherwise: &'static str) -> &'static str {
    const { assert!(ENDING_MIN == 4, "the words below say four") };
    let text = text.trim();
    match !text.is_empty() && text.len() < ENDING_MIN {
        true => "write four or more of the last characters of its id",
        false => otherwise,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_named_by_its_id_or_by_the_end_of_it() {
        let whole = |id: &str| Some(Naming::Whole(id.parse().unwrap()));
        let ending = |end: &str| Some(Naming::Ending(end.to_owned()));
        assert_eq!(naming("task", " task_01m7 "), whole("task_01m7"));
        assert_eq!(naming("task", "rt4rrj"), ending("rt4rrj"));
        assert_eq!(naming("task", "tasks"), ending("tasks"));
        assert_eq!(naming("task", "agent_01m7"), ending("agent_01m7"));
        for text in ["", "rrj", "RT4RRJ", "rt 4rrj", "%%%%"] {
            assert_eq!(naming("task", text), None, "{text:?}");
        }
    }

    #[test]
    fn a_run_is_named_by_the_beginning_of_its_name_and_not_by_nothing() {
        let run = RunKey(types::Digest::from_bytes([0xab; 32]));
        for text in ["abab", "ababa", &run.to_string()] {
            assert!(begins_so(&run, text), "{text}");
        }
        for text in ["", "a", "aba", "baba"] {
            assert!(!begins_so(&run, text), "{text:?}");
        }
    }

    #[test]
    fn who_writes_too_little_of_an_id_is_told_so() {
        assert_eq!(way_out(" rrj ", "look"), "write four or more of the last characters of its id");
        assert_eq!((way_out("", "look"), way_out("4rrj", "look")), ("look", "look"));
    }
}
