//! Colours by meaning.
//!
//! Whatever renders marks a stretch of text with what it means, by characters that no keyboard has;
//! the screen turns the marks into colours, or drops them where nobody would see any. So renderers stay
//! pure, and no text that somebody wrote can send a command to the terminal: its control characters are
//! made visible on the way.

use unicode_width::UnicodeWidthStr;

/// What a stretch of text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// The thing itself.
    Strong,
    /// There if you look for it.
    Quiet,
    /// As it should be.
    Good,
    /// Look at this.
    Warn,
    /// Not as it should be.
    Bad,
}

const TONES: [(Tone, char, &str); 5] = [
    (Tone::Strong, '\u{f8f1}', "\x1b[1m"),
    (Tone::Quiet, '\u{f8f2}', "\x1b[2m"),
    (Tone::Good, '\u{f8f3}', "\x1b[32m"),
    (Tone::Warn, '\u{f8f4}', "\x1b[33m"),
    (Tone::Bad, '\u{f8f5}', "\x1b[31m"),
];

const END: char = '\u{f8f0}';
const RESET: &str = "\x1b[0m";

/// The text with its meaning.
pub(crate) fn paint(tone: Tone, text: &str) -> String {
    let (_, start, _) =
        TONES.iter().find(|(known, _, _)| *known == tone).expect("every tone is listed");
    if text.is_empty() { String::new() } else { format!("{start}{text}{END}") }
}

/// How many columns a text takes, whatever it means.
pub(crate) fn width(text: &str) -> usize {
    shown(text, false).width()
}

/// A text cut to at most so many columns, with a sign that it goes on.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width(&kept) >= columns {
            kept.pop();
            break;
        }
    }
    format!("{}…", kept.trim_end())
}

/// The text as a terminal shows it, in colours or without. A colour ends with its line at the latest.
pub(crate) fn shown(text: &str, colours: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open = false;
    for c in text.chars().chain([END]) {
        if open && (c == END || c == '\n') {
            out.push_str(RESET);
            open = false;
        }
        match c {
            c if is_mark(c) => {
                let code = TONES.iter().find(|(_, mark, _)| *mark == c).map(|(_, _, code)| *code);
                if let Some(code) = code.filter(|_| colours) {
                    out.push_str(code);
                    open = true;
                }
            }
            '\n' | '\t' => out.push(c),
            // A bell, an escape, a way back to the start of the line: shown, not obeyed.
            c if c.is_control() || turns(c) => out.extend(c.escape_debug()),
            c => out.push(c),
        }
    }
    out
}

/// JSON in which no character commands a terminal: what the format lets through as it is, is escaped.
pub(crate) fn plain_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '\n' => out.push(c),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Whether a character turns the direction of what follows it, or breaks the line.
const fn turns(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}')
}

fn is_mark(c: char) -> bool {
    c == END || TONES.iter().any(|(_, mark, _)| *mark == c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tone_is_a_colour_where_there_are_any_and_nothing_where_not() {
        let text = format!("{} ferns", paint(Tone::Bad, "overdue"));
        assert_eq!(shown(&text, false), "overdue ferns");
        assert_eq!(shown(&text, true), "\x1b[31moverdue\x1b[0m ferns");
        assert_eq!(width(&text), 13);
    }

    #[test]
    fn what_somebody_wrote_sends_no_commands_to_the_terminal() {
        assert_eq!(shown("a\x1b[2Jb\rc\n", true), "a\\u{1b}[2Jb\\rc\n");
        assert_eq!(shown("exe\u{202e}gpj.\u{9b}m", false), "exe\\u{202e}gpj.\\u{9b}m");
        assert_eq!(plain_json("\"a\u{9b}m\u{7f}\""), "\"a\\u009bm\\u007f\"");
    }

    #[test]
    fn a_mark_that_somebody_wrote_colours_no_more_than_its_line() {
        assert_eq!(shown("\u{f8f5}red\nplain", true), "\x1b[31mred\x1b[0m\nplain");
        assert_eq!(shown("\u{f8f5}red", true), "\x1b[31mred\x1b[0m");
    }

    #[test]
    fn a_long_text_is_cut_to_its_columns() {
        assert_eq!(cut("水やり", 6), "水やり");
        assert_eq!(cut("水やりを", 6), "水や…");
        assert_eq!(cut("Water the ferns", 10), "Water the…");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        assert_eq!((width("水やり"), width("é"), width("")), (6, 1, 0));
        assert_eq!(width("👩‍👩‍👧"), 2);
    }
}
