//! Typed reads, grouped by what they are about. Those that could grow with history return a page.

use types::{
    Account, AgentId, Arming, At, AuditEntry, BodyType, ChangeRecord, Content, ContentRef, Counter,
    CursorName, Day, Delta, Domain, Event, Fence, FenceScope, Hint, HostId, InvocationId, Link,
    Listener, Occurrence, Operation, OperationId, Position, ReadyRun, Record, RecordId, Relation,
    Rest, Run, RunKey, ScheduleId, SequenceEntry, SlotName, Subscription, ThreadId, Token,
    ToolCounts,
};

use crate::Answer;

/// Which records to list: always those of one owner and kind, newest first. Messages are as new as they
/// were written late, whatever the clock said then; everything else goes by when it was made.
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
    /// Only those that stand behind this record of the list; from the beginning if absent.
    pub after: Option<RecordId>,
    /// At most this many.
    pub limit: usize,
}

impl Listing {
    /// The live records of an owner and kind.
    pub fn of(owner: impl Into<String>, kind: BodyType, limit: usize) -> Listing {
        Listing {
            owner: owner.into(),
            kind,
            subtype: None,
            with_deleted: false,
            after: None,
            limit,
        }
    }

    /// The page behind this one, of which these are the records; none if it was the last.
    #[must_use]
    pub fn next(self, page: &[Record]) -> Option<Listing> {
        let last = page.last().filter(|_| page.len() >= self.limit)?;
        Some(Listing { after: Some(last.id.clone()), ..self })
    }
}

/// Which records to find by their marks: those of a kind whose mark lies in a range, in the order of
/// the marks and then of the ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// Of which kind.
    pub kind: BodyType,
    /// The first mark.
    pub from: String,
    /// The last mark.
    pub to: String,
    /// The other way round: last mark and id first.
    pub backwards: bool,
    /// Only what comes after this mark and id, in that order.
    pub after: Option<(String, RecordId)>,
    /// At most this many.
    pub limit: usize,
}

impl Marked {
    /// Those that bear one mark.
    pub fn with(kind: BodyType, mark: impl Into<String>, limit: usize) -> Marked {
        let mark = mark.into();
        Marked { kind, from: mark.clone(), to: mark, backwards: false, after: None, limit }
    }
}

/// Reads of records, links, contents and what was done to them.
pub trait ReadRecords {
    /// A record, tombstones included.
    fn record(&self, domain: Domain, id: RecordId) -> Answer<Option<Record>>;

    /// Those of the records that exist, tombstones included, in one read.
    fn records_by_id(&self, domain: Domain, ids: Vec<RecordId>) -> Answer<Vec<Record>>;

    /// Records of one owner and kind, newest first.
    fn records(&self, domain: Domain, listing: Listing) -> Answer<Vec<Record>>;

    /// Live records of several owners and one kind, oldest first, in one read.
    fn records_of(
        &self,
        domain: Domain,
        owners: Vec<RecordId>,
        kind: BodyType,
        limit: usize,
    ) -> Answer<Vec<Record>>;

    /// Live records of a kind by their marks; see `rules::mark`.
    fn marked(&self, domain: Domain, search: Marked) -> Answer<Vec<Record>>;

    /// All records in the order in which they were first written here, tombstones included, each with
    /// its number; those after a number. For what reads everything once: exports, indexes.
    fn scan(&self, domain: Domain, after: u64, limit: usize) -> Answer<Vec<(u64, Record)>>;

    /// All links in the order in which they were first written here, tombstones included, each with its
    /// number; those after a number.
    fn scan_links(&self, domain: Domain, after: u64, limit: usize) -> Answer<Vec<(u64, Link)>>;

    /// Ids that start and end with these texts, in their order: what people type. An end has at least four
    /// characters. Of the agents' file, agents and schedules are found.
    fn ids_ending(
        &self,
        domain: Domain,
        start: String,
        end: String,
        limit: usize,
    ) -> Answer<Vec<RecordId>>;

