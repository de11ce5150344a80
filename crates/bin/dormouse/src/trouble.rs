//! Going on when the store is in trouble.

use types::{Code, Problem};

use crate::voice::Voice;

/// Trouble that somebody waits out. The pauses grow, and the same is told once.
pub(crate) struct Trouble<'a> {
    voice: &'a Voice,
    times: u32,
    told: Option<String>,
}

impl<'a> Trouble<'a> {
    pub(crate) fn told_by(voice: &'a Voice) -> Trouble<'a> {
        Trouble { voice, times: 0, told: None }
    }

    pub(crate) fn is_over(&mut self) {
        (self.times, self.told) = (0, None);
    }

    /// Tells of it, and waits until it may be worth trying again.
    pub(crate) async fn wait(&mut self, problem: &Problem) {
        if self.told.as_ref() != Some(&problem.message) {
            self.voice.report(problem);
            self.told = Some(problem.message.clone());
        }
        self.times = self.times.saturating_add(1);
        tokio::time::sleep(embedded::pause_after(self.times)).await;
    }

    /// What comes of an attempt that is made until the store is in no trouble.
    pub(crate) async fn outlasted_by<T>(
        &mut self,
        attempt: impl AsyncFn() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        loop {
            match attempt().await {
                Err(problem) if passes(problem.code) => self.wait(&problem).await,
                outcome => {
                    self.is_over();
                    return outcome;
                }
            }
        }
    }
}

/// Whether it is about the store, and not about what was asked of it.
fn passes(code: Code) -> bool {
    matches!(code, Code::DiskFull | Code::StoreBusy | Code::StoreIo | Code::StoreClosed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::mpsc;

    #[tokio::test(start_paused = true)]
    async fn a_full_disk_is_waited_out_and_what_is_refused_is_not() {
        let (says, said) = mpsc::channel();
        let voice = Voice::through(move |words| says.send(words.to_owned()).unwrap());
        let mut trouble = Trouble::told_by(&voice);
        let (tries, start) = (Cell::new(0), tokio::time::Instant::now());
        let code = Cell::new(Code::DiskFull);
        let mut attempt = async |until: u32| {
            let attempted = async || {
                tries.set(tries.get() + 1);
                match tries.get() >= until {
                    true => Ok(tries.get()),
                    false => Err(Problem::new(code.get(), "no", "free some")),
                }
            };
            trouble.outlasted_by(attempted).await.map_err(|problem| problem.code)
        };
        assert_eq!(attempt(4).await, Ok(4));
        assert_eq!(start.elapsed().as_secs(), 1 + 2 + 4);
        code.set(Code::UnknownCategory);
        assert_eq!(attempt(9).await, Err(Code::UnknownCategory));
        assert_eq!(tries.get(), 5);
        voice.end();
        let said: Vec<String> = said.iter().collect();
        assert_eq!(said, ["no (disk_full); trying again"], "the same is told once");
    }
}
