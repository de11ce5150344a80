//! Tools that did not answer: whoever waits for them is told, and nothing comes of them.

use model::{Exchange, Request};
use serde_json::Value;
use tool::Call;
use types::{AgentId, OperationId, RunKey};

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
                    let what: Vec<_> = calls.iter().map(|call| (&*call.1, &call.2)).collect();
                    let names = calls.iter().enumerate().map(|(place, (id, tool, arguments))| {
                        let hung = Hung { tool: tool.clone(), arguments: arguments.clone() };
                        asked_once(&what, place).then(|| ((run, format!("{number}:{id}")), hung))
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
            let what: Vec<_> = calls.iter().map(|call| (&*call.tool, &call.arguments)).collect();
            let meant = |place: usize| {
                calls[place].operation == Some(operation) && asked_once(&what, place)
            };
            let mut names = (0..calls.len())
                .filter(|place| meant(*place))
                .map(|place| format!("{}:{}", book.number, calls[place].id));
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

/// Whether no other call of an answer asks a tool for the same: of those that do, one speaks for all.
fn asked_once(calls: &[(&str, &Value)], place: usize) -> bool {
    calls.iter().filter(|call| **call == calls[place]).count() == 1
}
