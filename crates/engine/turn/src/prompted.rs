//! The prompt of a turn as it is recorded, made once however often the record is written.

use dispatch::Claim;
use rules::hash;
use types::{
    Block, BlockRef, Content, ContentRef, Frame, Label, PromptParts, PromptRef, SeenFrom,
    Stability, Write,
};

use crate::gather::Occasion;
use crate::hinted::telling;
use crate::job::Job;

/// A prompt as it is recorded.
pub(crate) struct Prompted {
    /// What the turn says of it.
    pub(crate) reference: PromptRef,
    /// Its parts, with the words of those that are this turn's own.
    pub(crate) parts: Vec<u8>,
}

impl Prompted {
    pub(crate) fn of(job: &Job) -> Prompted {
        let own = job.page.blocks.iter().filter(|block| block.stability == Stability::TurnScoped);
        let parts = PromptParts {
            blocks: job.page.blocks.iter().map(block_ref).collect(),
            tools: job.tools.specs.iter().map(|tool| tool.name.clone()).collect(),
            words: own.map(|block| block.text.clone()).collect(),
            frame: Some(Frame { tools: job.tools.hash, answer_tokens: job.page.answer_tokens }),
            seen: Some(seen_from(&job.claim)),
        };
        let parts = serde_json::to_vec(&parts).expect("words are JSON");
        let turn = rules::turn::id(&job.claim.run.draft.run_key);
        let reference = PromptRef {
            id: job.profile.prompt_id.clone(),
            version: job.profile.prompt_version,
            words: Some(ContentRef { subject: turn.into(), hash: hash::bytes(&parts) }),
            ..PromptRef::default()
        };
        Prompted { reference, parts }
    }
}

/// Changes that are kept by their positions; a mass of them is not put together again.
const CHANGES_MAX: usize = 100;

fn seen_from(claim: &Claim) -> SeenFrom {
    let Occasion { why, hints, hinted, delta, .. } = Occasion::of(claim);
    let changes = delta.changes.iter().take(CHANGES_MAX).map(|change| change.position).collect();
    SeenFrom {
        journal: delta.head,
        why: why.to_owned(),
        hints,
        hinted: telling(hinted),
        changes,
        more: delta.more,
        trimmed: delta.trimmed,
    }
}

fn block_ref(block: &Block) -> BlockRef {
    BlockRef {
        kind: block.kind,
        stability: block.stability,
        trust: block.trust,
        hash: hash::bytes(block.text.as_bytes()),
        tokens: context::tokens(&block.text),
        reason: block.reason.clone(),
    }
}

/// Keeps the prompt: words that stay the same once under the agent, and what it is made of under the turn.
pub(crate) fn prompt_words(job: &Job) -> Vec<Write> {
    let stable = job.page.blocks.iter().filter(|block| block.stability != Stability::TurnScoped);
    let kept = stable.map(|block| {
        Write::Content(Content {
            subject: (&job.claim.agent.agent_id).into(),
            label: Label::runtime(),
            bytes: block.text.clone().into_bytes(),
        })
    });
    let turn = rules::turn::id(&job.claim.run.draft.run_key);
    let bytes = job.prompted().parts.clone();
    let own = Content { subject: turn.into(), label: job.origin.prompt.clone(), bytes };
    kept.chain([Write::Content(own)]).collect()
}
