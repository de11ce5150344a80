//! From a step to a call: whom it concerns is decided by what there is when its time has come.

use ingress::Delivery;
use testkit::Random;
use types::{
    AgentId, At, Author, CategoryId, Commit, Compare, Condition, DeliverySurface, Domain,
    EnvelopeBody, EnvelopeKind, EnvelopeOrigin, Predicate, Priority, RecordDraft, RecordId,
    ScheduleId, Task, TaskPriority, TaskStatus, Token, Write,
};

use crate::book::Book;
use crate::call::{Call, LifeStep, ScheduleStep};
use crate::plan::{Step, What, pick};
use crate::resolve_schedule::new_schedule;
use crate::{resolve_mind, resolve_turn};

/// The step under which the operator writes to the journal.
pub(crate) const STEP: &str = "sim.journal";

/// Where tasks lie.
pub(crate) const CATEGORIES: [&str; 3] = ["category_home", "category_work", "category_garden"];

/// The call of a step; none if there is nobody or nothing for it.
pub(crate) fn call(step: &Step, book: &Book, now: At, here: &str) -> Option<Call> {
    let mut dice = Random::seeded(step.seed);
    let name = format!("{:x}", step.seed >> 40);
    let dice = &mut dice;
    match step.what {
        What::NewAgent => {
            let kind = if dice.chance(3, 5) { "keeper" } else { "watcher" };
            let category = category(dice);
            Some(Call::NewAgent { name: format!("{kind} {name}"), category, request: name })
        }
        What::NewTask | What::EditTitle | What::EditStatus | What::MoveTask | What::DeleteTask => {
            edit(step.what, dice, book, &name, now)
        }
        What::Subscribe | What::Unsubscribe => {
            let agent = agent(dice, book)?;
            let purpose = ["focus", "second"][pick(dice, 2)].to_owned();
            let (tokens, predicate) = listening(dice, book);
            let active = step.what == What::Subscribe;
            Some(Call::Subscribe { agent, purpose, tokens, predicate, active })
        }
        What::Prompt | What::PromptLater | What::Webhook | What::Channel | What::JobResult => {
            Some(Call::Admit(delivery(step.what, dice, book, &name, now)?))
        }
        What::NewTender
        | What::TellTender
        | What::TouchItem
        | What::TouchTended
        | What::Cancel
        | What::StopTools
        | What::AllowTools
        | What::Agree
        | What::TakeBack => resolve_turn::call(step.what, dice, book, &name, now),
        What::Wake => Some(Call::Wake { agent: agent(dice, book)?, request: name, model: None }),
        What::JobGone => Some(Call::JobGone { job: format!("job_{}", dice.below(3)) }),
        What::Hint => {
            let agent = agent(dice, book)?;
            let payload = dice.chance(1, 2).then(|| name.clone().into_bytes());
            Some(Call::Hint { agent, delivery: name, payload })
        }
        What::Revoke => Some(Call::Revoke { agent: agent(dice, book)? }),
        What::NewSchedule => {
            let agent = agent(dice, book)?;
            new_schedule(dice, agent, name, (now, here))
        }
        What::PauseSchedule => schedule(dice, book).map(|id| stepped(id, ScheduleStep::Pause)),
        What::ResumeSchedule => schedule(dice, book).map(|id| stepped(id, ScheduleStep::Resume)),
        What::DisableSchedule => schedule(dice, book).map(|id| stepped(id, ScheduleStep::Disable)),
        What::TriggerSchedule => Some(Call::Trigger { id: schedule(dice, book)?, request: name }),
        What::Backfill => {
            let hours = i64::try_from(1 + dice.below(6)).unwrap_or(1);
            let from = now.plus_millis(-hours * 3_600_000);
            Some(Call::Backfill { id: schedule(dice, book)?, from, to: now })
        }
        What::Pause => life(dice, book, LifeStep::Pause),
        What::Stop => life(dice, book, LifeStep::Stop),
        What::Destroy => life(dice, book, LifeStep::Destroy),
        What::Resume => {
            let dormant = book.living().into_iter().find(|agent| agent.dormant)?;
            Some(Call::Life { agent: dormant.id.clone(), step: LifeStep::Resume })
        }
        What::KillOn | What::KillOff => Some(Call::Kill { on: step.what == What::KillOn }),
        What::Barrier => {
            let millis = [4_000, 60_000, 1_800_000, 10_800_000][pick(dice, 4)];
            let millis = i64::try_from(1 + dice.below(millis)).unwrap_or(1);
            Some(Call::Barrier { agent: agent(dice, book)?, until: Some(now.plus_millis(millis)) })
        }
        What::NoBarrier => Some(Call::Barrier { agent: agent(dice, book)?, until: None }),
        minded => resolve_mind::call(minded, dice, book, name, now),
    }
}

fn stepped(id: ScheduleId, step: ScheduleStep) -> Call {
    Call::Schedule { id, step }
}

fn life(dice: &mut Random, book: &Book, step: LifeStep) -> Option<Call> {
    Some(Call::Life { agent: agent(dice, book)?, step })
}

fn category(dice: &mut Random) -> CategoryId {
    CATEGORIES[pick(dice, CATEGORIES.len())].parse().expect("an id")
}

/// Somebody; now and then somebody who is over.
fn agent(dice: &mut Random, book: &Book) -> Option<AgentId> {
    let all: Vec<&AgentId> = book.agents.keys().collect();
    let living: Vec<&AgentId> = book.living().into_iter().map(|agent| &agent.id).collect();
    let from = if living.is_empty() || dice.chance(1, 25) { all } else { living };
    if from.is_empty() { None } else { Some(from[pick(dice, from.len())].clone()) }
}

