//! The prompt, part by part, and what the model was told of its tools.

use std::collections::BTreeSet;

use context::projection::{Allow, check};
use context::{Input, Seen, Texts, Woken};
use types::{
    AgentIdentity, Block, BlockKind, BlockRef, Digest, EnvelopeContent, Stability, Verdict,
};

use super::past::Past;
use super::sheet::Sheet;
use crate::broken::Broken;
use crate::offer::Offer;
use crate::resume::{Recorded, whole};
use crate::{Profile, Turns};

/// What stands behind a prompt that is whole.
const MOVED_ON: &str = "whole; what it was made of has moved on since";

impl Turns {
    /// Goes through the prompt. The template is there if it is the one that the turn went by.
    pub(crate) async fn replay_prompt(
        &self,
        past: &Past,
        agent: &AgentIdentity,
        (profile, offer): (Option<&Profile>, Option<&Offer>),
        sheet: &mut Sheet,
    ) -> Result<(), Broken> {
        let Some(prompt) = &past.prompt else {
            match &past.turn.prompt.words {
                Some(_) => sheet.note("prompt", Verdict::Erased, "its words were erased"),
                None => sheet.note("prompt", Verdict::Recorded, "none: it asked nobody"),
            }
            return Ok(());
        };
        let mut made = self.made_again(past, profile);
        if let Some((template, seen)) = profile.zip(offer).zip(prompt.seen.as_ref()) {
            made.extend(self.prompt_then(past, agent, template, seen).await?);
        }
        for (part, text) in &prompt.blocks {
            let made = made.iter().find(|block| block.kind == part.kind);
            let (verdict, detail) = held(part, text.as_deref(), made, profile.is_some());
            sheet.note(format!("prompt: {}", part.kind.as_str()), verdict, detail);
        }
        all_of_it(past, prompt, sheet);
        offered(prompt, profile.is_some(), offer, sheet);
        Ok(())
    }

    /// The parts that are made of nothing but what is kept: the words of the program and of the template, and what
    /// was said.
    fn made_again(&self, past: &Past, profile: Option<&Profile>) -> Vec<Block> {
        let none = String::new();
        let text = |text: fn(&Profile) -> &String| profile.map_or(&none, text).as_str();
        let (envelope, content) = match &past.input {
            Some((envelope, Some(content))) => (Some(envelope), Some(content)),
            _ => (None, None),
        };
        let words = content.and_then(|content| EnvelopeContent::words(&content.bytes));
        let input = envelope.zip(content).zip(words.as_deref());
        let seen = Seen {
            agent: &past.turn.agent_id,
            scope: &BTreeSet::new(),
            now: "",
            texts: Texts {
                role: text(|profile| &profile.role),
                first: text(|profile| &profile.first_ask),
                later: text(|profile| &profile.later_ask),
                prompt: text(|profile| &profile.prompt_ask),
            },
            wake: Woken { reason: past.turn.reason, why: "", first: false, hints: 0 },
            hinted: &[],
            input: input.map(|((envelope, kept), text)| Input::of(envelope, text, &kept.label)),
            task: None,
            linked: &[],
            report: None,
            notes: &[],
            history: &[],
            delta: None,
        };
        let kept = |kind| matches!(kind, BlockKind::Policy | BlockKind::Role | BlockKind::Input);
        let mut blocks = context::assemble(&seen, &self.settings.bounds).blocks;
        blocks.retain(|block| kept(block.kind));
        blocks
    }
}

/// What the model was told of its tools.
fn offered(prompt: &Recorded, same_template: bool, offer: Option<&Offer>, sheet: &mut Sheet) {
    let (verdict, detail) = match (same_template, prompt.frame, offer) {
        (false, ..) => (Verdict::Recorded, "its template is gone, or says something else today"),
        (_, None, _) => (Verdict::Recorded, "it was not written down how they were described"),
        (_, _, None) => (Verdict::Recorded, "this program describes them in other words"),
        (_, _, Some(_)) => {
            let detail = format!("{} are described in the same words", prompt.tools.len());
            return sheet.note("tools", Verdict::Verified, detail);
        }
    };
    sheet.note("tools", verdict, detail);
}

/// Whether these are the words that were sent. Whether the turn's own are was looked at when they were read.
fn is_whole(part: &BlockRef, text: &str) -> bool {
    let named_so = part.hash.is_none_or(|hash| hash == Digest::of(text.as_bytes()));
    named_so && part.tokens == context::tokens(text)
}

/// A part held against what was recorded of it, and against the same made again, if it can be.
fn held(
    part: &BlockRef,
    text: Option<&str>,
    made: Option<&Block>,
    same_template: bool,
) -> (Verdict, String) {
    let Some(text) = text else { return (Verdict::Erased, "its words were erased".to_owned()) };
    if !is_whole(part, text) {
        return (Verdict::Differs, "its words are not those that were sent".to_owned());
    }
    let recorded = |why: &str| (Verdict::Recorded, why.to_owned());
    match made {
        Some(made) if made.text == text => (Verdict::Verified, "made again, word by word".into()),
        _ if part.kind == BlockKind::Role && !same_template => {
            recorded("whole; its template is gone, or says something else today")
        }
        Some(_) if part.stability != Stability::TurnScoped => {
            recorded("whole; this program says it in other words")
        }
        // What there was no room for then may have room now.
        Some(made) if part.kind == BlockKind::Input && made.reason == part.reason => {
            (Verdict::Differs, "what was said comes out otherwise".to_owned())
        }
        _ => recorded(MOVED_ON),
    }
}

/// The prompt as a whole: whether it may be sent, and where it came from.
fn all_of_it(past: &Past, prompt: &Recorded, sheet: &mut Sheet) {
    let blocks: Vec<Block> = prompt.blocks.iter().cloned().filter_map(whole).collect();
    let exposed = context::is_exposed(&prompt.label);
    let against = match check(&blocks, &Allow::turn()) {
        Err(blocked) => Some(format!("{} may not be sent", blocked.part)),
        // A turn is exposed by its prompt, or later by what its tools have told it.
        Ok(()) if exposed != past.turn.exposed && (exposed || !past.may_have_called()) => {
            Some("how far it is to be trusted comes out otherwise".to_owned())
        }
        Ok(()) => None,
    };
    let tokens: u64 = prompt.blocks.iter().map(|(part, _)| part.tokens).sum();
    let trust = if exposed { "holds words that nobody vouches for" } else { "vouched for" };
    let parts = prompt.blocks.len();
    let detail = format!("{parts} parts, about {tokens} tokens; may be sent; {trust}");
    sheet.hold("prompt", detail, against);
}
