//! Colours by meaning.
//!
//! Whatever renders marks a stretch of text with what it means; the screen turns the marks into colours, or drops
//! them where nobody would see any. So renderers stay pure, and no text that somebody wrote can send a command to the
//! terminal: its control characters are made visible on the way, and it knows no mark. A mark is made of characters
//! that no keyboard has, and two of the three are drawn anew by every process.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

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

/// What a mark begins with. Whoever wrote the text that is shown cannot know it.
static DRAWN: LazyLock<[char; 2]> = LazyLock::new(|| {
    let drawn = RandomState::new().hash_one(0);
    // The planes for private use hold 65,534 characters each.
    let of = |plane: u32, bits: u64| {
        let place = u32::try_from(bits % 65_534).expect("it is small");
        char::from_u32(plane + place).expect("the plane is full of characters")
    };
    [of(0xf_0000, drawn), of(0x10_0000, drawn >> 32)]
});

const RESET: &str = "\x1b[0m";

/// The text with its meaning.
pub(crate) fn paint(tone: Tone, text: &str) -> String {
    let (_, start, _) =
        TONES.iter().find(|(known, _, _)| *known == tone).expect("every tone is listed");
    let [one, two] = *DRAWN;
    match text.is_empty() {
        true => String::new(),
        false => format!("{one}{two}{start}{text}{one}{two}{END}"),
    }
}

/// A piece of a text.
#[derive(Clone, Copy)]
enum Piece {
    Char(char),
    Mark(char),
}

/// The pieces of a text, and how much of it each is.
fn pieces(text: &str) -> impl Iterator<Item = (Piece, usize)> {
    let mut rest = text.chars();
    std::iter::from_fn(move || {
        let before = rest.as_str();
        let first = rest.next()?;
        let mut ahead = rest.clone();
        let mark = (first == DRAWN[0] && ahead.next() == Some(DRAWN[1]))
            .then(|| ahead.next().filter(|mark| is_mark(*mark)))
            .flatten();
        if mark.is_some() {
            rest = ahead;
        }
        let length = before.len() - rest.as_str().len();
        Some((mark.map_or(Piece::Char(first), Piece::Mark), length))
    })
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
    let mut kept = 0;
    for (_, length) in pieces(text) {
        if width(&text[..kept + length]) >= columns {
            break;
        }
        kept += length;
    }
    format!("{}…", text[..kept].trim_end())
}

/// The text as a terminal shows it, in colours or without. A colour ends with its line at the latest.
pub(crate) fn shown(text: &str, colours: bool) -> String {
    let mut out = String::with_capacity(text.len());
    let mut open = false;
    for (piece, _) in pieces(text).chain([(Piece::Mark(END), 0)]) {
        if open && matches!(piece, Piece::Mark(END) | Piece::Char('\n')) {
            out.push_str(RESET);
            open = false;
        }
        match piece {
            Piece::Mark(mark) => {
                let code = TONES.iter().find(|(_, known, _)| *known == mark);
                if let Some((_, _, code)) = code.filter(|_| colours) {
                    out.push_str(code);
                    open = true;
                }
            }
            Piece::Char(c @ ('\n' | '\t')) => out.push(c),
            // A bell, an escape, a way back to the start of the line: shown, not obeyed.
            Piece::Char(c) if c.is_control() || turns(c) => out.extend(c.escape_debug()),
            Piece::Char(c) => out.push(c),
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
            c if c.is_control() || turns(c) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
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
        assert_eq!(plain_json("\"exe\u{202e}gpj\""), "\"exe\\u202egpj\"");
    }

    #[test]
    fn nobody_who_wrote_a_text_can_colour_it() {
        for mark in ["\u{f8f5}", "\u{f8f0}", "\u{f0000}\u{100000}\u{f8f5}"] {
            let text = paint(Tone::Good, &format!("a{mark}b"));
            assert_eq!(shown(&text, true), format!("\x1b[32ma{mark}b\x1b[0m"));
        }
    }

    #[test]
    fn a_colour_ends_with_its_line() {
        let text = paint(Tone::Bad, "red\nplain");
        assert_eq!(shown(&text, true), "\x1b[31mred\x1b[0m\nplain");
        // Also if its end was cut off.
        assert_eq!(shown(&cut(&paint(Tone::Bad, "red berries"), 4), true), "\x1b[31mred…\x1b[0m");
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
