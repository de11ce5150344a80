//! Idle is free: many task agents, a day of noise, and not one question to a model.

use runtime::{CreateAgent, Subject};
use serde_json::json;
use store::wait;
use testkit::model::says;
use types::AgentId;

use crate::house::House;

const AGENTS: usize = 200;

#[test]
fn many_task_agents_and_a_day_of_noise_ask_no_model() {
    let house = House::new(vec![says("I have looked.")]);
    let category = wait(house.runtime.journal.category_find("home")).unwrap().id;
    let mut agents: Vec<AgentId> = Vec::new();
    for number in 0..AGENTS {
        let title = format!("task {number}");
        let made = house.does("create_task", json!({ "title": title, "categoryId": category }));
        let create = CreateAgent {
            template: "task_agent".to_owned(),
            subject: Subject::Task(made["id"].as_str().unwrap().parse().unwrap()),
            name: None,
            request: None,
        };
        agents.push(wait(house.runtime.agent_create(create)).unwrap().id);
    }
    house.drain();
    let asked = house.model.asked().len();
    assert_eq!(asked, AGENTS + 1, "each has looked once");
    for hour in 0..24 {
        // Somebody works all day on a task that nobody tends.
        let title = format!("noise {hour}");
        house.does("create_task", json!({ "title": title, "categoryId": category }));
        house.drain();
        house.world.advance_ms(3_600_000);
    }
    assert_eq!(house.model.asked().len(), asked, "not one call more");
    for agent in agents.iter().take(5) {
        assert_eq!(wait(house.runtime.store.runs(agent.clone(), 10)).unwrap().len(), 1);
    }
}
