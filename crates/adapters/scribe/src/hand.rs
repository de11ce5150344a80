//! What is asked of tools in one answer.

use model::{AskedCall, Request};
use serde_json::Value;

use crate::course::Course;

/// Why a call was not asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Withheld {
    /// The tool is not offered, or not in this wake.
    NotOffered,
    /// The same call failed before: asking again would only annoy.
    FailedBefore,
}

/// The calls of one answer.
pub(crate) struct Hand<'a> {
    request: &'a Request,
    course: &'a Course<'a>,
    calls: Vec<AskedCall>,
}

impl<'a> Hand<'a> {
    /// An empty one.
    pub(crate) fn new(request: &'a Request, course: &'a Course<'a>) -> Hand<'a> {
        Hand { request, course, calls: Vec::new() }
    }

    /// Whether a tool may be called.
    pub(crate) fn may(&self, tool: &str) -> bool {
        let offered = self.request.tools.iter().any(|spec| spec.name == tool);
        let allowed = self.request.allowed.as_ref();
        offered && allowed.is_none_or(|names| names.iter().any(|name| name == tool))
    }

    /// Asks for a call. Its name is its place in the turn, so the same turn gives the same names.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Result<(), Withheld> {
        if !self.may(tool) {
            return Err(Withheld::NotOffered);
        }
        if self.course.failed_before(tool, &arguments) {
            return Err(Withheld::FailedBefore);
        }
        let place = self.course.calls.len() + self.calls.len() + 1;
        let (id, tool) = (format!("scribe-{place}"), tool.to_owned());
        self.calls.push(AskedCall { id, tool, arguments: Ok(arguments) });
        Ok(())
    }

    /// What was asked for.
    pub(crate) fn calls(self) -> Vec<AskedCall> {
        self.calls
    }
}
