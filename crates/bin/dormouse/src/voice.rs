//! What a server says of itself while it works.

use std::sync::{Mutex, PoisonError};

use cli::Watcher;
use types::Problem;

use crate::local::say;

/// Says things from a thread of its own: whoever has something to say moves agents, and must not wait for a terminal
/// that nobody reads.
pub(crate) struct Voice(Mutex<Option<Watcher<String>>>);

impl Voice {
    pub(crate) fn start() -> Voice {
        Voice::through(say)
    }

    /// Has it said by this.
    pub(crate) fn through(say: impl Fn(&str) + Send + 'static) -> Voice {
        let gap = |left_out| format!("{left_out} more could not be said: nobody was reading");
        let watcher = Watcher::start(|| (), move |(), words: &String| say(words), gap, |()| Ok(()));
        Voice(Mutex::new(Some(watcher)))
    }

    /// Tells of what failed and is tried again; whoever looks at the server's terminal can see why.
    pub(crate) fn report(&self, problem: &Problem) {
        self.say(&format!("{} ({}); trying again", problem.message, problem.code));
    }

    /// Says something, now or when somebody reads. Never waits.
    pub(crate) fn say(&self, words: &str) {
        let watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(watcher) = &*watcher {
            watcher.show(&words.to_owned());
        }
    }

    /// Has said what it had to say, unless nobody reads it.
    pub(crate) fn end(&self) {
        let watcher = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        // Whether it arrived is nothing that could be said.
        let _ = watcher.map(Watcher::end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use types::Code;

    #[test]
    fn nobody_who_reports_waits_for_a_terminal_and_what_is_missing_is_counted() {
        let (read, may_read) = mpsc::channel::<()>();
        let (says, said) = mpsc::channel::<String>();
        let voice = Voice::through(move |words| {
            // Not before somebody reads, and then to the end.
            let _ = may_read.recv();
            says.send(words.to_owned()).unwrap();
        });
        let problem = Problem::new(Code::DiskFull, "no space", "free some");
        (0..1_000).for_each(|_| voice.report(&problem));
        drop(read);
        voice.end();
        let said: Vec<String> = said.iter().collect();
        assert_eq!(said[0], "no space (disk_full); trying again");
        let last = said.last().unwrap();
        assert!(said.len() < 300 && last.ends_with("more could not be said: nobody was reading"));
        voice.report(&problem);
    }
}
