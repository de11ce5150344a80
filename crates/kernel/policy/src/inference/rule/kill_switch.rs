//! No model is asked while everything is stopped.

use types::Code;

use crate::Denial;
use crate::inference::{Request, Snapshot};

pub(crate) const NAME: &str = "kill_switch";

pub(crate) fn check(_: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<(), Denial> {
    if !snapshot.global_fence.closed {
        return Ok(());
    }
    let message = "all agents are stopped by the kill switch";
    let hint = "`dormouse kill off` lifts it; what is left is done then";
    Err(Denial { retryable: true, ..Denial::of(Code::KillSwitchOn, message, hint) })
}
