//! The verdict over a folder that a crash has left.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use sqlite::{Config, SqliteStore};
use store::StoreError;
use types::{Applied, Domain};

use crate::ledger::{Entry, Fate, Ledger};
use crate::look::{Found, Scene};
use crate::open::open;
use crate::violation::Violation;
use crate::write::{Writer, quietly, run};

/// The writer that shows that the store goes on; none of a crew has this index.
const PROBE: u64 = 0xfff;

/// Commits of the probe: enough to reach both files.
const PROBE_STEPS: u64 = 12;

/// What was found.
#[derive(Debug, Default)]
pub struct Verdict {
    /// What must not be.
    pub violations: Vec<Violation>,
    /// Commits in doubt that turned out to be there, whole, by their names.
    pub doubts_there: BTreeSet<String>,
    /// What the verdict itself has committed: the home's next ledger.
    pub probe: Ledger,
}

/// Judges a folder by the ledgers of everybody who ever wrote to it: opens it as any process would,
/// runs the full check, looks for every trace of every commit, and shows that it goes on. `seed`
/// names the verdict's own commits and is used once per home.
#[must_use]
pub fn judge<'a>(
    folder: &Path,
    ledgers: impl IntoIterator<Item = &'a Ledger> + Clone,
    seed: u64,
) -> Verdict {
    let mut verdict = Verdict::default();
    let ends = match open(folder, &Config::default()) {
        Ok(store) => verdict.look(&store, ledgers),
        Err(error) => {
            return verdict.with(Violation::Unopened { when: AFTER, why: error.to_string() });
        }
    };
    // Closing folds the log into the file; what follows reads the file as it is after that.
    match (ends, open(folder, &Config::default())) {
        (Some(ends), Ok(store)) => verdict.go_on(&store, ends, seed),
        (None, Ok(_)) => {}
        (_, Err(error)) => {
            let why = error.to_string();
            verdict.violations.push(Violation::Unopened { when: "the second time", why });
        }
    }
    verdict
}

const AFTER: &str = "after the crash";

/// Where the change log of each file ends.
type Ends = BTreeMap<Domain, (u64, u64)>;

impl Verdict {
    fn with(mut self, violation: Violation) -> Verdict {
        self.violations.push(violation);
        self
    }

