//! Which item somebody means.

use crate::read::{Item, Task};

use super::words::{after_any, bare, plain_words};

/// Words that name nothing: only an item that is called just so is meant by them.
const PRONOUNS: &[&str] = &["it", "this", "that", "one", "them", "these", "those", "es", "sie"];

/// The items that a name fits: those that are called so, else those that have it in their title as it
/// is, else those that have all of its words.
pub(super) fn find<'a>(task: &'a Task, name: &str) -> Vec<&'a Item> {
    let name = bare(name);
    let wanted = plain_words(name);
    let without = after_any(name, &["the", "die", "der", "das", "den"]).map(plain_words);
    let wanted = match without {
        Some(without) if !without.is_empty() && exact(task, &wanted).is_empty() => without,
        _ => wanted,
    };
    if wanted.is_empty() {
        return task.items().filter(|item| item.title.trim() == name).collect();
    }
    if wanted.iter().all(|word| PRONOUNS.contains(&word.as_str())) {
        return exact(task, &wanted);
    }
    let tiers = [exact(task, &wanted), within(task, &wanted), scattered(task, &wanted)];
    tiers.into_iter().find(|tier| !tier.is_empty()).unwrap_or_default()
}

fn exact<'a>(task: &'a Task, wanted: &[String]) -> Vec<&'a Item> {
    task.items().filter(|item| plain_words(&item.title) == wanted).collect()
}

fn within<'a>(task: &'a Task, wanted: &[String]) -> Vec<&'a Item> {
    let has =
        |item: &&Item| plain_words(&item.title).windows(wanted.len()).any(|words| words == wanted);
    task.items().filter(has).collect()
}

/// Every word is there, or the beginning of one: "seed" finds "Order seeds".
fn scattered<'a>(task: &'a Task, wanted: &[String]) -> Vec<&'a Item> {
    const BEGINNING: usize = 3;
    let has = |item: &&Item| {
        let words = plain_words(&item.title);
        wanted.iter().all(|wanted| {
            let begins = |word: &&String| {
                *word == wanted || (wanted.len() >= BEGINNING && word.starts_with(wanted.as_str()))
            };
            words.iter().any(|word| begins(&word))
        })
    };
    task.items().filter(has).collect()
}
