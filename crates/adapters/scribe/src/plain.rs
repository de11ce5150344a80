//! Words of others, made fit to stand in ours: one line, bounded, without marks that mean something.

/// Marks that turn the direction of text or cannot be seen: a title could hide something with them.
const UNSEEN: [std::ops::RangeInclusive<char>; 4] = [
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{feff}'..='\u{feff}',
];

/// One line of at most so many bytes, with a mark where it was cut.
pub(crate) fn line(text: &str, bytes_max: usize) -> String {
    let seen: String =
        text.chars().filter(|c| !UNSEEN.iter().any(|range| range.contains(c))).collect();
    let words: Vec<&str> = seen
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
        .collect();
    cut(&words.join(" "), bytes_max)
}

/// A text, or its beginning with a mark that there was more.
pub(crate) fn cut(text: &str, bytes_max: usize) -> String {
    const MORE: &str = "…";
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(bytes_max.saturating_sub(MORE.len()));
    format!("{}{MORE}", text[..end].trim_end())
}

/// One line between quotation marks.
pub(crate) fn quoted(text: &str, bytes_max: usize) -> String {
    format!("“{}”", line(text, bytes_max))
}

/// A line so that Markdown shows it as it is: no heading, link, picture, code or HTML comes of it.
pub(crate) fn markdown(line: &str) -> String {
    let mut shown = String::with_capacity(line.len() + 8);
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        let special = match c {
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '|' | '~' | '$' | '&' => true,
            // Within a word it means nothing, and names are full of it.
            '_' => !before.is_alphanumeric(),
            '#' | '-' | '+' | '=' | ':' => at == 0,
            '.' | ')' => line[..at].chars().all(|c| c.is_ascii_digit()) && at > 0,
            _ => false,
        };
        if special {
            shown.push('\\');
        }
        shown.push(c);
        before = c;
    }
    shown
}

/// Names in one sentence, and how many more there are.
pub(crate) fn names<'a>(all: impl IntoIterator<Item = &'a str>, max: usize) -> String {
    let all: Vec<&str> = all.into_iter().collect();
    let first = all.iter().take(max).map(|name| quoted(name, crate::limits::LINE_BYTES_MAX));
    let told = first.collect::<Vec<_>>().join(", ");
    match all.len().saturating_sub(max) {
        0 => told,
        more => format!("{told} and {more} more"),
    }
}

/// A number of things.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Minutes as people say them.
pub(crate) fn minutes(minutes: u64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, rest) => format!("{rest} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, rest) => format!("{hours} h {rest} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_others_are_one_bounded_line() {
        assert_eq!(line(" a\n\tb\u{0}c \u{202e}d", 100), "a b c d");
        assert_eq!(line("äöüß", 7), "äö…");
        assert_eq!(line("\u{feff}\n", 7), "");
    }

    #[test]
    fn nothing_in_a_line_means_anything_to_markdown() {
        let hostile = "# <img src=x> [a](b) `c` *d* _e_ snake_case";
        let shown = markdown(hostile);
        assert_eq!(shown, "\\# \\<img src=x\\> \\[a\\](b) \\`c\\` \\*d\\* \\_e_ snake_case");
        assert_eq!(markdown("1. first"), "1\\. first");
        assert_eq!(markdown("version 1. first"), "version 1. first");
        assert_eq!(markdown("- a"), "\\- a");
    }

    #[test]
    fn names_and_times_read_as_people_say_them() {
        assert_eq!(names(["a", "b", "c"], 2), "“a”, “b” and 1 more");
        assert_eq!([minutes(5), minutes(120), minutes(90)], ["5 min", "2 h", "1 h 30 min"]);
        assert_eq!(count(1, "item", "items"), "1 item");
    }
}
