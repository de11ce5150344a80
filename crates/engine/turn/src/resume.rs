//! What an earlier attempt has recorded.

use std::sync::Arc;

use dispatch::Claim;
use rules::hash;
use rules::planted::{self, Fault};
use types::{
    Block, BlockRef, Body, Content, ContentRef, Digest, Domain, Frame, Label, MessageId,
    PromptParts, RecordId, Round, RunKey, SeenFrom, Stability, Turn, TurnState,
};

use crate::Turns;
use crate::broken::Broken;
use crate::job::{Job, Meaning, Origin, Page, Talk};
use crate::prompted::Prompted;
use crate::workflow::is_known;

/// Answers of a model that one turn may record, whatever its profile says today.
const ROUNDS_READ_MAX: u32 = 64;

/// What an earlier attempt has recorded.
pub(crate) struct Earlier {
    pub(crate) turn: Turn,
    prompt: Vec<Block>,
    tools: Vec<String>,
    frame: Option<Frame>,
    /// Where that came from.
    label: Label,
    rounds: Vec<Round>,
}

/// The prompt of a turn as it was recorded.
pub struct Recorded {
    /// Its parts in order, each with its words; none if they were erased.
    pub blocks: Vec<(BlockRef, Option<String>)>,
    /// The tools that were offered.
    pub tools: Vec<String>,
    /// What else was said around them, if that was written down.
    pub(crate) frame: Option<Frame>,
    /// From where it was looked at, likewise.
    pub(crate) seen: Option<SeenFrom>,
    /// Where what is the turn's own came from.
    pub(crate) label: Label,
}

impl Turns {
    /// Reads what an earlier attempt of the run has recorded; nothing if it had not come so far.
    pub(crate) async fn resume(&self, claim: &Claim) -> Result<Option<Earlier>, Broken> {
        let run = &claim.run.draft.run_key;
        let turn = self.store.record(Domain::Agent, rules::turn::id(run).into()).await?;
        let Some(Body::AgentTurn(turn)) = turn.map(|record| record.body) else { return Ok(None) };
        if turn.state != TurnState::Open || planted::is(Fault::PlanAnewOnRetry) {
            return Ok(None);
        }
        // A turn ends under the version it began with. One that this program does not have is neither
        // carried over nor guessed at.
        if !is_known(&turn.workflow, turn.version) {
            let Turn { workflow, version, .. } = *turn;
            return Err(Broken::OtherVersion { workflow, version });
        }
        let answers = self.recorded_answers(run).await?;
        let rounds = self.recorded_rounds(answers).await?;
        let Some(recorded) = self.recorded_prompt(&turn).await? else { return Ok(None) };
        let Recorded { blocks, tools, frame, label, .. } = recorded;
        let Some(prompt) = blocks.into_iter().map(whole).collect() else { return Ok(None) };
        Ok(Some(Earlier { turn: *turn, prompt, tools, frame, label, rounds }))
    }

    /// The answers that lie there, up to the first that was erased.
    pub(crate) async fn recorded_rounds(
        &self,
        answers: Vec<ContentRef>,
    ) -> Result<Vec<Round>, Broken> {
        let words = self.store.contents(Domain::Agent, answers.clone()).await?;
        // What was erased is left out, and what came after it would stand in its place.
        let there =
            words.iter().zip(answers).take_while(|(one, at)| hash::bytes(&one.bytes) == at.hash);
        Ok(there.map_while(|(one, _)| serde_json::from_slice(&one.bytes).ok()).collect())
    }

