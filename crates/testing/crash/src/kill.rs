//! Killed processes: one home that lives through many deaths of its process.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use sqlite::Config;
use store::StoreError;
use tempfile::TempDir;
use testkit::Random;

use crate::cut::Failure;
use crate::ledger::{Fate, Ledger};
use crate::line::Line;
use crate::open::open;
use crate::verdict::judge;
use crate::violation::Violation;
use crate::write::{Told, Writer, run as write};

/// Deaths that one home lives through.
const DEATHS_PER_HOME: u64 = 10;

/// Commits per writer of a process that nobody kills: it must not fill the disk.
const STEPS_MAX: u64 = 20_000;

/// Which kills to make.
#[derive(Debug, Clone)]
pub struct Kills {
    /// This program.
    pub program: PathBuf,
    /// How many.
    pub times: u64,
    /// The first seed.
    pub from: u64,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Summary {
    /// Processes killed.
    pub kills: u64,
    /// Homes they died in.
    pub homes: u64,
    /// Kills before the first answer.
    pub early: u64,
    /// Commits answered `Applied`, and told so, before the kill.
    pub acknowledged: u64,
    /// Commits that may have been under way.
    pub in_doubt: u64,
    /// Of those in doubt, the ones found whole.
    pub doubts_there: u64,
    /// Seeds that ended with violations.
    pub failures: Vec<Failure>,
}

/// A home and the ledgers of all who ever wrote to it.
struct Lived {
    folder: TempDir,
    ledgers: Vec<Ledger>,
}

/// Makes the kills.
///
/// # Errors
/// If a folder or process cannot be made.
pub fn run(kills: &Kills) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut home = None;
    for time in 0..kills.times {
        if time % DEATHS_PER_HOME == 0 {
            home = None;
            summary.homes += 1;
        }
        let lived = match home.take() {
            Some(lived) => lived,
            None => Lived { folder: tempfile::tempdir()?, ledgers: Vec::new() },
        };
        home = one(&kills.program, kills.from + time, lived, &mut summary)?;
    }
    Ok(summary)
}

/// Writes to a home until killed, telling each answer: what the killed process does.
///
/// # Errors
/// If the store cannot be opened.
pub fn write_until_killed(folder: &Path, seed: u64, told: Told<'_>) -> Result<(), StoreError> {
    let pages = 10 + u32::try_from(Random::seeded(seed).below(200)).expect("below 200");
    let store = open(folder, &Config { checkpoint_pages: pages, ..Config::default() })?;
    write(&store, &mut Writer::crew(seed), STEPS_MAX, told);
    Ok(())
}

/// One death. A home with violations is kept as evidence and not used again.
fn one(
    program: &Path,
    seed: u64,
    mut lived: Lived,
    summary: &mut Summary,
) -> io::Result<Option<Lived>> {
    let lines = killed(program, lived.folder.path(), seed)?;
    summary.kills += 1;
    summary.early += u64::from(matches!(&lines, Ok(lines) if lines.is_empty()));
    let mut violations = Vec::new();
    match lines.and_then(|lines| ledgers(seed, &lines)) {
        Ok(ledgers) => {
            summary.acknowledged += ledgers.iter().map(Ledger::acknowledged).sum::<u64>();
            summary.in_doubt += ledgers.iter().map(Ledger::in_doubt).sum::<u64>();
            lived.ledgers.extend(ledgers);
            let verdict = judge(lived.folder.path(), &lived.ledgers, seed);
            summary.doubts_there += verdict.doubts_there.len() as u64;
            for ledger in &mut lived.ledgers {
                ledger.settle(&verdict.doubts_there);
            }
            lived.ledgers.push(verdict.probe);
            violations.extend(verdict.violations);
        }
        Err(violation) => violations.push(violation),
    }
    if violations.is_empty() {
        return Ok(Some(lived));
    }
    summary.failures.push(Failure { seed, kept: Some(lived.folder.keep()), violations });
    Ok(None)
}

/// Starts the writing process, kills it after a while, and returns what it told.
fn killed(program: &Path, folder: &Path, seed: u64) -> io::Result<Result<Vec<String>, Violation>> {
    let mut child = Command::new(program)
        .arg("write")
        .arg(folder)
        .arg(seed.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()?;
    let heard = listen(&mut child);
    let life = Duration::from_millis(20 + Random::seeded(seed).below(381));
    let early = heard.recv_timeout(life);
    child.kill()?;
    let status = child.wait()?;
    Ok(match early {
        Err(RecvTimeoutError::Timeout) => heard.recv().map_err(|_| Violation::Broken {
            what: "the reader of a killed process",
            how: "panicked".to_owned(),
        }),
        Err(RecvTimeoutError::Disconnected) | Ok(_) => Err(Violation::Broken {
            what: "a process that nobody had killed yet",
            how: format!("ended with {status}"),
        }),
    })
}

/// Collects the whole lines that a process tells until its end.
fn listen(child: &mut Child) -> Receiver<Vec<String>> {
    let (sender, receiver) = channel();
    let output = child.stdout.take().expect("the output is piped");
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        let mut lines = Vec::new();
        let mut line = String::new();
        // A line without its end was being told when the process died: the answer is not known.
        while output.read_line(&mut line).is_ok() && line.ends_with('\n') {
            lines.push(line.trim_end().to_owned());
            line.clear();
        }
        // The receiver may have given up; then nobody needs the lines.
        let _ = sender.send(lines);
    });
    receiver
}

/// The ledgers of a killed crew: its plans are those of the seed, its answers those it told.
fn ledgers(seed: u64, lines: &[String]) -> Result<Vec<Ledger>, Violation> {
    let mut writers = Writer::crew(seed);
    let garbled = |line: &str| Violation::Broken {
        what: "a killed process",
        how: format!("told something that makes no sense: {line}"),
    };
    for text in lines {
        let line = Line::parse(text).ok_or_else(|| garbled(text))?;
        let writer = usize::try_from(line.writer).ok().and_then(|index| writers.get_mut(index));
        let writer = writer.ok_or_else(|| garbled(text))?;
        let step = writer.plan.step();
        if step.number != line.number {
            return Err(garbled(text));
        }
        writer.note(step, line.fate);
    }
    for writer in &mut writers {
        for _ in 0..writer.in_flight {
            let step = writer.plan.step();
            writer.note(step, Fate::InDoubt(None));
        }
    }
    Ok(writers.into_iter().map(|writer| writer.ledger).collect())
}
