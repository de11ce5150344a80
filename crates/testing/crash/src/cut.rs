//! Power cuts: many seeds, each a life that ends in the dark.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use tempfile::TempDir;
use testkit::Random;
use testkit::powercut::{LOGS, PowerCut};

use crate::ledger::Ledger;
use crate::life::{self, Life, Planted};
use crate::verdict::{Verdict, judge};
use crate::violation::Violation;

/// Ends drawn from one cut: what was on its way to the disc may have arrived in many ways.
const ENDS: u64 = 2;

/// The databases of a home.
const FILES: [&str; 2] = ["journal.db", "agent.db"];

/// Which cuts to make.
#[derive(Debug, Clone, Copy)]
pub struct Cuts {
    /// The first seed.
    pub from: u64,
    /// How many seeds.
    pub seeds: u64,
    /// A fault that must be found.
    pub plant: Option<Planted>,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Summary {
    /// Seeds run.
    pub seeds: u64,
    /// Cuts in the middle of an operation; the others came after the last one.
    pub cuts: u64,
    /// Cuts before the home was made, or while it was being made.
    pub births: u64,
    /// Cuts while pages were on their way from the log into a file, as far as seen.
    pub in_checkpoint: u64,
    /// Cuts during recovery from a cut.
    pub recuts: u64,
    /// Folders judged.
    pub judged: u64,
    /// Commits answered `Applied` before the cut.
    pub acknowledged: u64,
    /// Commits under way when it came.
    pub in_doubt: u64,
    /// Of those in doubt, the ones found whole, over all judged folders.
    pub doubts_there: u64,
    /// Seeds that ended with violations.
    pub failures: Vec<Failure>,
}

/// A seed that ended with violations.
#[derive(Debug)]
pub struct Failure {
    /// Which.
    pub seed: u64,
    /// A copy of the folder as the cut left it; none for a planted fault.
    pub kept: Option<PathBuf>,
    /// What was found.
    pub violations: Vec<Violation>,
}

/// Makes the cuts, several at a time.
///
/// # Errors
/// If a temporary folder cannot be made or filled.
pub fn run(cuts: Cuts) -> io::Result<Summary> {
    let next = AtomicU64::new(0);
    let total = Mutex::new(Ok(Summary::default()));
    thread::scope(|scope| {
        // Half of the time a life or a verdict waits for the disk.
        for _ in 0..2 * thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= cuts.seeds {
                        return;
                    }
                    let one = one(cuts.from + index, cuts.plant);
                    let mut total = total.lock().unwrap_or_else(PoisonError::into_inner);
                    match (&mut *total, one) {
                        (Ok(total), Ok(one)) => total.add(one),
                        (Ok(_), Err(error)) => *total = Err(error),
                        (Err(_), _) => return,
                    }
                }
            });
        }
    });
    let mut total = total.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    total.failures.sort_by_key(|failure| failure.seed);
    Ok(total)
}

impl Summary {
    fn add(&mut self, one: Summary) {
        self.seeds += one.seeds;
        self.cuts += one.cuts;
        self.births += one.births;
        self.in_checkpoint += one.in_checkpoint;
        self.recuts += one.recuts;
        self.judged += one.judged;
        self.acknowledged += one.acknowledged;
        self.in_doubt += one.in_doubt;
        self.doubts_there += one.doubts_there;
        self.failures.extend(one.failures);
    }

    fn take(&mut self, seed: u64, verdict: Verdict, kept: Option<PathBuf>) {
        self.judged += 1;
        self.doubts_there += verdict.doubts_there.len() as u64;
        if !verdict.violations.is_empty() {
            let violations = verdict.violations;
            self.failures.push(Failure { seed, kept, violations });
        }
    }
}

