//! From a step to a call, for what concerns those who tend a task.

use ingress::Delivery;
use testkit::Random;
use types::{
    AgentId, At, Author, Capability, ChecklistItem, Commit, Domain, Priority, RecordDraft,
    RecordId, RunKey, Task, TaskStatus, Write,
};

use crate::book::Book;
use crate::call::Call;
use crate::plan::{What, pick};
use crate::resolve::STEP;

/// The classes of tools that are stopped now and then.
pub(crate) const CLASSES: [Capability; 2] = [Capability::ReportWrite, Capability::ChecklistWrite];

/// The call of a step; none if there is nobody or nothing for it.
pub(crate) fn call(
    what: What,
    dice: &mut Random,
    book: &Book,
    name: &str,
    now: At,
) -> Option<Call> {
    match what {
        What::NewTender => {
            let task = untended(dice, book)?.as_str().parse().expect("tasks have their ids");
            Some(Call::NewTender { task, request: name.to_owned() })
        }
        What::TellTender => {
            let agent = at_work(dice, book).or_else(|| tender(dice, book))?;
            let priority = match dice.below(3) {
                0 => Priority::Normal,
                _ => Priority::Interject,
            };
            let prompt = Delivery::prompt(agent, format!("say {name}"), name.to_owned());
            let session = dice.chance(1, 2).then(|| "evening".to_owned());
            Some(Call::Admit(Delivery { priority, session, ..prompt }))
        }
        What::TouchItem => {
            let (id, item) = item(dice, book)?;
            let item = match dice.chance(1, 2) {
                true => ChecklistItem { checked: !item.checked, ..item },
                false => ChecklistItem { title: format!("touched {name}"), ..item },
            };
            Some(written(Write::Record(RecordDraft::live(id, item)), now))
        }
        What::TouchTended => {
            let agent = tender(dice, book)?;
            let id = book.agents.get(&agent)?.tends.clone()?;
            let task = book.tasks.get(&id).filter(|task| task.live)?.task.clone();
            let statuses = [TaskStatus::Open, TaskStatus::InProgress, TaskStatus::Done];
            let task = match dice.chance(1, 2) {
                true => Task { title: format!("touched {name}"), ..task },
                false => Task { status: statuses[pick(dice, 3)], ..task },
            };
            Some(written(Write::Record(RecordDraft::live(id, task)), now))
        }
        What::StopTools | What::AllowTools => {
            let class = CLASSES[pick(dice, CLASSES.len())];
            Some(Call::Tools { class, stop: what == What::StopTools })
        }
        What::Agree => Some(Call::Consent { give: true }),
        What::TakeBack => Some(Call::Consent { give: false }),
        What::Cancel => {
            let agent = at_work(dice, book).or_else(|| tender(dice, book))?;
            let open = book.runs.iter().filter(|(_, run)| run.draft.agent == agent);
            let open: Vec<RunKey> =
                open.filter(|(_, run)| run.ended.is_none()).map(|(key, _)| *key).collect();
            let named = dice.chance(1, 2) && !open.is_empty();
            let run = named.then(|| open[pick(dice, open.len())]);
            Some(Call::Cancel { agent, run })
        }
        _ => None,
    }
}

fn written(write: Write, now: At) -> Call {
    Call::Write(Commit::new(Domain::Journal, Author::Operator, now, vec![write]).named(STEP))
}

/// Often somebody who takes a turn at this moment.
pub(crate) fn at_work(dice: &mut Random, book: &Book) -> Option<AgentId> {
    let tends = |agent: &&AgentId| book.agents.get(*agent).is_some_and(|one| one.tends.is_some());
    let all: Vec<&AgentId> = book.in_turn.keys().filter(tends).collect();
    let found = !all.is_empty() && dice.chance(2, 3);
    found.then(|| all[pick(dice, all.len())].clone())
}

/// Somebody who tends a task.
pub(crate) fn tender(dice: &mut Random, book: &Book) -> Option<AgentId> {
    let living = book.living().into_iter();
    let all: Vec<&AgentId> =
        living.filter(|agent| agent.tends.is_some()).map(|agent| &agent.id).collect();
    if all.is_empty() { None } else { Some(all[pick(dice, all.len())].clone()) }
}

/// A task; now and then one that somebody tends.
fn untended(dice: &mut Random, book: &Book) -> Option<RecordId> {
    let tended = |id: &RecordId| book.living().iter().any(|a| a.tends.as_ref() == Some(id));
    let careless = dice.chance(1, 12);
    let live = book.tasks.iter().filter(|(_, task)| task.live).map(|(id, _)| id);
    let all: Vec<&RecordId> = live.filter(|id| careless || !tended(id)).collect();
    if all.is_empty() { None } else { Some(all[pick(dice, all.len())].clone()) }
}

fn item(dice: &mut Random, book: &Book) -> Option<(RecordId, ChecklistItem)> {
    let all: Vec<_> = book.deeds.items.iter().collect();
    if all.is_empty() {
        return None;
    }
    let (id, item) = all[pick(dice, all.len())];
    Some((id.clone(), item.clone()))
}
