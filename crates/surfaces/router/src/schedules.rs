//! Requests about schedules.

use api_types::{BackfillReply, Request, ScheduleParams, ScheduleReply};
use runtime::{CreateSchedule, ScheduleView};
use serde_json::Value;
use types::{CatchUp, Code, Overlap, Problem, Recurrence, ScheduleTrigger};

use crate::replies;
use crate::route::{Router, json};

/// Occurrences that are shown with a schedule.
const SHOWN: usize = 20;

impl Router {
    pub(crate) async fn answer_schedule(&self, request: Request) -> Result<Value, Problem> {
        let waker = &self.runtime.waker;
        match request {
            Request::ScheduleCreate(params) => {
                let params = self.schedule_params(params).await?;
                json(&self.shown(waker.schedule_create(params).await?).await?)
            }
            Request::ScheduleList { agent } => {
                let agent = self.runtime.fleet.agent_get(&agent).await?.id;
                let mut replies = Vec::new();
                for view in waker.schedule_list(&agent).await? {
                    replies.push(self.shown(view).await?);
                }
                json(&replies)
            }
            Request::ScheduleGet { schedule } => {
                json(&self.shown(waker.schedule_get(&schedule).await?).await?)
            }
            Request::SchedulePause { schedule } => {
                json(&self.shown(waker.schedule_pause(&schedule).await?).await?)
            }
            Request::ScheduleResume { schedule } => {
                json(&self.shown(waker.schedule_resume(&schedule).await?).await?)
            }
            Request::ScheduleDisable { schedule } => {
                json(&self.shown(waker.schedule_disable(&schedule).await?).await?)
            }
            Request::ScheduleTrigger { schedule, request_id } => {
                let request = request_id.unwrap_or_else(|| self.runtime.new_request());
                let occurrence = waker.schedule_trigger(&schedule, &request).await?;
                json(&replies::occurrence(&occurrence))
            }
            Request::ScheduleBackfill { schedule, from, to } => {
                json(&BackfillReply { queued: waker.schedule_backfill(&schedule, from, to).await? })
            }
            _ => unreachable!("the router sends only requests about schedules here"),
        }
    }

    async fn shown(&self, view: ScheduleView) -> Result<ScheduleReply, Problem> {
        let occurrences = self.runtime.store.occurrences(view.id.clone(), SHOWN).await?;
        Ok(replies::schedule(view, &occurrences))
    }

    async fn schedule_params(&self, params: ScheduleParams) -> Result<CreateSchedule, Problem> {
        let agent = self.runtime.fleet.agent_get(&params.agent).await?.id;
        let (trigger, goes_by) = match (&params.cron, params.every_seconds) {
            (Some(_), Some(_)) => {
                let message = "it goes by a cron line or by an interval, not by both";
                return Err(Problem::new(Code::BadSchedule, message, "leave one of them out"));
            }
            (Some(line), None) => (ScheduleTrigger::Cron, line.clone()),
            (None, Some(seconds)) => (ScheduleTrigger::Interval, format!("every {seconds} s")),
            (None, None) => {
                let hint = "give it a cron line or a number of seconds";
                return Err(Problem::new(Code::BadSchedule, "it never comes round", hint));
            }
        };
        Ok(CreateSchedule {
            agent,
            recurrence: Recurrence {
                label: params.label.unwrap_or(goes_by),
                cron: params.cron,
                interval_seconds: params.every_seconds,
            },
            trigger,
            zone: params.zone.unwrap_or_else(|| "local".to_owned()),
            overlap: params.overlap.unwrap_or(Overlap::Forbid),
            catch_up: if params.catch_up { CatchUp::ONCE } else { CatchUp::NEVER },
            one_shot: params.once,
            always: params.always,
            ends_at: params.ends_at,
            paused: false,
            request: params.request_id,
        })
    }
}
