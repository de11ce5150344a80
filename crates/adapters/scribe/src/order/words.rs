//! Beginnings and ends of sentences, whatever the case of their letters.

/// What follows a beginning, if the text has it as whole words.
pub(super) fn after<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    let mut rest = text.trim_start().chars();
    for wanted in beginning.chars() {
        let found = rest.next()?;
        if !same(found, wanted) {
            return None;
        }
    }
    let rest = rest.as_str();
    let whole = !beginning.ends_with(char::is_alphanumeric)
        || !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '\'');
    whole.then(|| rest.trim_start())
}

/// What stands before an end, if the text has it as whole words.
pub(super) fn before<'a>(text: &'a str, end: &str) -> Option<&'a str> {
    let mut rest = text.trim_end().chars();
    for wanted in end.chars().rev() {
        let found = rest.next_back()?;
        if !same(found, wanted) {
            return None;
        }
    }
    let rest = rest.as_str();
    let whole = !end.starts_with(char::is_alphanumeric) || !rest.ends_with(char::is_alphanumeric);
    whole.then(|| rest.trim_end())
}

/// What follows the first of these beginnings that the text has.
pub(super) fn after_any<'a>(text: &'a str, beginnings: &[&str]) -> Option<&'a str> {
    beginnings.iter().find_map(|beginning| after(text, beginning))
}

/// What stands before the first of these ends that the text has.
pub(super) fn before_any<'a>(text: &'a str, ends: &[&str]) -> Option<&'a str> {
    ends.iter().find_map(|end| before(text, end))
}

fn same(found: char, wanted: char) -> bool {
    found == wanted || found.to_lowercase().eq(wanted.to_lowercase())
}

const QUOTES: [(char, char); 6] =
    [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('\'', '\''), ('‘', '’')];

/// What stands between quotation marks, if that is all there is.
pub(super) fn unquoted(text: &str) -> Option<&str> {
    let text = text.trim();
    QUOTES.iter().find_map(|(open, close)| {
        let inner = text.strip_prefix(*open)?.strip_suffix(*close)?;
        (!inner.contains([*open, *close]) && !inner.trim().is_empty()).then(|| inner.trim())
    })
}

/// The text without the marks around it and without the full stop of its sentence.
pub(super) fn bare(text: &str) -> &str {
    let text = text.trim();
    if let Some(inner) = unquoted(text) {
        return inner;
    }
    let text = match text.strip_suffix('.') {
        Some(stopped) if !stopped.ends_with('.') => stopped.trim_end(),
        _ => text,
    };
    unquoted(text).unwrap_or(text)
}

/// The texts between quotation marks, if between them there is nothing but commas and "and".
pub(super) fn all_quoted(text: &str) -> Option<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (open, close) = QUOTES.iter().find(|(open, _)| rest.starts_with(*open))?;
        let inner = &rest[open.len_utf8()..];
        let (one, more) = inner.split_once(*close)?;
        found.push(one.trim());
        let more = more.trim_start_matches([',', ';', ' ', '\n', '.', '&']);
        rest = after_any(more, &["and", "und"]).unwrap_or(more).trim();
    }
    found.retain(|one| !one.is_empty());
    (!found.is_empty()).then_some(found)
}

/// The words of a text in small letters, without anything else.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_and_ends_are_whole_words_in_any_case() {
        assert_eq!(after("Add milk", "add"), Some("milk"));
        assert_eq!(after("address the letter", "add"), None);
        assert_eq!(after("add-on", "add"), None);
        assert_eq!(after("FÜGE Brot", "füge"), Some("Brot"));
        assert_eq!(before("Milk IS DONE", "is done"), Some("Milk"));
        assert_eq!(before("his done", "is done"), None);
    }

    #[test]
    fn marks_around_a_text_are_not_part_of_it() {
        assert_eq!(bare("\"Call Bob.\"."), "Call Bob.");
        assert_eq!(bare("„Brot kaufen“"), "Brot kaufen");
        assert_eq!(bare("Buy milk."), "Buy milk");
        assert_eq!(bare("wait..."), "wait...");
        assert_eq!(bare("Call \"Bob\""), "Call \"Bob\"");
        assert_eq!(all_quoted("\"a, b\", 'c' and “d”").unwrap(), ["a, b", "c", "d"]);
        assert_eq!(all_quoted("\"a\" to b"), None);
    }
}
