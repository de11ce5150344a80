//! Runs that failed for good: one more look follows on each in the same commit, where one is promised,
//! and nowhere else; and it comes to its end.

use crate::sim::Sim;

/// Judges.
pub(crate) fn judge(sim: &Sim) {
    let mut book = sim.shared.book();
    let mut found = Vec::new();
    for (agent, failed) in &book.failed {
        for one in failed {
            let (name, order) = (book.name(agent), one.order);
            match one.queues {
                (true, false) => {
                    found.push(format!("{name} failed at {order}, and no look follows"));
                }
                (false, true) => {
                    found.push(format!("{name} failed at {order}, and looks again for nothing"));
                }
                _ if book.follows_on(one) && !book.looked_after(agent, order, false) => {
                    found.push(format!("{name} failed at {order}, and has never looked since"));
                }
                _ => {}
            }
        }
    }
    for what in found {
        book.violate("a failure is looked at once more", what);
    }
}
