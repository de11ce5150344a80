//! What can be worked out about a commit before it reaches the writer, on the caller's own time.

use types::{Commit, Content, Digest, Durability, Write};

use crate::pack::{self, StoredText};

/// A commit with the texts and hashes that do not depend on what is stored. The writer is the one
/// thing everybody waits for, so it is spared what others can do.
pub(crate) struct Prepared {
    pub(crate) commit: Commit,
    /// The author as it is stored in change, operation and audit entry.
    pub(crate) author: String,
    /// The bodies of its records and events in the order of its writes.
    pub(crate) bodies: Vec<StoredText>,
    /// Its contents in the order of its writes, ready to be kept.
    pub(crate) contents: Vec<Named>,
    /// The operation's answer, ready to be kept.
    pub(crate) result: Option<(Content, Named)>,
}

/// A content's hash, its label as text, and its bytes packed if that gains anything.
pub(crate) struct Named {
    pub(crate) hash: Digest,
    pub(crate) label: String,
    pub(crate) packed: Option<Vec<u8>>,
}

impl Prepared {
    pub(crate) fn new(commit: Commit) -> Prepared {
        let author = serde_json::to_string(&commit.author).expect("authors are JSON");
        let body = |write: &Write| match write {
            Write::Record(draft) => Some(draft.body.encode().into()),
            Write::Event(event) => Some(event.body.to_string().into()),
            _ => None,
        };
        let bodies = commit.writes.iter().filter_map(body).collect();
        let named = |write: &Write| match write {
            Write::Content(content) => Some(Named::of(content)),
            _ => None,
        };
        let contents = commit.writes.iter().filter_map(named).collect();
        let result = commit.operation.as_ref().map(|operation| {
            let content = Content {
                subject: operation.subject.clone(),
                label: commit.author.label(),
                bytes: serde_json::to_vec(&operation.result).expect("results are JSON"),
            };
            let named = Named::of(&content);
            (content, named)
        });
        Prepared { commit, author, bodies, contents, result }
    }

    /// Whether it has to be on the disk before it is answered.
    pub(crate) fn is_barrier(&self) -> bool {
        self.commit.durability == Durability::Barrier
    }
}

impl Named {
    pub(crate) fn of(content: &Content) -> Named {
        let label = serde_json::to_string(&content.label).expect("labels are JSON");
        let packed = pack::pack(&content.bytes);
        Named { hash: rules::hash::bytes(&content.bytes), label, packed }
    }
}
