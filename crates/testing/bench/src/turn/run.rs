//! The benchmark.

use std::path::Path;

use chat::ChatServer;
use sqlite::Config;
use testkit::TempHome;
use tokio::runtime::Runtime;

use super::alone::{self, Alone};
use super::crowd::{self, Crowd};
use super::floor::Floor;
use super::{age, idle, memory, report, script, written};
use crate::figures::Figures;

/// How much is measured.
struct Size {
    /// Stretches of turns of an agent alone.
    stretches: u64,
    /// Rounds, and turns of each, of one agent, of a hundred and of a thousand: in the end each has had some
    /// twenty-five, so that lists are as long as people keep them.
    one: (u64, u64),
    hundred: (u64, u64),
    thousand: (u64, u64),
    /// Turns of the old agent.
    age: u64,
    /// Agents that have each run once.
    ran: u64,
}

const FULL: Size = Size {
    stretches: 20,
    one: (5, 200),
    hundred: (7, 350),
    thousand: (7, 3_500),
    age: 10_000,
    ran: 10_000,
};

const QUICK: Size = Size {
    stretches: 6,
    one: (3, 100),
    hundred: (3, 350),
    thousand: (3, 3_500),
    age: 1_000,
    ran: 2_000,
};

/// What was measured besides the figures, for the plots.
pub(super) struct Measured {
    pub(super) alone: Alone,
    pub(super) crowds: Vec<Crowd>,
}

/// An executor as a server of the product has it.
pub(super) fn executor() -> Runtime {
    embedded::executor(host::tidy_after_work).expect("it starts")
}

pub(crate) fn run(keep: Option<&Path>, quick: bool) -> Figures {
    let (size, executor) = (if quick { QUICK } else { FULL }, executor());
    let server = ChatServer::start_apart(script::one_item());
    let url = server.base_url();
    let mut figures = Figures::new("turn");
    let fresh = two_calls(&executor, &server, &url, 1);
    #[expect(clippy::cast_precision_loss, reason = "some thousand")]
    let tokens = fresh[0].len() as f64 / 4.0;
    // Most of the turns that are measured are those of agents with a past, and the floor says as much.
    let (floor_home, settled) = (TempHome::new(), two_calls(&executor, &server, &url, SETTLED));
    let floor = Floor::new(floor_home.path(), server.address().to_string(), settled);

    let alone = alone::pair(&executor, &floor, &url, size.stretches);
    let meaning = "one agent, one turn with one tool call, median, over the floor turn";
    figures.note_against("turn_p50_over_floor", alone.ours / alone.floor, "<= 4", meaning);
    let rounds = [(1, size.one), (100, size.hundred), (1_000, size.thousand)];
    let crowds: Vec<Crowd> =
        rounds.map(|(agents, rounds)| crowd::pair(&executor, &floor, &url, agents, rounds)).into();
    let meaning = "turns a second, 1,000 agents, over the floor turn at 50 in flight";
    figures.note_against("turns_over_floor_1000", crowds[2].ratio, ">= 0.2", meaning);
    let age = age::compare(&executor, &server, &url, size.age);
    let meaning = "a turn of an agent that has had 10,000 over one that has had 100";
    figures.note_against("age_ratio", age.turn, "<= 1.1", meaning);
    let meaning = "bytes of their prompts, likewise";
    figures.note_against("prompt_age_ratio", age.prompt, "<= 1.1", meaning);
    let meaning = "waits for the disk in a turn of an agent alone";
    let [syncs, syncs_folding] = written::syncs(&executor, &url);
    figures.note_against("fsyncs_per_turn", syncs, "<= 4", meaning);
    let meaning = "bytes logged by a turn of an agent alone";
    let bytes = written::bytes_alone(&executor, &url);
    figures.note_against("wal_bytes_per_turn", bytes, "<= 204800", meaning);
    let meaning = "bytes logged by a turn, 50 agents in flight";
    let bytes = written::bytes_crowd(&executor, &url);
    figures.note_against("wal_bytes_per_turn_50", bytes, "<= 40960", meaning);
    let memory = memory::measure(&executor, &url, size.ran);
    let meaning = "memory after each of 10,000 agents has run once over 1,000 asleep";
    let ratio = memory.many / memory.asleep;
    figures.note_against("rss_after_10000_ran_ratio", ratio, "<= 1.5", meaning);
    let meaning = "calls of a model by 1,000 agents at rest while the journal goes on";
    figures.note_against(
        "idle_model_calls",
        idle::calls(&executor, &server, &url),
        "<= 0",
        meaning,
    );
    let meaning = "a ten-word prompt to a fresh task agent, in bytes of its request / 4";
    figures.note_against("prompt_tokens_ten_words", tokens, "<= 3000", meaning);

    note_crowds(&mut figures, &crowds);
    let meaning = "waits for the disk in a turn alone, with those of folding the logs";
    figures.note("fsyncs_with_folding", syncs_folding, meaning);
    figures.note("turn_p50_us", alone.ours, "a turn of an agent alone, in microseconds");
    figures.note("floor_turn_p50_us", alone.floor, "a floor turn alone, in microseconds");
    figures.note("turn_p50_us_young", age.young_us, "a turn around the 100th, in microseconds");
    figures.note("turn_p50_us_old", age.old_us, "a turn after 10,000, in microseconds");
    figures.note("rss_kib_asleep", memory.asleep, "memory with 1,000 asleep, in KiB");
    figures.note("rss_kib_1000_ran", memory.few, "after each of 1,000 has run once, in KiB");
    figures.note("rss_kib_10000_ran", memory.many, "after each of 10,000 has run once, in KiB");
    if let Some(folder) = keep {
        report::keep(folder, &figures, &Measured { alone, crowds });
    }
    figures
}

fn note_crowds(figures: &mut Figures, crowds: &[Crowd]) {
    let names = ["turns_per_s_1", "turns_per_s_100", "turns_per_s_1000"];
    for (crowd, name) in crowds.iter().zip(names) {
        figures.note(name, crowd.ours, "turns a second of so many agents");
    }
    let Some(many) = crowds.last() else { return };
    figures.note("floor_turns_per_s_50", many.floor, "floor turns a second, 50 in flight");
    let meaning = "processor time of a turn of 1,000 agents, in milliseconds";
    figures.note("cpu_ms_per_turn_1000", many.our_cpu_ms, meaning);
    let meaning = "the same of a floor turn, 50 in flight";
    figures.note("cpu_ms_per_floor_turn_50", many.floor_cpu_ms, meaning);
}

/// Turns after which an agent has as much of a past as it ever shows its model.
const SETTLED: u64 = 12;

/// The two calls of the last of so many turns that somebody asked a fresh agent for, as they were sent.
fn two_calls(executor: &Runtime, server: &ChatServer, url: &str, turns: u64) -> [Vec<u8>; 2] {
    let (_home, house, agent) = alone::home(executor, &Config::default(), url);
    alone::turns(executor, &house, &agent, 0, turns);
    let asked = server.asked();
    let [.., first, second] = &asked[..] else { panic!("a turn makes two calls") };
    assert!(!first.is_after_tools() && second.is_after_tools(), "a call of a tool, and words");
    [first.bytes().to_vec(), second.bytes().to_vec()]
}
