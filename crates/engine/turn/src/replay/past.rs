//! What was recorded of a past turn.

use types::{Body, Content, ContentRef, Domain, Envelope, Round, Run, Turn, TurnState};

use crate::Turns;
use crate::broken::Broken;
use crate::resume::Recorded;

/// A past turn.
pub(crate) struct Past {
    pub(crate) run: Run,
    pub(crate) turn: Turn,
    /// What it was asked with; absent if it asked nobody, or if that was erased.
    pub(crate) prompt: Option<Recorded>,
    /// What the model answered; absent where that was erased.
    pub(crate) rounds: Vec<Option<Round>>,
    /// What it said to the operator; absent if it is not over, or if that was erased.
    pub(crate) brief: Option<Content>,
    /// Contents that are not what they are named by.
    pub(crate) damaged: Vec<&'static str>,
    /// The words that woke its agent; without content if they were erased.
    pub(crate) input: Option<(Envelope, Option<Content>)>,
}

impl Past {
    /// Whether it is over.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self.turn.state, TurnState::Settled { .. })
    }

    /// Whether it may have called a tool: an answer that is gone may have asked for one.
    pub(crate) fn may_have_called(&self) -> bool {
        let asks =
            |round: &Option<Round>| round.as_ref().is_none_or(|round| !round.calls.is_empty());
        self.rounds.iter().any(asks)
    }

    /// Whether every word of its prompt is there.
    pub(crate) fn knows_its_prompt(&self) -> bool {
        let whole = |prompt: &Recorded| prompt.blocks.iter().all(|(_, text)| text.is_some());
        self.prompt.as_ref().is_some_and(whole)
    }
}

impl Turns {
    /// Reads what was recorded of the turn of a run; nothing if it took none.
    pub(crate) async fn past(&self, run: Run) -> Result<Option<Past>, Broken> {
        let key = run.draft.run_key;
        let found = self.store.record(Domain::Agent, rules::turn::id(&key).into()).await?;
        let Some(Body::AgentTurn(turn)) = found.map(|record| record.body) else {
            return Ok(None);
        };
        let mut damaged = Vec::new();
        let words = turn.prompt.words.clone();
        let words = self.named_so(words, "the prompt", &mut damaged).await?;
        let prompt = self.prompt_in(&turn, words).await?;
        let mut rounds = Vec::new();
        for at in self.recorded_answers(&key).await? {
            let kept = self.named_so(Some(at), "an answer", &mut damaged).await?;
            rounds.push(kept.and_then(|kept| serde_json::from_slice(&kept.bytes).ok()));
        }
        let brief = match &turn.state {
            TurnState::Settled { brief, .. } => Some(brief.content.clone()),
            TurnState::Open => None,
        };
        let brief = self.named_so(brief, "what it said", &mut damaged).await?;
        let input = match self.envelope_of(&run).await? {
            Some((_, envelope)) => {
                let words = self.store.content(Domain::Agent, envelope.content.clone()).await?;
                Some((envelope, words))
            }
            None => None,
        };
        Ok(Some(Past { run, turn: *turn, prompt, rounds, brief, damaged, input }))
    }

    /// What lies there; noted, if it is not what it is named by.
    async fn named_so(
        &self,
        at: Option<ContentRef>,
        what: &'static str,
        damaged: &mut Vec<&'static str>,
    ) -> Result<Option<Content>, Broken> {
        let Some(at) = at else { return Ok(None) };
        let kept = self.store.content(Domain::Agent, at.clone()).await?;
        let same = |kept: &Content| rules::hash::bytes(&kept.bytes) == at.hash;
        if kept.as_ref().is_some_and(|kept| !same(kept)) {
            damaged.push(what);
        }
        Ok(kept)
    }
}
