//! What can be worked out about a commit before it reaches the writer, on the caller's own time.

use types::{Commit, Content, Digest};

/// A commit with the texts and hashes that do not depend on what is stored. The writer is the one
/// thing everybody waits for, so it is spared what others can do.
pub(crate) struct Prepared {
    pub(crate) commit: Commit,
    /// The author as it is stored in change, operation and audit entry.
    pub(crate) author: String,
    /// The operation's answer, ready to be kept.
    pub(crate) result: Option<Kept>,
}

/// A content with its hash and its label as text.
pub(crate) struct Kept {
    pub(crate) hash: Digest,
    pub(crate) label: String,
    pub(crate) content: Content,
}

impl Prepared {
    pub(crate) fn new(commit: Commit) -> Prepared {
        let author = serde_json::to_string(&commit.author).expect("authors are JSON");
        let result = commit.operation.as_ref().map(|operation| {
            Kept::new(Content {
                subject: operation.subject.clone(),
                label: commit.author.label(),
                bytes: serde_json::to_vec(&operation.result).expect("results are JSON"),
            })
        });
        Prepared { commit, author, result }
    }
}

impl Kept {
    pub(crate) fn new(content: Content) -> Kept {
        let label = serde_json::to_string(&content.label).expect("labels are JSON");
        Kept { hash: rules::hash::bytes(&content.bytes), label, content }
    }
}
