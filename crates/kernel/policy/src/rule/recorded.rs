//! What was done before is answered from the record, and its name stands for nothing else.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "recorded";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let Some(earlier) = &snapshot.earlier else { return Verdict::Pass };
    let same = earlier.tool == request.terms.tool
        && earlier.agent == Some(request.agent)
        && earlier.same_arguments;
    if !same {
        let message =
            format!("another call has the name that this call of {} came with", request.terms.tool);
        let hint = "name the call by what it is to do";
        return Verdict::Deny(Denial::of(Code::Conflict, message, hint));
    }
    if earlier.done { Verdict::Recorded } else { Verdict::Pass }
}
