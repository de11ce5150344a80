//! One answer as a line of text: what a process tells before it is killed.

use store::StoreError;
use types::{Applied, Counter, Position};

use crate::ledger::Fate;

/// What became of one commit of one writer.
#[derive(Debug, Clone)]
pub struct Line {
    /// Which writer's.
    pub writer: u64,
    /// Which of its commits.
    pub number: u64,
    /// What it was answered.
    pub fate: Fate,
}

impl Line {
    /// The line, without its end.
    #[must_use]
    pub fn print(writer: u64, number: u64, fate: &Fate) -> String {
        let words = match fate {
            Fate::Acknowledged(Applied {
                change: Some((position, counter, key)),
                runs_queued,
                ..
            }) => {
                format!("applied {runs_queued} {position} {counter} {key}")
            }
            Fate::Acknowledged(Applied { change: None, runs_queued, .. }) => {
                format!("applied {runs_queued}")
            }
            Fate::Refused(why) => format!("refused {}", why.replace('\n', " ")),
            Fate::Settled { .. } => unreachable!("no answer settles a doubt"),
            Fate::InDoubt(error) => {
                let why = error.as_ref().map_or_else(String::new, StoreError::to_string);
                format!("failed {}", why.replace('\n', " "))
            }
        };
        format!("{writer} {number} {words}")
    }

    /// Reads a line.
    #[must_use]
    pub fn parse(line: &str) -> Option<Line> {
        let mut parts = line.splitn(4, ' ');
        let (writer, number) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let (word, rest) = (parts.next()?, parts.next().unwrap_or_default());
        let fate = match word {
            "applied" => Fate::Acknowledged(applied(rest)?),
            // Nothing stands in the way of these commits: a failure is as bad as a refusal.
            "refused" | "failed" => Fate::Refused(rest.to_owned()),
            _ => return None,
        };
        Some(Line { writer, number, fate })
    }
}

fn applied(text: &str) -> Option<Applied> {
    let parts: Vec<&str> = text.split(' ').collect();
    let (runs, change) = match parts[..] {
        [runs] => (runs, None),
        [runs, position, counter, key] => {
            let position = Position(position.parse().ok()?);
            (runs, Some((position, Counter(counter.parse().ok()?), key.parse().ok()?)))
        }
        _ => return None,
    };
    Some(Applied { change, runs_queued: runs.parse().ok()?, wrote: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::Digest;

    #[test]
    fn an_answer_goes_through_a_line_and_back() {
        let change = Some((Position(7), Counter(5), Digest::from_bytes([3; 32])));
        for (change, runs_queued) in [(change, 0), (None, 4)] {
            let applied = Applied { change, runs_queued, wrote: None };
            let line = Line::print(2, 30, &Fate::Acknowledged(applied.clone()));
            let Some(Line { writer: 2, number: 30, fate: Fate::Acknowledged(back) }) =
                Line::parse(&line)
            else {
                panic!("{line} was not understood")
            };
            assert_eq!(back, applied);
        }
        let refused = Line::parse(&Line::print(0, 1, &Fate::Refused("late or\nso".to_owned())));
        assert!(matches!(refused.unwrap().fate, Fate::Refused(why) if why == "late or so"));
        assert!(Line::parse("1 2 appl").is_none());
    }
}
