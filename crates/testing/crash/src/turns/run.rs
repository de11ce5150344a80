//! Homes that live through many deaths of their server.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use client::{Socket, Transport};
use testkit::Random;

use super::home::House;
use super::judge::{Asked, judge};
use super::model::Talkative;
use super::people::People;
use super::replay::replay_all;
use super::serving::Serving;
use crate::Violation;
use crate::cut::Failure;

/// Deaths that one home lives through.
const DEATHS_PER_HOME: u64 = 20;

/// Which kills to make.
#[derive(Debug, Clone)]
pub struct Kills {
    /// The program, `dormouse`.
    pub program: PathBuf,
    /// How many.
    pub times: u64,
    /// The first seed.
    pub from: u64,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Summary {
    /// Servers killed.
    pub kills: u64,
    /// Homes they died in.
    pub homes: u64,
    /// Kills before the server was ready.
    pub early: u64,
    /// Prompts that were acknowledged.
    pub acknowledged: u64,
    /// Calls of the model.
    pub model_calls: u64,
    /// Items that the model asked for; more than were acknowledged if it was asked again.
    pub planned: u64,
    /// Runs that ended.
    pub runs: u64,
    /// Turns that were gone through again and came out as they were recorded.
    pub replayed: u64,
    /// Homes that ended with violations, by the seed of their first kill.
    pub failures: Vec<Failure>,
}

/// Makes the kills.
///
/// # Errors
/// If a home cannot be made or a process not be started.
pub fn run(kills: &Kills) -> io::Result<Summary> {
    let mut summary = Summary::default();
    let mut done = 0;
    while done < kills.times {
        let deaths = DEATHS_PER_HOME.min(kills.times - done);
        one(&kills.program, kills.from + done, deaths, &mut summary)?;
        done += deaths;
    }
    Ok(summary)
}

/// One home. One with violations is kept as evidence.
fn one(program: &Path, seed: u64, deaths: u64, summary: &mut Summary) -> io::Result<()> {
    let model = Talkative::start(seed);
    let house = House::new(program, &model.server.base_url())?;
    summary.homes += 1;
    let people = People::begin(house.path(), &house.agents, seed);
    let mut violations = Vec::new();
    for death in 0..deaths {
        violations.extend(die(program, &house, seed + death, summary)?.err());
    }
    match last(program, &house, people)? {
        Ok((asked, replayed)) => {
            summary.replayed += replayed;
            summary.acknowledged += asked.len() as u64;
            let given = model.given();
            summary.planned += given.values().map(|titles| titles.len() as u64).sum::<u64>();
            violations.extend(judge(&asked, &house.lists()?, &given));
            violations.extend(ended(&house, summary)?);
        }
        Err(violation) => violations.push(violation),
    }
    summary.model_calls += model.server.calls();
    let found = house.findings()?;
    violations.extend(found.into_iter().map(|how| Violation::Broken { what: "the check", how }));
    if !violations.is_empty() {
        summary.failures.push(Failure { seed, kept: Some(house.folder.keep()), violations });
    }
    Ok(())
}

/// One life and its end: mostly under load, sometimes in the middle of the start.
fn die(
    program: &Path,
    house: &House,
    seed: u64,
    summary: &mut Summary,
) -> io::Result<Result<(), Violation>> {
    let mut random = Random::seeded(seed);
    let mut serving = Serving::spawn(program, house.path())?;
    let early = random.chance(1, 6);
    let lived = match early {
        true => serving.live(Duration::from_millis(random.below(60))),
        false => serving
            .wait_until_ready()
            .and_then(|()| serving.live(Duration::from_millis(10 + random.below(500)))),
    };
    serving.kill()?;
    summary.kills += 1;
    summary.early += u64::from(early);
    Ok(lived)
}

/// The last life, which nobody ends before everything is done; says what was acknowledged, and how many turns came
/// out again.
fn last(
    program: &Path,
    house: &House,
    people: People,
) -> io::Result<Result<(Vec<Asked>, u64), Violation>> {
    let mut serving = Serving::spawn(program, house.path())?;
    let done = serving.wait_until_ready().and_then(|()| {
        let asked = people.end()?;
        let line = come_to_rest(house)?;
        Ok((asked, replay_all(house, &line)?))
    });
    serving.kill()?;
    Ok(done)
}

/// Waits until nothing is left that could run; gives the line to the server.
fn come_to_rest(house: &House) -> Result<Socket, Violation> {
    let restless = |how: String| Violation::Broken { what: "a server at its last", how };
    let line = Socket::find(house.path());
    let line = line.ok_or_else(|| restless("does not answer".to_owned()))?;
    line.send(api_types::Request::WakeDrain {}).map_err(|problem| restless(problem.message))?;
    Ok(line)
}

/// Every run is over, and none failed.
fn ended(house: &House, summary: &mut Summary) -> io::Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for agent in &house.agents {
        for (run, status) in house.runs(agent)? {
            summary.runs += 1;
            if status != "completed" {
                violations.push(Violation::Unfinished { run, status });
            }
        }
    }
    Ok(violations)
}
