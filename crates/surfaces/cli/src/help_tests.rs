use clap::{CommandFactory, Parser};

use super::Cli;

/// Every command that does something, with its name as one writes it.
fn leaves(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
    let mut found = Vec::new();
    if !command.is_subcommand_required_set() {
        found.push((path.to_owned(), command.clone()));
    }
    for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
        found.extend(leaves(inner, &format!("{path} {}", inner.get_name())));
    }
    found
}

/// The examples of a command, a line each.
fn examples(command: &clap::Command) -> Vec<String> {
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    text.lines().filter_map(|line| line.strip_prefix("  ").map(str::to_owned)).collect()
}

/// What a shell would give to the program in a line: the words of its `dormouse`, up to a pipe or a
/// file. Nothing if another program is called.
fn words(line: &str) -> Option<Vec<String>> {
    let (mut all, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => all.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    all.extend(word);
    let start = all.iter().position(|word| word == "dormouse")?;
    let ours = all.into_iter().skip(start);
    Some(ours.take_while(|word| !matches!(word.as_str(), "|" | "<" | ">")).collect())
}

#[test]
fn every_command_has_examples_and_every_example_is_a_command() {
    let mut cli = Cli::command();
    cli.build();
    for (path, command) in leaves(&cli, "dormouse") {
        let own: Vec<String> = examples(&command);
        assert!(own.iter().any(|line| line.contains(&path)), "{path} shows no example of itself");
        for line in own {
            let Some(words) = words(&line) else { continue };
            let parsed = Cli::try_parse_from(&words);
            assert!(parsed.is_ok(), "{path}: {line}: {}", parsed.unwrap_err());
        }
    }
    let cli = examples(&cli);
    assert!(cli.iter().all(|line| Cli::try_parse_from(words(line).unwrap()).is_ok()), "{cli:?}");
}

#[test]
fn every_command_and_option_says_what_it_is_for() {
    fn check(command: &clap::Command, path: &str) {
        assert!(command.get_about().is_some(), "{path} says nothing");
        for argument in command.get_arguments() {
            assert!(argument.get_help().is_some(), "{path} {} says nothing", argument.get_id());
        }
        for inner in command.get_subcommands() {
            check(inner, &format!("{path} {}", inner.get_name()));
        }
    }
    check(&Cli::command(), "dormouse");
}

#[test]
fn a_number_that_makes_no_sense_is_refused_with_what_is_needed() {
    let refused =
        |line: &str| Cli::try_parse_from(words(line).unwrap()).map(|_| ()).unwrap_err().to_string();
    for command in
        ["runs A", "history", "task list", "note list", "search x", "session history A s"]
    {
        for limit in ["0", "-5", "x"] {
            let said = refused(&format!("dormouse {command} --limit {limit}"));
            assert!(said.contains("1 or more is needed"), "{command}: {said}");
        }
    }
    for command in ["schedule add A --every", "prompt A x --wait --timeout", "follow A --timeout"] {
        let said = refused(&format!("dormouse {command} -5"));
        assert!(said.contains("none below 0") && !said.contains("-- -5"), "{said}");
    }
    assert!(refused("dormouse rate today -1").contains("from 1 to 5"));
    let line = "dormouse task add x --category home --estimate -5m";
    assert!(Cli::try_parse_from(words(line).unwrap()).is_ok(), "a length is read by the journal");
}

#[test]
fn usage_shows_every_way_to_resume_and_a_new_session_has_no_id() {
    let help = |line: &str| Cli::try_parse_from(words(line).unwrap()).unwrap_err().to_string();
    assert!(help("dormouse agent resume --help").contains("<AGENT|--failed>"));
    assert!(!help("dormouse session start --help").contains("its name or its id"));
}
