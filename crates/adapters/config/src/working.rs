//! How agents work.

use types::limits;

use crate::Error;
use crate::section::{Section, Wrong};

/// The settings, each with the variable of the environment that comes before it.
const USUAL: (&str, &str) = ("default_tool_output_tokens", "DORMOUSE_DEFAULT_TOOL_OUTPUT_TOKENS");
const MOST: (&str, &str) = ("max_tool_output_tokens", "DORMOUSE_MAX_TOOL_OUTPUT_TOKENS");

/// How much of one tool's answer goes back to a model, in tokens. It bounds nothing else: what is kept of
/// an answer, and what a turn may spend, have bounds of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolOutput {
    /// Of an answer whose call asks for no other bound.
    pub usual_tokens: u64,
    /// Of any answer.
    pub most_tokens: u64,
}

impl Default for ToolOutput {
    fn default() -> ToolOutput {
        ToolOutput {
            usual_tokens: limits::TOOL_OUTPUT_TOKENS,
            most_tokens: limits::TOOL_OUTPUT_TOKENS_MAX,
        }
    }
}

/// The settings of a section.
pub(crate) const SETTINGS: [&str; 4] = [USUAL.0, MOST.0, FAILURES, CHANGES_KEPT];

/// How many failures in a row make an agent dormant.
const FAILURES: &str = "failures_max";

/// More than that would be never: an agent that fails looks again every few hours.
const MOST_FAILURES: u32 = 1_000;

/// For how many days a change stays in the log.
const CHANGES_KEPT: &str = "changes_kept_days";

/// The failures in a row that make an agent dormant.
pub(crate) fn failures_max(section: &Section<'_>) -> Result<Option<u32>, Wrong> {
    within(section, FAILURES, (1, MOST_FAILURES))
}

/// The days for which a change stays in the log.
pub(crate) fn changes_kept_days(section: &Section<'_>) -> Result<Option<u32>, Wrong> {
    within(section, CHANGES_KEPT, limits::CHANGES_KEPT_DAYS_RANGE)
}

/// A number that has a smallest and a largest.
fn within(
    section: &Section<'_>,
    key: &'static str,
    (least, most): (u32, u32),
) -> Result<Option<u32>, Wrong> {
    let Some(given) = section.number(key)? else { return Ok(None) };
    let known = u32::try_from(given).ok().filter(|given| (least..=most).contains(given));
    known.map(Some).ok_or_else(|| section.refuse(key, format!("is not from {least} to {most}")))
}

impl ToolOutput {
    pub(crate) fn of(section: &Section<'_>) -> Result<ToolOutput, Wrong> {
        let given = (section.number(USUAL.0)?, section.number(MOST.0)?);
        checked(ToolOutput::default(), given).map_err(|(key, what)| section.refuse(key.0, what))
    }

    /// The same with what the environment says instead. `variable` looks one up.
    ///
    /// # Errors
    /// If one that is set is not a number that can be.
    pub fn or_as_told(
        self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<ToolOutput, Error> {
        let number = |name: &str| match variable(name) {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| {
                let what = "is not a whole number that is not negative".to_owned();
                Error::Environment { name: name.to_owned(), what }
            }),
        };
        checked(self, (number(USUAL.1)?, number(MOST.1)?))
            .map_err(|(key, what)| Error::Environment { name: key.1.to_owned(), what })
    }

    /// What an answer may have whose call asks for no other bound.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.usual_tokens.min(self.most_tokens)
    }
}

/// Which setting is wrong, and what is wrong with it.
type Bad = ((&'static str, &'static str), String);

/// What was said, and of what was not said what there was.
fn checked(was: ToolOutput, (usual, most): (Option<u64>, Option<u64>)) -> Result<ToolOutput, Bad> {
    let most_tokens = most.unwrap_or(was.most_tokens);
    if !(1..=limits::TOOL_OUTPUT_TOKENS_MAX).contains(&most_tokens) {
        return Err((MOST, format!("is not from 1 to {}", limits::TOOL_OUTPUT_TOKENS_MAX)));
    }
    let usual_tokens = usual.unwrap_or(was.usual_tokens);
    // Whoever lowers the one alone means both.
    if usual.is_some_and(|usual| usual == 0 || usual > most_tokens) {
        return Err((USUAL, format!("is not from 1 to the most there may be, {most_tokens}")));
    }
    Ok(ToolOutput { usual_tokens, most_tokens })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(usual: Option<&str>, most: Option<&str>) -> Result<u64, String> {
        let variable = |name: &str| {
            let said = if name == USUAL.1 { usual } else { most };
            said.map(str::to_owned)
        };
        let output = ToolOutput { usual_tokens: 2_000, most_tokens: 4_000 };
        output.or_as_told(variable).map(|told| told.tokens()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_environment_comes_before_the_file() {
        assert_eq!(ToolOutput::default().tokens(), 8_000);
        assert_eq!(told(None, None), Ok(2_000));
        assert_eq!(told(Some("3000"), None), Ok(3_000));
        assert_eq!(told(None, Some("500")), Ok(500), "whoever lowers the one alone means both");
        assert_eq!(told(Some("9000"), Some("64000")), Ok(9_000));
    }

    #[test]
    fn what_cannot_be_is_refused_by_its_name() {
        for (usual, most, said) in [
            (Some("many"), None, "DORMOUSE_DEFAULT_TOOL_OUTPUT_TOKENS is not a whole number"),
            (Some("5000"), None, "DORMOUSE_DEFAULT_TOOL_OUTPUT_TOKENS is not from 1 to the most"),
            (Some("0"), None, "DORMOUSE_DEFAULT_TOOL_OUTPUT_TOKENS is not from 1"),
            (None, Some("64001"), "DORMOUSE_MAX_TOOL_OUTPUT_TOKENS is not from 1 to 64000"),
            (None, Some("-1"), "DORMOUSE_MAX_TOOL_OUTPUT_TOKENS is not a whole number"),
        ] {
            let refused = told(usual, most).unwrap_err();
            assert!(refused.contains(said), "{refused}");
        }
    }
}
