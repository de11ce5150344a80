//! Which reports rest on a record.

use rules::mark;
use store::{Marked, StoreError};
use types::{AgentId, Body, BodyType, Domain, RecordId, Report, ReportId};

use crate::Memory;

impl Memory {
    /// The newest report of each agent that rests on a record, newest agent's id first. It reads one
    /// report per agent, however many each has written.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn reports_about(
        &self,
        source: &RecordId,
        limit: usize,
    ) -> Result<Vec<(ReportId, Report)>, StoreError> {
        let (from, mut to) = mark::resting_on_any(source);
        let mut found = Vec::new();
        while found.len() < limit {
            let newest = self.resting(from.clone(), to, 1).await?.pop();
            let Some((id, report)) = newest else { break };
            to = mark::resting_on_for(source, &report.agent_id);
            found.push((id, report));
        }
        Ok(found)
    }

    /// An agent's reports that rest on a record, newest first; those that stand no longer too.
    ///
    /// # Errors
    /// If the store cannot read.
    pub async fn reports_of(
        &self,
        agent: &AgentId,
        source: &RecordId,
        limit: usize,
    ) -> Result<Vec<(ReportId, Report)>, StoreError> {
        let from = mark::resting_on_for(source, agent);
        // Instants are digits and a few signs: all of them sort before this.
        let to = format!("{from}~");
        self.resting(from, to, limit).await
    }

    async fn resting(
        &self,
        from: String,
        to: String,
        limit: usize,
    ) -> Result<Vec<(ReportId, Report)>, StoreError> {
        let kind = BodyType::AgentReport;
        let search = Marked { kind, from, to, backwards: true, after: None, limit };
        let records = self.store.marked(Domain::Agent, search).await?;
        let reports = records.into_iter().filter_map(|record| match record.body {
            Body::AgentReport(report) => Some((record.id.as_str().parse().ok()?, report)),
            _ => None,
        });
        Ok(reports.collect())
    }
}
