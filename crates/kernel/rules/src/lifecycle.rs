//! How an agent passes through life.
//!
//! ```text
//! from       event      to
//! created    activate   active
//! created    pause      dormant (paused)
//! created    destroy    destroyed
//! active     pause      dormant (paused)
//! active     stop       dormant (stopped)
//! active     fail       dormant (failures)
//! active     lose_task  dormant (task_missing)
//! active     destroy    destroyed
//! dormant    resume     active
//! dormant    pause      dormant (paused)
//! dormant    stop       dormant (stopped)
//! dormant    destroy    destroyed
//! ```
//! Everything else is refused, and nothing leads out of destroyed.

use types::{At, DormantCause, Lifecycle};

/// What can happen to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LifeEvent {
    /// Its first wake.
    Activate,
    /// The operator pauses it.
    Pause,
    /// It is stopped until an explicit resume.
    Stop,
    /// It failed too often in a row.
    Fail,
    /// What it tends is gone.
    LoseTask,
    /// The operator resumes it.
    Resume,
    /// The end.
    Destroy,
}

impl LifeEvent {
    /// What the agent is afterwards, as a word.
    const fn done(self) -> &'static str {
        match self {
            LifeEvent::Activate => "activated",
            LifeEvent::Pause => "paused",
            LifeEvent::Stop => "stopped",
            LifeEvent::Fail => "stopped for failing",
            LifeEvent::LoseTask => "stopped for want of its task",
            LifeEvent::Resume => "resumed",
            LifeEvent::Destroy => "destroyed",
        }
    }
}

/// A step that life does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an agent that is {from} cannot be {event}", from = .from.as_str(), event = .event.done())]
pub struct NoSuchStep {
    /// Where it stands.
    pub from: Lifecycle,
    /// What was asked.
    pub event: LifeEvent,
}

/// The stage after an event.
///
/// # Errors
/// If the table above does not have that step.
pub fn step(from: Lifecycle, event: LifeEvent, at: At) -> Result<Lifecycle, NoSuchStep> {
    use Lifecycle::{Active, Created, Destroyed, Dormant};
    let dormant = |cause| Ok(Dormant { cause });
    match (from, event) {
        (Created, LifeEvent::Activate) | (Dormant { .. }, LifeEvent::Resume) => Ok(Active),
        (Created | Active | Dormant { .. }, LifeEvent::Pause) => dormant(DormantCause::Paused),
        (Active | Dormant { .. }, LifeEvent::Stop) => dormant(DormantCause::Stopped),
        (Active, LifeEvent::Fail) => dormant(DormantCause::Failures),
        (Active, LifeEvent::LoseTask) => dormant(DormantCause::TaskMissing),
        (Created | Active | Dormant { .. }, LifeEvent::Destroy) => Ok(Destroyed { at }),
        _ => Err(NoSuchStep { from, event }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENTS: [(LifeEvent, &str); 7] = [
        (LifeEvent::Activate, "activate"),
        (LifeEvent::Pause, "pause"),
        (LifeEvent::Stop, "stop"),
        (LifeEvent::Fail, "fail"),
        (LifeEvent::LoseTask, "lose_task"),
        (LifeEvent::Resume, "resume"),
        (LifeEvent::Destroy, "destroy"),
    ];

    fn shown(stage: Lifecycle) -> String {
        match stage {
            Lifecycle::Dormant { cause } => {
                let cause = serde_json::to_value(cause).unwrap();
                format!("dormant ({})", cause.as_str().unwrap())
            }
            other => other.as_str().to_owned(),
        }
    }

    #[test]
    fn the_code_has_exactly_the_steps_of_the_table() {
        let at = At::from_millis(1);
        let cause = DormantCause::Failures;
        let stages = [
            Lifecycle::Created,
            Lifecycle::Active,
            Lifecycle::Dormant { cause },
            Lifecycle::Destroyed { at },
        ];
        let mut steps = Vec::new();
        for from in stages {
            for (event, name) in EVENTS {
                if let Ok(to) = step(from, event, at) {
                    steps.push(format!("{} {name} {}", from.as_str(), shown(to)));
                }
            }
        }
        let table: Vec<String> = include_str!("lifecycle.rs")
            .lines()
            .skip_while(|line| !line.contains("from       event"))
            .skip(1)
            .map_while(|line| line.strip_prefix("//! "))
            .take_while(|line| !line.starts_with("```"))
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        steps.sort();
        let mut table_sorted = table.clone();
        table_sorted.sort();
        assert_eq!(steps, table_sorted);
        assert!(table.len() > 10, "the table was not read");
    }

    #[test]
    fn nothing_leads_out_of_destroyed() {
        let from = Lifecycle::Destroyed { at: At::EPOCH };
        for (event, _) in EVENTS {
            assert_eq!(step(from, event, At::from_millis(9)), Err(NoSuchStep { from, event }));
        }
    }
}
