//! Tools that do not answer now and then: whoever asks them has to give them up by itself.

use std::sync::Arc;

use tool::{Call, Contract, Failure, Manner, Planning, Tool};
use types::{ActionType, AgentId, RunKey};

use crate::book::Hung;
use crate::shared::Shared;

/// The same tools, in a world in which some of their plans never come.
pub(crate) fn hanging(tools: Vec<Arc<dyn Tool>>, shared: &Arc<Shared>) -> Vec<Arc<dyn Tool>> {
    let hanging =
        |tool| -> Arc<dyn Tool> { Arc::new(Hanging { tool, shared: Arc::clone(shared) }) };
    tools.into_iter().map(hanging).collect()
}

struct Hanging {
    tool: Arc<dyn Tool>,
    shared: Arc<Shared>,
}

impl Tool for Hanging {
    fn contract(&self) -> &Contract {
        self.tool.contract()
    }

    fn action(&self) -> ActionType {
        self.tool.action()
    }

    fn manner(&self) -> Manner {
        self.tool.manner()
    }

    fn plan<'a>(&'a self, call: &'a Call) -> Planning<'a> {
        let Some(looks_first) = self.shared.hangs_now() else {
            self.shared.book().plans(call);
            return self.tool.plan(call);
        };
        let hang = Hang::begin(&self.shared, call, self.tool.manner().limit_ms);
        Box::pin(async move {
            if looks_first {
                // What it has found out is lost with it.
                drop(self.tool.plan(call).await);
            }
            let never = std::future::pending().await;
            drop(hang);
            never
        })
    }

    fn objection(&self, call: &Call, answer: &[Call]) -> Option<Failure> {
        self.tool.objection(call, answer)
    }
}

/// A plan that never comes, as long as somebody waits for it.
struct Hang {
    shared: Arc<Shared>,
    agent: AgentId,
    run: RunKey,
    until_ms: i64,
}

/// How much later than it should somebody may be given up: others take their time in between.
const LATE_MS: i64 = 1_000;

impl Hang {
    fn begin(shared: &Arc<Shared>, call: &Call, limit_ms: u64) -> Hang {
        let name = shared.book().name(&call.agent);
        shared.tell(&format!("  {} {} of {name} hangs", call.tool, call.id));
        let (tool, arguments) = (call.tool.clone(), call.arguments.clone());
        shared.book().hangs(call, Hung { tool, arguments });
        let until_ms = shared.elapsed_ms() + i64::try_from(limit_ms).unwrap_or(i64::MAX);
        Hang { shared: Arc::clone(shared), agent: call.agent.clone(), run: call.run, until_ms }
    }
}

impl Drop for Hang {
    fn drop(&mut self) {
        let late_ms = self.shared.elapsed_ms() - self.until_ms;
        let mut book = self.shared.book();
        book.hangs_no_more(&self.agent, &self.run);
        book.figures.count(if late_ms < 0 { "hangs_died" } else { "hangs_given_up" });
        if late_ms > LATE_MS {
            let name = book.name(&self.agent);
            let what = format!("a tool of {name} was waited for {late_ms} ms longer than it may");
            book.violate("who does not answer is given up", what);
        }
    }
}
