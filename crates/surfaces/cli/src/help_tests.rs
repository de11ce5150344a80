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
