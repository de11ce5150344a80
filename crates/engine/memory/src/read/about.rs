//! Which reports rest on a record.

use std::collections::BTreeMap;

use rules::mark;
use store::{Marked, StoreError};
use types::{AgentId, Body, BodyType, Domain, RecordId, Report, ReportId};

use crate::Memory;

/// A report that rests on a record.
#[derive(Debug, Clone, PartialEq)]
pub struct Resting {
    /// Its id.
    pub id: ReportId,
    /// What it says of itself, its claims among it.
    pub report: Report,
    /// It is what its agent says now, and not something that it has said before.
    pub stands: bool,
}

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
    ) -> Result<Vec<Resting>, StoreError> {
        let (from, mut to) = mark::resting_on_any(source);
        let mut found = Vec::new();
        while found.len() < limit {
            let newest = self.resting(from.clone(), to, 1).await?.pop();
            let Some(newest) = newest else { break };
            to = mark::resting_on_for(source, &newest.report.agent_id);
            found.push(newest);
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
    ) -> Result<Vec<Resting>, StoreError> {
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
    ) -> Result<Vec<Resting>, StoreError> {
        let kind = BodyType::AgentReport;
        let search = Marked { kind, from, to, backwards: true, after: None, limit };
        let (mut found, mut heads) = (Vec::new(), BTreeMap::new());
        for record in self.store.marked(Domain::Agent, search).await? {
            let Body::AgentReport(report) = record.body else { continue };
            let Ok(id) = record.id.as_str().parse::<ReportId>() else { continue };
            let head = rules::report::head(&report.agent_id, report.scope);
            if !heads.contains_key(&head) {
                let now = self.standing(&report.agent_id, report.scope).await?;
                heads.insert(head.clone(), now.map(|(standing, _)| standing));
            }
            let stands = heads[&head].as_ref() == Some(&id);
            found.push(Resting { id, report, stands });
        }
        Ok(found)
    }
}
