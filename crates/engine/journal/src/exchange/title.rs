//! Titles from texts that were not made to be titles.

use types::limits;

/// A text as a title, and whether all of it is in it.
pub(super) fn title(text: &str) -> (String, bool) {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let line: String = first.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let mut end = line.len().min(limits::TITLE_BYTES_MAX);
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let title = line[..end].trim().to_owned();
    let whole = title == text.trim();
    (title, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_first_line_as_far_as_it_fits() {
        assert_eq!(title(" ferns "), ("ferns".to_owned(), true));
        assert_eq!(title("\nferns\nand moss"), ("ferns".to_owned(), false));
        assert_eq!(title("a\tb"), ("a b".to_owned(), false));
        let long = "ä".repeat(limits::TITLE_BYTES_MAX);
        let (cut, whole) = title(&long);
        assert!(cut.len() <= limits::TITLE_BYTES_MAX && cut.starts_with('ä') && !whole);
        assert_eq!(title(""), (String::new(), true));
    }
}
