//! Who is paused or over asks nothing.

use types::{Code, Lifecycle};

use crate::Denial;
use crate::inference::{Request, Snapshot};

pub(crate) const NAME: &str = "lifecycle";

pub(crate) fn check(request: &Request<'_>, snapshot: &Snapshot<'_>) -> Result<(), Denial> {
    let agent = request.agent;
    match snapshot.lifecycle {
        Lifecycle::Created | Lifecycle::Active => Ok(()),
        Lifecycle::Dormant { cause } => {
            let message = format!("{agent} is dormant ({})", cause.as_str());
            let hint = format!("`dormouse agent resume {agent}` lets it go on");
            Err(Denial { retryable: true, ..Denial::of(Code::AgentStopped, message, hint) })
        }
        Lifecycle::Destroyed { .. } => {
            let message = format!("{agent} was destroyed");
            Err(Denial::of(Code::AgentDestroyed, message, "create another agent"))
        }
    }
}
