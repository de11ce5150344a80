//! Tables for people.

use crate::paint::{Tone, paint, width};

/// Rows under their heads, each column as wide as it has to be; a sentence if there are none.
pub(crate) fn table<const N: usize>(
    head: [&str; N],
    rows: impl Iterator<Item = [String; N]>,
    empty: &str,
) -> String {
    let rows: Vec<[String; N]> = rows.collect();
    if rows.is_empty() {
        return empty.to_owned();
    }
    let mut lines = vec![head.map(|word| paint(Tone::Quiet, word))];
    lines.extend(rows);
    let widest = |column: usize| lines.iter().map(|line| width(&line[column])).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(widest).collect();
    let mut text = String::new();
    for line in &lines {
        let cells: Vec<String> =
            line.iter().zip(&widths).map(|(cell, width)| padded(cell, *width)).collect();
        text += cells.join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// A cell with blanks behind it, as many as it takes to fill its column.
pub(crate) fn padded(cell: &str, to: usize) -> String {
    let missing = to.saturating_sub(width(cell));
    format!("{cell}{}", " ".repeat(missing))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paint::shown;

    #[test]
    fn columns_line_up_whatever_is_in_them() {
        let rows = [["水".to_owned(), "a".to_owned()], ["fern".to_owned(), paint(Tone::Bad, "b")]];
        let text = table(["NAME", "X"], rows.into_iter(), "nothing\n");
        assert_eq!(shown(&text, false), "NAME  X\n水    a\nfern  b\n");
        assert_eq!(table(["NAME"], std::iter::empty(), "nothing\n"), "nothing\n");
    }
}
