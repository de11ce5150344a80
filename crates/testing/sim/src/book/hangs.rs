//! Tools that did not answer: whoever waits for them is told, and nothing comes of them.

use model::{Exchange, Request};
use serde_json::Value;
use tool::Call;
use types::{AgentId, OperationId, PlannedCall, RunKey};

use super::Book;

/// What a model is told of a tool that was given up.
const TIMED_OUT: &str = "tool_timed_out";

/// What it is told instead if the gate has something against the call by then.
const REFUSED: [&str; 2] = ["tool_class_stopped", "tool_quota_exceeded"];

/// A call whose tool did not answer when it was last asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Hung {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
}

impl Book {
    /// A tool is asked for a plan, which never comes.
    pub(crate) fn hangs(&mut self, call: &Call, hung: Hung) {
        self.figures.count("hangs");
        self.hanging.push((call.agent.clone(), call.run));
        self.deeds.hung.insert((call.run, call.id.clone()), hung);
    }

    /// Nobody waits for it any more.
    pub(crate) fn hangs_no_more(&mut self, agent: &AgentId, run: &RunKey) {
        let place = self.hanging.iter().position(|(who, which)| (who, which) == (agent, run));
        place.map(|place| self.hanging.swap_remove(place));
    }

    /// A tool is asked for a plan, and makes one.
    pub(crate) fn plans(&mut self, call: &Call) {
        self.deeds.hung.remove(&(call.run, call.id.clone()));
    }

    /// What a model is told of calls whose tool was given up: not that they were done.
    pub(super) fn told_of_hangs(&mut self, run: RunKey, request: &Request) {
        let (mut number, mut of_round) = (0, Vec::new().into_iter());
        let mut found = Vec::new();
        for exchange in &request.said {
            match exchange {
                Exchange::Said { calls, .. } => {
                    let alike =
                        |one: &Asked, other: &Asked| (&one.1, &one.2) == (&other.1, &other.2);
                    // Of calls that ask for the same, one speaks for all.
                    let alone =
                        |call: &&Asked| calls.iter().filter(|it| alike(it, call)).count() == 1;
                    let names = calls.iter().map(|call| {
                        let hung = Hung { tool: call.1.clone(), arguments: call.2.clone() };
                        Some(call)
                            .filter(alone)
                            .map(|_| ((run, format!("{number}:{}", call.0)), hung))
                    });
                    of_round = names.collect::<Vec<_>>().into_iter();
                    number += 1;
                }
                Exchange::Answered { text, .. } => {
                    if let Some(Some((key, hung))) = of_round.next()
                        && self.deeds.hung.get(&key) == Some(&hung)
                    {
                        found.push((key, text));
                    }
                }
                Exchange::Interjected { .. } => {}
            }
        }
        for (key, text) in found {
            let told: Value = serde_json::from_str(text).unwrap_or_default();
            let kind = told["kind"].as_str().unwrap_or_default();
            if told["ok"] != Value::Bool(false) || kind != TIMED_OUT && !REFUSED.contains(&kind) {
                let what = format!("{} was given up, and the model is told {text}", key.1);
                self.violate("who is given up is told so", what);
            } else if kind == TIMED_OUT && self.deeds.told_hung.insert(key) {
                self.figures.count("hangs_told");
            }
        }
    }

    /// Nothing is done for a call whose tool was given up, unless it answered when it was asked again.
    pub(super) fn done_though_hung(&mut self, run: &RunKey, operation: OperationId) {
        let done = self.deeds.rounds.values().filter(|book| book.run == *run).find_map(|book| {
            let calls = &book.round.calls;
            let alike = |one: &PlannedCall, other: &PlannedCall| {
                (&one.tool, &one.arguments) == (&other.tool, &other.arguments)
            };
            let alone = |call: &PlannedCall| calls.iter().filter(|it| alike(it, call)).count() == 1;
            let meant = |call: &&PlannedCall| call.operation == Some(operation) && alone(call);
            let mut names =
                calls.iter().filter(meant).map(|call| format!("{}:{}", book.number, call.id));
            names.find(|name| self.deeds.hung.contains_key(&(*run, name.clone())))
        });
        if let Some(call) = done {
            let what = format!("{call} was given up, and {operation:?} was done");
            self.violate("nothing is done that was given up", what);
        }
    }

    /// The program dies: what was not told yet, nobody knows any more.
    pub(super) fn forget_hangs(&mut self) {
        let told = &self.deeds.told_hung;
        self.deeds.hung.retain(|key, _| told.contains(key));
    }
}

/// A call as a model is reminded of it: id, tool and arguments.
type Asked = (String, String, Value);
