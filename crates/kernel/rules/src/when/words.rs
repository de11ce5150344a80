//! A text as the words that the readers look at.

/// The words of a text.
pub(super) struct Words<'a> {
    /// In small letters and without the commas behind them. `2026-11-20T14:30` counts as two.
    pub(super) list: Vec<&'a str>,
    /// What follows such a time: `Z` or `+01:00`.
    pub(super) offset: Option<&'a str>,
}

/// The words of a text in small letters.
pub(super) fn split(small: &str) -> Words<'_> {
    let mut words = Words { list: Vec::new(), offset: None };
    for word in small.split_whitespace().map(|word| word.trim_end_matches(',')) {
        match joined(word) {
            Some((date, time)) => {
                let end = time.find(['z', '+', '-']).unwrap_or(time.len());
                words.list.extend([date, &time[..end]]);
                words.offset = Some(&time[end..]).filter(|offset| !offset.is_empty());
            }
            None => words.list.push(word),
        }
    }
    words.list.retain(|word| !word.is_empty());
    words
}

/// A date and a time with a `T` between them.
fn joined(word: &str) -> Option<(&str, &str)> {
    let (date, time) = word.split_once('t')?;
    let is_date = date.starts_with(|c: char| c.is_ascii_digit()) && date.contains('-');
    (is_date && time.starts_with(|c: char| c.is_ascii_digit())).then_some((date, time))
}
