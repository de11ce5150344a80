//! Typed reads, grouped by what they are about. Those that could grow with history return a page.

use types::{
    AgentId, AuditEntry, BodyType, ChangeRecord, Content, ContentRef, Counter, CursorName, Domain,
    Event, Fence, FenceScope, HostId, Link, Operation, OperationId, Position, Record, RecordId,
    Relation, Run, RunKey, SequenceEntry, SubscriptionId, Token,
};

use crate::Answer;

/// Which records to list: always those of one owner and kind, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// Under which owner; see `Body::owner`.
    pub owner: String,
    /// Of which kind.
    pub kind: BodyType,
    /// Of which finer kind; any if absent.
    pub subtype: Option<String>,
    /// Tombstones too.
    pub with_deleted: bool,
    /// At most this many.
    pub limit: usize,
}

impl Listing {
    /// The live records of an owner and kind.
    pub fn of(owner: impl Into<String>, kind: BodyType, limit: usize) -> Listing {
        Listing { owner: owner.into(), kind, subtype: None, with_deleted: false, limit }
    }
}

/// Reads of records, links, contents and what was done to them.
pub trait ReadRecords {
    /// A record, tombstones included.
    fn record(&self, domain: Domain, id: RecordId) -> Answer<Option<Record>>;

    /// Records of one owner and kind, newest first.
    fn records(&self, domain: Domain, listing: Listing) -> Answer<Vec<Record>>;

    /// Live links from a record, newest first.
    fn links_from(&self, domain: Domain, from: RecordId, relation: Relation) -> Answer<Vec<Link>>;

    /// Live links to a record, newest first.
    fn links_to(&self, domain: Domain, to: RecordId, relation: Relation) -> Answer<Vec<Link>>;

    /// A content.
    fn content(&self, domain: Domain, at: ContentRef) -> Answer<Option<Content>>;

    /// An operation that was done.
    fn operation(&self, domain: Domain, id: OperationId) -> Answer<Option<Operation>>;

    /// Audit entries after a number, oldest first.
    fn audit(&self, domain: Domain, after: u64, limit: usize) -> Answer<Vec<AuditEntry>>;
}

/// Reads of the change log and of what hangs on it.
pub trait ReadChanges {
    /// The last position of the log.
    fn head(&self, domain: Domain) -> Answer<Position>;

    /// Changes after a position, oldest first.
    fn changes(&self, domain: Domain, after: Position, limit: usize) -> Answer<Vec<ChangeRecord>>;

    /// Changes that carry any of the tokens, after one position and up to another, oldest first. A
    /// range read on the index by token: its cost is what it returns, not how long the log is.
    fn changes_about(
        &self,
        domain: Domain,
        tokens: Vec<Token>,
        after: Position,
        up_to: Position,
        limit: usize,
    ) -> Answer<Vec<ChangeRecord>>;

    /// Where a durable cursor over `log` stands; it is kept in `file`. Zero if it never moved.
    fn cursor(&self, file: Domain, name: CursorName, log: Domain) -> Answer<Position>;

    /// Local changes that other hosts have not confirmed, oldest first.
    fn outbox(&self, domain: Domain, after: Position, limit: usize) -> Answer<Vec<Position>>;

    /// What was seen of a host's stream, in its order, after a counter.
    fn sequence(
        &self,
        domain: Domain,
        host: HostId,
        after: Counter,
        limit: usize,
    ) -> Answer<Vec<SequenceEntry>>;

    /// A fence as it stands.
    fn fence(&self, domain: Domain, scope: FenceScope) -> Answer<Fence>;
}

/// A subscription that listens for a token.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Subscriber {
    /// What it listens for.
    pub token: Token,
    /// Which subscription.
    pub subscription: SubscriptionId,
    /// Whose.
    pub agent: AgentId,
}

/// Reads of wake runs, subscriptions and events: the agent domain's own.
pub trait ReadRuns {
    /// A run.
    fn run(&self, run_key: RunKey) -> Answer<Option<Run>>;

    /// An agent's runs, newest first.
    fn runs(&self, agent: AgentId, limit: usize) -> Answer<Vec<Run>>;

    /// Runs that wait, oldest first.
    fn queued_runs(&self, limit: usize) -> Answer<Vec<Run>>;

    /// Who listens for any of the tokens: all of them, since each has to be woken.
    fn subscribers(&self, tokens: Vec<Token>) -> Answer<Vec<Subscriber>>;

    /// An agent's events after a number, oldest first.
    fn events(&self, agent: AgentId, after: u64, limit: usize) -> Answer<Vec<Event>>;
}
