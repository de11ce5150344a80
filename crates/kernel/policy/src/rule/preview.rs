//! A preview is asked only of a tool that has one.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "preview";

pub(crate) fn check(request: &Request<'_>, _: &Snapshot<'_>) -> Verdict {
    if !request.preview || request.terms.preview {
        return Verdict::Pass;
    }
    let message = format!("{} cannot show what it would do", request.terms.tool);
    let hint = "call it without a preview, or not at all; nothing was done";
    Verdict::Deny(Denial::of(Code::PreviewNotOffered, message, hint))
}
