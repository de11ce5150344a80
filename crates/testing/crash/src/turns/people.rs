//! People who ask for items until they are told that it is taken, whatever happens to the server.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use api_types::Request;
use client::{Socket, Transport};
use serde_json::json;
use testkit::Random;

use super::judge::Asked;
use super::model::PLEASE;
use crate::Violation;

/// People of one home.
const PEOPLE: u64 = 4;

/// What one of them asks for at most, so that no list grows too long.
const ASKS_MAX: u64 = 150;

/// How often somebody asks again before they give up, a few milliseconds apart.
const TRIES_MAX: u32 = 20_000;

/// People at work.
pub(crate) struct People {
    threads: Vec<JoinHandle<Result<Vec<Asked>, Violation>>>,
    enough: Arc<AtomicBool>,
}

impl People {
    /// Lets them begin.
    pub(crate) fn begin(home: &Path, agents: &[String], seed: u64) -> People {
        let enough = Arc::new(AtomicBool::new(false));
        let person = |name: u64| {
            let random = Random::seeded(seed.wrapping_mul(PEOPLE).wrapping_add(name));
            let (home, agents) = (home.to_owned(), agents.to_vec());
            let person = Person { name, home, agents, random, line: None };
            let enough = Arc::clone(&enough);
            thread::spawn(move || person.ask_for_things(&enough))
        };
        People { threads: (0..PEOPLE).map(person).collect(), enough }
    }

    /// Lets everybody hear what became of what they asked last, and says what was acknowledged.
    pub(crate) fn end(self) -> Result<Vec<Asked>, Violation> {
        self.enough.store(true, Ordering::Relaxed);
        let mut all = Vec::new();
        for thread in self.threads {
            let panicked = |_| Violation::Broken { what: "a person", how: "panicked".to_owned() };
            all.extend(thread.join().map_err(panicked)??);
        }
        Ok(all)
    }
}

struct Person {
    name: u64,
    home: PathBuf,
    agents: Vec<String>,
    random: Random,
    line: Option<Socket>,
}

impl Person {
    fn ask_for_things(mut self, enough: &AtomicBool) -> Result<Vec<Asked>, Violation> {
        let mut asked = Vec::new();
        for n in 0..ASKS_MAX {
            if enough.load(Ordering::Relaxed) {
                break;
            }
            let agents = self.agents.len() as u64;
            let agent = usize::try_from(self.random.below(agents)).expect("few");
            // A third of all ask for what others ask for as well.
            let text = match self.random.chance(1, 3) {
                true => "feed the dormouse".to_owned(),
                false => format!("errand {n} of person {}", self.name),
            };
            let request = format!("request-{}-{n}", self.name);
            self.insist(agent, &text, &request)?;
            asked.push(Asked { agent, text });
            self.pause(80);
        }
        Ok(asked)
    }

    /// Asks until somebody says that it is taken; always under the same name.
    fn insist(&mut self, agent: usize, text: &str, request: &str) -> Result<(), Violation> {
        let mut last = "nobody was there".to_owned();
        for _ in 0..TRIES_MAX {
            if self.line.is_none() {
                self.line = Socket::find(&self.home);
            }
            let Some(line) = &self.line else {
                self.pause(6);
                continue;
            };
            match line.send(prompt(&self.agents[agent], text, request)) {
                Ok(_) => return Ok(()),
                Err(problem) => {
                    last = format!("{}: {}", problem.code, problem.message);
                    self.line = None;
                    self.pause(6);
                }
            }
        }
        let how = format!("never heard that {request} was taken; the last word was {last}");
        Err(Violation::Broken { what: "a person", how })
    }

    fn pause(&mut self, millis_max: u64) {
        thread::park_timeout(Duration::from_millis(1 + self.random.below(millis_max)));
    }
}

fn prompt(agent: &str, text: &str, request: &str) -> Request {
    let text = format!("{PLEASE}{text}");
    let prompt = json!({"call": "prompt", "agent": agent, "text": text, "request_id": request});
    serde_json::from_value(prompt).expect("a request")
}
