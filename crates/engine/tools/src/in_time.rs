//! Waiting for what a tool would do, and no longer than its call may take.

use std::collections::BTreeSet;
use std::future::poll_fn;
use std::task::Poll;

use rules::planted::{self, Fault};
use serde_json::json;
use tool::{Call, Failure, Planned, Target};
use types::Code;

use crate::Executor;
use crate::registry::Entry;

impl Executor {
    /// What a tool would do for a call, and all that it looked at. This is the one place where a tool is asked: one that
    /// does not answer in time is given up, wherever it is asked from. It plans and never acts, so that nothing of it
    /// is left behind; what it had looked at by then is not known, and it is judged as if that were nothing.
    ///
    /// Time is looked at only by those who have to wait at all: most tools answer at once.
    pub(crate) async fn ask_tool(
        &self,
        entry: &Entry,
        call: &Call,
    ) -> (BTreeSet<Target>, Result<Planned, Failure>) {
        let limit_ms = entry.tool.manner().limit_ms;
        let (mut planning, mut passing) = (entry.tool.plan(call), None);
        let planned = poll_fn(|context| {
            if let Poll::Ready(planned) = planning.as_mut().poll(context) {
                return Poll::Ready(Some(planned));
            }
            if planted::is(Fault::WaitedForEver) {
                return Poll::Pending;
            }
            let passing = passing.get_or_insert_with(|| self.world.pass(limit_ms));
            passing.as_mut().poll(context).map(|()| None)
        });
        let planned = planned.await;
        planned.unwrap_or_else(|| (BTreeSet::new(), Err(given_up(entry.contract().name, limit_ms))))
    }
}

/// Whether a tool was given up: a call of it is not tried again unless somebody asks for it again.
pub(crate) fn is_given_up(failure: &Failure) -> bool {
    failure.kind == Code::ToolTimedOut
}

fn given_up(tool: &str, limit_ms: u64) -> Failure {
    let message =
        format!("{tool} did not answer within {limit_ms} ms and was given up; nothing was done");
    let hint = "go on without it, or make the same call again later";
    let failure = Failure::of(Code::ToolTimedOut, message, hint);
    Failure { retryable: true, details: Some(json!({ "limitMs": limit_ms })), ..failure }
}
