//! What the caller asks for.

use std::path::PathBuf;

use crash::Planted;
use crash::cut::Cuts;

/// What to do.
#[derive(Debug)]
pub(crate) enum Command {
    Help,
    Cut {
        cuts: Cuts,
        json: bool,
    },
    Kill {
        times: u64,
        from: u64,
        json: bool,
    },
    Turns {
        times: u64,
        from: u64,
        /// `dormouse`; absent means the one beside this program.
        program: Option<PathBuf>,
        json: bool,
    },
    /// For `kill` itself: the process that is killed.
    Write {
        home: PathBuf,
        seed: u64,
    },
}

impl Command {
    /// Reads the arguments; the text says what is wrong with them.
    pub(crate) fn parse(args: &[String]) -> Result<Command, String> {
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["help" | "-h" | "--help"] => Ok(Command::Help),
            ["cut", rest @ ..] => cut(&Options::parse(rest)?),
            ["kill", rest @ ..] => {
                let options = Options::parse(rest)?;
                options.only(&["--times", "--from", "--json"])?;
                let times = options.number("--times")?.ok_or("--times is missing")?;
                let from = options.number("--from")?.unwrap_or(0);
                Ok(Command::Kill { times, from, json: options.has("--json") })
            }
            ["turns", rest @ ..] => {
                let options = Options::parse(rest)?;
                options.only(&["--times", "--from", "--program", "--json"])?;
                let times = options.number("--times")?.ok_or("--times is missing")?;
                let from = options.number("--from")?.unwrap_or(0);
                let program = options.value("--program").map(PathBuf::from);
                Ok(Command::Turns { times, from, program, json: options.has("--json") })
            }
            ["write", home, seed] => {
                Ok(Command::Write { home: home.into(), seed: number("SEED", seed)? })
            }
            [] => Err("say what to do".to_owned()),
            [other, ..] => Err(format!("{other} is no command")),
        }
    }
}

fn cut(options: &Options<'_>) -> Result<Command, String> {
    options.only(&["--seeds", "--seed", "--from", "--plant", "--json"])?;
    let plant = match options.value("--plant") {
        None => None,
        Some("synchronous-off") => Some(Planted::SynchronousOff),
        Some("skip-wal-sync") => Some(Planted::SkipWalSync),
        Some(other) => return Err(format!("{other} cannot be planted")),
    };
    let (from, seeds) = match (options.number("--seed")?, options.number("--seeds")?) {
        (Some(seed), None) => (seed, 1),
        (None, Some(seeds)) => (options.number("--from")?.unwrap_or(0), seeds),
        _ => return Err("give --seeds or --seed, and one of them".to_owned()),
    };
    Ok(Command::Cut { cuts: Cuts { from, seeds, plant }, json: options.has("--json") })
}

/// Options as they were given, each with its value.
struct Options<'a>(Vec<(&'a str, Option<&'a str>)>);

impl<'a> Options<'a> {
    fn parse(words: &[&'a str]) -> Result<Options<'a>, String> {
        let mut options = Vec::new();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let value = match word {
                "--json" => None,
                _ if word.starts_with("--") => {
                    Some(*words.next().ok_or_else(|| format!("{word} needs a value"))?)
                }
                _ => return Err(format!("{word} was not expected")),
            };
            options.push((word, value));
        }
        Ok(Options(options))
    }

    fn only(&self, known: &[&str]) -> Result<(), String> {
        match self.0.iter().find(|(name, _)| !known.contains(name)) {
            Some((name, _)) => Err(format!("{name} is no option here")),
            None => Ok(()),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| *known == name)
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(known, _)| *known == name).and_then(|(_, value)| *value)
    }

    fn number(&self, name: &str) -> Result<Option<u64>, String> {
        self.value(name).map(|value| number(name, value)).transpose()
    }
}

fn number(name: &str, value: &str) -> Result<u64, String> {
    value.parse().map_err(|_| format!("{name} takes a number, not {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Command, String> {
        Command::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_cut_takes_many_seeds_or_one() {
        let Ok(Command::Cut { cuts: Cuts { from: 3, seeds: 9, plant: None }, json: true }) =
            parse("cut --seeds 9 --from 3 --json")
        else {
            panic!("many seeds")
        };
        let Ok(Command::Cut { cuts: Cuts { from: 7, seeds: 1, plant }, json: false }) =
            parse("cut --seed 7 --plant skip-wal-sync")
        else {
            panic!("one seed")
        };
        assert_eq!(plant, Some(Planted::SkipWalSync));
    }

    #[test]
    fn wrong_usage_is_named() {
        for (given, said) in [
            ("", "say what to do"),
            ("cut", "give --seeds or --seed, and one of them"),
            ("cut --seeds", "--seeds needs a value"),
            ("cut --seeds many", "--seeds takes a number, not many"),
            ("cut --seeds 1 --plant moles", "moles cannot be planted"),
            ("kill --seeds 1", "--seeds is no option here"),
            ("dig", "dig is no command"),
        ] {
            assert_eq!(parse(given).unwrap_err(), said);
        }
    }
}
