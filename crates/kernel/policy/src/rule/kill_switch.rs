//! Nothing is done while everything is stopped.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "kill_switch";

pub(crate) fn check(_: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    if !snapshot.global_fence.closed {
        return Verdict::Pass;
    }
    let message = "all agents are stopped by the kill switch";
    let hint = "stop here; what is left is done when the switch is lifted";
    Verdict::Deny(Denial { retryable: true, ..Denial::of(Code::KillSwitchOn, message, hint) })
}
