//! The class of the tool is not stopped. A class is what a tool needs to be used: stopping one stops all
//! that need it.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "tool_class";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let terms = &request.terms;
    let stopped = terms.capabilities.iter().find(|class| snapshot.stopped.contains(class));
    let Some(stopped) = stopped else { return Verdict::Pass };
    let message =
        format!("all tools that need {} are stopped, and so {}", stopped.as_str(), terms.tool);
    let hint = "go on without it, and say what is left to be done";
    let denial = Denial::of(Code::ToolClassStopped, message, hint);
    Verdict::Deny(Denial { retryable: true, ..denial })
}
