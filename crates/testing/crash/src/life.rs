//! One life of a store on a disc that will lose its power.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use sqlite::{Config, Synchronous};
use testkit::Random;
use testkit::powercut::{Plant, PowerCut};

use crate::ledger::Ledger;
use crate::open::open;
use crate::violation::Violation;
use crate::write::{Writer, quietly, run};

/// Longer than any life: whoever needs more than this hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// More commits than any cut waits for.
const WITHOUT_END: u64 = 5_000;

/// A planted fault that the verdict must find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planted {
    /// SQLite never waits for the disc.
    SynchronousOff,
    /// The disc says that the log is synced, and it is not.
    SkipWalSync,
}

/// How a life goes.
#[derive(Debug, Clone)]
pub(crate) struct Life {
    seed: u64,
    plant: Option<Planted>,
    /// Commits per writer before the disc is armed; none means that the home is not even made.
    set_up: Option<u64>,
    /// Commits per writer after that. Few end before the cut, which then falls into the closing.
    steps: u64,
    /// Operations from the arming to the cut.
    distance: u64,
    checkpoint_pages: u32,
}

impl Life {
    pub(crate) fn draw(seed: u64, plant: Option<Planted>, random: &mut Random) -> Life {
        let is_birth = plant.is_none() && random.chance(1, 8);
        // The first operations are the most delicate ones, above all those of a home in the making.
        let within = match random.below(4) {
            0 | 1 if is_birth => 40,
            _ if is_birth => 300,
            0 => 60,
            1 => 500,
            _ => 4_000,
        };
        let ends_early = plant.is_none() && random.chance(1, 8);
        Life {
            seed,
            plant,
            set_up: (!is_birth).then(|| 5 + random.below(20)),
            steps: if ends_early { random.below(6) } else { WITHOUT_END },
            distance: random.below(within),
            checkpoint_pages: 10 + u32::try_from(random.below(100)).expect("below 100"),
        }
    }

    pub(crate) fn is_birth(&self) -> bool {
        self.set_up.is_none()
    }

    fn config(&self, disc: &PowerCut) -> Config {
        let (vfs, checkpoint_pages) = (Some(disc.name().to_owned()), self.checkpoint_pages);
        Config { vfs, checkpoint_pages, ..Config::default() }
    }
}

/// Lives until the power goes or the work is done, closes the store, and returns the ledgers.
pub(crate) fn live(life: Life, folder: &Path, disc: &PowerCut) -> Result<Vec<Ledger>, Violation> {
    let (folder, disc) = (folder.to_owned(), disc.clone());
    patiently("a life", move || {
        let mut writers = Writer::crew(life.seed);
        let mut config = life.config(&disc);
        if let Some(steps) = life.set_up {
            let store = open(&folder, &config).map_err(|error| unopened("at first", &error))?;
            run(&store, &mut writers, steps, &quietly);
        }
        match life.plant {
            Some(Planted::SynchronousOff) => config.synchronous = Synchronous::Off,
            Some(Planted::SkipWalSync) => disc.plant(Plant::SkipWalSync),
            None => {}
        }
        disc.cut_at(disc.operations() + life.distance);
        match open(&folder, &config) {
            Ok(store) => run(&store, &mut writers, life.steps, &quietly),
            // The cut fell into the opening.
            Err(_) if disc.is_cut() => {}
            Err(error) => return Err(unopened("again", &error)),
        }
        Ok(writers.into_iter().map(|writer| writer.ledger).collect())
    })
}

/// Opens and closes a store, with a cut some operations on.
pub(crate) fn recover(folder: &Path, disc: &PowerCut, distance: u64) -> Result<(), Violation> {
    let (folder, disc) = (folder.to_owned(), disc.clone());
    patiently("a recovery", move || {
        disc.cut_at(disc.operations() + distance);
        let config = Config { vfs: Some(disc.name().to_owned()), ..Config::default() };
        match open(&folder, &config) {
            Ok(_) => Ok(()),
            Err(_) if disc.is_cut() => Ok(()),
            Err(error) => Err(unopened("after the first cut", &error)),
        }
    })
}

fn unopened(when: &'static str, error: &store::StoreError) -> Violation {
    Violation::Unopened { when, why: error.to_string() }
}

/// Does something on a thread of its own, so that a hang or a panic is a violation like any other.
fn patiently<T: Send + 'static>(
    what: &'static str,
    work: impl FnOnce() -> Result<T, Violation> + Send + 'static,
) -> Result<T, Violation> {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(PATIENCE).unwrap_or_else(|error| {
        let how = match error {
            RecvTimeoutError::Timeout => "does not come to its end",
            RecvTimeoutError::Disconnected => "panicked",
        };
        Err(Violation::Broken { what, how: how.to_owned() })
    })
}
