//! Calls in words.

use types::{Commit, ModelRef, Token, Write};
use wake::CreateSchedule;

use crate::book::Book;
use crate::call::Call;

/// A call in words.
pub(crate) fn call(book: &Book, call: &Call) -> String {
    let name = |agent: &types::AgentId| book.name(agent);
    match call {
        Call::NewAgent { name, category, .. } => format!("new agent {name:?} for {category}"),
        Call::NewTender { task, .. } => format!("new agent for {task}"),
        Call::Cancel { agent, run: None } => format!("cancel what {} does", name(agent)),
        Call::Cancel { agent, run: Some(run) } => format!("cancel {run} of {}", name(agent)),
        Call::Undo { what, request } => format!("undo {what:?} ({request})"),
        Call::Write(commit) => written(book, commit),
        Call::Subscribe { agent, purpose, tokens, predicate, active } => {
            let tokens: Vec<&str> = tokens.iter().map(Token::key).collect();
            let all = predicate.iter().flat_map(|predicate| &predicate.all);
            let all: Vec<String> =
                all.map(|c| format!("{} {:?} {}", c.property, c.compare, c.value)).collect();
            let how = if *active { "listens" } else { "stops listening" };
            format!("{} {how} ({purpose}) for {tokens:?} where {all:?}", name(agent))
        }
        Call::Admit(delivery) => format!(
            "{} for {}, named {}, not before {:?}, with {}",
            delivery.kind.as_str(),
            name(&delivery.agent),
            delivery.delivery,
            delivery.deliver_at.map(|at| at.to_string()),
            chosen(delivery.model.as_ref())
        ),
        Call::Wake { agent, request, model } => {
            format!("wake {} ({request}), with {}", name(agent), chosen(model.as_ref()))
        }
        Call::Hint { agent, delivery, payload } => {
            format!("hint {delivery} for {}, payload {}", name(agent), payload.is_some())
        }
        Call::Revoke { agent } => format!("the trigger of {} is revoked", name(agent)),
        Call::NewSchedule(params) => scheduled(book, params),
        Call::Schedule { id, step } => format!("{step:?} {id}"),
        Call::Trigger { id, request } => format!("{id} is asked for now ({request})"),
        Call::Backfill { id, from, to } => format!("{id} makes up for {from} to {to}"),
        Call::Life { agent, step } => format!("{step:?} {}", name(agent)),
        Call::Tools { class, stop: true } => format!("nobody may use {}", class.as_str()),
        Call::Tools { class, stop: false } => format!("{} may be used", class.as_str()),
        Call::Kill { on } => format!("kill switch {}", if *on { "on" } else { "off" }),
        Call::Barrier { agent, until } => {
            format!("barrier for {} until {:?}", name(agent), until.map(|at| at.to_string()))
        }
        Call::Consent { give: true } => "the model may be asked".to_owned(),
        Call::Consent { give: false } => "the model may not be asked any more".to_owned(),
        Call::JobGone { job } => format!("{job} is lost"),
    }
}

fn chosen(model: Option<&ModelRef>) -> &str {
    model.map_or("its own model", ModelRef::as_str)
}

fn written(book: &Book, commit: &Commit) -> String {
    let record = |write: &Write| match write {
        Write::Record(draft) => {
            let gone = if draft.deleted { " deleted" } else { "" };
            Some(format!("{}{gone} {}", draft.id, draft.body.encode()))
        }
        _ => None,
    };
    let writes: Vec<String> = commit.writes.iter().filter_map(record).collect();
    let who = commit.author.agent().map_or_else(|| "operator".to_owned(), |a| book.name(a));
    format!("{who} writes {}", writes.join(", "))
}

fn scheduled(book: &Book, params: &CreateSchedule) -> String {
    let name = book.name(&params.agent);
    let recurrence = &params.recurrence;
    let when = match params.trigger {
        types::ScheduleTrigger::Cron => format!("{:?}", recurrence.cron.as_deref().unwrap_or("")),
        types::ScheduleTrigger::Interval => {
            format!("every {} s", recurrence.interval_seconds.unwrap_or(0))
        }
        types::ScheduleTrigger::Event { .. } => "at changes".to_owned(),
    };
    let CreateSchedule { zone, overlap, catch_up, one_shot, always, paused, .. } = params;
    let ends_at = params.ends_at.map(|at| at.to_string());
    format!(
        "new schedule for {name}: {when} in {zone}, overlap {overlap:?}, {catch_up:?}, \
         one shot {one_shot}, always {always}, paused {paused}, until {ends_at:?}"
    )
}
