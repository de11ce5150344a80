//! What may be heard of an answer that is still coming: nothing of the key that it was asked with, in however small
//! pieces it comes.

use secrets::Secret;

use crate::chat::Piece;

/// Lets pieces through that tell nothing.
pub(crate) struct Discreet<'a> {
    secret: Option<&'a Secret>,
    /// Words that may be the beginning of the key.
    held: String,
    /// The key was told: nothing more is heard.
    silent: bool,
}

impl<'a> Discreet<'a> {
    pub(crate) fn about(secret: Option<&'a Secret>) -> Discreet<'a> {
        Discreet { secret, held: String::new(), silent: false }
    }

    /// What of a piece may be heard now.
    pub(crate) fn pass(&mut self, piece: Piece) -> Option<Piece> {
        let Some(secret) = self.secret else { return Some(piece) };
        match piece {
            Piece::Text(text) => {
                self.held.push_str(&text);
                self.silent |= secret.is_told_by(&self.held);
                let later =
                    self.held.split_off(self.held.len() - secret.may_begin_within(&self.held));
                self.words(later)
            }
            Piece::Call(name) => {
                self.silent |= secret.is_told_by(&name);
                (!self.silent).then_some(Piece::Call(name))
            }
        }
    }

    /// What is left to be heard when nothing more comes.
    pub(crate) fn rest(&mut self) -> Option<Piece> {
        self.words(String::new())
    }

    /// What is held now, and what is held from now on.
    fn words(&mut self, later: String) -> Option<Piece> {
        let now = std::mem::replace(&mut self.held, later);
        (!self.silent && !now.is_empty()).then_some(Piece::Text(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "sk-hush-sk-hush-sk-hush-now";

    /// What is heard of a text that comes in pieces of so many bytes.
    fn heard(text: &str, bytes: usize) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        std::fs::write(&path, KEY).unwrap();
        let at = format!("file:{}", path.display()).parse().unwrap();
        let secret = secrets::resolve(&at).unwrap();
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
    fn words_that_only_begin_like_a_key_are_heard_whole() {
        for text in ["sk-hush-sk-hush", "A sk-hush-sk-no, sk-hush-sk-hush-sk-hush-no", ""] {
            for bytes in 1..20 {
                assert_eq!(heard(text, bytes), text, "{bytes}");
            }
        }
    }
}