    /// Live records that lie under a record, or are linked with it from either side.
    fn dependents(&self, domain: Domain, id: RecordId, limit: usize) -> Answer<Vec<RecordId>>;

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

/// Reads of what was done: each operation with who did it, when, and the way back.
pub trait ReadHistory {
    /// Operations that changed something, newest first; those before a position.
    fn operations(
        &self,
        domain: Domain,
        before: Option<Position>,
        limit: usize,
    ) -> Answer<Vec<Operation>>;

    /// The operations behind changes, by their positions.
    fn operations_at(&self, domain: Domain, positions: Vec<Position>) -> Answer<Vec<Operation>>;

    /// The operations of a run, newest first.
    fn operations_of_run(&self, domain: Domain, run: RunKey) -> Answer<Vec<Operation>>;

    /// Operations whose id starts so, written as hexadecimal digits.
    fn operations_starting(
        &self,
        domain: Domain,
        digits: String,
        limit: usize,
    ) -> Answer<Vec<Operation>>;

    /// The newest changes that carry the token, newest first; those before a position.
    fn newest_changes(
        &self,
        domain: Domain,
        token: Token,
        before: Option<Position>,
        limit: usize,
    ) -> Answer<Vec<ChangeRecord>>;
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

    /// The same up to the end of the log, with where that was when the read began. If the page was
    /// not long enough, the head is where it ended.
    fn delta(
        &self,
        domain: Domain,
        tokens: Vec<Token>,
        after: Position,
        limit: usize,
    ) -> Answer<Delta>;

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

    /// The fences that an agent's work stands behind, from one moment.
    fn fences_around(&self, domain: Domain, agent: AgentId) -> Answer<FencesAround>;

    /// The fences of a file that nobody passes.
    fn closed_fences(&self, domain: Domain) -> Answer<Vec<(FenceScope, Fence)>>;
}

/// The fences that an agent's work stands behind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FencesAround {
    /// The one around everything.
    pub everything: Fence,
    /// The one around the agent.
    pub own: Fence,
    /// The classes of tools that nobody may use.
    pub stopped_tools: Vec<String>,
}

/// All that whoever runs an agent has to know about it before it begins, from one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Briefing {
    /// Who it is; absent if there is no such agent.
    pub identity: Option<Record>,
    /// Its durable state.
    pub state: Option<Record>,
    /// The fence around everything.
    pub global_fence: Fence,
    /// The fence around it.
    pub fence: Fence,
    /// The next of its runs that may begin.
    pub run: Option<Run>,
    /// One of its runs has begun and not ended.
    pub begun: Option<Run>,
    /// The last run of the log, anybody's: what is merged later has a higher number.
    pub newest_run: u64,
    /// Where it last looked: in the journal, and in the agents' own log.
    pub cursors: (Position, Position),
    /// What it listens for.
    pub subscriptions: Vec<Subscription>,
    /// What changed in the agents' own log since it last looked, by its tokens and its waits.
    pub own: Delta,
    /// How it last went to sleep.
    pub rest: Option<Rest>,
    /// Hints that wait for it.
    pub hints: Vec<Hint>,
}

/// Reads of wake runs, subscriptions and events: the agent domain's own.
pub trait ReadRuns {
    /// A run.
    fn run(&self, run_key: RunKey) -> Answer<Option<Run>>;

    /// An agent's runs, newest first.
    fn runs(&self, agent: AgentId, limit: usize) -> Answer<Vec<Run>>;

    /// An agent's runs that have not ended, merged ones left out, oldest first.
    fn open_runs(&self, agent: AgentId, limit: usize) -> Answer<Vec<Run>>;

    /// Runs that wait, merged ones left out, oldest first.
    fn queued_runs(&self, limit: usize) -> Answer<Vec<Run>>;

    /// Runs that have begun and not ended, oldest first.
    fn begun_runs(&self, limit: usize) -> Answer<Vec<Run>>;

    /// What whoever runs an agent has to know, from one moment.
    fn briefing(&self, agent: AgentId, now: At) -> Answer<Briefing>;

