//! What is private stays so: a note that stands in a report word for word.

/// Shorter notes are such as anybody would say.
const CHARS_MIN: usize = 20;

/// Whether words hold a whole note. Capitals, line breaks and indents make no other words of it.
pub(crate) fn holds(words: &str, note: &str) -> bool {
    let note = folded(note);
    note.chars().count() >= CHARS_MIN && folded(words).contains(&note)
}

fn folded(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_note_is_found_however_it_is_set_and_a_short_one_is_not_private() {
        let note = "The owner is tired of this task.";
        let report = "# Ferns\n\n> the owner is\n  tired of this  TASK. We go on.";
        assert!(holds(report, note));
        assert!(!holds("The owner is not tired of this task.", note));
        assert!(!holds("All is well.", "All is well."), "too short to be anybody's secret");
        assert!(!holds("", note));
    }
}
