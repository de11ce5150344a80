//! A call taken up: its tool found, its arguments looked at, its place in the records known.

use std::sync::{Arc, Mutex, PoisonError};

use policy::{Complaint, Request, Terms};
use rules::{canonical, operation};
use serde_json::Value;
use tool::{Call, Failure, Manner, Planned};
use types::{
    ActionType, ContentDraft, ContentRef, Guard, Hashed, InvocationId, InvocationState, Label,
    OperationId, RecordId, ToolInvocation, Write, limits,
};

use crate::bounded::bounded;
use crate::name::Drafted;
use crate::registry::{Entry, Registry};
use crate::{Receipt, Success};

/// The policy that governs every call today: what the agent's profile holds.
const POLICY: &str = "profile";

/// A call on its way.
pub(crate) struct Work {
    pub(crate) call: Call,
    /// Its tool, if there is one of that name.
    pub(crate) entry: Option<Arc<Entry>>,
    /// What is wrong with its arguments.
    pub(crate) complaints: Vec<Complaint>,
    /// The record of it.
    pub(crate) invocation: InvocationId,
    /// The calls it came with.
    pub(crate) group: Option<String>,
    /// The tool's name as it stands in records.
    pub(crate) tool: String,
    /// What it would do, if that is known already. It is judged by it once.
    pub(crate) drafted: Option<Drafted>,
    /// Where the words came from that its tool would answer with, if who calls has not read such before.
    told: Mutex<Option<Label>>,
    /// Its arguments as they are kept.
    arguments: Hashed,
}

impl Work {
    /// Takes a call up.
    pub(crate) fn new(registry: &Registry, call: Call, group: Option<&str>) -> Work {
        let entry = registry.find(&call.tool);
        let mut complaints =
            entry.as_ref().map_or_else(Vec::new, |entry| entry.input.complaints(&call.arguments));
        let (arguments, complaint) = text(&call.arguments);
        complaints.extend(complaint);
        let mutates = entry.as_ref().is_some_and(|entry| entry.contract().mutates());
        let invocation = match &call.operation {
            // A preview is not the operation: it leaves its name to whoever does it.
            Some(id) if mutates && !call.preview => {
                operation::invocation_of_operation(&call.run, id)
            }
            _ => operation::invocation_of_call(&call.run, &call.id),
        };
        let (tool, group) = (nameable(&call.tool), group.map(str::to_owned));
        let (drafted, told) = (None, Mutex::default());
        let arguments = arguments.into();
        Work { call, entry, complaints, invocation, group, tool, drafted, told, arguments }
    }

    /// What the gate is asked, if there is such a tool.
    pub(crate) fn request<'a>(&'a self, entry: &'a Entry) -> Request<'a> {
        let contract = entry.contract();
        Request {
            terms: Terms {
                tool: contract.name,
                capabilities: contract.capabilities,
                wake_reasons: contract.wake_reasons,
                idempotency: contract.idempotency,
                kinds: contract.side_effects,
                preview: contract.preview,
            },
            agent: &self.call.agent,
            epoch: self.call.epoch,
            wake_reason: self.call.wake_reason,
            scope: &self.call.scope,
            task: self.call.task.as_ref(),
            operation: self.call.operation,
            preview: self.call.preview,
        }
    }

    /// How it is carried out.
    pub(crate) fn manner(&self) -> Manner {
        self.entry.as_ref().map_or_else(Manner::default, |entry| entry.tool.manner())
    }

    /// How often it is tried: once at least.
    pub(crate) fn tries(&self) -> u32 {
        self.manner().tries.max(1)
    }

    /// Where its words lie: with those of the turn that it is a part of.
    fn subject(&self) -> RecordId {
        rules::turn::id(&self.call.run).into()
    }

    /// That no class of its tool is stopped when it is carried out.
    pub(crate) fn not_stopped(&self) -> impl Iterator<Item = Guard> {
        let classes = self.entry.as_ref().map_or(&[][..], |entry| entry.contract().capabilities);
        let epoch = self.call.epoch;
        classes.iter().map(move |class| Guard::Fence { scope: class.fence(), epoch })
    }

    /// Where its arguments lie.
    pub(crate) fn arguments(&self) -> ContentRef {
        ContentRef { subject: self.subject(), hash: *self.arguments.hash() }
    }

    /// Keeps its arguments: a model's words, with all that it had read.
    pub(crate) fn keep_arguments(&self) -> Write {
        Write::Content(ContentDraft {
            subject: self.subject(),
            label: self.call.label(),
            bytes: self.arguments.clone(),
        })
    }

    /// Notes where words came from that it would be answered with, if that is news to who calls. What was planned anew
    /// may tell of more.
    pub(crate) fn tells(&self, words: Option<&Label>) {
        let read = &self.call.read;
        let words = words.filter(|words| read.join(words) != *read);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        *told = Label::of_all(told.iter().chain(words));
    }

