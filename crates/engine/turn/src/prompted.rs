//! The prompt of a turn as it is recorded, made once however often the record is written.

use rules::hash;
use types::{Block, BlockRef, Content, ContentRef, Label, PromptRef, Stability, Write};

use crate::job::Job;

/// A prompt as it is recorded.
pub(crate) struct Prompted {
    /// What the turn says of it.
    pub(crate) reference: PromptRef,
    /// The words of the parts that are this turn's own.
    pub(crate) own: Vec<u8>,
}

impl Prompted {
    pub(crate) fn of(job: &Job) -> Prompted {
        let own = job.prompt.iter().filter(|block| block.stability == Stability::TurnScoped);
        let words: Vec<&str> = own.map(|block| block.text.as_str()).collect();
        let own = serde_json::to_vec(&words).expect("words are JSON");
        let turn = rules::turn::id(&job.claim.run.draft.run_key);
        let words = ContentRef { subject: turn.into(), hash: hash::bytes(&own) };
        let reference = PromptRef {
            id: job.profile.prompt_id.clone(),
            version: job.profile.prompt_version,
            blocks: job.prompt.iter().map(block_ref).collect(),
            words: Some(words),
            tools: job.tools.specs.iter().map(|tool| tool.name.clone()).collect(),
        };
        Prompted { reference, own }
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

/// Keeps the words of the prompt: those that stay the same once under the agent, the others together
/// under the turn.
pub(crate) fn prompt_words(job: &Job) -> Vec<Write> {
    let stable = job.prompt.iter().filter(|block| block.stability != Stability::TurnScoped);
    let kept = stable.map(|block| {
        Write::Content(Content {
            subject: (&job.claim.agent.agent_id).into(),
            label: Label::runtime(),
            bytes: block.text.clone().into_bytes(),
        })
    });
    let turn = rules::turn::id(&job.claim.run.draft.run_key);
    let bytes = job.prompted().own.clone();
    let own = Content { subject: turn.into(), label: job.label.clone(), bytes };
    kept.chain([Write::Content(own)]).collect()
}
