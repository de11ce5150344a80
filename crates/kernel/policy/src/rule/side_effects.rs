//! A tool writes what its contract names, and nothing else.

use types::{Code, Domain};

use crate::{Denial, Request, Snapshot, Verdict, Written};

pub(crate) const NAME: &str = "side_effects";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let Some(plan) = snapshot.plan else { return Verdict::NeedsPlan };
    let kinds = request.terms.kinds;
    let writes_there = kinds.iter().any(|kind| kind.domain() == plan.domain);
    let promised = |written: &Written| match written {
        Written::Record(kind) => kinds.contains(kind) && kind.domain() == plan.domain,
        Written::Link => writes_there,
        Written::Beside => writes_there && plan.domain == Domain::Agent,
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
