//! Answers as people read them.

use api_types::{
    AgentReply, CheckReply, KillReply, Overlap, ProblemReply, RunReply, ScheduleReply,
};

use crate::spent;
pub(crate) use crate::table::table;

pub(crate) fn agents(agents: &[AgentReply]) -> String {
    let rows = agents.iter().map(|agent| {
        let flag =
            if agent.flagged { format!("{} (FLAGGED)", agent.name) } else { agent.name.clone() };
        [agent.id.clone(), agent.template.clone(), stage(agent), agent.posture.clone(), flag]
    });
    table(["ID", "TEMPLATE", "LIFECYCLE", "POSTURE", "NAME"], rows, "no agents yet\n")
}

pub(crate) fn agent(agent: &AgentReply) -> String {
    let mut text = format!(
        "{}\n  id         {}\n  template   {}\n  lifecycle  {}\n  posture    {}\n",
        agent.name,
        agent.id,
        agent.template,
        stage(agent),
        agent.posture
    );
    if let Some(task) = &agent.task {
        text += &format!("  task       {task}\n");
    }
    if let (Some(at), Some(why)) = (&agent.slept_at, &agent.sleeps_because) {
        text += &format!("  sleeps     since {at} ({why})\n");
    }
    if let Some(closure) = &agent.closure {
        let waits = closure.waiting_reason.as_ref();
        let waits = waits.map_or_else(String::new, |reason| format!(" ({reason})"));
        text += &format!("  last turn  {}{waits}\n", closure.outcome);
    }
    if let Some(budget) = &agent.budget {
        text += &format!("  today      {}\n", spent::budget(budget));
    }
    for edge in &agent.wake_edges {
        let what: Vec<String> = edge.tokens.iter().map(|token| plain(token)).collect();
        text += &format!("  wakes for  {} {}\n", edge.kind, what.join(", "));
    }
    for open in &agent.obligations {
        let edge = open.edge.as_deref().unwrap_or("nothing will wake it for this");
        text += &format!("  has to do  {} {}: {edge}\n", open.kind, open.what);
    }
    if agent.flagged {
        text += "  FLAGGED    something it has to do will never wake it; resume it or destroy it\n";
    }
    text
}

/// How an agent stands, as a line.
pub(crate) fn stands(agent: &AgentReply) -> String {
    format!("{} is {}\n", agent.id, stage(agent))
}

/// An agent's stage of life, with the reason if it is dormant.
fn stage(agent: &AgentReply) -> String {
    match &agent.dormant_because {
        Some(cause) => format!("{} ({cause})", agent.lifecycle),
        None => agent.lifecycle.clone(),
    }
}

/// A token without its class: `TASK category=…`, `TASK`, or an id.
fn plain(token: &str) -> String {
    match token.splitn(3, '|').collect::<Vec<_>>().as_slice() {
        ["subtypeToken", kind, value] => format!("{kind} {value}"),
        [_, "-", value] => (*value).to_owned(),
        _ => token.to_owned(),
    }
}

pub(crate) fn schedules(schedules: &[ScheduleReply]) -> String {
    let rows = schedules.iter().map(|schedule| {
        [
            schedule.id.clone(),
            schedule.status.clone(),
            schedule.next_at.map_or_else(|| "-".to_owned(), |at| at.to_string()),
            schedule.zone.clone(),
            schedule.label.clone(),
        ]
    });
    table(["ID", "STATUS", "NEXT", "ZONE", "LABEL"], rows, "no schedules yet\n")
}

pub(crate) fn schedule(schedule: &ScheduleReply) -> String {
    let next = schedule.next_at.map_or_else(|| "never".to_owned(), |at| at.to_string());
    let mut text = format!(
        "{}\n  id         {}\n  agent      {}\n  status     {}\n  zone       {}\n  next       \
         {next}\n",
        schedule.label, schedule.id, schedule.agent, schedule.status, schedule.zone
    );
    let rule = match (&schedule.cron, schedule.every_seconds) {
        (Some(line), _) => format!("cron {line}"),
        (None, Some(seconds)) => format!("every {seconds} s"),
        (None, None) => "changes".to_owned(),
    };
    let overlap = match schedule.overlap {
        Overlap::Allow => "overlap allowed",
        Overlap::Forbid => "overlap forbidden",
        Overlap::Replace => "overlap replaces",
    };
    let mut ways = vec![rule, overlap.to_owned()];
    ways.extend(schedule.catch_up.then(|| "catches up".to_owned()));
    ways.extend(schedule.once.then(|| "once".to_owned()));
    ways.extend(schedule.always.then(|| "always".to_owned()));
    ways.extend(schedule.ends_at.map(|at| format!("until {at}")));
    text += &format!("  goes by    {}\n", ways.join(", "));
    for one in &schedule.occurrences {
        let slots = match one.count {
            1 => one.last_slot.clone(),
            many => format!("{} to {} ({many} slots)", one.first_slot, one.last_slot),
        };
        let why = one.skip_reason.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        text += &format!("  {:<10} {slots}{why}\n", one.state);
    }
    text
}

