//! What turns are about: what models were asked and answered, what was recorded of it, what was done.

use std::collections::{BTreeMap, BTreeSet};

use types::{
    AgentId, Amounts, Day, OperationId, PlannedCall, RecordId, Round, RunKey, ToolInvocation, Turn,
};

use super::hangs::Hung;

/// An answer of a model as it was recorded.
#[derive(Debug, Clone)]
pub(crate) struct RoundBook {
    pub(crate) run: RunKey,
    /// Which answer of its run it is, from 0.
    pub(crate) number: usize,
    pub(crate) round: Round,
}

/// Something that an agent did to the journal.
#[derive(Debug, Clone)]
pub(crate) struct OperationBook {
    pub(crate) agent: AgentId,
    pub(crate) verb: &'static str,
    /// What it made, by their titles.
    pub(crate) made: Vec<String>,
}

/// A question to a model.
#[derive(Debug, Clone)]
pub(crate) struct AskBook {
    pub(crate) agent: AgentId,
    /// In which run.
    pub(crate) run: Option<RunKey>,
    /// What somebody had said, as far as it was in the question.
    pub(crate) said: BTreeSet<String>,
    /// It asks what somebody means.
    pub(crate) about_words: bool,
    /// What the answer cost, in tokens, if it was heard.
    pub(crate) tokens: u64,
}

/// What an agent may have of a day, as the commits say.
#[derive(Debug, Clone, Default)]
pub(crate) struct LedgerBook {
    /// What its runs have set aside, and for which day.
    pub(crate) aside: BTreeMap<RunKey, (Day, Amounts)>,
    pub(crate) spent: BTreeMap<Day, Amounts>,
}

/// All of it.
#[derive(Debug, Default)]
pub(crate) struct Deeds {
    pub(crate) asks: BTreeMap<u64, AskBook>,
    /// What the fast model has said in each run.
    pub(crate) meant: BTreeMap<RunKey, Vec<String>>,
    /// By the record that holds each.
    pub(crate) rounds: BTreeMap<RecordId, RoundBook>,
    pub(crate) invocations: BTreeMap<RecordId, ToolInvocation>,
    pub(crate) operations: BTreeMap<OperationId, OperationBook>,
    /// Items of checklists, and what they are called by now.
    pub(crate) items: BTreeMap<RecordId, types::ChecklistItem>,
    /// The agents' own notes, by their words, and how often each was written.
    pub(crate) notes: BTreeMap<String, u64>,
    pub(crate) turns: BTreeMap<RunKey, Turn>,
    /// Runs in which somebody found its task gone, and went to rest.
    pub(crate) bereft: BTreeSet<RunKey>,
    /// Runs in which somebody found its task where it may not look, and asked nobody.
    pub(crate) out_of_sight: BTreeSet<RunKey>,
    pub(crate) ledgers: BTreeMap<AgentId, LedgerBook>,
    /// Calls of a model that count on each run.
    pub(crate) counted: BTreeMap<RunKey, u64>,
    /// Calls whose tool did not answer when it was last asked, by their run and their name in it.
    pub(crate) hung: BTreeMap<(RunKey, String), Hung>,
    /// Those of them that a model was told of.
    pub(crate) told_hung: BTreeSet<(RunKey, String)>,
    /// Runs that a process died over: nobody knows what it had asked in them.
    pub(crate) died_over: BTreeSet<RunKey>,
}

impl Deeds {
    /// The recorded calls, each with the answer it was part of.
    pub(crate) fn calls(&self) -> impl Iterator<Item = (&RoundBook, &PlannedCall)> {
        self.rounds.values().flat_map(|book| book.round.calls.iter().map(move |call| (book, call)))
    }

    /// The words that were thrown into turns.
    pub(crate) fn interjected(&self) -> impl Iterator<Item = &types::Interjection> {
        self.rounds.values().flat_map(|book| &book.round.interjected)
    }
}

/// The words of a text by which the simulator knows again what it had somebody say.
pub(crate) fn sayings(text: &str) -> BTreeSet<String> {
    let end = |rest: &str| rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let after = text.split("say ").skip(1);
    after.map(|rest| rest[..end(rest)].to_owned()).filter(|word| !word.is_empty()).collect()
}
