//! Commits that need not be on the disk at once: a power cut may take the last of them back, whole and in
//! their order, and never what came before a commit that had to be there.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use crash::open;
use sqlite::{Config, SqliteStore};
use store::{Listing, ReadChanges, ReadRecords, Store, wait};
use testkit::Random;
use testkit::powercut::{Plant, PowerCut};
use types::{
    At, Author, BodyType, Commit, Domain, Outcome, Position, RecordDraft, RecordId, Task, Write,
};

/// Enough to cut between commits, inside of them and inside of checkpoints.
const SEEDS: u64 = 20;

/// Commits of one life; the cut falls among them.
const COMMITS: u64 = 80;

/// What a life promised: how many commits were answered, and up to which one must be on the disk.
#[derive(Debug, Default)]
struct Promised {
    answered: u64,
    on_disk: u64,
}

#[test]
fn a_power_cut_takes_back_only_the_last_soon_commits_and_none_in_part() {
    let lost: Vec<u64> = (0..SEEDS).map(|seed| lost(seed, None).unwrap()).collect();
    assert!(lost.iter().any(|lost| *lost > 0), "no cut took anything back: nothing was soon");
    assert!(lost.contains(&0), "every cut took something back: nothing ever got to the disk");
}

#[test]
fn a_disc_that_lies_about_a_barrier_is_found() {
    let found = (0..SEEDS).filter(|seed| lost(*seed, Some(Plant::SkipWalSync)).is_err()).count();
    assert!(found > 0);
}

/// Lives through a cut and says how many answered commits it took back.
fn lost(seed: u64, plant: Option<Plant>) -> Result<u64, String> {
    let mut random = Random::seeded(seed);
    let (folder, disc) = (tempfile::tempdir().unwrap(), disc());
    let checkpoint_pages = 20 + u32::try_from(random.below(200)).unwrap();
    let config =
        Config { vfs: Some(disc.name().to_owned()), checkpoint_pages, ..Config::default() };
    let store = open(folder.path(), &config).unwrap();
    if let Some(plant) = plant {
        disc.plant(plant);
    }
    disc.cut_at(disc.operations() + random.below(4 * COMMITS));
    let promised = live(&store, &mut random);
    disc.cut_now();
    drop(store);
    let end = tempfile::tempdir().unwrap();
    disc.survivors(&mut random, end.path()).unwrap();
    let left = left(end.path(), seed)?;
    if left < promised.on_disk || left > promised.answered + 1 {
        return Err(format!("seed {seed}: {left} commits are left of {promised:?}"));
    }
    Ok(promised.answered.saturating_sub(left))
}

/// Commits one after another until the power goes. Two of three need not be on the disk at once.
fn live(store: &SqliteStore, random: &mut Random) -> Promised {
    let mut promised = Promised::default();
    for number in 1..=COMMITS {
        let soon = random.chance(2, 3);
        let commit = if soon { commit(number).soon() } else { commit(number) };
        let Ok(Outcome::Applied(_)) = wait(store.commit(commit)) else { break };
        promised.answered = number;
        if !soon {
            promised.on_disk = number;
        }
    }
    promised
}

/// Two records, so that half of a commit could be seen.
fn commit(number: u64) -> Commit {
    let put = |half: &str| {
        let id: RecordId = format!("task_{half}-{number}").parse().unwrap();
        let task = Task::new(format!("{half} {number}"), "category_home".parse().unwrap());
        Write::Record(RecordDraft::live(id, task))
    };
    let writes = vec![put("left"), put("right")];
    Commit::new(Domain::Journal, Author::Operator, At::from_millis(1_800_000_000_000), writes)
}

/// How many commits are left, if they are the first ones and each is whole.
fn left(folder: &Path, seed: u64) -> Result<u64, String> {
    let store = open(folder, &Config::default()).map_err(|error| error.to_string())?;
    let findings = store.check().map_err(|error| error.to_string())?;
    if findings.iter().any(|report| !report.findings.is_empty()) {
        return Err(format!("seed {seed}: {findings:?}"));
    }
    let changes = wait(store.changes(Domain::Journal, Position(0), 1_000)).unwrap();
    let listing = Listing::of("category_home", BodyType::Task, 1_000);
    let tasks = wait(store.records(Domain::Journal, listing)).unwrap();
    let left = changes.len() as u64;
    let whole = (1..=left).flat_map(|n| [format!("task_left-{n}"), format!("task_right-{n}")]);
    let mut expected: Vec<String> = whole.collect();
    let mut found: Vec<String> = tasks.iter().map(|task| task.id.to_string()).collect();
    expected.sort();
    found.sort();
    if expected == found { Ok(left) } else { Err(format!("seed {seed}: {found:?}")) }
}

fn disc() -> PowerCut {
    // A VFS name is for ever.
    static DISCS: AtomicU64 = AtomicU64::new(0);
    PowerCut::install(&format!("soon-{}", DISCS.fetch_add(1, Ordering::Relaxed)))
}
