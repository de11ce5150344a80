//! Knowing when a run is over: the product's turns and its work, with a note of each prompt's end.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use dispatch::{Begun, Body, Claim, Ending, Look, Signal, Step, Turn, Work};
use tokio::sync::oneshot;
use turn::Turns;
use types::{AgentId, RunKey, WakeReason, Write};
use wake::Waker;

/// Who waits for which run, and how many turns there were.
#[derive(Default)]
pub(super) struct Notes {
    /// The prompt that an agent is working on.
    at: Mutex<HashMap<AgentId, RunKey>>,
    runs: Mutex<HashMap<RunKey, Run>>,
    turns: AtomicU64,
}

/// What is known of a run.
enum Run {
    Awaited(oneshot::Sender<()>),
    Over,
}

impl Notes {
    /// How many turns ended as they should.
    pub(super) fn turns(&self) -> u64 {
        self.turns.load(Ordering::Relaxed)
    }

    /// Waits until a run is over; it may have been before anybody asked.
    pub(super) async fn wait_for(&self, run: RunKey) {
        let (over, heard) = oneshot::channel();
        {
            let mut runs = self.runs.lock().expect("nobody panics");
            if let Some(Run::Over) = runs.insert(run, Run::Awaited(over)) {
                runs.remove(&run);
                return;
            }
        }
        heard.await.expect("a run comes to its end");
    }

    fn end(&self, agent: &AgentId) {
        let Some(run) = self.at.lock().expect("nobody panics").remove(agent) else { return };
        let mut runs = self.runs.lock().expect("nobody panics");
        if let Some(Run::Awaited(over)) = runs.insert(run, Run::Over) {
            runs.remove(&run);
            // Whoever waited may have gone.
            let _ = over.send(());
        }
    }
}

/// The product's turns. One that is not a turn with one call of a tool measures nothing.
pub(super) struct NotingBody {
    pub(super) turns: Turns,
    pub(super) notes: Arc<Notes>,
}

impl Body for NotingBody {
    fn opening(&self, claim: &Claim) -> Vec<Write> {
        self.turns.opening(claim)
    }

    fn turn(&self, claim: Claim, begun: Begun) -> Turn {
        if claim.run.draft.reason == WakeReason::UserInitiated {
            let (agent, run) = (claim.agent.agent_id.clone(), claim.run.draft.run_key);
            self.notes.at.lock().expect("nobody panics").insert(agent, run);
        }
        let (turn, notes) = (self.turns.turn(claim, begun), Arc::clone(&self.notes));
        Box::pin(async move {
            let ending = turn.await;
            match &ending {
                Ending::Done(closing, _) => {
                    assert_eq!(closing.usage.model_calls, 2, "a call of a tool, and words");
                }
                other => panic!("a turn ended otherwise: {other:?}"),
            }
            notes.turns.fetch_add(1, Ordering::Relaxed);
            ending
        })
    }

    fn over(&self, run: &RunKey) {
        self.turns.over(run);
    }
}

/// The product's work.
pub(super) struct NotingWork {
    pub(super) waker: Waker,
    pub(super) notes: Arc<Notes>,
}

impl Work for NotingWork {
    fn recover(&self) -> Step<()> {
        self.waker.recover()
    }

    fn look(&self) -> Step<Look> {
        self.waker.look()
    }

    fn stirred(&self) -> Signal {
        self.waker.stirred()
    }

    fn work(&self, agent: AgentId) -> Step<()> {
        let (work, notes) = (self.waker.work(agent.clone()), Arc::clone(&self.notes));
        Box::pin(async move {
            let done = work.await;
            notes.end(&agent);
            done
        })
    }
}
