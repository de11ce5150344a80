//! What the caller asks for.

use rules::planted::Fault;
use sim::Campaign;

/// What to do.
#[derive(Debug)]
pub(crate) enum Command {
    Help,
    Many {
        campaign: Campaign,
        json: bool,
    },
    /// One seed, with its whole story.
    One {
        seed: u64,
        fault: Option<Fault>,
    },
}

impl Command {
    /// Reads the arguments; the text says what is wrong with them.
    pub(crate) fn parse(args: &[String]) -> Result<Command, String> {
        let (mut seeds, mut from, mut seed, mut fault) = (None, 0, None, None);
        let mut json = false;
        let mut words = args.iter();
        while let Some(word) = words.next() {
            let mut value =
                || words.next().map(String::as_str).ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "-h" | "--help" | "help" => return Ok(Command::Help),
                "--json" => json = true,
                "--seeds" => seeds = Some(number(word, value()?)?),
                "--from" => from = number(word, value()?)?,
                "--seed" => seed = Some(number(word, value()?)?),
                "--fault" => fault = Some(named(value()?)?),
                other => return Err(format!("{other} was not expected")),
            }
        }
        match (seed, seeds) {
            (Some(seed), None) => Ok(Command::One { seed, fault }),
            (None, Some(seeds)) => {
                let campaign = Campaign { from, seeds, fault, shrink: true };
                Ok(Command::Many { campaign, json })
            }
            _ => Err("give --seeds or --seed, and one of them".to_owned()),
        }
    }
}

fn named(name: &str) -> Result<Fault, String> {
    let found = Fault::ALL.into_iter().find(|fault| fault.as_str() == name);
    let all = Fault::ALL.map(Fault::as_str).join(", ");
    found.ok_or_else(|| format!("{name} cannot be planted; these can: {all}"))
}

fn number(name: &str, value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| format!("{name} takes a number, not {value}"))
}
