//! What may be heard of an answer that is still coming: nothing of the key that it was asked with, in however small
//! pieces it comes.

use secrets::Secret;

use crate::chat::Piece;

/// Lets pieces through that tell nothing.
pub(crate) struct Discreet<'a> {
    secret: Option<&'a Secret>,
    /// Words that may be the beginning of the key.
    held: String,
    /// Calls that came behind them.
    behind: Vec<Piece>,
    /// The key was told: nothing more is heard.
    silent: bool,
}

impl<'a> Discreet<'a> {
    pub(crate) fn about(secret: Option<&'a Secret>) -> Discreet<'a> {
        Discreet { secret, held: String::new(), behind: Vec::new(), silent: false }
    }

    /// What of a piece, and of those before it, may be heard now.
    pub(crate) fn pass(&mut self, piece: Piece) -> Vec<Piece> {
        let Some(secret) = self.secret else { return vec![piece] };
        match piece {
            Piece::Text(text) => {
                self.held.push_str(&text);
                self.silent |= secret.is_told_by(&self.held);
                let certain = self.held.len() - secret.may_begin_within(&self.held);
                let later = self.held.split_off(certain);
                self.hand_out(later)
            }
            Piece::Call(name) => {
                self.silent |= secret.is_told_by(&name);
                self.behind.push(Piece::Call(name));
                match self.held.is_empty() {
                    true => self.rest(),
                    false => vec![],
                }
            }
        }
    }

    /// What is left to be heard when nothing more comes.
    pub(crate) fn rest(&mut self) -> Vec<Piece> {
        self.hand_out(String::new())
    }

    /// What is held now, but for what is held from now on, and what came behind that.
    fn hand_out(&mut self, later: String) -> Vec<Piece> {
        let now = std::mem::replace(&mut self.held, later);
        let mut heard = Vec::new();
        heard.extend((!now.is_empty()).then_some(Piece::Text(now)));
        if self.held.is_empty() {
            heard.append(&mut self.behind);
        }
        if self.silent { vec![] } else { heard }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-hush-sk-hush-sk-hush-now";

    fn key() -> Secret {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, KEY).unwrap();
        let at = format!("file:{}", path.display()).parse().unwrap();
        secrets::resolve(&at).unwrap()
    }

    /// What is heard of a text that comes in pieces of so many bytes.
    fn heard(text: &str, bytes: usize) -> String {
        let secret = key();
        let mut discreet = Discreet::about(Some(&secret));
        let mut pieces = Vec::new();
        for piece in text.as_bytes().chunks(bytes) {
            let piece = String::from_utf8(piece.to_vec()).unwrap();
            pieces.extend(discreet.pass(Piece::Text(piece)));
        }
        pieces.extend(discreet.rest());
        let words = pieces.into_iter().map(|piece| match piece {
            Piece::Text(text) | Piece::Call(text) => text,
        });
        words.collect()
    }

    #[test]
    fn a_key_is_not_heard_in_however_small_pieces_it_comes() {
        for bytes in 1..40 {
            let told = heard(&format!("You sent sk-hush-{KEY}, did you?"), bytes);
            assert!(!told.contains("now") && !told.contains("did you"), "{bytes}: {told}");
            assert!("You sent sk-hush-".starts_with(&told), "{bytes}: {told}");
        }
    }

    #[test]
    fn a_call_is_heard_after_the_words_before_it() {
        let secret = key();
        let mut discreet = Discreet::about(Some(&secret));
        let text = |text: &str| Piece::Text(text.to_owned());
        assert_eq!(discreet.pass(text("the items")), [text("the item")]);
        assert_eq!(discreet.pass(Piece::Call("add".to_owned())), []);
        assert_eq!(discreet.rest(), [text("s"), Piece::Call("add".to_owned())]);
        assert_eq!(discreet.pass(Piece::Call("b".to_owned())), [Piece::Call("b".to_owned())]);
    }

    #[test]
    fn words_that_only_begin_like_a_key_are_heard_whole() {
        for text in ["sk-hush-sk-hush", "A sk-hush-sk-no, sk-hush-sk-hush-sk-hush-no", ""] {
            for bytes in 1..20 {
                assert_eq!(heard(text, bytes), text, "{bytes}");
            }
        }
    }
}
