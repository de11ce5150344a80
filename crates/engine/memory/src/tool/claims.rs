//! What a report claims, and that each claim says what it rests on.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use tool::Failure;
use types::{At, Claim, Code, RecordId, SourceRef};

use super::sources::Found;

/// A claim as an agent makes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Claimed {
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) section: Option<String>,
    #[serde(default)]
    sources: Vec<String>,
    #[serde(default)]
    inferred: bool,
    #[serde(default)]
    confidence: Option<u8>,
}

/// The records that claims name. Each claim names one or says that it was concluded.
pub(crate) fn named(claims: &[Claimed]) -> Result<BTreeSet<RecordId>, Failure> {
    let mut named = BTreeSet::new();
    for (place, claim) in claims.iter().enumerate() {
        if claim.sources.is_empty() && !claim.inferred {
            let message = format!(
                "claim {} ({:?}) names no source and is not marked as inferred",
                place + 1,
                beginning(&claim.text)
            );
            let hint = "name the ids of the records it rests on, or set inferred to true";
            let failure = Failure::of(Code::UnsourcedClaim, message, hint);
            return Err(failure.about(&format!("claims.{place}")));
        }
        // What is no id names no record, and is found nowhere.
        named.extend(claim.sources.iter().filter_map(|source| source.parse::<RecordId>().ok()));
    }
    Ok(named)
}

/// The claims as a report keeps them: each source with when it was looked at and how old it was then.
pub(crate) fn sourced(
    claims: Vec<Claimed>,
    found: &BTreeMap<RecordId, Found>,
    looked_at: At,
) -> Result<Vec<Claim>, Failure> {
    let numbered = claims.into_iter().enumerate();
    let claims = numbered.map(|(place, claim)| {
        let read = |source: &String| {
            let known = source.parse::<RecordId>().ok().and_then(|id| found.get(&id));
            known.map(|known| known.source(source, looked_at)).ok_or_else(|| lost(place, source))
        };
        let sources: Vec<SourceRef> =
            claim.sources.iter().map(read).collect::<Result<_, Failure>>()?;
        Ok(Claim {
            id: format!("c{}", place + 1),
            section: claim.section.unwrap_or_default(),
            text: claim.text.trim().to_owned(),
            sources,
            inferred: claim.inferred,
            confidence: claim.confidence,
        })
    });
    claims.collect()
}

/// The same words whether there is no such record or one that the agent may not see.
fn lost(place: usize, source: &str) -> Failure {
    let source = beginning(source);
    let message = format!("claim {} names {source:?}, which this agent cannot see", place + 1);
    let hint = "name ids as they stand in what you were shown, or mark the claim as inferred";
    let failure = Failure::of(Code::UnknownRecord, message, hint);
    failure.about(&format!("claims.{place}.sources"))
}

fn beginning(text: &str) -> &str {
    &text[..text.floor_char_boundary(80)]
}
