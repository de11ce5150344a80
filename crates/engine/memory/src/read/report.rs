//! The report that stands, with how far it can be relied on.

use rules::facts::Relevance;
use rules::freshness::{self, Freshness};
use rules::matching;
use store::{Listing, StoreError};
use types::{
    AgentId, Body, BodyType, ContentRef, Domain, Position, Report, ReportId, ReportScope,
    Subscription, Token, limits,
};

use crate::Memory;

/// A report as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportView {
    /// Its id.
    pub id: ReportId,
    /// What it says of itself, its claims among it.
    pub report: Report,
    /// Its words, in Markdown; empty if they were erased.
    pub content: String,
    /// Whether it is out of date, and why.
    pub freshness: Freshness,
}

impl Memory {
    /// The report of an agent and scope that stands, if it has written one.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn report(
        &self,
        agent: &AgentId,
        scope: ReportScope,
    ) -> Result<Option<ReportView>, StoreError> {
        let Some((id, report)) = self.standing(agent, scope).await? else { return Ok(None) };
        let content = self.words(report.content.clone()).await?;
        let (newer, more) = self.newer(agent, report.journal_seen).await?;
        let freshness = freshness::judge(&report, self.world.now(), newer, more);
        Ok(Some(ReportView { id, report, content, freshness }))
    }

    /// The report that the head points to.
    pub(crate) async fn standing(
        &self,
        agent: &AgentId,
        scope: ReportScope,
    ) -> Result<Option<(ReportId, Report)>, StoreError> {
        let head = rules::report::head(agent, scope);
        let head = self.store.record(Domain::Agent, head.into()).await?;
        let Some(Body::AgentReportHead(head)) = head.map(|record| record.body) else {
            return Ok(None);
        };
        let found = self.store.record(Domain::Agent, (&head.report_id).into()).await?;
        let body = found.filter(|record| record.deleted_at.is_none()).map(|record| record.body);
        Ok(match body {
            Some(Body::AgentReport(report)) => Some((head.report_id, report)),
            _ => None,
        })
    }

    /// The words of every report of an agent that stands.
    pub(crate) async fn standing_words(&self, agent: &AgentId) -> Result<Vec<String>, StoreError> {
        let mut words = Vec::new();
        for scope in ReportScope::ALL {
            if let Some((_, report)) = self.standing(agent, scope).await? {
                words.push(self.words(report.content).await?);
            }
        }
        Ok(words)
    }

    /// The words of a content; none if they were erased.
    pub(crate) async fn words(&self, at: ContentRef) -> Result<String, StoreError> {
        let content = self.store.content(Domain::Agent, at).await?;
        let bytes = content.map(|content| content.bytes).unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// How many changes there are after a position that are news to an agent, whether or not it has looked at them
    /// since, and whether there are more than were counted. A range read by token: its cost is what is new.
    async fn newer(&self, agent: &AgentId, after: Position) -> Result<(usize, bool), StoreError> {
        let wishes = self.subscriptions(agent).await?;
        let tokens: Vec<Token> = wishes.iter().flat_map(matching::index_tokens).collect();
        if tokens.is_empty() || *self.store.watch(Domain::Journal).borrow() <= after {
            return Ok((0, false));
        }
        let relevance = self.relevant_to(agent).await?;
        let (mut from, mut newer, mut missed) = (after, 0, false);
        loop {
            let (tokens, limit) = (tokens.clone(), limits::NEWER_CHANGES_MAX);
            let delta = self.store.delta(Domain::Journal, tokens, from, limit).await?;
            missed |= delta.trimmed;
            newer += freshness::newer(agent, &relevance, &wishes, &delta.changes);
            if newer >= limit || !delta.more {
                return Ok((newer.min(limit), missed || delta.more || newer > limit));
            }
            from = delta.head;
        }
    }

    async fn relevant_to(&self, agent: &AgentId) -> Result<Relevance, StoreError> {
        let identity = self.store.record(Domain::Agent, agent.into()).await?;
        Ok(match identity.map(|record| record.body) {
            Some(Body::Agent(identity)) => (self.relevance)(&identity),
            _ => Relevance::Everything,
        })
    }

    async fn subscriptions(&self, agent: &AgentId) -> Result<Vec<Subscription>, StoreError> {
        let (kind, limit) = (BodyType::AgentSubscription, limits::ROWS_PER_READ_MAX);
        let listing = Listing::of(agent.as_str(), kind, limit);
        let records = self.store.records(Domain::Agent, listing).await?;
        let wishes = records.into_iter().filter_map(|record| match record.body {
            Body::AgentSubscription(subscription) => Some(subscription),
            _ => None,
        });
        Ok(wishes.collect())
    }
}