/// One seed: a life, a cut, its ends.
fn one(seed: u64, plant: Option<Planted>) -> io::Result<Summary> {
    let mut random = Random::seeded(seed);
    let life = Life::draw(seed, plant, &mut random);
    let again = random.chance(1, 10);
    let (folder, disc) = (tempfile::tempdir()?, disc());
    let mut summary =
        Summary { seeds: 1, births: u64::from(life.is_birth()), ..Summary::default() };
    let lived = life::live(life, folder.path(), &disc);
    summary.cuts += u64::from(disc.is_cut());
    // Whoever lived to the end loses power just after it.
    disc.cut_now();
    let ledgers = match lived {
        Ok(ledgers) => ledgers,
        Err(violation) => {
            summary.failures.push(Failure { seed, kept: None, violations: vec![violation] });
            return Ok(summary);
        }
    };
    summary.acknowledged = ledgers.iter().map(Ledger::acknowledged).sum();
    summary.in_doubt = ledgers.iter().map(Ledger::in_doubt).sum();
    let mut in_checkpoint = false;
    for _ in 0..ENDS {
        let (end, again) = (tempfile::tempdir()?, random.clone());
        disc.survivors(&mut random, end.path())?;
        in_checkpoint |= differs(folder.path(), end.path())?;
        let verdict = judge(end.path(), &ledgers, seed);
        let kept = keep(&disc, again, &verdict, plant)?;
        summary.take(seed, verdict, kept);
    }
    summary.in_checkpoint = u64::from(in_checkpoint);
    if again {
        summary.add(recut(seed, &disc, &ledgers, plant, random)?);
    }
    Ok(summary)
}

/// Cuts again while a new process recovers from the first cut.
fn recut(
    seed: u64,
    first: &PowerCut,
    ledgers: &[Ledger],
    plant: Option<Planted>,
    mut random: Random,
) -> io::Result<Summary> {
    let (between, end, second) = (tempfile::tempdir()?, tempfile::tempdir()?, disc());
    first.survivors(&mut random, between.path())?;
    let mut summary = Summary { recuts: 1, ..Summary::default() };
    let recovered = life::recover(between.path(), &second, random.below(80));
    second.cut_now();
    if let Err(violation) = recovered {
        summary.failures.push(Failure { seed, kept: None, violations: vec![violation] });
        return Ok(summary);
    }
    let again = random.clone();
    second.survivors(&mut random, end.path())?;
    untouched(between.path(), end.path())?;
    let verdict = judge(end.path(), ledgers, seed);
    let kept = keep(&second, again, &verdict, plant)?;
    if let Some(kept) = &kept {
        untouched(between.path(), kept)?;
    }
    summary.take(seed, verdict, kept);
    Ok(summary)
}

/// The second disc knows only the databases that were opened on it. One that the cut came before is
/// still as it was.
fn untouched(before: &Path, after: &Path) -> io::Result<()> {
    for name in FILES.into_iter().filter(|name| !after.join(name).exists()) {
        for file in [""].into_iter().chain(LOGS).map(|suffix| format!("{name}{suffix}")) {
            if before.join(&file).exists() {
                fs::copy(before.join(&file), after.join(&file))?;
            }
        }
    }
    Ok(())
}

/// Lays the same end down once more, unopened, if there is something to be looked at.
fn keep(
    disc: &PowerCut,
    mut again: Random,
    verdict: &Verdict,
    plant: Option<Planted>,
) -> io::Result<Option<PathBuf>> {
    if verdict.violations.is_empty() || plant.is_some() {
        return Ok(None);
    }
    let kept = TempDir::with_prefix("crash-kept-")?.keep();
    disc.survivors(&mut again, &kept)?;
    Ok(Some(kept))
}

/// Whether the file that processes saw is not the one that survived: then pages were on their way.
fn differs(before: &Path, after: &Path) -> io::Result<bool> {
    for name in FILES {
        let (before, after) = (before.join(name), after.join(name));
        if before.exists() && after.exists() && fs::read(before)? != fs::read(after)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn disc() -> PowerCut {
    // A VFS name is for ever, and the seeds of one process may repeat.
    static DISCS: AtomicU64 = AtomicU64::new(0);
    PowerCut::install(&format!("crash-{}", DISCS.fetch_add(1, Ordering::Relaxed)))
}
