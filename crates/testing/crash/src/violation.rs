//! What must not be.

use types::Domain;

/// Something that must not be, as one sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The store does not open.
    #[error("the store does not open {when}: {why}")]
    Unopened {
        /// When that was.
        when: &'static str,
        /// What it said.
        why: String,
    },
    /// The store cannot be read.
    #[error("{what} cannot be read: {why}")]
    Unread {
        /// What was to be read.
        what: String,
        /// What the store said.
        why: String,
    },
    /// The store's own check found something.
    #[error("the check of the {domain} file found: {finding}")]
    Finding {
        /// In which file.
        domain: Domain,
        /// What.
        finding: String,
    },
    /// Something that must be there is not.
    #[error("commit {commit} {known}, but {missing}")]
    Lost {
        /// Which commit.
        commit: String,
        /// Why it must be there.
        known: &'static str,
        /// What is missing.
        missing: String,
    },
    /// A part of a commit is there and a part is not.
    #[error("commit {commit} is half there: {there} of its traces are, but {missing}")]
    Half {
        /// Which commit.
        commit: String,
        /// How many of its traces are there.
        there: usize,
        /// The first that is not.
        missing: String,
    },
    /// Something is there, but not as it was written.
    #[error("commit {commit} is not as it was written: {what}")]
    Wrong {
        /// Which commit.
        commit: String,
        /// What is otherwise.
        what: String,
    },
    /// A commit is there that must not be.
    #[error("commit {commit} {known}, and yet {there} of its traces are there")]
    Ghost {
        /// Which commit.
        commit: String,
        /// Why it must not be there.
        known: &'static str,
        /// How many of its traces are there.
        there: usize,
    },
    /// A commit that nothing stood in the way of was refused.
    #[error("commit {commit} was refused though nothing stood in its way: {why}")]
    Refused {
        /// Which commit.
        commit: String,
        /// What the store said.
        why: String,
    },
    /// A commit is there without one that the same writer made before it in the same file.
    #[error("commit {commit} is there and {earlier}, made before it, is not")]
    Order {
        /// The later one.
        commit: String,
        /// The earlier one.
        earlier: String,
    },
    /// The store holds what no writer wrote.
    #[error("the {domain} file holds {found} {what}, its writers account for {expected}")]
    Unaccounted {
        /// In which file.
        domain: Domain,
        /// Of what.
        what: &'static str,
        /// How many are there.
        found: usize,
        /// How many should be.
        expected: usize,
    },
    /// The store does not go on after the crash.
    #[error("the store does not go on: {why}")]
    Stuck {
        /// In what way.
        why: String,
    },
    /// The store's own thread died.
    #[error("the store's writer died while commit {commit} was under way")]
    Died {
        /// Which commit.
        commit: String,
    },
    /// Something that an agent was asked for is not on its list as often as it was asked for.
    #[error("agent {agent} was asked {wanted} times for {text:?}, and it is there {found} times")]
    Items {
        /// Which agent, by its place.
        agent: usize,
        /// What was asked for.
        text: String,
        /// How often, acknowledged.
        wanted: usize,
        /// How often it is there.
        found: usize,
    },
    /// Something is on a list that should not be.
    #[error("on a list is {title:?}, which {why}")]
    Stranger {
        /// What.
        title: String,
        /// Why it should not.
        why: &'static str,
    },
    /// A run did not come to a good end.
    #[error("run {run} is {status}")]
    Unfinished {
        /// Which.
        run: String,
        /// Where it stands.
        status: String,
    },
    /// Something never came back, or panicked.
    #[error("{what} {how}")]
    Broken {
        /// What was being done.
        what: &'static str,
        /// How it ended.
        how: String,
    },
}
