//! Reports: the standing document an agent keeps current.

use serde::{Deserialize, Serialize};

use crate::{
    AgentId, At, ContentRef, Invalid, MessageId, Position, RecordId, ReportId, RunKey, limits,
};

/// What stretch of time a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReportScope {
    /// How things stand.
    Current,
    /// A day.
    Daily,
    /// A week.
    Weekly,
    /// A month.
    Monthly,
}

impl ReportScope {
    /// Every scope.
    pub const ALL: [ReportScope; 4] =
        [ReportScope::Current, ReportScope::Daily, ReportScope::Weekly, ReportScope::Monthly];

    /// The scope as it is stored and shown.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            ReportScope::Current => "current",
            ReportScope::Daily => "daily",
            ReportScope::Weekly => "weekly",
            ReportScope::Monthly => "monthly",
        }
    }
}

/// What kind of thing a claim rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceType {
    /// A record of the journal.
    Journal,
    /// A record of an agent.
    Agent,
    /// A page.
    Web,
    /// What a tool answered.
    ToolOutput,
}

/// What a claim rests on, as it was when it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRef {
    /// What kind of thing.
    pub source_type: SourceType,
    /// Which.
    pub source_locator: String,
    /// When it was read.
    pub captured_at: At,
    /// When it was last true, as far as it says.
    pub freshness_at: At,
}

/// One thing that a report says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name within the report.
    pub id: String,
    /// The section it stands in.
    pub section: String,
    /// What it says.
    pub text: String,
    /// What it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceRef>,
    /// It was concluded, not read.
    pub inferred: bool,
    /// How sure, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
}

/// A report, written once. The next one supersedes it and leaves it be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Whose.
    pub agent_id: AgentId,
    /// About which stretch of time.
    pub scope: ReportScope,
    /// The run that wrote it.
    pub run_key: RunKey,
    /// Its words in Markdown, in `contents`.
    pub content: ContentRef,
    /// How sure its writer is, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// The model that wrote it.
    pub model: String,
    /// How far the journal had been read when it was written.
    pub journal_seen: Position,
    /// When it was written.
    pub written_at: At,
    /// What it says, claim by claim.
    pub claims: Vec<Claim>,
    /// The first message it rests on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub based_on: Option<MessageId>,
}

impl Report {
    pub(crate) fn check(&self) -> Result<(), Invalid> {
        Invalid::unless_within("claims", self.claims.len(), limits::CLAIMS_MAX, "claims")?;
        for claim in &self.claims {
            Invalid::unless_text("claim", &claim.text, limits::NOTE_BYTES_MAX)?;
            let sources = claim.sources.len();
            Invalid::unless_within("sources", sources, limits::CLAIM_SOURCES_MAX, "sources")?;
            if claim.sources.is_empty() && !claim.inferred {
                let what = format!("{:?} names no source and is not marked as inferred", claim.id);
                return Err(Invalid::new("claims", what));
            }
        }
        Ok(())
    }

    /// The records that its claims rest on.
    pub fn sources(&self) -> impl Iterator<Item = RecordId> + '_ {
        let all = self.claims.iter().flat_map(|claim| &claim.sources);
        all.filter_map(|source| source.source_locator.parse().ok())
    }
}

/// Which report of an agent and scope stands. Its id follows from both, so there is one of each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportHead {
    /// Whose.
    pub agent_id: AgentId,
    /// Of which scope.
    pub scope: ReportScope,
    /// Which report.
    pub report_id: ReportId,
    /// Since when.
    pub updated_at: At,
}
