//! A home with many sleeping agents. The first is made by the product's own services and has woken
//! once; the others are copies of its rows.

use std::path::Path;
use std::sync::Arc;

use host::Machine;
use runtime::{CreateAgent, Runtime, Setup, Stay, Subject};
use sqlite::{Config, Home, SqliteStore};
use testkit::{ScriptedModel, TempHome};
use types::AgentId;

use super::load;
use super::size::Size;

/// A home, and how many sleep in it.
pub(super) struct Fleet {
    pub(super) home: TempHome,
    pub(super) size: Size,
}

/// Builds a home with this many sleeping agents, besides the first.
pub(super) fn build(agents: u64) -> Fleet {
    let (home, size) = (TempHome::new(), Size::of(agents));
    let first = first_agent(home.path());
    load::copies(&home.path().join("agent.db"), &first, size);
    Fleet { home, size }
}

/// Opens a home as the product does.
pub(super) fn open(folder: &Path) -> Arc<SqliteStore> {
    let home = Home::at(folder);
    let lock = home.lock().expect("nobody else has the home");
    let host = "host_test".parse().expect("an id");
    Arc::new(home.open(lock, &host, &Config::default()).expect("the home opens"))
}

fn first_agent(folder: &Path) -> AgentId {
    store::wait(async {
        let setup = Setup::with(Stay::OneCommand, ScriptedModel::saying(vec![]));
        let runtime = Runtime::start(open(folder), Arc::new(Machine), setup);
        let runtime = runtime.await.expect("it starts");
        let categories = runtime.journal.category_list().await.expect("a new home has some");
        let create = CreateAgent {
            template: "watcher".to_owned(),
            subject: Subject::Category(categories[0].id.clone()),
            name: Some("The first of many".to_owned()),
            request: None,
        };
        let agent = runtime.agent_create(create).await.expect("it is created").id;
        runtime.ingress.wake(&agent, "first").await.expect("it is awake");
        assert_eq!(runtime.waker.drain().await.expect("it looks"), 1);
        agent
    })
}