    fn look<'a>(
        &mut self,
        store: &SqliteStore,
        ledgers: impl IntoIterator<Item = &'a Ledger>,
    ) -> Option<Ends> {
        match store.check() {
            Ok(reports) => self.violations.extend(reports.into_iter().flat_map(|report| {
                let domain = report.domain;
                report
                    .findings
                    .into_iter()
                    .map(move |finding| Violation::Finding { domain, finding })
            })),
            Err(error) => self.violations.push(unread("a file", &error)),
        }
        let scene = match Scene::of(store) {
            Ok(scene) => scene,
            Err(error) => {
                self.violations.push(unread("a log", &error));
                return None;
            }
        };
        let mut there: Vec<&Entry> = Vec::new();
        for ledger in ledgers {
            self.ledger(&scene, ledger, &mut there);
        }
        self.totals(&scene, &there);
        let end = |domain| {
            let (position, counter) = scene.facts(domain).head();
            (domain, (position.0, counter.0))
        };
        Some(Domain::ALL.map(end).into())
    }

    /// Judges one writer's commits, and collects those that are there.
    fn ledger<'a>(&mut self, scene: &Scene<'_>, ledger: &'a Ledger, there: &mut Vec<&'a Entry>) {
        let mut doubted: BTreeSet<Domain> = BTreeSet::new();
        let mut absent: BTreeMap<Domain, &Entry> = BTreeMap::new();
        for entry in &ledger.entries {
            let domain = entry.left.domain;
            match &entry.fate {
                // After a failure the writer's later commits rest on nothing.
                Fate::Refused(why) if !doubted.contains(&domain) => {
                    let (commit, why) = (entry.name.clone(), why.clone());
                    self.violations.push(Violation::Refused { commit, why });
                }
                Fate::InDoubt(error) => {
                    doubted.insert(domain);
                    if *error == Some(StoreError::Closed) {
                        self.violations.push(Violation::Died { commit: entry.name.clone() });
                    }
                }
                _ => {}
            }
            let is_there = match self.entry(scene, entry) {
                Ok(is_there) => is_there,
                Err(error) => return self.violations.push(unread(&entry.name, &error)),
            };
            if !is_there {
                absent.entry(domain).or_insert(entry);
            } else if let Some(earlier) = absent.get(&domain) {
                let (commit, earlier) = (entry.name.clone(), earlier.name.clone());
                self.violations.push(Violation::Order { commit, earlier });
            }
            if is_there {
                there.push(entry);
            }
        }
    }

    /// Judges one commit and says whether it is there.
    fn entry(&mut self, scene: &Scene<'_>, entry: &Entry) -> Result<bool, StoreError> {
        let (mut there, mut missing) = (0, Vec::new());
        let commit = || entry.name.clone();
        for trace in &entry.left.traces {
            match scene.look(&entry.left, trace)? {
                Found::There => there += 1,
                Found::Missing(what) => missing.push(what),
                Found::Wrong(what) => {
                    there += 1;
                    self.violations.push(Violation::Wrong { commit: commit(), what });
                }
            }
        }
        if let Fate::Acknowledged(applied) = &entry.fate {
            missing.extend(unkept(scene, entry, applied));
        }
        match must(&entry.fate) {
            Must::Be(known) => {
                let lost = |missing| Violation::Lost { commit: commit(), known, missing };
                self.violations.extend(missing.into_iter().map(lost));
            }
            Must::NotBe(known) if there > 0 => {
                self.violations.push(Violation::Ghost { commit: commit(), known, there });
            }
            Must::BeWhole if there > 0 => match missing.into_iter().next() {
                Some(missing) => {
                    self.violations.push(Violation::Half { commit: commit(), there, missing });
                }
                None => drop(self.doubts_there.insert(commit())),
            },
            Must::NotBe(_) | Must::BeWhole => {}
        }
        Ok(there > 0)
    }

    /// Nothing is there besides what the writers account for.
    fn totals(&mut self, scene: &Scene<'_>, there: &[&Entry]) {
        for domain in Domain::ALL {
            let facts = scene.facts(domain);
            let mine = || there.iter().filter(|entry| entry.left.domain == domain);
            let changes = mine().filter(|entry| !entry.left.units.is_empty()).count();
            let audited = mine().filter(|entry| entry.is_audited()).count();
            for (what, found, expected) in [
                ("changes", facts.changes.len(), changes),
                ("changes in the outbox", facts.outbox.len(), changes),
                ("commits in the sequence log", facts.units.len(), changes),
                ("audit entries", facts.audit_entries, audited),
            ] {
                if found != expected {
                    let unaccounted = Violation::Unaccounted { domain, what, found, expected };
                    self.violations.push(unaccounted);
                }
            }
        }
    }

    /// Commits once more to both files: the logs go on where they ended.
    fn go_on(&mut self, store: &SqliteStore, mut ends: Ends, seed: u64) {
        let mut probe = [Writer::new(seed, PROBE)];
        run(store, &mut probe, PROBE_STEPS, &quietly);
        let [Writer { ledger, .. }] = probe;
        for entry in &ledger.entries {
            let why = match &entry.fate {
                Fate::Acknowledged(Applied { change, .. }) => {
                    let Some((position, counter, _)) = change else { continue };
                    let end = ends.entry(entry.left.domain).or_default();
                    let (before, now) = (*end, (position.0, counter.0));
                    *end = now;
                    if now == (before.0 + 1, before.1 + 1) {
                        continue;
                    }
                    format!("after change and counter {before:?} comes {now:?}")
                }
                Fate::Refused(why) => why.clone(),
                Fate::InDoubt(error) => format!("{error:?}"),
                Fate::Settled { .. } => unreachable!("nobody has judged the probe yet"),
            };
            self.violations.push(Violation::Stuck { why });
        }
        self.probe = ledger;
    }
}

/// What has to be the case with a commit, and why.
enum Must {
    Be(&'static str),
    NotBe(&'static str),
    /// Or not at all.
    BeWhole,
}

fn must(fate: &Fate) -> Must {
    match fate {
        Fate::Acknowledged(_) => Must::Be("was acknowledged"),
        Fate::Settled { there: true } => Must::Be("was there after an earlier crash"),
        Fate::Settled { there: false } => Must::NotBe("was not there after an earlier crash"),
        Fate::Refused(_) => Must::NotBe("was refused"),
        Fate::InDoubt(_) => Must::BeWhole,
    }
}

/// What the answer promised and the store does not keep.
fn unkept(scene: &Scene<'_>, entry: &Entry, applied: &Applied) -> Option<String> {
    let queued = entry.left.runs_queued();
    if applied.runs_queued as usize != queued {
        return Some(format!("{} runs were queued, not {queued}", applied.runs_queued));
    }
    let Some((position, counter, key)) = applied.change else {
        return (!entry.left.units.is_empty()).then(|| "it was given no change".to_owned());
    };
    let Some(change) = scene.facts(entry.left.domain).changes.get(&position) else {
        return Some(format!("the change log lacks position {position}"));
    };
    let kept = change.counter == counter && change.logical_change_key == key;
    (!kept).then(|| format!("position {position} holds another change: {change:?}"))
}

fn unread(what: &str, error: &StoreError) -> Violation {
    Violation::Unread { what: what.to_owned(), why: error.to_string() }
}
