//! Turns: what the one durable execution of a wake leaves behind.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _, Serialize};
use serde_json::Value;

use crate::{
    AgentId, At, AttemptTimeline, Classified, ContentRef, Continuation, DialogAct, Digest,
    EnvelopeId, FailureArtifact, FinishReason, Generation, Grounding, Hint, Invalid, MessageId,
    ModelRef, OperationId, Position, Recovery, RunKey, ThreadId, TokenUsage, TriggerId, Trust,
    WakeReason, limits,
};

/// How long a part of a prompt stays the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stability {
    /// For every agent of the template.
    Stable,
    /// For one agent, until it or its surroundings change.
    AgentScoped,
    /// For one turn.
    TurnScoped,
}

impl Stability {
    /// The word as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Stability::Stable => "stable",
            Stability::AgentScoped => "agent_scoped",
            Stability::TurnScoped => "turn_scoped",
        }
    }
}

/// What a part of a prompt is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockKind {
    /// Who speaks, what binds, what is data.
    Policy,
    /// What the template asks of the agent.
    Role,
    /// The report that stands.
    Report,
    /// The agent's own notes, and summaries of older ones.
    Observations,
    /// The task, whole.
    Task,
    /// Tasks beside it, with their agents' reports.
    Linked,
    /// What was said before in this session.
    History,
    /// What changed since the agent last looked.
    Delta,
    /// What hints from outside say.
    Hints,
    /// Why it woke, and what is asked of it now.
    Wake,
    /// What somebody said.
    Input,
}

impl BlockKind {
    /// The word as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            BlockKind::Policy => "policy",
            BlockKind::Role => "role",
            BlockKind::Report => "report",
            BlockKind::Observations => "observations",
            BlockKind::Task => "task",
            BlockKind::Linked => "linked",
            BlockKind::History => "history",
            BlockKind::Delta => "delta",
            BlockKind::Hints => "hints",
            BlockKind::Wake => "wake",
            BlockKind::Input => "input",
        }
    }
}

/// A part of a prompt. Its words begin with a heading line; parts that hold records are one JSON value
/// after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// How long it stays the same.
    pub stability: Stability,
    /// How far its words may be trusted.
    pub trust: Trust,
    /// Its words.
    pub text: String,
    /// Why it is there, and what was left out.
    pub reason: String,
}

/// A part of a prompt as it was sent: where its words lie, and why it was there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockRef {
    /// What it is.
    pub kind: BlockKind,
    /// How long it stays.
    pub stability: Stability,
    /// How far its words may be trusted.
    pub trust: Trust,
    /// The hash of its words, by which they are kept under the agent. Absent of words that are this turn's own, which
    /// stand beside it; there in what was recorded by an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
    /// About how many tokens.
    pub tokens: u64,
    /// Why it is there, and what was left out.
    pub reason: String,
}

/// The prompt of a turn, by reference.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptRef {
    /// Which prompt of which template.
    pub id: String,
    /// In which version.
    pub version: u32,
    /// Where its parts lie, with the words of those that are this turn's own: see [`PromptParts`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<ContentRef>,
    /// Its parts, if the turn was begun by an earlier version: then only a list of words lies there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockRef>,
    /// The tools that were offered, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
}

impl PromptRef {
    /// The parts of the prompt, from what lies where it says; none if that is something else.
    #[must_use]
    pub fn parts(&self, kept: &[u8]) -> Option<PromptParts> {
        if self.blocks.is_empty() {
            return serde_json::from_slice(kept).ok();
        }
        let words = serde_json::from_slice(kept).ok()?;
        let (blocks, tools) = (self.blocks.clone(), self.tools.clone());
        Some(PromptParts { blocks, tools, words, frame: None, seen: None })
    }
}

/// What the prompt of a turn was made of. It is written once, however often the turn's record is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PromptParts {
    /// Its parts, in order. The words of those that stay the same lie under the agent.
    pub blocks: Vec<BlockRef>,
    /// The tools that were offered.
    pub tools: Vec<String>,
    /// The words of the parts that are this turn's own, in the same order.
    pub words: Vec<String>,
    /// What is said around them; absent in what was recorded by an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<Frame>,
    /// From where it was looked at; absent likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<SeenFrom>,
}

/// Where an agent stood when its prompt was made: with this, what it saw can be put together again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeenFrom {
    /// The end of the journal's log.
    pub journal: Position,
    /// Why it was awake, in the words of the prompt.
    pub why: String,
    /// Hints that it had found.
    pub hints: u64,
    /// Those of them that say something.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hinted: Vec<Hint>,
    /// The changes of the journal that it was told of, by their positions; the first of very many.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Position>,
    /// There were more than it was told of.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
    /// There had been others before them, which nobody knew any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trimmed: bool,
}

/// What a model is told besides its prompt, in every question of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    /// The hash of what it is told of its tools.
    pub tools: Digest,
    /// Tokens of one tool's answer that it is told.
    pub answer_tokens: u64,
}

