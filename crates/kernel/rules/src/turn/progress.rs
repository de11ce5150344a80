//! Whether a turn gets anywhere.

use serde_json::Value;
use types::Digest;

use crate::{canonical, hash};

/// How often the same step may be taken before the turn is ended.
const SAME_STEP_MAX: usize = 3;

/// One round as progress is judged: what was asked for, and what came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step(Digest);

impl Step {
    /// A step from its calls, tool and arguments, and their answers, in order.
    #[must_use]
    pub fn of(calls: &[(&str, &Value)], answers: &[String]) -> Step {
        let mut fields = vec!["step".to_owned()];
        for (tool, arguments) in calls {
            fields.push((*tool).to_owned());
            fields.push(canonical::to_string(arguments).unwrap_or_else(|_| arguments.to_string()));
        }
        fields.extend(answers.iter().cloned());
        Step(hash::fields(fields.iter().map(String::as_str)))
    }
}

/// What a turn has done so far. The same step again with the same answers is no progress, however many
/// other steps lie between.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    steps: Vec<Step>,
}

impl Progress {
    /// Takes a step; says whether the turn still gets anywhere.
    pub fn take(&mut self, step: Step) -> bool {
        self.steps.push(step);
        self.steps.iter().filter(|earlier| **earlier == step).count() < SAME_STEP_MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn step(tool: &str, arguments: &Value, answer: &str) -> Step {
        Step::of(&[(tool, arguments)], &[answer.to_owned()])
    }

    #[test]
    fn the_same_call_with_the_same_answer_three_times_is_no_progress() {
        let arguments = json!({ "a": 1, "b": 2 });
        let mut progress = Progress::default();
        assert!(progress.take(step("list", &arguments, "[]")));
        assert!(progress.take(step("list", &arguments, "[]")));
        assert!(!progress.take(step("list", &json!({ "b": 2.0, "a": 1 }), "[]")));
    }

    #[test]
    fn another_answer_is_progress_and_detours_do_not_hide_a_circle() {
        let arguments = json!({});
        let mut progress = Progress::default();
        for answer in 0..9 {
            assert!(progress.take(step("look", &arguments, &answer.to_string())));
        }
        assert!(progress.take(step("list", &arguments, "[]")));
        assert!(progress.take(step("look", &arguments, "10")));
        assert!(progress.take(step("list", &arguments, "[]")));
        assert!(progress.take(step("look", &arguments, "11")));
        assert!(!progress.take(step("list", &arguments, "[]")));
    }
}
