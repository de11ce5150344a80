//! The prompt of a turn as it is recorded, made once however often the record is written.

use dispatch::Claim;
use types::{
    Block, BlockRef, ContentDraft, ContentRef, Digest, Frame, Hashed, Label, PromptParts,
    PromptRef, SeenFrom, Stability, Write,
};

use crate::gather::Occasion;
use crate::hinted::telling;
use crate::job::Job;

/// A prompt as it is recorded.
pub(crate) struct Prompted {
    /// What the turn says of it.
    pub(crate) reference: PromptRef,
    /// Its parts, with the words of those that are this turn's own.
    pub(crate) parts: Hashed,
    /// The words of those that stay the same from turn to turn.
    stable: Vec<Hashed>,
}

impl Prompted {
    pub(crate) fn of(job: &Job) -> Prompted {
        let (mut blocks, mut own, mut stable) = (Vec::new(), Vec::new(), Vec::new());
        for block in &job.page.blocks {
            let text = block.text.clone();
            if block.stability == Stability::TurnScoped {
                blocks.push(block_ref(block, None));
                own.push(text);
            } else {
                let text = Hashed::from(text.into_bytes());
                blocks.push(block_ref(block, Some(*text.hash())));
                stable.push(text);
            }
        }
        let parts = PromptParts {
            blocks,
            tools: job.tools.specs.iter().map(|tool| tool.name.clone()).collect(),
            words: own,
            frame: Some(Frame { tools: job.tools.hash, answer_tokens: job.page.answer_tokens }),
            seen: Some(seen_from(&job.claim)),
        };
        let parts = Hashed::from(serde_json::to_vec(&parts).expect("words are JSON"));
        let turn = rules::turn::id(&job.claim.run.draft.run_key);
        let reference = PromptRef {
            id: job.profile.prompt_id.clone(),
            version: job.profile.prompt_version,
            words: Some(ContentRef { subject: turn.into(), hash: *parts.hash() }),
            ..PromptRef::default()
        };
        Prompted { reference, parts, stable }
    }

    /// One that an earlier attempt has recorded: its words are kept already.
    pub(crate) fn earlier(reference: PromptRef) -> Prompted {
        Prompted { reference, parts: vec![].into(), stable: vec![] }
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

fn block_ref(block: &Block, hash: Option<Digest>) -> BlockRef {
    BlockRef {
        kind: block.kind,
        stability: block.stability,
        trust: block.trust,
        hash,
        tokens: context::tokens(&block.text),
        reason: block.reason.clone(),
    }
}

/// Keeps the prompt: words that stay the same once under the agent, and what it is made of under the turn.
pub(crate) fn prompt_words(job: &Job) -> Vec<Write> {
    let prompted = job.prompted();
    let kept = prompted.stable.iter().map(|words| {
        Write::Content(ContentDraft {
            subject: (&job.claim.agent.agent_id).into(),
            label: Label::runtime(),
            bytes: words.clone(),
        })
    });
    let turn = rules::turn::id(&job.claim.run.draft.run_key);
    let bytes = prompted.parts.clone();
    let own = ContentDraft { subject: turn.into(), label: job.origin.prompt.clone(), bytes };
    kept.chain([Write::Content(own)]).collect()
}
