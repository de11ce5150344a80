//! The tool is not called more often than it may be.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "quota";

/// A preview takes nothing, and neither does a call that was counted when it was tried before.
pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let tool = request.terms.tool;
    let Some(quota) = snapshot.rights.quotas.get(tool) else { return Verdict::Pass };
    let taken = u32::from(!request.preview && !snapshot.counts.counted);
    if quota.admits(&snapshot.counts, taken, taken) {
        return Verdict::Pass;
    }
    let message = format!("{tool} was called as often as this agent may");
    let hint = "go on without it; it can be called again in another session or on another day";
    Verdict::Deny(Denial::of(Code::ToolQuotaExceeded, message, hint))
}
