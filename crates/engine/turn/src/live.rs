//! What is heard of turns while they are under way: for eyes, lost without harm.

use std::sync::{Arc, Mutex};

use model::{Heard, Listen};
use tokio::sync::broadcast;
use types::{AgentId, RunKey};

/// Chunks that a slow listener may be behind before it loses some.
const BEHIND_MAX: usize = 1_024;

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// What was heard of the attempt before is void.
    Restart,
    /// The model said some words.
    Text(String),
    /// The model begins to ask for a tool.
    Asks(String),
    /// A tool answered.
    Answered {
        /// Which.
        tool: String,
        /// Whether it went well.
        ok: bool,
    },
}

/// A piece of a turn under way. Attempt and number name it: whoever has seen it need not see it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Whose turn.
    pub agent: AgentId,
    /// Of which run.
    pub run_key: RunKey,
    /// In which attempt.
    pub attempt: u32,
    /// Which piece of it, from 0.
    pub n: u64,
    /// What happened.
    pub happened: Happened,
}

/// Where turns are heard.
#[derive(Debug, Clone)]
pub struct Live {
    sender: broadcast::Sender<Chunk>,
}

impl Default for Live {
    fn default() -> Live {
        Live { sender: broadcast::channel(BEHIND_MAX).0 }
    }
}

impl Live {
    /// Listens from now on.
    #[must_use]
    pub fn listen(&self) -> broadcast::Receiver<Chunk> {
        self.sender.subscribe()
    }
}

/// One turn's voice.
pub(crate) struct Voice {
    live: Live,
    agent: AgentId,
    run_key: RunKey,
    place: Mutex<(u32, u64)>,
}

impl Voice {
    /// The voice of a turn that is taken up for the so-manieth time.
    pub(crate) fn new(live: &Live, agent: &AgentId, run_key: RunKey, attempt: u32) -> Arc<Voice> {
        let voice = Voice {
            live: live.clone(),
            agent: agent.clone(),
            run_key,
            place: Mutex::new((attempt, 0)),
        };
        if attempt > 0 {
            voice.say(Happened::Restart);
        }
        Arc::new(voice)
    }

    /// Tells whoever listens.
    pub(crate) fn say(&self, happened: Happened) {
        let mut place = self.place.lock().expect("nobody panics while speaking");
        if happened == Happened::Restart {
            *place = (place.0 + 1, 0);
        }
        let (attempt, n) = *place;
        place.1 += 1;
        let (agent, run_key) = (self.agent.clone(), self.run_key);
        // Nobody may be listening.
        let _ = self.live.sender.send(Chunk { agent, run_key, attempt, n, happened });
    }
}

impl Listen for Voice {
    fn heard(&self, heard: Heard) {
        match heard {
            Heard::Restart { attempt } if attempt <= 1 => {}
            Heard::Restart { .. } => self.say(Happened::Restart),
            Heard::Text { text, .. } => self.say(Happened::Text(text)),
            Heard::Call { tool, .. } => self.say(Happened::Asks(tool)),
        }
    }
}
