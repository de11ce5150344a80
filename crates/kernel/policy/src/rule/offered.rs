//! The tool is one that the caller was offered.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "offered";

/// A name that was guessed, or read somewhere, opens nothing that the profile does not list.
pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let tool = request.terms.tool;
    if snapshot.rights.offer(tool) {
        return Verdict::Pass;
    }
    let message = format!("{tool} is not among the tools of this agent");
    let hint = "do it with a tool that was offered, or say that it cannot be done";
    Verdict::Deny(Denial::of(Code::CapabilityMissing, message, hint))
}
