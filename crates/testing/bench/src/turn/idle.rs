//! What a fleet at rest asks of a model while the journal goes on around it: nothing.

use chat::ChatServer;
use sqlite::Config;
use tokio::runtime::Runtime;
use types::{
    At, Author, Commit, Domain, RecordDraft, RunEnd, RunState, TaskId, TimeEntry, TimeEntryId,
    Write,
};

use super::crowd::Many;
use super::house::{Agent, House};

/// Agents at rest, and changes of each kind.
const AGENTS: u64 = 1_000;
const NOISE: usize = 1_000;

/// Calls of the model while half of all changes concern nobody and half concern tended tasks without
/// changing anything that their agents decide by.
pub(super) fn calls(executor: &Runtime, server: &ChatServer, url: &str) -> f64 {
    let many = Many::open(executor, &Config::default(), url, AGENTS);
    executor.block_on(work_on_all(&many, "begin"));
    let before = server.calls();
    executor.block_on(async {
        for n in 0..NOISE {
            many.house.unrelated(n).await;
        }
        work_on_all(&many, "go on").await;
    });
    let receipts = executor.block_on(receipts(&many));
    assert!(receipts >= NOISE, "the noise was heard: {receipts} receipts");
    #[expect(clippy::cast_precision_loss, reason = "none, or few")]
    let calls = (server.calls() - before) as f64;
    calls
}

/// Says of every task what was done in the time spent on it, and waits until all have heard.
async fn work_on_all(many: &Many, description: &str) {
    for agent in many.agents.iter() {
        many.house.work_on(agent, description).await;
    }
    many.house.settle().await;
}

/// Runs that found nothing to do.
async fn receipts(many: &Many) -> usize {
    let mut receipts = 0;
    for agent in many.agents.iter() {
        let runs = many.house.runtime.store.runs(agent.id.clone(), 100).await;
        let nothing =
            |state: &RunState| matches!(state, RunState::Ended { end: RunEnd::NothingToDo(_), .. });
        let runs = runs.expect("runs are listed");
        receipts += runs.iter().filter(|run| nothing(&run.state)).count();
    }
    receipts
}

impl House {
    async fn work_on(&self, agent: &Agent, description: &str) {
        let id = TimeEntryId::from_digest(&rules::hash::fields([agent.task.as_str()]));
        let task_id: TaskId = agent.task.parse().expect("an id");
        let entry = TimeEntry {
            task_id,
            started_at: At::from_millis(0),
            ended_at: None,
            day: "2026-11-15".parse().expect("a day"),
            description: description.to_owned(),
            source_entry_id: None,
        };
        let writes = vec![Write::Record(RecordDraft::live(&id, entry))];
        let commit = Commit::new(Domain::Journal, Author::Operator, self.world.now(), writes);
        self.runtime.store.commit(commit).await.expect("the journal takes it");
    }
}
