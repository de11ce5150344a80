//! Questions that a task can answer.

use super::words::{after_any, before_any, plain_words};
use super::{Order, Question};

/// Words that a question begins with, if it has no mark at its end.
const OPENERS: &[&str] = &["what", "whats", "which", "when", "how", "was", "wie", "wann", "welche"];

/// Words that say nothing about what is asked.
const FILLERS: &[&str] = &[
    "a",
    "about",
    "all",
    "als",
    "an",
    "and",
    "any",
    "anything",
    "are",
    "aufgabe",
    "be",
    "bisher",
    "bitte",
    "brief",
    "can",
    "checklist",
    "could",
    "current",
    "currently",
    "das",
    "date",
    "dem",
    "den",
    "der",
    "die",
    "do",
    "does",
    "else",
    "es",
    "everything",
    "for",
    "give",
    "got",
    "has",
    "have",
    "here",
    "how",
    "i",
    "ich",
    "in",
    "is",
    "ist",
    "it",
    "item",
    "items",
    "its",
    "liste",
    "list",
    "long",
    "made",
    "many",
    "me",
    "mir",
    "more",
    "much",
    "my",
    "noch",
    "now",
    "of",
    "on",
    "our",
    "please",
    "points",
    "punkte",
    "quick",
    "s",
    "schon",
    "short",
    "should",
    "show",
    "sind",
    "so",
    "step",
    "steps",
    "still",
    "tell",
    "that",
    "the",
    "there",
    "thing",
    "things",
    "this",
    "to",
    "today",
    "tun",
    "up",
    "was",
    "we",
    "welche",
    "wann",
    "what",
    "whats",
    "when",
    "which",
    "wie",
    "will",
    "with",
    "work",
    "would",
    "yet",
    "you",
    "your",
    "zeig",
    "zu",
];

/// What is asked, by its words. The first row with a word of the question is taken.
const TOPICS: &[(Question, &[&str])] = &[
    (Question::Help, &["help", "hilfe"]),
    (
        Question::HowLong,
        &["time", "estimate", "estimated", "effort", "aufwand", "lange", "spent", "take", "takes"],
    ),
    (Question::Due, &["due", "deadline", "fällig", "frist", "overdue"]),
    (Question::Priority, &["priority", "priorität", "important", "urgent"]),
    (Question::Blocked, &["blocked", "blocking", "blocks", "blockiert", "waiting", "wait"]),
    (Question::Changed, &["changed", "changes", "new", "neu", "happened"]),
    (Question::Next, &["next", "nächste", "nächstes", "nächster", "first"]),
    (
        Question::Open,
        &[
            "open",
            "left",
            "remaining",
            "remains",
            "missing",
            "outstanding",
            "todo",
            "todos",
            "offen",
            "offene",
            "fehlt",
            "übrig",
            "unfinished",
            "undone",
            "not",
            "nicht",
        ],
    ),
    (
        Question::Done,
        &["done", "finished", "completed", "checked", "erledigt", "fertig", "geschafft"],
    ),
    (
        Question::Summary,
        &[
            "status",
            "state",
            "summary",
            "summarise",
            "summarize",
            "report",
            "progress",
            "overview",
            "bericht",
            "zusammenfassung",
            "zusammenfassen",
            "zusammen",
            "fasse",
            "fortschritt",
            "far",
            "going",
            "stand",
            "stands",
            "steht",
            "look",
            "looking",
            "läuft",
            "standing",
        ],
    ),
];

/// Reads a question.
pub(super) fn read(text: &str) -> Option<Order> {
    let words = plain_words(text);
    if let Some(order) = set_phrase(&words) {
        return Some(order);
    }
    if let Some(item) = about_item(text) {
        return Some(Order::Ask(Question::Item(item)));
    }
    let opens = words.first().is_some_and(|word| OPENERS.contains(&word.as_str()));
    let asks = opens || text.trim_end().ends_with('?');
    let (topic, known) =
        TOPICS.iter().find(|(_, known)| words.iter().any(|word| known.contains(&word.as_str())))?;
    let other_topic = |word: &str| TOPICS.iter().any(|(_, known)| known.contains(&word));
    let strange = words.iter().filter(|word| {
        let word = word.as_str();
        !known.contains(&word) && !FILLERS.contains(&word) && !other_topic(word)
    });
    // One word that is not understood is a name; with more it is a question about something else.
    let taken = if asks { strange.count() <= 1 } else { strange.count() == 0 && alone(topic) };
    taken.then(|| Order::Ask(topic.clone()))
}

/// Topics that are asked by their name alone: "done" and "priority" would rather be orders.
fn alone(topic: &Question) -> bool {
    !matches!(topic, Question::Done | Question::Priority)
}

fn set_phrase(words: &[String]) -> Option<Order> {
    const HELP: &[&str] = &[
        "who are you",
        "what are you",
        "what can you do",
        "what do you do",
        "wer bist du",
        "was kannst du",
        "what is scribe",
        "who is scribe",
    ];
    const REFRESH: &[&str] = &[
        "update the report",
        "update report",
        "update your report",
        "refresh the report",
        "rewrite the report",
        "write the report",
        "write a report",
        "aktualisiere den bericht",
    ];
    const KIND: &[&str] = &[
        "thanks", "thank", "you", "danke", "dir", "great", "good", "super", "perfect", "nice",
        "very", "much", "a", "lot", "job", "well",
    ];
    let phrase = words.join(" ");
    if phrase == "how long" {
        return Some(Order::Ask(Question::HowLong));
    }
    if HELP.contains(&phrase.as_str()) {
        return Some(Order::Ask(Question::Help));
    }
    if REFRESH.contains(&phrase.as_str()) {
        return Some(Order::Refresh);
    }
    let kind = words.iter().all(|word| KIND.contains(&word.as_str()));
    let thanks = words.iter().any(|word| ["thanks", "thank", "danke"].contains(&word.as_str()));
    (kind && thanks).then_some(Order::Ask(Question::Thanks))
}

/// "Is the milk done?"
fn about_item(text: &str) -> Option<String> {
    const STATES: &[&str] =
        &["done", "finished", "completed", "checked off", "checked", "open", "erledigt", "fertig"];
    let inner = text.trim_end().strip_suffix('?')?;
    let inner = after_any(inner, &["is", "are", "ist", "sind"])?;
    let what = before_any(inner, STATES)?;
    let what = before_any(what, &["already", "still", "yet", "schon", "noch"]).unwrap_or(what);
    let general =
        ["it", "this", "that", "there", "the task", "this task", "everything", "all", "es"];
    let named = !what.is_empty() && !general.contains(&what.to_lowercase().as_str());
    named.then(|| what.to_owned())
}
