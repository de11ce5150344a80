//! The arguments are those that the tool takes.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "schema";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let Some(first) = snapshot.complaints.first() else { return Verdict::Pass };
    let tool = request.terms.tool;
    let message = match &first.field {
        Some(field) => format!("the argument {field} of {tool} is wrong: {}", first.what),
        None => format!("the arguments of {tool} are wrong: {}", first.what),
    };
    let hint = "call it again with arguments that its schema allows";
    let complaints = snapshot.complaints.to_vec();
    Verdict::Deny(Denial { complaints, ..Denial::of(Code::BadArguments, message, hint) })
}
