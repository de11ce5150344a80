//! As much as there is room for.

use serde::Serialize;
use types::Label;

use crate::Room;

/// Bytes of a token, as `tokens` counts them.
const BYTES: usize = 4;

/// What of a list had room.
pub(crate) struct Kept<T> {
    /// The first of the list, as they are written.
    pub(crate) things: Vec<T>,
    /// How many had none.
    pub(crate) left_out: usize,
}

/// Keeps from the front of `all` as many as there is room for. It stops at the first that has none: what
/// is kept has no gaps.
pub(crate) fn keep<S, T: Serialize>(all: &[S], room: Room, make: impl Fn(&S) -> T) -> Kept<T> {
    let (mut things, mut used) = (Vec::new(), 0);
    for source in all.iter().take(room.count) {
        let thing = make(source);
        // One more for the comma.
        used += written(&thing) + 1;
        if used > room.tokens * BYTES {
            break;
        }
        things.push(thing);
    }
    Kept { left_out: all.len() - things.len(), things }
}

fn written(thing: &impl Serialize) -> usize {
    serde_json::to_string(thing).expect("parts of a prompt are JSON").len()
}

/// The label of something made from all of them; the runtime's own if there are none.
pub(crate) fn join<'a>(labels: impl IntoIterator<Item = &'a Label>) -> Label {
    Label::of_all(labels).unwrap_or_else(Label::runtime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_bounded_by_count_and_by_tokens_and_has_no_gaps() {
        let all = ["aa", "bb", "cccccccccc", "d"];
        let kept = |count, tokens| keep(&all, Room { count, tokens }, |text| *text).things;
        assert_eq!(kept(9, 9), all);
        assert_eq!(kept(2, 9), ["aa", "bb"]);
        assert_eq!(kept(9, 3), ["aa", "bb"], "the long one has no room, so the short one after it");
        assert_eq!(keep(&all, Room { count: 1, tokens: 9 }, |text| *text).left_out, 3);
    }
}
