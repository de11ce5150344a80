//! Requests about reports.

use api_types::{ClaimReply, FreshnessReply, ReportReply};
use runtime::ReportView;
use types::{Claim, Code, Problem, ReportScope};

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

fn claim(claim: Claim) -> ClaimReply {
    let Claim { id, section, text, sources, inferred, confidence } = claim;
    ClaimReply { id, section, text, sources, inferred, confidence }
}
