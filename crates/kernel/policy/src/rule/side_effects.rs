//! A tool writes what its contract names, and nothing else.

use types::{Code, Domain};

use crate::{Denial, Request, Snapshot, Verdict, Written};

pub(crate) const NAME: &str = "side_effects";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let Some(plan) = snapshot.plan else { return Verdict::NeedsPlan };
    let promised = |written: &Written| match written {
        Written::Record(kind) => {
            request.terms.kinds.contains(kind) && kind.domain() == Domain::Journal
        }
        Written::Link => !request.terms.kinds.is_empty(),
        Written::Other => false,
    };
    if plan.writes.iter().all(promised) {
        return Verdict::Pass;
    }
    // A fault of the tool and not of the caller, who can do nothing about it.
    let message = format!("{} would write what its contract does not name", request.terms.tool);
    let hint = "do without it; the tool has to be mended";
    Verdict::Deny(Denial::of(Code::InvalidRecord, message, hint))
}
