//! Requests about reports.

use api_types::{ClaimReply, FreshnessReply, ReportReply, RestingReply};
use runtime::{ReportView, Resting};
use types::{Claim, Code, Problem, RecordId, ReportScope};

use crate::route::Router;

impl Router {
    pub(crate) async fn report(
        &self,
        agent: &str,
        scope: Option<&str>,
    ) -> Result<ReportReply, Problem> {
        let scope = scope.map_or(Ok(ReportScope::Current), meant)?;
        let agent = self.runtime.fleet.agent_get(agent).await?.id;
        let found = self.runtime.memory.report(&agent, scope).await?;
        found.map(reply).ok_or_else(|| {
            let message = format!("{agent} has written no {} report yet", scope.as_str());
            let hint = "`dormouse runs AGENT` says whether it has run; watchers write none";
            Problem::new(Code::NoReport, message, hint)
        })
    }

    /// What rests on a record: what each agent has last written, or all that one agent has.
    pub(crate) async fn reports(
        &self,
        about: String,
        agent: Option<&str>,
        limit: usize,
    ) -> Result<Vec<RestingReply>, Problem> {
        let about = self.runtime.journal.record_named(about).await?;
        let memory = &self.runtime.memory;
        let found = match agent {
            Some(agent) => {
                let agent = self.runtime.fleet.agent_get(agent).await?.id;
                memory.reports_of(&agent, &about, limit).await?
            }
            None => memory.reports_about(&about, limit).await?,
        };
        let mut replies = Vec::with_capacity(found.len());
        for one in found {
            let writer = self.runtime.fleet.agent_get(one.report.agent_id.as_str()).await?;
            replies.push(resting(one, writer.identity.display_name, &about));
        }
        Ok(replies)
    }
}

fn meant(word: &str) -> Result<ReportScope, Problem> {
    let known = ReportScope::ALL.into_iter().find(|scope| scope.as_str() == word);
    known.ok_or_else(|| {
        let scopes = ReportScope::ALL.map(ReportScope::as_str).join(", ");
        let message = format!("there are no reports of scope {word:?}");
        Problem::new(Code::WrongUsage, message, format!("the scopes are: {scopes}"))
    })
}

fn reply(view: ReportView) -> ReportReply {
    let ReportView { id, report, content, freshness } = view;
    ReportReply {
        id: id.to_string(),
        agent: report.agent_id.to_string(),
        scope: report.scope.as_str().to_owned(),
        created_at: report.written_at,
        run_key: report.run_key.to_string(),
        model: report.model,
        confidence: report.confidence,
        content,
        freshness: FreshnessReply {
            stale: freshness.is_stale(),
            reasons: freshness.reasons.iter().map(|why| why.as_str().to_owned()).collect(),
            newer_changes: freshness.newer_changes,
            more: freshness.more,
        },
        claims: report.claims.into_iter().map(claim).collect(),
    }
}

fn resting(resting: Resting, name: String, about: &RecordId) -> RestingReply {
    let Resting { id, report, stands } = resting;
    let rests =
        |claim: &Claim| claim.sources.iter().any(|source| source.source_locator == about.as_str());
    RestingReply {
        id: id.to_string(),
        agent: report.agent_id.to_string(),
        name,
        scope: report.scope.as_str().to_owned(),
        created_at: report.written_at,
        run_key: report.run_key.to_string(),
        stands,
        claims: report.claims.into_iter().filter(rests).map(claim).collect(),
    }
}

fn claim(claim: Claim) -> ClaimReply {
    let Claim { id, section, text, sources, inferred, confidence } = claim;
    ClaimReply { id, section, text, sources, inferred, confidence }
}
