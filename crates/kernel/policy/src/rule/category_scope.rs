//! Everything that is named is there, and lies in the caller's categories, where it was and where it goes.

use types::{Code, Domain};

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "category_scope";

/// What belongs to no category belongs to all who have one; whoever has none has no part in the journal. The
/// denial says nothing of what was found, and what was not found is denied in the same words: whoever may not see a
/// record does not learn that there is one.
pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let Some(plan) = snapshot.plan else { return Verdict::NeedsPlan };
    let mut touched = plan.targets.iter().flatten().chain(&plan.destinations);
    let nothing = plan.targets.is_empty() && plan.writes.is_empty();
    let apart = request.scope.is_empty() && plan.domain == Domain::Journal && !nothing;
    if !plan.missed && !apart && touched.all(|category| request.scope.contains(category)) {
        return Verdict::Pass;
    }
    let message = format!(
        "{} names what is not there, or would touch what lies outside of this agent's categories",
        request.terms.tool
    );
    let hint = "use the ids that you were shown, or that your tools tell, and keep to the categories of this agent";
    Verdict::Deny(Denial::of(Code::OutOfScope, message, hint))
}