/// A call that a model asked for, with the name of what it would change as the records then stood.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedCall {
    /// As the model named it.
    pub id: String,
    /// Which tool.
    pub tool: String,
    /// With which arguments; a text if they were no JSON.
    pub arguments: Value,
    /// What it would change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<OperationId>,
}

/// One answer of a model, as it is recorded before anything is done about it. It is what lies in
/// `contents` for a thought.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// What it said.
    pub text: String,
    /// What it asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<PlannedCall>,
    /// What it thought, if its provider tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What its provider wants back with it when it is told what its calls came to; nobody else reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keepsake: Option<Value>,
    /// Why it stopped.
    pub finish: FinishReason,
    /// Which model.
    pub model: ModelRef,
    /// Which version of it answered, as its provider names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_version: Option<String>,
    /// How the answer was to be made.
    #[serde(default)]
    pub generation: Generation,
    /// What it spent.
    pub token_usage: TokenUsage,
    /// What that cost, in millionths of the currency of the price table.
    pub cost_micros: u64,
    /// How it was reached.
    #[serde(default)]
    pub timeline: AttemptTimeline,
    /// What the operator threw in just before it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interjected: Vec<Interjection>,
    /// The tools that it could call, if those were not all that it was offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub callable: Option<Vec<String>>,
    /// The hash of the question that it answers; absent in what was recorded by an earlier version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Digest>,
}

impl Round {
    /// The place of the call before this one that asks for the same, if there is one: it is done once.
    #[must_use]
    pub fn asked_before(&self, place: usize) -> Option<usize> {
        let this = self.calls.get(place)?;
        let same = |one: &PlannedCall| (&one.tool, &one.arguments) == (&this.tool, &this.arguments);
        self.calls[..place].iter().position(same)
    }

    /// What was said in what lies there; none if it is no such content. It lies in front, and what comes behind
    /// it is not read then.
    #[must_use]
    pub fn words(bytes: &[u8]) -> Option<String> {
        #[derive(Deserialize)]
        struct Said {
            text: String,
        }
        let mut first = None;
        // To stop before the end is a mistake to the reader of JSON.
        let _ = serde_json::Deserializer::from_slice(bytes).deserialize_map(InFront(&mut first));
        first.or_else(|| serde_json::from_slice(bytes).ok().map(|Said { text }| text))
    }
}

/// Takes the text if it is the first field.
struct InFront<'a>(&'a mut Option<String>);

impl<'de> Visitor<'de> for InFront<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an answer of a model")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        if fields.next_key::<&str>()? == Some("text") {
            *self.0 = Some(fields.next_value()?);
        }
        Ok(())
    }
}

/// Words that the operator threw into a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interjection {
    /// The envelope.
    pub envelope: EnvelopeId,
    /// Its run, which ended by being taken up here.
    pub run_key: RunKey,
    /// The words.
    pub text: String,
    /// Where they lie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<ContentRef>,
    /// A look that insists was merged into their run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub insists: bool,
}

/// How a turn was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnKind {
    /// The loop drained.
    Completed,
    /// It was ended by a failure, or by somebody.
    Aborted,
}

/// That a turn is over: a fact of the runtime, never a reading of what was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnTerminal {
    /// Which turn of the agent, from 1.
    pub turn_index: u64,
    /// How.
    pub kind: TurnKind,
    /// The last that the model said in it; it may be empty, and absent if the model said nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_assistant_message: Option<MessageId>,
    /// When.
    pub completed_at: At,
    /// How long it took, from its first beginning.
    pub duration_ms: u64,
}

/// What comes of a turn for the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClosureOutcome {
    /// There is nothing more to do.
    Completed,
    /// There is more, and the runtime goes on by itself.
    Continuable,
    /// It failed.
    Failed,
    /// It waits.
    Waiting,
}

impl ClosureOutcome {
    /// The outcome as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ClosureOutcome::Completed => "completed",
            ClosureOutcome::Continuable => "continuable",
            ClosureOutcome::Failed => "failed",
            ClosureOutcome::Waiting => "waiting",
        }
    }
}

/// What an agent waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitingReason {
    /// The operator's word.
    AwaitingOperatorInput,
    /// Something outside.
    AwaitingExternalChange,
    /// Background work.
    AwaitingTaskResult,
    /// A clock.
    AwaitingTimer,
}

impl WaitingReason {
    /// The reason as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            WaitingReason::AwaitingOperatorInput => "awaiting_operator_input",
            WaitingReason::AwaitingExternalChange => "awaiting_external_change",
            WaitingReason::AwaitingTaskResult => "awaiting_task_result",
            WaitingReason::AwaitingTimer => "awaiting_timer",
        }
    }
}

/// How a turn leaves its agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClosureDecision {
    /// What comes of it.
    pub outcome: ClosureOutcome,
    /// What it waits for; only if it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_reason: Option<WaitingReason>,
    /// `awake` or `sleeping`.
    pub runtime_posture: String,
    /// The facts it was decided from.
    pub evidence: Vec<String>,
}

