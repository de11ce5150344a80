//! Making calls.

use ingress::HintDelivery;
use types::{AgentId, Outcome, WaitFor, WaitState};
use wake::SourceGone;

use crate::bodies::TENDER;
use crate::boot::{FOREIGN, Services};
use crate::call::{Answered, Call, LifeStep, ScheduleStep};

impl Call {
    /// Makes the call.
    pub(crate) async fn make(self, services: Services) -> Answered {
        let Services { fleet, ingress, store, .. } = services.clone();
        let done = String::new();
        match self {
            Call::NewAgent { name, category, request } => {
                let template = "watcher".to_owned();
                let (name, request) = (Some(name), Some(request));
                let subject = fleet::Subject::Category(category);
                let params = fleet::CreateAgent { template, subject, name, request };
                Ok(fleet.agent_create(params).await?.id.to_string())
            }
            Call::NewTender { task, request } => {
                let template = TENDER.to_owned();
                let (subject, request) = (fleet::Subject::Task(task), Some(request));
                let params = fleet::CreateAgent { template, subject, name: None, request };
                Ok(fleet.agent_create(params).await?.id.to_string())
            }
            Call::Cancel { agent, run } => {
                let run = run.map(|key| key.to_string());
                let cancelled = services.waker.run_cancel(&agent, run.as_deref()).await?;
                Ok(cancelled.draft.run_key.to_string())
            }
            Call::Undo { what, request } => undone(&services, &what.name(), request).await,
            Call::Write(commit) => match store::Store::commit(&*store, commit).await? {
                Outcome::Conflict(conflict) => Ok(format!("conflict: {conflict}")),
                _ => Ok(done),
            },
            Call::Subscribe { agent, purpose, tokens, predicate, active } => {
                let put = fleet.subscription_put(&agent, &purpose, tokens, predicate, active);
                Ok(put.await?.to_string())
            }
            Call::Admit(delivery) => Ok(ingress.admit(delivery).await?.run_key.to_string()),
            Call::Wake { agent, request, model } => {
                Ok(ingress.wake_to_ask(&agent, &request, model).await?.run_key.to_string())
            }
            Call::Hint { agent, delivery, payload } => {
                let trigger = ingress.trigger_ensure(&agent).await?;
                let hint = HintDelivery {
                    trigger,
                    delivery,
                    source: None,
                    content_type: None,
                    payload,
                    correlation_id: None,
                    causation_id: None,
                };
                Ok(ingress.hint(hint).await?.to_string())
            }
            Call::Revoke { agent } => {
                let trigger = ingress.trigger_ensure(&agent).await?;
                ingress.trigger_revoke(&trigger).await?;
                Ok(done)
            }
            Call::Life { agent, step } => lived(&services, &agent, step).await,
            Call::Kill { on: true } => Ok(fleet.kill_on().await.map(|()| done)?),
            Call::Kill { on: false } => Ok(fleet.kill_off().await.map(|()| done)?),
            Call::Tools { class, stop: true } => {
                Ok(fleet.tools_stop(class).await.map(|()| done)?)
            }
            Call::Tools { class, stop: false } => {
                Ok(fleet.tools_allow(class).await.map(|()| done)?)
            }
            Call::Barrier { agent, until } => {
                fleet.agent_sleep_until(agent.as_str(), until).await?;
                Ok(done)
            }
            Call::Consent { give } => agreed(&services, give).await,
            by_the_clock => timed(&services, by_the_clock).await,
        }
    }
}

/// Agrees to the model that agents ask abroad, or takes that back.
async fn agreed(services: &Services, give: bool) -> Answered {
    let receipt = match give {
        true => services.consent.grant(FOREIGN, None).await?,
        false => services.consent.revoke(FOREIGN).await?,
    };
    Ok(receipt.id.to_string())
}

/// Puts back what was done under a name.
async fn undone(services: &Services, name: &str, request: String) -> Answered {
    let undone = services.journal.undo(name, Some(request)).await?;
    Ok(undone.operation.map(|id| id.to_string()).unwrap_or_default())
}

async fn lived(services: &Services, agent: &AgentId, step: LifeStep) -> Answered {
    let (fleet, id) = (&services.fleet, agent.as_str());
    match step {
        LifeStep::Pause => fleet.agent_pause(id).await?,
        LifeStep::Stop => fleet.agent_stop(id).await?,
        LifeStep::Resume => fleet.agent_resume(id).await?,
        LifeStep::Destroy => fleet.agent_destroy(id).await?,
    };
    Ok(String::new())
}

/// Calls about schedules and waits.
async fn timed(services: &Services, call: Call) -> Answered {
    let waker = &services.waker;
    match call {
        Call::NewSchedule(params) => {
            return Ok(waker.schedule_create(params).await?.id.to_string());
        }
        Call::Schedule { id, step } => {
            let id = id.as_str();
            match step {
                ScheduleStep::Pause => waker.schedule_pause(id).await?,
                ScheduleStep::Resume => waker.schedule_resume(id).await?,
                ScheduleStep::Disable => waker.schedule_disable(id).await?,
            };
        }
        Call::Trigger { id, request } => {
            waker.schedule_trigger(id.as_str(), &request).await?;
        }
        Call::Backfill { id, from, to } => {
            waker.schedule_backfill(id.as_str(), from, to).await?;
        }
        Call::JobGone { job } => {
            let state = WaitState::Broken { why: "the job was lost".to_owned() };
            waker.source_gone(SourceGone { source: WaitFor::Job { job }, state }).await?;
        }
        _ => {}
    }
    Ok(String::new())
}
