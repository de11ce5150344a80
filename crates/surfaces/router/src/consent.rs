//! Requests about providers of models, and what the operator agrees to.

use api_types::{ConsentReply, ProviderReply, Request, RetryReply, TermsReply};
use runtime::{ProviderStanding, ReceiptView, Statement};
use serde_json::Value;
use types::Problem;

use crate::route::{Router, json};

impl Router {
    pub(crate) async fn answer_consent(&self, request: Request) -> Result<Value, Problem> {
        let consent = &self.runtime.consent;
        match request {
            Request::ProviderList {} => {
                let standings = self.runtime.turns.providers();
                json(&standings.into_iter().map(provider).collect::<Vec<_>>())
            }
            Request::ConsentTerms { model } => json(&terms(consent.statement(&model)?)),
            Request::ConsentGrant { model, policy_version } => {
                json(&receipt(consent.grant(&model, policy_version.as_deref()).await?))
            }
            Request::ConsentList {} => {
                let receipts = consent.list().await?;
                json(&receipts.into_iter().map(receipt).collect::<Vec<_>>())
            }
            Request::ConsentRevoke { model } => json(&receipt(consent.revoke(&model).await?)),
            other => self.answer_schedule(other).await,
        }
    }
}

fn provider(standing: ProviderStanding) -> ProviderReply {
    let ProviderStanding { provider, transport, destination, obstacle, retry } = standing;
    ProviderReply {
        provider,
        transport,
        destination,
        available: obstacle.is_none(),
        obstacle,
        retry: RetryReply {
            attempts_max: retry.attempts_max,
            backoff_ms: retry.backoff_ms,
            wait_ms_max: retry.wait_ms_max,
        },
    }
}

fn terms(statement: Statement) -> TermsReply {
    let Statement { destination, transport, retention, training, jurisdiction, .. } = statement;
    TermsReply {
        model: statement.model.to_string(),
        destination,
        transport,
        retention,
        training,
        jurisdiction,
        policy_version: statement.policy_version,
    }
}

fn receipt(receipt: ReceiptView) -> ConsentReply {
    let ReceiptView { id, consent, standing, .. } = receipt;
    ConsentReply {
        id: id.to_string(),
        provider: consent.provider,
        model: consent.model,
        policy_version: consent.policy_version,
        confirmed_at: consent.confirmed_at,
        revoked: consent.revoked,
        standing: standing.as_str().to_owned(),
    }
}
