//! What somebody means by speaking: by rules, or in the words of a fast model that was asked about it.

use types::DialogAct;

const ACCEPT: &[&str] = &["yes", "ok", "okay", "sure", "agreed", "go ahead", "do it", "ja", "gut"];
const REJECT: &[&str] = &["no", "stop", "don't", "do not", "never mind", "cancel", "nein", "nicht"];
const CONFIRM: &[&str] = &["correct", "right", "exactly", "confirmed", "that is so", "stimmt"];
const CLARIFY: &[&str] =
    &["what do you mean", "which one", "why", "how so", "what was", "wie meinst"];
const TELL: &[&str] = &["i ", "we ", "it is", "it was", "there is", "fyi", "note:", "ich ", "wir "];

/// What a text is for. A question or a command asks; what is neither tells.
#[must_use]
pub fn classify(text: &str) -> DialogAct {
    let text = text.trim().to_lowercase();
    let starts = |words: &[&str]| {
        words.iter().any(|word| {
            let rest = text.strip_prefix(word);
            rest.is_some_and(|rest| {
                word.ends_with([' ', ':']) || !rest.starts_with(char::is_alphanumeric)
            })
        })
    };
    if starts(CLARIFY) && text.ends_with('?') {
        DialogAct::Clarify
    } else if starts(REJECT) {
        DialogAct::Reject
    } else if starts(CONFIRM) {
        DialogAct::Confirm
    } else if starts(ACCEPT) {
        DialogAct::Accept
    } else if starts(TELL) && !text.ends_with('?') {
        DialogAct::Inform
    } else {
        DialogAct::Request
    }
}

/// The act that an answer names: one of the words and nothing beside it but what surrounds a word.
#[must_use]
pub fn named(answer: &str) -> Option<DialogAct> {
    let word = answer.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    DialogAct::ALL.into_iter().find(|act| act.as_str() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_act_is_known_by_its_words() {
        let table = [
            ("add milk", DialogAct::Request),
            ("What is open?", DialogAct::Request),
            ("yes", DialogAct::Accept),
            ("OK, do that", DialogAct::Accept),
            ("No.", DialogAct::Reject),
            ("Never mind", DialogAct::Reject),
            ("notes are fine", DialogAct::Request),
            ("I bought it yesterday", DialogAct::Inform),
            ("Which one?", DialogAct::Clarify),
            ("Exactly!", DialogAct::Confirm),
            ("", DialogAct::Request),
        ];
        for (text, act) in table {
            assert_eq!(classify(text), act, "{text}");
        }
    }

    #[test]
    fn an_answer_names_an_act_by_its_word_alone() {
        for act in DialogAct::ALL {
            assert_eq!(named(act.as_str()), Some(act));
        }
        assert_eq!(named(" **Accept**.\n"), Some(DialogAct::Accept));
        assert_eq!(named("\"reject\""), Some(DialogAct::Reject));
        for unclear in ["", "yes", "inform or request", "It is a request", "requests", "{}"] {
            assert_eq!(named(unclear), None, "{unclear}");
        }
    }
}