fn schedule(dice: &mut Random, book: &Book) -> Option<ScheduleId> {
    let all: Vec<&ScheduleId> = book.schedules.keys().collect();
    if all.is_empty() { None } else { Some(all[pick(dice, all.len())].clone()) }
}

fn live_task<'a>(dice: &mut Random, book: &'a Book) -> Option<(&'a RecordId, &'a Task)> {
    let live: Vec<_> = book.tasks.iter().filter(|(_, task)| task.live).collect();
    if live.is_empty() {
        return None;
    }
    let (id, task) = live[pick(dice, live.len())];
    Some((id, &task.task))
}

fn edit(what: What, dice: &mut Random, book: &Book, name: &str, now: At) -> Option<Call> {
    const STATUSES: [TaskStatus; 4] =
        [TaskStatus::Open, TaskStatus::InProgress, TaskStatus::Done, TaskStatus::Cancelled];
    const PRIORITIES: [TaskPriority; 4] =
        [TaskPriority::P0, TaskPriority::P1, TaskPriority::P2, TaskPriority::P3];
    let fresh = |dice: &mut Random| {
        let id: RecordId = format!("task_{name}").parse().expect("an id");
        let (status, priority) = (STATUSES[pick(dice, 2)], PRIORITIES[pick(dice, 4)]);
        let task = Task { status, priority, ..Task::new("new", category(dice)) };
        (id, task)
    };
    let known = live_task(dice, book).map(|(id, task)| (id.clone(), task.clone()));
    let (id, task) = match (what, known) {
        (What::NewTask, _) | (_, None) => fresh(dice),
        (What::EditTitle, Some((id, task))) => (id, Task { title: name.to_owned(), ..task }),
        (What::EditStatus, Some((id, task))) => {
            let priority =
                if dice.chance(1, 4) { PRIORITIES[pick(dice, 4)] } else { task.priority };
            (id, Task { status: STATUSES[pick(dice, 4)], priority, ..task })
        }
        (_, Some((id, task))) => (id, Task { category_id: category(dice), ..task }),
    };
    let deleted = what == What::DeleteTask && book.tasks.contains_key(&id);
    let task = match book.tasks.get(&id) {
        Some(known) if deleted => known.task.clone(),
        _ => task,
    };
    let draft = RecordDraft { deleted, ..RecordDraft::live(id, task) };
    let writes = vec![Write::Record(draft)];
    Some(Call::Write(Commit::new(Domain::Journal, Author::Operator, now, writes).named(STEP)))
}

fn listening(dice: &mut Random, book: &Book) -> (Vec<Token>, Option<Predicate>) {
    let token =
        |namespace: &str, value: String| Token::subtype(namespace, &value).expect("a token");
    let kind = Token::semantic("TASK").expect("a token");
    let mut tokens = match dice.below(5) {
        0 | 1 => vec![kind],
        2 => vec![token("TASK", format!("category={}", category(dice)))],
        3 => vec![token("TASK", "status=open".to_owned()), token("TASK", "status=done".to_owned())],
        _ => live_task(dice, book).map(|(id, _)| Token::entity(id)).into_iter().collect(),
    };
    if tokens.is_empty() {
        tokens.push(Token::semantic("TASK").expect("a token"));
    }
    let condition = |dice: &mut Random| {
        let (property, compare, value) = match dice.below(5) {
            0 => ("category", Compare::Equal, category(dice).to_string()),
            1 => ("status", Compare::Equal, "open".to_owned()),
            2 => ("priority", Compare::AtMost, format!("p{}", dice.below(4))),
            3 => ("priority", Compare::AtLeast, format!("p{}", dice.below(4))),
            _ => ("status", Compare::NotEqual, "done".to_owned()),
        };
        Condition { property: property.to_owned(), compare, value }
    };
    let count = dice.below(4);
    let all: Vec<Condition> = (0..count.min(2)).map(|_| condition(dice)).collect();
    let predicate = (count > 0).then(|| Predicate { kind: "TASK".to_owned(), all });
    (tokens, predicate)
}

fn delivery(what: What, dice: &mut Random, book: &Book, name: &str, now: At) -> Option<Delivery> {
    let agent = agent(dice, book)?;
    let text = format!("say {name}");
    let body = EnvelopeBody::Text { text: text.clone() };
    let priorities = [
        Priority::Normal,
        Priority::Normal,
        Priority::Next,
        Priority::Interject,
        Priority::Background,
    ];
    let priority = priorities[pick(dice, priorities.len())];
    let named = name.to_owned();
    let plain = match what {
        What::Webhook => Delivery::new(
            agent,
            DeliverySurface::HttpWebhook,
            EnvelopeKind::WebhookEvent,
            EnvelopeOrigin::Webhook { source: "builds".to_owned(), event_type: None },
            body,
            named,
        ),
        What::Channel => Delivery::new(
            agent,
            DeliverySurface::HttpPublicEnqueue,
            EnvelopeKind::ChannelEvent,
            EnvelopeOrigin::Channel { channel_id: "street".to_owned(), sender_id: None },
            body,
            named,
        ),
        What::JobResult => {
            let job = format!("job_{}", dice.below(3));
            Delivery::job_result(agent, &job, dice.next_u64() >> 32, body)
        }
        _ => Delivery::prompt(agent, &text, named),
    };
    let later = [1_000, 60_000, 7_200_000][pick(dice, 3)];
    let deliver_at = (what == What::PromptLater)
        .then(|| now.plus_millis(i64::try_from(dice.below(later)).unwrap_or(0)));
    let session = dice.chance(1, 2).then(|| "evening".to_owned());
    Some(Delivery { priority, deliver_at, session, ..plain })
}
