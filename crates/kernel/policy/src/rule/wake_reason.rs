//! The tool is for wakes of this kind.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "wake_reason";

pub(crate) fn check(request: &Request<'_>, _: &Snapshot<'_>) -> Verdict {
    if request.terms.wake_reasons.contains(&request.wake_reason) {
        return Verdict::Pass;
    }
    let message =
        format!("{} is not for a {} wake", request.terms.tool, request.wake_reason.as_str());
    let hint = "leave it to a wake in which it may be used";
    Verdict::Deny(Denial::of(Code::WakeReasonNotAllowed, message, hint))
}
