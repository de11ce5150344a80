//! Texts of many lines as quotes.

/// A text as quoted lines, this far from the margin. An empty text has none.
pub(super) fn quote(text: &str, indent: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let line = |line: &str| match line {
        "" => format!("{indent}>\n"),
        words => format!("{indent}> {words}\n"),
    };
    text.split('\n').map(line).collect()
}

/// A line of a quote without its sign, if it is one.
pub(super) fn unquoted(line: &str) -> Option<&str> {
    let words = line.trim_start_matches(' ').strip_prefix('>')?;
    Some(words.strip_prefix(' ').unwrap_or(words))
}

/// The text that comes back from its quote: how a reader sees it.
pub(super) fn seen(text: &str) -> String {
    // Lines may come to end differently on the way.
    text.replace("\r\n", "\n").replace('\r', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_keeps_every_line_as_it_is() {
        for text in ["a", "a\n\nb", "\n x\n", "> deeper\n  code", "<!-- end {} -->\n", " "] {
            let quoted = quote(text, "  ");
            let lines: Vec<&str> = quoted.lines().map(|line| unquoted(line).unwrap()).collect();
            assert_eq!(lines.join("\n"), text);
        }
        assert_eq!(quote("", ""), "");
        assert_eq!(unquoted("no quote"), None);
    }
}
