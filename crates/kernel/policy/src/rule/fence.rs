//! The caller's claim still holds.

use types::Code;

use crate::{Denial, Request, Snapshot, Verdict};

pub(crate) const NAME: &str = "fence";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Verdict {
    let fences = [snapshot.global_fence, snapshot.agent_fence];
    if fences.iter().all(|fence| fence.admits(request.epoch)) {
        return Verdict::Pass;
    }
    let message = "this agent was stopped, or its run was taken over";
    let hint = "stop here; whoever has the run now carries on";
    Verdict::Deny(Denial::of(Code::Fenced, message, hint))
}
