//! Lists that go on. What was done is not among them: everybody knows that it goes on.

use crate::screen::Screen;

/// The most that one look answers with.
pub(crate) const ROWS_MAX: usize = 1_000;

/// How many to ask for: one more than are shown, to learn whether the list goes on.
pub(crate) const fn than(limit: usize) -> usize {
    limit.saturating_add(1)
}

/// A list cut to its limit. If it goes on, that is said.
pub(crate) fn cut<T>(mut list: Vec<T>, limit: usize, screen: &Screen) -> Vec<T> {
    if let Some(told) = told(list.len(), limit) {
        screen.say(&told);
    }
    list.truncate(limit);
    list
}

fn told(found: usize, limit: usize) -> Option<String> {
    let are = if limit == 1 { "is" } else { "are" };
    if found > limit {
        return Some(format!("only {limit} {are} shown; --limit shows more"));
    }
    // Nobody knows whether that was all.
    let full = found == ROWS_MAX && limit >= ROWS_MAX;
    full.then(|| format!("no more than {ROWS_MAX} are ever shown; narrow it down to see the rest"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_says_that_it_goes_on_only_if_it_does() {
        assert_eq!((told(5, 5), told(0, 5), told(999, 5_000)), (None, None, None));
        assert_eq!(told(6, 5).unwrap(), "only 5 are shown; --limit shows more");
        assert_eq!(told(2, 1).unwrap(), "only 1 is shown; --limit shows more");
        assert!(told(1_000, 5_000).unwrap().starts_with("no more than 1000"));
    }
}
