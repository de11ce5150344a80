//! Idle is free: a thousand agents, a day of noise, and not one turn.

use runtime::CreateSchedule;
use store::{ReadRuns, Store, wait};
use types::{
    AgentId, Author, CategoryId, Commit, Domain, RecordDraft, Run, RunEnd, RunState, Task, TaskId,
    Usage, Write,
};

use crate::clocks::cron;
use crate::house::House;

const AGENTS: usize = 1_000;

impl House {
    /// Changes the title of a task in a category: nobody decides anything by a title.
    fn rename(&self, task: &str, category: &CategoryId, title: &str) {
        let id: TaskId = format!("task_{task}").parse().unwrap();
        let task = Task::new(title, category.clone());
        let writes = vec![Write::Record(RecordDraft::live(id, task))];
        let commit = Commit::new(Domain::Journal, Author::Operator, self.now(), writes);
        wait(self.store.commit(commit)).unwrap();
    }

    /// Every run of these agents since they were made.
    fn all_runs(&self, agents: &[AgentId]) -> Vec<Run> {
        agents.iter().flat_map(|agent| self.runs(agent)).collect()
    }
}

#[test]
fn a_thousand_idle_agents_and_a_day_of_noise_take_no_turn() {
    let house = House::new();
    let (home, other) = (house.category("home"), "category_unwatched".parse().unwrap());
    house.rename("seen", &home, "begin");
    house.rename("unseen", &other, "begin");
    let mut agents = Vec::new();
    for n in 0..AGENTS {
        // A third keeps an eye on the status of tasks, a third only watches, a third goes by the
        // clock; all of them listen for the tasks of their category, most of another one.
        let category = if n % 50 == 0 { "home" } else { "work" };
        let name = ["keeper", "watcher", "keeper by the clock"][n % 3];
        let agent = house.newborn(name, category);
        if n % 3 == 2 {
            let hourly = CreateSchedule { always: false, ..cron(&agent, "0 */6 * * *", "UTC") };
            wait(house.waker.schedule_create(hourly)).unwrap();
        }
        agents.push(agent);
    }
    for agent in &agents {
        wait(house.ingress.wake(agent, "first")).unwrap();
    }
    house.drain();
    house.script.claims.lock().unwrap().clear();
    let before = house.all_runs(&agents).len();
    for hour in 0..24 {
        house.rename("seen", &home, &format!("hour {hour}"));
        house.rename("unseen", &other, &format!("hour {hour}"));
        house.drain();
        house.world.advance_ms(3_600_000);
    }
    house.drain();
    assert_eq!(house.turns(), 0, "a turn was taken for nothing");
    let runs = house.all_runs(&agents).split_off(0);
    let receipts = runs.iter().filter(|run| {
        run.usage == Usage::default()
            && matches!(&run.state, RunState::Ended { end: RunEnd::NothingToDo(_), .. })
    });
    let watched = AGENTS / 50 * 24;
    let clocked = AGENTS / 3 * 4;
    assert_eq!(runs.len() - before, watched + clocked);
    let first_turns =
        runs.iter().filter(|run| matches!(&run.state, RunState::Ended { end: RunEnd::Done, .. }));
    assert_eq!(receipts.count() + first_turns.count(), runs.len(), "a wake without its receipt");
    assert!(wait(house.store.queued_runs(9)).unwrap().is_empty());
}
