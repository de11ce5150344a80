//! Idle is free: a thousand task agents, a day of noise and of clocks, and not one question to a model.

use runtime::{CreateAgent, CreateSchedule, Subject};
use serde_json::json;
use store::wait;
use testkit::model::says;
use types::{
    AgentId, Author, CatchUp, Commit, Domain, Overlap, RecordDraft, Recurrence, RunEnd, RunState,
    ScheduleTrigger, TaskId, TimeEntry, TimeEntryId, Usage, Write,
};

use crate::house::House;

const AGENTS: usize = 1_000;
/// Of so many tasks, one is worked on.
const WORKED_ON: usize = 50;
/// Of so many agents, one also goes by the clock, every six hours.
const CLOCKED: usize = 3;

#[test]
fn a_thousand_task_agents_and_a_day_of_noise_ask_no_model() {
    let house = House::new(vec![says("I have looked.")]);
    let category = wait(house.runtime.journal.category_find("home")).unwrap().id;
    let mut agents = Vec::new();
    for number in 0..AGENTS {
        let title = format!("task {number}");
        let made = house.does("create_task", json!({ "title": title, "categoryId": category }));
        let task: TaskId = made["id"].as_str().unwrap().parse().unwrap();
        agents.push((house.tend(&task), task));
    }
    for (agent, _) in agents.iter().step_by(CLOCKED) {
        house.every_six_hours(agent);
    }
    for (_, task) in agents.iter().step_by(WORKED_ON) {
        house.works_on(task, "begin");
    }
    house.drain();
    let asked = house.model.asked().len();
    assert_eq!(asked, AGENTS + 1, "each has looked once");
    for hour in 0..24 {
        // Half of what happens concerns nobody, half concerns tasks that are tended and changes nothing
        // that their agents decide by.
        house.does("create_task", json!({ "title": "noise", "categoryId": category }));
        for (_, task) in agents.iter().step_by(WORKED_ON) {
            house.works_on(task, &format!("hour {hour}"));
        }
        house.drain();
        house.world.advance_ms(3_600_000);
    }
    house.drain();
    assert_eq!(house.model.asked().len(), asked, "not one call more");
    let receipts: usize = agents.iter().map(|(agent, _)| house.receipts(agent)).sum();
    let (worked_on, clocked) = (AGENTS / WORKED_ON, AGENTS.div_ceil(CLOCKED));
    assert_eq!(receipts, worked_on * 24 + clocked * 4, "each wake leaves a receipt");
}

/// A schedule that wakes an agent every six hours.
pub(crate) fn every_six_hours(agent: &AgentId) -> CreateSchedule {
    let line = "0 */6 * * *".to_owned();
    CreateSchedule {
        agent: agent.clone(),
        recurrence: Recurrence { label: line.clone(), cron: Some(line), interval_seconds: None },
        trigger: ScheduleTrigger::Cron,
        zone: "UTC".to_owned(),
        overlap: Overlap::Allow,
        catch_up: CatchUp::ONCE,
        one_shot: false,
        always: false,
        ends_at: None,
        paused: false,
        request: None,
    }
}

impl House {
    /// Gives a task an agent.
    fn tend(&self, task: &TaskId) -> AgentId {
        let create = CreateAgent {
            template: "task_agent".to_owned(),
            subject: Subject::Task(task.clone()),
            name: None,
            request: None,
        };
        wait(self.runtime.agent_create(create)).unwrap().id
    }

    fn every_six_hours(&self, agent: &AgentId) {
        wait(self.runtime.waker.schedule_create(every_six_hours(agent))).unwrap();
    }

    /// Says what was done in the time spent on a task.
    fn works_on(&self, task: &TaskId, description: &str) {
        let id = TimeEntryId::from_digest(&rules::hash::fields([task.as_str()]));
        let entry = TimeEntry {
            task_id: task.clone(),
            started_at: types::At::from_millis(0),
            ended_at: None,
            day: "2026-11-15".parse().unwrap(),
            description: description.to_owned(),
            source_entry_id: None,
        };
        let writes = vec![Write::Record(RecordDraft::live(&id, entry))];
        let commit = Commit::new(Domain::Journal, Author::Operator, self.now(), writes);
        wait(self.runtime.store.commit(commit)).unwrap();
    }

    /// Runs of an agent that found nothing to do and cost nothing.
    fn receipts(&self, agent: &AgentId) -> usize {
        let runs = wait(self.runtime.store.runs(agent.clone(), 1_000)).unwrap();
        let free = runs.iter().filter(|run| {
            run.usage == Usage::default()
                && matches!(&run.state, RunState::Ended { end: RunEnd::NothingToDo(_), .. })
        });
        free.count()
    }
}
