//! One line of todo.txt, taken apart.

use types::{Day, Due};

/// A line as it was understood.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Line {
    /// It is done.
    pub(super) done: bool,
    /// How much it matters.
    pub(super) priority: Option<char>,
    /// When it was done.
    pub(super) completed: Option<Day>,
    /// When it was written down.
    pub(super) created: Option<Day>,
    /// When it is due.
    pub(super) due: Option<Due>,
    /// Projects and contexts, with their signs.
    pub(super) tags: Vec<String>,
    /// What is to be done.
    pub(super) title: String,
}

/// Takes a line apart.
pub(super) fn parse(text: &str) -> Line {
    let mut line = Line::default();
    let mut rest = text.trim();
    if let Some(behind) = rest.strip_prefix("x ") {
        line.done = true;
        rest = behind.trim_start();
    }
    (line.priority, rest) = priority(rest);
    let (first, behind) = day(rest);
    rest = behind;
    if line.done && first.is_some() {
        let (second, behind) = day(rest);
        (line.completed, line.created, rest) = (first, second, behind);
        // Some programs write the priority behind the day of completion.
        let (late, behind) = priority(rest);
        (line.priority, rest) = (line.priority.or(late), behind);
    } else {
        line.created = first;
    }
    words(&mut line, rest);
    line
}

fn priority(text: &str) -> (Option<char>, &str) {
    let mut characters = text.chars();
    match (characters.next(), characters.next(), characters.next(), characters.next()) {
        (Some('('), Some(letter @ 'A'..='Z'), Some(')'), Some(' ')) => {
            (Some(letter), text[4..].trim_start())
        }
        _ => (None, text),
    }
}

fn day(text: &str) -> (Option<Day>, &str) {
    let (word, behind) = text.split_once(' ').unwrap_or((text, ""));
    match word.parse() {
        Ok(day) => (Some(day), behind.trim_start()),
        Err(_) => (None, text),
    }
}

fn words(line: &mut Line, text: &str) {
    let mut kept: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let tag = word.len() > 1 && word.starts_with(['+', '@']);
        if tag {
            line.tags.push(word.to_owned());
        }
        let letter = word.strip_prefix("pri:").and_then(|letter| letter.chars().next());
        match (word.strip_prefix("due:").map(str::parse), letter) {
            (Some(Ok(due)), _) if line.due.is_none() => line.due = Some(due),
            (_, Some(letter @ 'A'..='Z')) if word.len() == 5 && line.priority.is_none() => {
                line.priority = Some(letter);
            }
            _ => kept.push(word),
        }
    }
    // Within a sentence a tag is a word of it.
    let spoken = kept.iter().rposition(|word| !line.tags.iter().any(|tag| tag == word));
    let title = spoken.map_or(kept.as_slice(), |last| &kept[..=last]);
    line.title = if title.is_empty() { text.to_owned() } else { title.join(" ") };
    if let Some(letter) = line.priority.filter(|letter| *letter > 'D') {
        line.title += &format!(" pri:{letter}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let line = parse(text);
        let show = |day: Option<Day>| day.map_or_else(|| "-".to_owned(), |day| day.to_string());
        format!(
            "{} {} {} {} {} [{}] {}",
            if line.done { "x" } else { "." },
            line.priority.unwrap_or('-'),
            show(line.completed),
            show(line.created),
            line.due.map_or_else(|| "-".to_owned(), |due| due.to_string()),
            line.tags.join(" "),
            line.title
        )
    }

    #[test]
    fn lines_are_taken_apart_as_the_format_says() {
        for (text, expected) in [
            ("Call mum", ". - - - - [] Call mum"),
            ("(A) 2026-11-01 Call mum @phone", ". A - 2026-11-01 - [@phone] Call mum"),
            ("(b) not a priority", ". - - - - [] (b) not a priority"),
            ("Really gotta (A) call", ". - - - - [] Really gotta (A) call"),
            (
                "x 2026-11-15 2026-11-01 Plant +garden",
                "x - 2026-11-15 2026-11-01 - [+garden] Plant",
            ),
            ("x (C) 2026-11-15 Plant", "x C 2026-11-15 - - [] Plant"),
            ("x Plant pri:B", "x B - - - [] Plant"),
            ("X not done", ". - - - - [] X not done"),
            ("xylophone lesson", ". - - - - [] xylophone lesson"),
            ("Ask @mum about +party food", ". - - - - [@mum +party] Ask @mum about +party food"),
            ("Tax due:2026-11-20 t:2026-11-01", ". - - - 2026-11-20 [] Tax t:2026-11-01"),
            ("Tax due:soon http://x.org/a:b", ". - - - - [] Tax due:soon http://x.org/a:b"),
            ("2026-02-30 odd day", ". - - - - [] 2026-02-30 odd day"),
            ("(E) later", ". E - - - [] later pri:E"),
            ("+a @b", ". - - - - [+a @b] +a @b"),
            ("a + b @ c", ". - - - - [] a + b @ c"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
