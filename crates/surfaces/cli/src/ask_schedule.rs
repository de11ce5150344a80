//! The words about schedules.

use api_types::{
    BackfillReply, OccurrenceReply, Overlap, ProblemReply, Request, ScheduleParams, ScheduleReply,
};
use client::Client;

use crate::args::{OverlapWord, ScheduleAdd, ScheduleCommand};
use crate::render;
use crate::screen::Screen;

pub(crate) fn ask(
    command: ScheduleCommand,
    client: &Client,
    screen: &Screen,
) -> Result<(), ProblemReply> {
    let request = match command {
        ScheduleCommand::Add(add) => Request::ScheduleCreate(params(add)),
        ScheduleCommand::Show { schedule } => Request::ScheduleGet { schedule },
        ScheduleCommand::Pause { schedule } => Request::SchedulePause { schedule },
        ScheduleCommand::Resume { schedule } => Request::ScheduleResume { schedule },
        ScheduleCommand::Disable { schedule } => Request::ScheduleDisable { schedule },
        ScheduleCommand::List { agent } => {
            let schedules: Vec<ScheduleReply> = client.ask(Request::ScheduleList { agent })?;
            screen.show(&schedules, |schedules| render::schedules(schedules));
            return Ok(());
        }
        ScheduleCommand::Trigger { schedule, request_id } => {
            let request = Request::ScheduleTrigger { schedule, request_id };
            let occurrence: OccurrenceReply = client.ask(request)?;
            screen.show(&occurrence, |one| format!("{}: {}\n", one.last_slot, one.state));
            return Ok(());
        }
        ScheduleCommand::Backfill { schedule, from, to } => {
            let request = Request::ScheduleBackfill { schedule, from, to };
            let reply: BackfillReply = client.ask(request)?;
            screen.show(&reply, |reply| format!("{} slots queued\n", reply.queued));
            return Ok(());
        }
    };
    let schedule: ScheduleReply = client.ask(request)?;
    if schedule.again {
        screen.say_repeated();
    }
    screen.show(&schedule, render::schedule);
    Ok(())
}

fn params(add: ScheduleAdd) -> ScheduleParams {
    ScheduleParams {
        agent: add.agent,
        label: add.label,
        cron: add.cron,
        every_seconds: add.every,
        zone: Some(add.zone),
        overlap: Some(match add.overlap {
            OverlapWord::Allow => Overlap::Allow,
            OverlapWord::Forbid => Overlap::Forbid,
            OverlapWord::Replace => Overlap::Replace,
        }),
        catch_up: add.catch_up,
        once: add.once,
        always: add.always,
        ends_at: add.until,
        request_id: add.request_id,
    }
}
