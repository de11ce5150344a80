//! Going through a past turn again.

use api_types::{ProblemReply, ReplayReply, Request, Verdict};
use clap::Args;
use client::Client;

use crate::run::Ended;
use crate::screen::Screen;
use crate::table::table;

#[derive(Debug, Args)]
pub(crate) struct ReplayWords {
    /// The agent's id, or its last characters, four or more
    pub(crate) agent: String,
    /// Which run, by its name or the beginning of it [default: the last that took a turn]
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
}

pub(crate) fn ask(
    words: ReplayWords,
    client: &Client,
    screen: &Screen,
) -> Result<Ended, ProblemReply> {
    let ReplayWords { agent, run } = words;
    let replayed: ReplayReply = client.ask(Request::Replay { agent, run })?;
    screen.show(&replayed, shown);
    Ok(match replayed.verdict {
        Verdict::Differs => Ended::InFailure,
        Verdict::Verified | Verdict::Recorded | Verdict::Erased => Ended::Well,
    })
}

fn shown(replayed: &ReplayReply) -> String {
    let rows = replayed
        .steps
        .iter()
        .map(|one| [one.step.clone(), one.verdict.as_str().to_owned(), one.detail.clone()]);
    let steps = table(["STEP", "VERDICT", "DETAIL"], rows, "no steps\n");
    format!("run {}\n{steps}{}\n", replayed.run_key, sum(replayed))
}

/// How many steps came to what.
fn sum(replayed: &ReplayReply) -> String {
    let all = [Verdict::Verified, Verdict::Recorded, Verdict::Erased, Verdict::Differs];
    let counted = all.map(|verdict| {
        let count = replayed.steps.iter().filter(|step| step.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {}", verdict.as_str()))
    });
    let counted: Vec<String> = counted.into_iter().flatten().collect();
    format!("{} steps: {}", replayed.steps.len(), counted.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use api_types::ReplayedStep;

    #[test]
    fn people_see_every_step_and_how_many_came_to_what() {
        let step = |step: &str, verdict| ReplayedStep {
            step: step.to_owned(),
            verdict,
            detail: "so".to_owned(),
        };
        let steps = vec![
            step("wake", Verdict::Verified),
            step("prompt: task", Verdict::Recorded),
            step("end", Verdict::Verified),
        ];
        let (run_key, verdict) = ("ab12".to_owned(), Verdict::Recorded);
        let text = shown(&ReplayReply { run_key, verdict, steps });
        assert!(text.starts_with("run ab12\n"), "{text}");
        assert!(text.ends_with("3 steps: 2 verified, 1 recorded\n"), "{text}");
    }
}
