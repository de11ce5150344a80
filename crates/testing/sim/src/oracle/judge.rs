//! When to judge what.

use types::At;

use super::{
    budgets, changes, clocks, effects, failures, inputs, replays, runs, signals, slots, turns,
    undos, waits,
};
use crate::sim::Sim;

/// Judges at a moment when nothing is left to do, and time may still bring more.
pub(crate) fn settled(sim: &Sim) {
    waits::settled(sim);
    clocks::settled(sim);
}

/// Judges when everything has come to rest.
pub(crate) fn at_the_end(sim: &Sim, settled_at: At) {
    changes::judge(sim);
    failures::judge(sim);
    signals::judge(sim);
    runs::judge(sim);
    waits::at_the_end(sim);
    slots::judge(sim, settled_at);
    effects::judge(sim);
    turns::judge(sim);
    inputs::judge(sim);
    budgets::judge(sim);
    replays::judge(sim);
    undos::judge(sim);
}
