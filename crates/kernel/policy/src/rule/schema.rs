//! The arguments are those that the tool takes.

use types::{Code, Idempotency};

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "schema";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let Some(first) = snapshot.complaints.first() else { return Verdict::Pass };
    let tool = request.terms.tool;
    let message = match &first.field {
        Some(field) => format!("the argument {field} of {tool} is wrong: {}", first.what),
        None => format!("the arguments of {tool} are wrong: {}", first.what),
    };
    let complaints = snapshot.complaints.to_vec();
    let changes = request.terms.idempotency != Idempotency::ReadOnly;
    // What is to be changed has to be certain, whatever else is wrong.
    let (code, hint) = match changes && complaints.iter().any(|complaint| complaint.is_uncertain) {
        true => (Code::UnsafeTarget, "name what is to be changed by its whole id"),
        false => (Code::BadArguments, "call it again with arguments that its schema allows"),
    };
    Verdict::Deny(Denial { complaints, ..Denial::of(code, message, hint) })
}
