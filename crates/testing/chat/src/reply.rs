//! What the server is to answer.

use std::time::Duration;

use serde_json::{Value, json};

/// What the server is to answer, and how.
#[derive(Debug, Clone)]
pub struct Reply {
    pub(crate) what: What,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) manner: Manner,
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    /// An answer, streamed or not, as the request wants it.
    Said(Said),
    /// These bytes.
    Raw { status: u16, content_type: &'static str, bytes: Vec<u8> },
    /// Nothing, and the connection stays open.
    Hang,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    pub(crate) text: Option<String>,
    /// Id, function and arguments, which are a text and need not be JSON.
    pub(crate) calls: Vec<(String, String, String)>,
    pub(crate) finish: Option<String>,
    pub(crate) usage: Option<(u64, u64)>,
    pub(crate) breaks: Option<Value>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Manner {
    /// Whole.
    AtOnce,
    /// So many bytes of the body, then the connection breaks.
    Cut { bytes: usize },
    /// In pieces of so many bytes, with so much time before each.
    Pieces { bytes: usize, pause: Duration },
}

impl Reply {
    fn of(what: What) -> Reply {
        Reply { what, headers: Vec::new(), manner: Manner::AtOnce }
    }

    /// Words.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Reply {
        Reply::of(What::Said(Said { text: Some(text.into()), ..Said::default() }))
    }

    /// A call of a function.
    #[must_use]
    pub fn call(id: impl Into<String>, function: &str, arguments: &Value) -> Reply {
        Reply::of(What::Said(Said::default())).and_call(id, function, arguments.to_string())
    }

    /// Nothing at all, which no model should say.
    #[must_use]
    pub fn nothing() -> Reply {
        Reply::of(What::Said(Said::default()))
    }

    /// Another call, whose arguments may be any text.
    #[must_use]
    pub fn and_call(
        self,
        id: impl Into<String>,
        function: &str,
        arguments: impl Into<String>,
    ) -> Reply {
        self.said(|said| said.calls.push((id.into(), function.to_owned(), arguments.into())))
    }

    /// Why it stops; what fits what it says, if this is not said.
    #[must_use]
    pub fn finish(self, reason: &str) -> Reply {
        self.said(|said| said.finish = Some(reason.to_owned()))
    }

    /// What it says that it spent.
    #[must_use]
    pub fn usage(self, input: u64, output: u64) -> Reply {
        self.said(|said| said.usage = Some((input, output)))
    }

    /// After its words a stream tells of an error instead of its end.
    #[must_use]
    pub fn then_error(self, kind: &str, code: Option<&str>, message: &str) -> Reply {
        let error = json!({"message": message, "type": kind, "param": null, "code": code});
        self.said(|said| said.breaks = Some(json!({ "error": error })))
    }

    /// Any answer.
    #[must_use]
    pub fn raw(status: u16, content_type: &'static str, bytes: impl Into<Vec<u8>>) -> Reply {
        Reply::of(What::Raw { status, content_type, bytes: bytes.into() })
    }

    /// No answer ever.
    #[must_use]
    pub fn hang() -> Reply {
        Reply::of(What::Hang)
    }

    /// With this in its head.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Reply {
        self.headers.push((name, value.into()));
        self
    }

    /// The connection breaks after so many bytes of the body.
    #[must_use]
    pub fn cut_after(self, bytes: usize) -> Reply {
        Reply { manner: Manner::Cut { bytes }, ..self }
    }

    /// The body comes in pieces of so many bytes.
    #[must_use]
    pub fn in_pieces(self, bytes: usize) -> Reply {
        self.slowly(bytes, Duration::ZERO)
    }

    /// The body comes in pieces of so many bytes, with so much time before each.
    #[must_use]
    pub fn slowly(self, bytes: usize, pause: Duration) -> Reply {
        Reply { manner: Manner::Pieces { bytes: bytes.max(1), pause }, ..self }
    }

    fn said(mut self, change: impl FnOnce(&mut Said)) -> Reply {
        if let What::Said(said) = &mut self.what {
            change(said);
        }
        self
    }
}