/// What a brief is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BriefKind {
    /// What was done or answered.
    Result,
    /// That it failed, and why.
    Failure,
}

/// What a turn says to the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brief {
    /// What it is.
    pub kind: BriefKind,
    /// Its words, in `contents`.
    pub content: ContentRef,
}

/// What a turn spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnSpent {
    /// Calls to a model: how often it was sent something, in all attempts at the run.
    pub model_calls: u32,
    /// Tokens.
    pub tokens: TokenUsage,
    /// In millionths of the currency of the price table.
    pub cost_micros: u64,
}

impl TurnSpent {
    /// Both together.
    #[must_use]
    pub const fn plus(self, other: TurnSpent) -> TurnSpent {
        TurnSpent {
            model_calls: self.model_calls.saturating_add(other.model_calls),
            tokens: self.tokens.plus(other.tokens),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
        }
    }
}

/// Where a turn stands.
#[expect(clippy::large_enum_variant, reason = "hardly any turn is open, and a turn lies in a box")]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case", deny_unknown_fields)]
pub enum TurnState {
    /// It has recorded something and is not over.
    Open,
    /// It is over.
    Settled {
        /// How.
        terminal: TurnTerminal,
        /// How it leaves its agent.
        closure: ClosureDecision,
        /// What it says to the operator.
        brief: Brief,
        /// What it spent.
        spent: TurnSpent,
        /// How it failed, if it did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<FailureArtifact>,
        /// The attempts that led to the failure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        timeline: Option<AttemptTimeline>,
        /// What was done about failures, if there were any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        recovery: Option<Recovery>,
        /// What the operator is warned of besides: that most of a budget is spent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        warning: Option<String>,
        /// What it did to the common ground, if somebody spoke and was answered.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grounding: Option<Grounding>,
    },
}

/// A turn. Its id follows from its run, so a turn that is taken up again is the same record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Whose.
    pub agent_id: AgentId,
    /// Of which run.
    pub run_key: RunKey,
    /// In which thread.
    pub thread: ThreadId,
    /// Why the agent woke.
    pub reason: WakeReason,
    /// What that is to the turn before; absent if it was given up before it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuation: Option<Continuation>,
    /// Which workflow it follows: one that began under a version ends under it.
    pub workflow: String,
    /// In which version.
    pub version: u32,
    /// When it first began.
    pub began_at: At,
    /// What it was asked with.
    pub prompt: PromptRef,
    /// The model it asks.
    pub model: ModelRef,
    /// It has read something that nobody here vouches for.
    pub exposed: bool,
    /// What is meant by the words that woke its agent; absent if nobody spoke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog_act: Option<DialogAct>,
    /// The fast model that was asked about that; absent if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classified: Option<Classified>,
    /// Answers of a model that are recorded.
    pub rounds: u32,
    /// How far its agent had looked when its prompt was made. Said while it is open: whoever takes it up again
    /// has seen as much and no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked: Option<LookedUpTo>,
    /// Where it stands.
    pub state: TurnState,
}

/// How far an agent had looked, and which hints it had found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookedUpTo {
    /// Into the journal's log.
    pub journal: Position,
    /// Into the agents' own.
    pub own: Position,
    /// Hints, each with how many it stood for and when the last of them came.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub hints: BTreeMap<TriggerId, (u64, At)>,
}

impl LookedUpTo {
    /// Whether it had found this hint, and nothing has been added to that since.
    #[must_use]
    pub fn has_found(&self, hint: &Hint) -> bool {
        self.hints.get(&hint.trigger) == Some(&(hint.count, hint.at))
    }
}

impl Turn {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_line("workflow", &self.workflow, limits::NAME_BYTES_MAX)?;
        for block in &self.prompt.blocks {
            Invalid::unless_within("reason", block.reason.len(), limits::TITLE_BYTES_MAX, "bytes")?;
        }
        let TurnState::Settled { closure, failure, .. } = &self.state else { return Ok(()) };
        if (closure.outcome == ClosureOutcome::Waiting) != closure.waiting_reason.is_some() {
            return Err(Invalid::new("waiting_reason", "belongs to a turn that waits"));
        }
        failure.as_ref().map_or(Ok(()), FailureArtifact::check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_an_answer_are_found_wherever_they_lie_and_nowhere_else() {
        let words = |json: &str| Round::words(json.as_bytes());
        assert_eq!(
            words(r#"{"text":"done","calls":[{"tool":"a"}],"finish":"stop"}"#).unwrap(),
            "done"
        );
        assert_eq!(words(r#"{"finish":"stop","text":"a \"b\"\n"}"#).unwrap(), "a \"b\"\n");
        for none in ["", "null", "[]", "{}", r#"{"text":7}"#, r#"{"words":"done"}"#, "done"] {
            assert_eq!(words(none), None, "{none}");
        }
    }
}