    /// Where the words came from that it writes: what was read by who asked for it, and what it copies by itself.
    pub(crate) fn writes_from(&self, planned: &Planned) -> Label {
        let copied = (!planned.words_of.is_empty()).then(|| self.told()).flatten();
        self.call.read.clone().and_all(&copied)
    }

    fn told(&self) -> Option<Label> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps its answer, and says where. It is trusted no further than the words that asked for it, and those that
    /// it tells.
    pub(crate) fn keep_answer(&self, receipt: &Receipt, writes: &mut Vec<Write>) -> ContentRef {
        let (write, at) = receipt.keep(self.subject(), self.call.label());
        writes.push(write);
        at
    }

    /// Its answer.
    pub(crate) fn receipt(&self, result: Result<Success, Failure>) -> Receipt {
        Receipt {
            tool_action_id: self.invocation.clone(),
            tool_name: self.tool.clone(),
            operation_id: self.operation(),
            repeated: false,
            preview: self.call.preview,
            result,
            told: self.told(),
            open: None,
        }
    }

    /// The name of what it changes, if it changes something.
    pub(crate) fn operation(&self) -> Option<OperationId> {
        let entry = self.entry.as_ref()?;
        self.call.operation.filter(|_| self.request(entry).changes())
    }

    /// What kind of thing it does. What is only shown is a proposal, whatever its tool is for.
    fn action(&self) -> ActionType {
        match &self.entry {
            _ if self.call.preview => ActionType::ProposePlan,
            Some(entry) => entry.tool.action(),
            None => ActionType::ToolCall,
        }
    }

    /// The record of it in a state.
    pub(crate) fn record(&self, state: InvocationState) -> ToolInvocation {
        let Call { agent, run, thread, wake_reason, scope, trace, .. } = &self.call;
        ToolInvocation {
            agent_id: agent.clone(),
            run_key: *run,
            thread: thread.clone(),
            action_type: self.action(),
            tool: self.tool.clone(),
            tool_version: self.entry.as_ref().map_or(0, |entry| entry.contract().version),
            operation: self.operation(),
            group: self.group.clone(),
            wake_reason: *wake_reason,
            scope: scope.clone(),
            trace: trace.clone(),
            arguments: self.arguments(),
            policy: POLICY.to_owned(),
            state,
        }
    }

    /// Whether a record under its name is of this call.
    pub(crate) fn is_recorded_as(&self, record: &ToolInvocation) -> bool {
        record.tool == self.tool && record.arguments == self.arguments()
    }

    /// Whether another call of the same group asks for the same thing. Arguments that are too long are not
    /// kept whole, and may differ in what is not.
    pub(crate) fn is_same(&self, other: &Work) -> bool {
        let whole = |work: &Work| canonical::value(work.call.arguments.clone());
        self.call.tool == other.call.tool
            && self.arguments == other.arguments
            && self.call.preview == other.call.preview
            && whole(self) == whole(other)
    }
}

/// The arguments as they are kept, and what is wrong with them besides what a schema sees. Equal
/// arguments have equal texts.
fn text(arguments: &Value) -> (Vec<u8>, Option<Complaint>) {
    let about_all = |what: String| Some(Complaint { field: None, what, is_uncertain: false });
    let (text, inexact) = match canonical::to_string(arguments) {
        Ok(text) => (text, None),
        Err(inexact) => (arguments.to_string(), about_all(inexact.to_string())),
    };
    let max = limits::TOOL_ARGUMENTS_BYTES_MAX;
    if text.len() <= max {
        return (text.into_bytes(), inexact);
    }
    let what = format!("they have {} bytes, at most {max} are allowed", text.len());
    (bounded(arguments, max).to_string().into_bytes(), about_all(what))
}

/// A name that can stand in records. Nothing has a name that cannot, so nothing is confused.
fn nameable(name: &str) -> String {
    if ToolInvocation::is_tool_name(name) {
        return name.to_owned();
    }
    let allowed = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let name: String = name.chars().take(limits::TOOL_NAME_BYTES_MAX).map(allowed).collect();
    if name.is_empty() { "_".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn any_text_becomes_a_name_that_records_take() {
        for name in ["", "a|b", "zwölf", "two words", &"x".repeat(500), "set_title"] {
            assert!(ToolInvocation::is_tool_name(&nameable(name)), "{name:?}");
        }
        assert_eq!(nameable("a|b"), "a_b");
        assert_eq!(nameable("set_title"), "set_title");
    }

    #[test]
    fn equal_arguments_have_equal_texts_and_inexact_ones_are_complained_about() {
        let one: Value = serde_json::from_str(r#"{"b": 1.0, "a": "x"}"#).unwrap();
        assert_eq!(text(&one), text(&json!({ "a": "x", "b": 1 })));
        assert!(text(&json!({ "n": 9_007_199_254_740_993_u64 })).1.is_some());
        let (kept, complaint) = text(&json!("x".repeat(limits::TOOL_ARGUMENTS_BYTES_MAX)));
        assert!(kept.len() < 2_000 && complaint.unwrap().what.contains("bytes"));
    }
}
