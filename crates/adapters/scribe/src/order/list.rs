//! Lists as people write them.

use super::words::{after_any, all_quoted, bare};

/// The parts of a list: lines with or without marks, or words between commas.
pub(super) fn parts(text: &str) -> Vec<String> {
    if let Some(quoted) = all_quoted(text) {
        return quoted.into_iter().map(str::to_owned).collect();
    }
    let found: Vec<&str> = match text.trim().contains('\n') {
        true => text.lines().map(unmarked).collect(),
        false => between_commas(text),
    };
    found.into_iter().map(bare).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// A line without the mark of its list.
pub(super) fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_prefix(['-', '*', '•', '+']).map_or(line, str::trim_start);
    let line = ["[ ]", "[]"].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line);
    let number = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
    match number.strip_prefix(['.', ')']) {
        Some(rest) if rest.starts_with(' ') && number.len() < line.len() => rest.trim(),
        _ => line.trim(),
    }
}

/// Splits at commas, and the last part at "and": "salt, oil and flour" is three things.
pub(super) fn between_commas(text: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = text.split([',', ';']).map(str::trim).collect();
    let last = parts.pop().unwrap_or_default();
    // "a, b, and c": the word belongs to the list.
    let last = match parts.is_empty() {
        true => last,
        false => after_any(last, &["and", "und"]).unwrap_or(last),
    };
    parts.extend(at_and(last));
    parts
}

fn at_and(text: &str) -> Vec<&str> {
    let at = [" and ", " und ", " & "].iter().find_map(|word| text.split_once(word));
    match at {
        Some((one, more)) => {
            let mut parts = vec![one.trim()];
            parts.extend(at_and(more));
            parts
        }
        None => vec![text.trim()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_commas_lines_or_quotation_marks() {
        assert_eq!(parts("a, b and c"), ["a", "b", "c"]);
        assert_eq!(parts("a, b, and c."), ["a", "b", "c"]);
        assert_eq!(parts("salt and pepper"), ["salt", "pepper"]);
        assert_eq!(parts("\n- a, with b\n* [ ] c\n2. d\n\n"), ["a, with b", "c", "d"]);
        assert_eq!(parts("\"a, b\" und \"c\""), ["a, b", "c"]);
        assert_eq!(parts("3 eggs"), ["3 eggs"]);
    }
}