    /// Who listens for any of the tokens, by token: all of them, since each has to be woken.
    fn subscribers(&self, tokens: Vec<Token>) -> Answer<Vec<(Token, Vec<Listener>)>>;

    /// An agent's events, oldest first: those after a number, or the newest if none is named.
    fn events(&self, agent: AgentId, after: Option<u64>, limit: usize) -> Answer<Vec<Event>>;

    /// The events of all agents in the order in which they were written, each with its number there: those
    /// after a number, or the newest if none is named. Its cost is what it returns.
    fn happenings(&self, after: Option<u64>, limit: usize) -> Answer<Vec<(u64, Event)>>;

    /// How an agent last went to sleep.
    fn rest(&self, agent: AgentId) -> Answer<Option<Rest>>;

    /// Hints that wait for an agent.
    fn hints(&self, agent: AgentId) -> Answer<Vec<Hint>>;

    /// How often an agent has called a tool in a session and in the day that is open now, and whether
    /// a call is among those.
    fn tool_counts(
        &self,
        agent: AgentId,
        thread: ThreadId,
        tool: String,
        call: InvocationId,
        now: At,
    ) -> Answer<ToolCounts>;

    /// What an agent has spent on a day, and what its runs have set aside.
    fn account(&self, agent: AgentId, day: Day) -> Answer<Account>;
}

/// What there is to do now, and when there will be more, from one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outlook {
    /// Everything is stopped.
    pub stopped: bool,
    /// A schedule has come round.
    pub schedules_due: bool,
    /// A wait has run out of time.
    pub waits_due: bool,
    /// For each agent the first of its runs that could begin now; first in rank first.
    pub ready: Vec<ReadyRun>,
    /// Runs that have begun and not ended, oldest first.
    pub begun: Vec<ReadyRun>,
    /// The nearest time after now at which a gated run, a schedule or a wait becomes due.
    pub next: Option<At>,
}

/// Reads of what time will make due.
pub trait ReadDue {
    /// What there is to do, so many runs of each kind at most.
    fn outlook(&self, now: At, limit: usize) -> Answer<Outlook>;

    /// Whether any run waits for a time.
    fn any_gated(&self) -> Answer<bool>;

    /// Schedules that are due, earliest first.
    fn due_schedules(&self, now: At, limit: usize) -> Answer<Vec<Arming>>;

    /// Schedules by the host's own wall clock that were armed in another zone than this.
    fn armed_elsewhere(&self, zone: String, limit: usize) -> Answer<Vec<Arming>>;

    /// Schedules that come round and whose clocks were set by commits of a later time than this, each with that time,
    /// earliest first; those of one time by their ids, from the one after this on.
    fn armed_later(
        &self,
        than: At,
        after: Option<ScheduleId>,
        limit: usize,
    ) -> Answer<Vec<(At, Arming)>>;

    /// The last slot up to this one that the clock of a schedule has brought about and that is recorded.
    fn last_ticked(&self, schedule: ScheduleId, up_to: SlotName) -> Answer<Option<SlotName>>;

    /// Open waits whose deadline has passed, earliest first.
    fn due_waits(&self, now: At, limit: usize) -> Answer<Vec<Record>>;

    /// Open waits on a source, oldest first; found by index when the source ends.
    fn waits_on(&self, source: String, limit: usize) -> Answer<Vec<Record>>;

    /// An agent's open waits, oldest first.
    fn open_waits(&self, agent: AgentId, limit: usize) -> Answer<Vec<Record>>;

    /// Where a schedule's clock stands.
    fn arming(&self, schedule: ScheduleId) -> Answer<Option<Arming>>;

    /// A schedule's occurrences, newest first.
    fn occurrences(&self, schedule: ScheduleId, limit: usize) -> Answer<Vec<Occurrence>>;

    /// A schedule's occurrences whose runs have not ended.
    fn in_flight(&self, schedule: ScheduleId) -> Answer<Vec<Occurrence>>;

    /// The occurrences that a run ends when it ends, those of runs merged into it included.
    fn occurrences_of(&self, run_key: RunKey) -> Answer<Vec<Occurrence>>;
}
