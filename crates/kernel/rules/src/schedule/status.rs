//! How a schedule passes through life.
//!
//! ```text
//! from       event      to
//! active     pause      paused
//! active     disable    disabled
//! active     expire     expired
//! paused     resume     active
//! paused     disable    disabled
//! expired    disable    disabled
//! ```
//! Everything else is refused, and nothing leads out of disabled.

use types::ScheduleStatus;

/// What can happen to a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleEvent {
    /// It is kept, but does not come round.
    Pause,
    /// It comes round again.
    Resume,
    /// The end, by somebody's wish or after a one-shot.
    Disable,
    /// Its pattern has nothing more to come.
    Expire,
}

impl ScheduleEvent {
    /// What the schedule is afterwards, as a word.
    const fn done(self) -> &'static str {
        match self {
            ScheduleEvent::Pause => "paused",
            ScheduleEvent::Resume => "resumed",
            ScheduleEvent::Disable => "disabled",
            ScheduleEvent::Expire => "let expire",
        }
    }
}

/// A step that a schedule's life does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a schedule that is {from} cannot be {event}", from = .from.as_str(), event = .event.done())]
pub struct NoSuchStep {
    /// Where it stands.
    pub from: ScheduleStatus,
    /// What was asked.
    pub event: ScheduleEvent,
}

/// The status after an event.
///
/// # Errors
/// If the table above does not have that step.
pub fn step(from: ScheduleStatus, event: ScheduleEvent) -> Result<ScheduleStatus, NoSuchStep> {
    use ScheduleStatus::{Active, Disabled, Expired, Paused};
    match (from, event) {
        (Active, ScheduleEvent::Pause) => Ok(Paused),
        (Paused, ScheduleEvent::Resume) => Ok(Active),
        (Active, ScheduleEvent::Expire) => Ok(Expired),
        (Active | Paused | Expired, ScheduleEvent::Disable) => Ok(Disabled),
        _ => Err(NoSuchStep { from, event }),
    }
}

/// Whether nothing brings it round any more: no clock, no change and nobody's word.
pub(super) const fn is_over(status: ScheduleStatus) -> bool {
    matches!(status, ScheduleStatus::Expired | ScheduleStatus::Disabled)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATUSES: [ScheduleStatus; 4] = [
        ScheduleStatus::Active,
        ScheduleStatus::Paused,
        ScheduleStatus::Expired,
        ScheduleStatus::Disabled,
    ];
    const EVENTS: [(ScheduleEvent, &str); 4] = [
        (ScheduleEvent::Pause, "pause"),
        (ScheduleEvent::Resume, "resume"),
        (ScheduleEvent::Disable, "disable"),
        (ScheduleEvent::Expire, "expire"),
    ];

    #[test]
    fn the_code_has_exactly_the_steps_of_the_table() {
        let mut steps = Vec::new();
        for from in STATUSES {
            for (event, name) in EVENTS {
                if let Ok(to) = step(from, event) {
                    steps.push(format!("{} {name} {}", from.as_str(), to.as_str()));
                }
            }
        }
        let mut table: Vec<String> = include_str!("status.rs")
            .lines()
            .skip_while(|line| !line.contains("from       event"))
            .skip(1)
            .map_while(|line| line.strip_prefix("//! "))
            .take_while(|line| !line.starts_with("```"))
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(table.len(), 6, "the table was not read");
        steps.sort();
        table.sort();
        assert_eq!(steps, table);
    }

    #[test]
    fn nothing_leads_out_of_disabled() {
        let from = ScheduleStatus::Disabled;
        for (event, _) in EVENTS {
            assert_eq!(step(from, event), Err(NoSuchStep { from, event }));
        }
    }
}
