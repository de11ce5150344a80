//! What can be worked out about a commit before it reaches the writer, on the caller's own time.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use types::{Commit, ContentDraft, Digest, Durability, Hashed, Write};

use crate::pack::{self, StoredText};

/// A commit with the texts that do not depend on what is stored. The writer is the one
/// thing everybody waits for, so it is spared what others can do.
pub(crate) struct Prepared {
    pub(crate) commit: Commit,
    /// The author as it is stored in change, operation and audit entry.
    pub(crate) author: String,
    /// The bodies of its records and events in the order of its writes.
    pub(crate) bodies: Vec<StoredText>,
    /// Its contents in the order of its writes, ready to be kept.
    pub(crate) contents: Vec<Storable>,
    /// The operation's answer, ready to be kept.
    pub(crate) result: Option<(ContentDraft, Storable)>,
}

/// Contents that were packed before anybody handed them in, by their hashes.
#[derive(Default)]
pub(crate) struct Foreseen(Mutex<HashMap<Digest, Option<Vec<u8>>>>);

/// As many as are asked for at once, and some; those that never came are forgotten with the others.
const FORESEEN_MAX: usize = 64;

impl Foreseen {
    /// Packs what will be handed in.
    pub(crate) fn foresee(&self, bytes: &Hashed) {
        let packed = pack::pack(bytes);
        let mut known = self.lock();
        if known.len() >= FORESEEN_MAX {
            known.clear();
        }
        known.insert(*bytes.hash(), packed);
    }

    /// Forgets what has not come.
    pub(crate) fn forget(&self) {
        *self.lock() = HashMap::new();
    }

    fn packed(&self, bytes: &Hashed) -> Option<Vec<u8>> {
        let known = self.lock().remove(bytes.hash());
        known.unwrap_or_else(|| pack::pack(bytes))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, Option<Vec<u8>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A content's label as text, and its bytes packed if that gains anything.
pub(crate) struct Storable {
    pub(crate) label: String,
    pub(crate) packed: Option<Vec<u8>>,
}

impl Prepared {
    pub(crate) fn new(commit: Commit, foreseen: &Foreseen) -> Prepared {
        let author = serde_json::to_string(&commit.author).expect("authors are JSON");
        let body = |write: &Write| match write {
            Write::Record(draft) => Some(draft.body.encode().into()),
            Write::Event(event) => Some(event.body.to_string().into()),
            _ => None,
        };
        let bodies = commit.writes.iter().filter_map(body).collect();
        let storable = |write: &Write| match write {
            Write::Content(content) => Some(Storable::foreseen(content, foreseen)),
            _ => None,
        };
        let contents = commit.writes.iter().filter_map(storable).collect();
        let result = commit.operation.as_ref().map(|operation| {
            let content = ContentDraft {
                subject: operation.subject.clone(),
                label: commit.label(),
                bytes: serde_json::to_vec(&operation.result).expect("results are JSON").into(),
            };
            let storable = Storable::of(&content);
            (content, storable)
        });
        Prepared { commit, author, bodies, contents, result }
    }

    /// Whether it has to be on the disk before it is answered.
    pub(crate) fn is_barrier(&self) -> bool {
        self.commit.durability == Durability::Barrier
    }
}

impl Storable {
    pub(crate) fn of(content: &ContentDraft) -> Storable {
        Storable::foreseen(content, &Foreseen::default())
    }

    fn foreseen(content: &ContentDraft, foreseen: &Foreseen) -> Storable {
        let label = serde_json::to_string(&content.label).expect("labels are JSON");
        Storable { packed: foreseen.packed(&content.bytes), label }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use types::Label;

    #[test]
    fn what_was_foreseen_is_taken_once_and_is_what_it_would_have_been() {
        let bytes = b"the same words over and over ".repeat(100).into();
        let subject = "task_a".parse().unwrap();
        let content = ContentDraft { subject, label: Label::runtime(), bytes };
        let (foreseen, plain) = (Foreseen::default(), Storable::of(&content));
        foreseen.foresee(&content.bytes);
        assert_eq!(foreseen.lock().len(), 1);
        for left in [0, 0] {
            let storable = Storable::foreseen(&content, &foreseen);
            assert_eq!(storable.packed, plain.packed);
            assert!(storable.packed.is_some());
            assert_eq!(foreseen.lock().len(), left);
        }
        for number in 0..=FORESEEN_MAX {
            foreseen.foresee(&number.to_le_bytes().to_vec().into());
        }
        assert_eq!(foreseen.lock().len(), 1);
    }
}
