//! What changes something has a name, by which it is done once.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "operation_id";

pub(crate) fn check(request: &Request<'_>, _: &Snapshot<'_>) -> Verdict {
    if !request.changes() || request.operation.is_some() {
        return Verdict::Pass;
    }
    let message =
        format!("{} changes something and came without an operation id", request.terms.tool);
    let hint = "name the call before it is made";
    Verdict::Deny(Denial::of(Code::OperationIdMissing, message, hint))
}
