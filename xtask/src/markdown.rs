//! Markdown, as far as links and tables go.

/// The lines outside fenced code, each with its number from 1.
pub(crate) fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced {
            lines.push((index + 1, line));
        }
    }
    lines
}

/// The targets of the links in a text, inline and by reference, with their line.
pub(crate) fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, text) in prose(text) {
        let text = without_code(text);
        found.extend(inline_targets(&text).into_iter().map(|target| (line, target)));
        found.extend(reference_target(&text).map(|target| (line, target)));
    }
    found
}

/// The cells of a table line, trimmed; none for a line that is no table line. A bar inside
/// backticks or behind a backslash separates nothing.
pub(crate) fn cells(line: &str) -> Option<Vec<String>> {
    let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    let mut cells = vec![String::new()];
    let (mut in_code, mut escaped) = (false, false);
    for c in inner.chars() {
        if c == '|' && !in_code && !escaped {
            cells.push(String::new());
        } else if let Some(cell) = cells.last_mut() {
            cell.push(c);
        }
        in_code ^= c == '`';
        escaped = c == '\\' && !escaped;
    }
    Some(cells.iter().map(|cell| cell.trim().to_owned()).collect())
}

fn inline_targets(line: &str) -> Vec<String> {
    line.match_indices("](").filter_map(|(at, open)| target(&line[at + open.len()..])).collect()
}

/// What stands between the parentheses, without a title.
fn target(rest: &str) -> Option<String> {
    let mut depth = 1;
    let end = rest.find(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    first_word(&rest[..end])
}

fn reference_target(line: &str) -> Option<String> {
    let (_, target) = line.trim_start().strip_prefix('[')?.split_once("]: ")?;
    first_word(target)
}

fn first_word(text: &str) -> Option<String> {
    let word = text.split_whitespace().next()?;
    Some(word.trim_start_matches('<').trim_end_matches('>').to_owned())
}

/// The line with everything between backticks taken out.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("` `")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fenced_code_is_no_prose() {
        assert_eq!(prose("a\n```text\nb\n```\nc"), [(1, "a"), (5, "c")]);
    }

    #[test]
    fn links_are_found_inline_and_by_reference() {
        let text = "[a](x.md) and ![b](<y.png> \"title\")\n[c]: z.md\n[d](w(1).md)";
        let found: Vec<_> = links(text).into_iter().map(|(_, target)| target).collect();
        assert_eq!(found, ["x.md", "y.png", "z.md", "w(1).md"]);
    }

    #[test]
    fn code_holds_no_links() {
        assert_eq!(links("`[a](x.md)` and\n```\n[b](y.md)\n```"), []);
    }

    #[test]
    fn a_bar_in_code_separates_no_cells() {
        assert_eq!(cells("| a | `b|c` | d\\|e |").unwrap(), ["a", "`b|c`", "d\\|e"]);
        assert_eq!(cells("plain"), None);
    }
}
