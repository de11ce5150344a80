//! Telling of what fails, and not of the same thing again and again: a full disk is not to be filled with that.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use types::Problem;

/// How long the same is not said again.
const SAID: Duration = Duration::from_secs(60);

/// Things that were said lately are remembered, so many at most.
const REMEMBERED: usize = 32;

/// Whoever is told, and what they were told lately.
pub(crate) struct Told {
    report: Arc<dyn Fn(&Problem) + Send + Sync>,
    lately: BTreeMap<String, Instant>,
}

impl Told {
    /// Tells by this.
    pub(crate) fn by(report: Arc<dyn Fn(&Problem) + Send + Sync>) -> Told {
        Told { report, lately: BTreeMap::new() }
    }

    /// Tells of a problem, unless it was told of a moment ago.
    pub(crate) fn tell(&mut self, problem: &Problem, now: Instant) {
        self.lately.retain(|_, said| now.saturating_duration_since(*said) < SAID);
        if self.lately.contains_key(&problem.message) {
            return;
        }
        if self.lately.len() >= REMEMBERED {
            self.forget_oldest();
        }
        self.lately.insert(problem.message.clone(), now);
        (self.report)(problem);
    }

    fn forget_oldest(&mut self) {
        let oldest = self.lately.iter().min_by_key(|(_, said)| **said);
        if let Some(oldest) = oldest.map(|(message, _)| message.clone()) {
            self.lately.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;
    use types::Code;

    #[test]
    fn the_same_is_told_once_a_minute_and_anything_else_at_once() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&heard);
        let mut told =
            Told::by(Arc::new(move |problem| hears.lock().unwrap().push(problem.message.clone())));
        let start = Instant::now();
        let full = Problem::new(Code::DiskFull, "full", "free some");
        let busy = Problem::new(Code::StoreBusy, "busy", "wait");
        for seconds in [0, 1, 59, 60, 61, 130] {
            told.tell(&full, start + Duration::from_secs(seconds));
        }
        told.tell(&busy, start + Duration::from_secs(131));
        assert_eq!(*heard.lock().unwrap(), ["full", "full", "full", "busy"]);
        for number in 0..100 {
            let other = Problem::new(Code::StoreBusy, format!("{number}"), "wait");
            told.tell(&other, start + Duration::from_secs(132));
        }
        assert_eq!(told.lately.len(), REMEMBERED);
    }

    #[test]
    fn what_is_said_after_much_else_is_not_said_again_either() {
        let heard = Arc::new(Mutex::new(0));
        let hears = Arc::clone(&heard);
        let mut told = Told::by(Arc::new(move |_| *hears.lock().unwrap() += 1));
        let start = Instant::now();
        let mut tell = |number: u64, millis: u64| {
            let problem = Problem::new(Code::StoreBusy, format!("{number}"), "wait");
            told.tell(&problem, start + Duration::from_millis(millis));
        };
        (0..100).for_each(|number| tell(number, number));
        // The last of them are remembered, and the first were forgotten for them.
        (90..100).for_each(|number| tell(number, 200));
        assert_eq!(*heard.lock().unwrap(), 100);
        tell(0, 300);
        assert_eq!(*heard.lock().unwrap(), 101);
    }
}
