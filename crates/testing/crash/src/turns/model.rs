//! A model that never says the same twice, and keeps account of what it said.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chat::{Asked, ChatServer, Reply, Script};
use serde_json::json;
use testkit::Random;

/// What stands before the words that are to be on the list.
pub(crate) const PLEASE: &str = "Please put this on the list: ";

/// The titles that the model gave for what was asked.
pub(crate) type Given = BTreeMap<String, BTreeSet<String>>;

/// The server, and what it said.
pub(crate) struct Talkative {
    pub(crate) server: ChatServer,
    given: Arc<Mutex<Given>>,
}

impl Talkative {
    /// A model on this machine, in a thread of its own.
    pub(crate) fn start(seed: u64) -> Talkative {
        let given = Arc::<Mutex<Given>>::default();
        let (kept, chance) = (Arc::clone(&given), Mutex::new(Random::seeded(seed)));
        let script = Script::of(move |asked| {
            let mut chance = chance.lock().unwrap_or_else(PoisonError::into_inner);
            let reply = answer(asked, &kept, &mut chance);
            in_its_time(reply, &mut chance)
        });
        Talkative { server: ChatServer::start_apart(script), given }
    }

    /// All that it ever asked to be put on a list.
    pub(crate) fn given(&self) -> Given {
        self.given.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Asks for one item if somebody wants one and none was put there yet in this turn. A name, a suffix and
/// the words are new on every call.
fn answer(asked: &Asked, given: &Mutex<Given>, chance: &mut Random) -> Reply {
    let suffix = format!("{}-{:08x}", asked.n, chance.below(1 << 32));
    let wanted = asked.input().and_then(|text| Some(text.strip_prefix(PLEASE)?.to_owned()));
    match (wanted, asked.task()) {
        (Some(wanted), Some(task)) if !asked.is_after_tools() => {
            let title = format!("{wanted} ~{suffix}");
            let mut given = given.lock().unwrap_or_else(PoisonError::into_inner);
            given.entry(wanted).or_default().insert(title.clone());
            let arguments = json!({"taskId": task, "items": [title]});
            Reply::call(format!("call_{suffix}"), "add_multiple_checklist_items", &arguments)
        }
        _ => Reply::text(format!("I have looked after it, {suffix}.")),
    }
}

/// At once, or slowly, so that processes also die while the model speaks.
fn in_its_time(reply: Reply, chance: &mut Random) -> Reply {
    match chance.below(3) {
        0 => reply.slowly(200, Duration::from_millis(1 + chance.below(10))),
        _ => reply,
    }
}
