//! The caller's profile holds what the tool needs.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "capability";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let terms = &request.terms;
    let Some(missing) = snapshot.rights.missing(terms.capabilities) else { return Verdict::Pass };
    let message =
        format!("{} needs {}, which this agent does not have", terms.tool, missing.as_str());
    let hint = "do it with a tool that was offered, or say that it cannot be done";
    Verdict::Deny(Denial::of(Code::CapabilityMissing, message, hint))
}