pub(crate) fn kill(reply: &KillReply) -> String {
    let all = match reply.on {
        true => "the kill switch is on: no agent runs\n",
        false => "the kill switch is off\n",
    };
    let class = |class: &String| format!("tools that need {class} are stopped\n");
    std::iter::once(all.to_owned()).chain(reply.tools.iter().map(class)).collect()
}

/// The beginning of the name of a run, by which people call it.
pub(crate) fn run_name(key: &str) -> &str {
    key.get(..12).unwrap_or(key)
}

pub(crate) fn runs(runs: &[RunReply]) -> String {
    let rows = runs.iter().map(|run| {
        let receipt = run.receipt.as_ref().map_or_else(String::new, |receipt| {
            let changes = if receipt.changes_seen == 1 { "change" } else { "changes" };
            format!("{} ({} {changes} seen)", receipt.rule, receipt.changes_seen)
        });
        let outcome = match (&run.failure, &run.failed_before) {
            (Some(failure), _) => format!("{}: {}", failure.code, failure.message),
            (None, Some(failed)) => tried(run, failed),
            (None, None) => match awaited(run).or_else(|| taken_up(run)) {
                Some(said) => said,
                None => run.warning.clone().unwrap_or(receipt),
            },
        };
        [
            run_name(&run.run_key).to_owned(),
            run.reason.clone(),
            run.status.clone(),
            run.model_calls.to_string(),
            (run.tokens_in + run.tokens_out).to_string(),
            run.cost.map_or_else(String::new, |cost| format!("{cost:.4}")),
            run.model.clone().unwrap_or_default(),
            run.created_at.to_string(),
            outcome,
        ]
    });
    let head = ["RUN", "REASON", "STATUS", "CALLS", "TOKENS", "COST", "MODEL", "QUEUED", "OUTCOME"];
    table(head, rows, "no runs yet\n")
}

/// What a run waits for besides its turn, if it does.
fn awaited(run: &RunReply) -> Option<String> {
    match (&run.held_because, run.next_at) {
        (Some(why), _) => Some(format!("held ({why})")),
        (None, Some(at)) => Some(format!("from {at}")),
        (None, None) => None,
    }
}

/// Where the words of a run were taken up, if they were thrown in somewhere.
fn taken_up(run: &RunReply) -> Option<String> {
    run.taken_up_by.as_ref().map(|other| format!("taken up by {}", run_name(other)))
}

/// What is to be said of a run that has failed and is tried again.
fn tried(run: &RunReply, failed: &str) -> String {
    let again = match (awaited(run), run.next_at) {
        (None, _) => String::new(),
        (Some(awaited), None) => format!(", {awaited}"),
        (Some(awaited), Some(_)) => format!(", again {awaited}"),
    };
    let times = if run.attempt == 1 { "once" } else { "several times" };
    format!("tried {times}{again}: {failed}")
}

pub(crate) fn checks(reports: &[CheckReply]) -> String {
    let mut text = String::new();
    for report in reports {
        let verdict = match (&report.problem, report.ok) {
            (Some(problem), _) => problem.message.clone(),
            (None, true) => {
                let changes = if report.changes == 1 { "change" } else { "changes" };
                let entries = if report.audit_entries == 1 { "entry" } else { "entries" };
                let (changed, audited) = (report.changes, report.audit_entries);
                format!("whole ({changed} {changes}, {audited} audit {entries})")
            }
            (None, false) => "DAMAGED".to_owned(),
        };
        // An error names its file by itself.
        text += &match verdict.contains(&report.file) {
            true => format!("{verdict}\n"),
            false => format!("{}: {verdict}\n", report.file),
        };
        for finding in &report.findings {
            text += &format!("  {finding}\n");
        }
    }
    text
}

/// The way out of a damaged home.
pub(crate) const DAMAGED_HOME: &str =
    "keep the folder but move it away, then restore the last backup with `dormouse restore`";

/// The way out if it is the backup that is damaged.
pub(crate) const DAMAGED_BACKUP: &str =
    "this backup is damaged: restore an older one; the home is as it was";

/// A failure if any file is not as it should be: the first one's own, or that it is damaged, with this way out.
pub(crate) fn verdict(reports: &[CheckReply], hint: &str) -> Result<(), ProblemReply> {
    let Some(bad) = reports.iter().find(|report| !report.ok) else { return Ok(()) };
    Err(bad.problem.clone().unwrap_or_else(|| ProblemReply {
        code: "store_corrupt".to_owned(),
        message: format!("{} is damaged", bad.file),
        hint: hint.to_owned(),
    }))
}