    /// Where the answers that a run has recorded lie, in their order.
    pub(crate) async fn recorded_answers(&self, run: &RunKey) -> Result<Vec<ContentRef>, Broken> {
        let ids: Vec<MessageId> =
            (0..ROUNDS_READ_MAX).map(|round| rules::turn::round_id(run, round)).collect();
        let wanted: Vec<RecordId> = ids.iter().map(RecordId::from).collect();
        let messages = self.store.records_by_id(Domain::Agent, wanted).await?;
        let mut contents = Vec::new();
        for id in &ids {
            let message = messages.iter().find(|record| record.id.as_str() == id.as_str());
            match message.map(|record| &record.body) {
                Some(Body::AgentMessage(message)) => contents.push(message.content.clone()),
                _ => break,
            }
        }
        Ok(contents)
    }

    /// The prompt of a turn as it was recorded; nothing if that is not there any more.
    pub(crate) async fn recorded_prompt(&self, turn: &Turn) -> Result<Option<Recorded>, Broken> {
        let Some(words) = turn.prompt.words.clone() else { return Ok(None) };
        let kept = self.store.content(Domain::Agent, words).await?;
        self.prompt_in(turn, kept).await
    }

    /// The same from what lies where the turn says.
    pub(crate) async fn prompt_in(
        &self,
        turn: &Turn,
        kept: Option<Content>,
    ) -> Result<Option<Recorded>, Broken> {
        let Some(kept) = kept else { return Ok(None) };
        let Some(parts) = turn.prompt.parts(&kept.bytes) else { return Ok(None) };
        let (mut own, mut blocks) = (parts.words.into_iter(), Vec::new());
        for block in parts.blocks {
            let text = match (block.stability, block.hash) {
                (Stability::TurnScoped, _) => own.next(),
                (_, Some(hash)) => self.stable_words(turn, hash).await?,
                (_, None) => None,
            };
            blocks.push((block, text));
        }
        let PromptParts { tools, frame, seen, .. } = parts;
        Ok(Some(Recorded { blocks, tools, frame, seen, label: kept.label }))
    }

    async fn stable_words(&self, turn: &Turn, hash: Digest) -> Result<Option<String>, Broken> {
        let at = ContentRef { subject: (&turn.agent_id).into(), hash };
        let found = self.store.content(Domain::Agent, at).await?;
        Ok(found.and_then(|content| String::from_utf8(content.bytes).ok()))
    }
}

/// A part with its words, if they are there.
pub(crate) fn whole((part, text): (BlockRef, Option<String>)) -> Option<Block> {
    let BlockRef { kind, stability, trust, reason, .. } = part;
    Some(Block { kind, stability, trust, text: text?, reason })
}

impl Earlier {
    /// How many answers of the model it has recorded.
    pub(crate) fn rounds(&self) -> u32 {
        u32::try_from(self.rounds.len()).unwrap_or(u32::MAX)
    }

    /// Goes on where the earlier attempt was: with its prompt, its model and its answers.
    pub(crate) fn take_up(self, job: &mut Job) {
        // What it had spent was counted when it was recorded, the calls of an answer with the next one. Those of
        // the last were set aside with it: that was settled when the attempt ended, or counts as spent.
        let calls = self.rounds.iter().map(|round| round.calls.len() as u64).sum();
        job.purse.resume(rules::turn::spent(&self.turn, &self.rounds), calls);
        // What was meant is known by then, and nobody is asked again.
        job.meaning = Meaning { act: self.turn.dialog_act, classified: self.turn.classified };
        // Its template may say something else today; a turn ends under the prompt that it began with.
        let reference = self.turn.prompt;
        let profile = Arc::make_mut(&mut job.profile);
        profile.prompt_id.clone_from(&reference.id);
        profile.prompt_version = reference.version;
        profile.tools = self.tools;
        // The same, also if one of its tools is not offered any more: its words are there already.
        let answer_tokens = self.frame.map_or(job.page.answer_tokens, |frame| frame.answer_tokens);
        job.page = Page::again(self.prompt, answer_tokens, Prompted::earlier(reference));
        job.origin = Origin::of(self.label, self.turn.exposed);
        if !planted::is(Fault::ChoiceForgotten) {
            job.model = self.turn.model;
        }
        job.talk = Talk::resumed(self.rounds);
    }
}
