//! What is private stays so: words that a note of the agent says are left out of its report.

/// Shorter notes are such as anybody would say.
const CHARS_MIN: usize = 20;

/// The notes of an agent, as they are looked for.
pub(super) struct Private(Vec<String>);

impl Private {
    /// Those of the notes that are long enough to tell something.
    pub(super) fn of(notes: &[String]) -> Private {
        let notes = notes.iter().map(|note| folded(note));
        Private(notes.filter(|note| note.chars().count() >= CHARS_MIN).collect())
    }

    /// Whether words hold a whole note. Capitals and line breaks make no other words of it.
    pub(super) fn holds(&self, words: &str) -> bool {
        let words = folded(words);
        self.0.iter().any(|note| words.contains(note.as_str()))
    }
}

fn folded(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}
