//! Making a failing plan smaller while the same property fails.

use crate::plan::Plan;
use crate::seed::{Told, run};

/// Tries to leave steps out of a plan, at most so often; gives the smallest that still fails by the
/// same property, with its story.
#[must_use]
pub fn shrink(plan: &Plan, property: &str, tries_max: u32) -> (Plan, Told) {
    let mut best = (plan.clone(), run(plan));
    let mut tries = 0;
    let mut size = best.0.steps.len().div_ceil(2).max(1);
    loop {
        let mut smaller = false;
        let mut at = 0;
        while at < best.0.steps.len() && tries < tries_max {
            let mut steps = best.0.steps.clone();
            steps.drain(at..(at + size).min(steps.len()));
            let candidate = Plan { steps, ..best.0.clone() };
            let told = run(&candidate);
            tries += 1;
            if told.violations.iter().any(|violation| violation.property == property) {
                best = (candidate, told);
                smaller = true;
            } else {
                at += size;
            }
        }
        if tries >= tries_max || size == 1 && !smaller {
            return best;
        }
        size = if smaller { size } else { size / 2 }.max(1);
    }
}
