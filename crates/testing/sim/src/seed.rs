//! Running a plan to its end.

use crate::figures::Figures;
use crate::plan::Plan;
use crate::sim::Sim;
use crate::violation::Violation;

/// What came of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// What was found.
    pub violations: Vec<Violation>,
    /// What happened, line by line.
    pub story: Vec<String>,
    /// What was exercised.
    pub figures: Figures,
}

/// Goes through a plan on this thread.
#[must_use]
pub fn run(plan: &Plan) -> Told {
    let mut sim = Sim::new(plan);
    sim.go();
    let mut book = sim.shared.book();
    let mut figures = std::mem::take(&mut book.figures);
    figures.count("seeds");
    Told {
        violations: std::mem::take(&mut book.violations),
        story: std::mem::take(&mut book.story),
        figures,
    }
}
