//! The agent's own notes, and summaries of older ones.

use store::{Listing, StoreError};
use types::{AgentId, At, Body, BodyType, Domain, MessageId, MessageKind, SummarySpan};

use crate::Memory;

/// As far back as a report is held against notes: further than any prompt shows them.
const PRIVATE_MAX: usize = 300;

/// A note of an agent, or a summary of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its message.
    pub id: MessageId,
    /// When it was kept.
    pub at: At,
    /// Its words.
    pub text: String,
    /// What it stands for, if it is a summary.
    pub summary: Option<SummarySpan>,
}

impl Memory {
    /// The newest notes of an agent, oldest of them first.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn observations(
        &self,
        agent: &AgentId,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        self.notes(agent.as_str(), MessageKind::Observation, limit).await
    }

    /// The newest summaries of an agent's notes, oldest of them first.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn summaries(&self, agent: &AgentId, limit: usize) -> Result<Vec<Note>, StoreError> {
        self.notes(rules::thread::of_notes(agent).as_str(), MessageKind::Summary, limit).await
    }

    /// All words that are an agent's own affair.
    pub(crate) async fn private_words(&self, agent: &AgentId) -> Result<Vec<String>, StoreError> {
        let notes = self.observations(agent, PRIVATE_MAX).await?;
        let summaries = self.summaries(agent, PRIVATE_MAX).await?;
        // A summary says line by line what was noted.
        let lines = summaries.iter().flat_map(|summary| summary.text.lines());
        let lines = lines.map(|line| line.trim_start_matches("- ").to_owned());
        Ok(notes.into_iter().map(|note| note.text).chain(lines).collect())
    }

    async fn notes(
        &self,
        owner: &str,
        kind: MessageKind,
        limit: usize,
    ) -> Result<Vec<Note>, StoreError> {
        let listing = Listing {
            subtype: Some(kind.as_str().to_owned()),
            ..Listing::of(owner, BodyType::AgentMessage, limit)
        };
        let mut notes = Vec::new();
        for record in self.store.records(Domain::Agent, listing).await?.into_iter().rev() {
            let (Body::AgentMessage(message), Ok(id)) = (record.body, record.id.as_str().parse())
            else {
                continue;
            };
            let (at, summary) = (record.created_at, message.summary);
            let text = self.words(message.content).await?;
            notes.push(Note { id, at, text, summary });
        }
        Ok(notes)
    }
}
