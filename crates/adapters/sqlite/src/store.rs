//! Both files as one store.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use store::{
    Answer, Background, Briefing, FencesAround, Listing, Marked, Outlook, Reach, ReadChanges,
    ReadDue, ReadHistory, ReadRecords, ReadRuns, ReadSight, Recall, Store, StoreError,
    Surroundings,
};
use tokio::sync::watch;
use types::{
    Account, AgentId, Arming, At, AuditEntry, BodyType, ChangeRecord, Commit, Content, ContentRef,
    Counter, CursorName, Day, Delta, Domain, Epoch, Event, Fence, FenceScope, Hashed, Hint, HostId,
    InvocationId, Label, Link, Listener, Occurrence, Operation, OperationId, Outcome, Position,
    Record, RecordId, Relation, Rest, Run, RunKey, ScheduleId, SequenceEntry, SlotName, TaskId,
    ThreadId, Token, ToolCounts,
};

use crate::check::{self, BackgroundCheck, CheckReport};
use crate::config::Config;
use crate::copy;
use crate::file::DatabaseFile;
use crate::home::{Home, HomeLock};
use crate::inspect;
use crate::reads;

/// The store of a home. Closing is dropping: what was accepted is written first.
pub struct SqliteStore {
    // First, so that it has let go of the files before they are closed.
    background: Mutex<Option<BackgroundCheck>>,
    journal: DatabaseFile,
    agent: DatabaseFile,
    boot: u32,
    host: HostId,
    home: Home,
    config: Config,
    // Last, so that it is let go of when both files are closed.
    _lock: HomeLock,
}

impl SqliteStore {
    pub(crate) fn open(
        home: &Home,
        host: &HostId,
        config: &Config,
        lock: HomeLock,
    ) -> Result<SqliteStore, StoreError> {
        // Both files count openings together: an opening that died between the two must not leave
        // one of them with a fence that the other's writers pass.
        let boot = inspect::both(home, config)?.saturating_add(1);
        let open = |domain, host: &HostId| {
            DatabaseFile::open(&home.path(domain), domain, host, boot, config)
        };
        let journal = open(Domain::Journal, host)?;
        // The journal's name, which may be older than the one handed in.
        let host = journal.host.clone();
        let agent = open(Domain::Agent, &host)?;
        let (home, config) = (home.clone(), config.clone());
        Ok(SqliteStore {
            background: Mutex::new(None),
            journal,
            agent,
            boot,
            host,
            home,
            config,
            _lock: lock,
        })
    }

    /// Whether the last process did not close its files, so that a full check is due.
    #[must_use]
    pub fn check_due(&self) -> bool {
        self.journal.check_due || self.agent.check_due
    }

    /// Reads both files whole and says what is wrong with them, on this thread. If nothing is, the
    /// note that a check is due goes away when the store is closed.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn check(&self) -> Result<Vec<CheckReport>, StoreError> {
        let mut reports = Vec::new();
        for domain in Domain::ALL {
            let report = check::check(&self.home.path(domain), domain, &self.config)?;
            if report.findings.is_empty() {
                self.file(domain).check_passed_note().store(true, Ordering::Release);
            }
            reports.push(report);
        }
        Ok(reports)
    }

    /// Each tells when one of the files has come to rest: nobody has written to it for a while, and what only
    /// work needs was let go.
    #[must_use]
    pub fn rests(&self) -> [watch::Receiver<u64>; 2] {
        [&self.journal, &self.agent].map(|file| file.signals.rested())
    }

    /// Each tells when one of the files takes nothing more before it is opened anew, and why: the disk failed in a way
    /// that leaves doubt about what is on it, or the writer panicked. Nothing mends that but another opening.
    #[must_use]
    pub fn stops(&self) -> [watch::Receiver<Option<StoreError>>; 2] {
        [&self.journal, &self.agent].map(|file| file.signals.stopped())
    }

    /// Does the same on a thread of its own and hands over what it found. Closing the store gives it
    /// a moment to finish; a check that takes longer is given up and stays due.
    pub fn check_in_background(
        &self,
        done: impl FnOnce(Result<Vec<CheckReport>, StoreError>) + Send + 'static,
    ) {
        let files = Domain::ALL
            .map(|domain| (domain, self.home.path(domain), self.file(domain).check_passed_note()));
        let let_go = Domain::ALL.map(|domain| self.file(domain).let_go());
        let check = BackgroundCheck::start(files, self.config.clone(), move |reports| {
            let_go.iter().for_each(|let_go| let_go());
            done(reports);
        });
        *self.background.lock().unwrap_or_else(PoisonError::into_inner) = Some(check);
    }

    /// Copies both files into a new folder, while everything goes on, and checks the copies.
    ///
    /// # Errors
    /// If the folder exists or cannot be written, or the files are damaged.
    pub fn backup(&self, into: &Path) -> Result<(), StoreError> {
        self.backup_until(into, &Arc::default())
    }

    /// The same, until it is done or `stop` is set: then what there is of it is removed, and nobody holds the files
    /// any more.
    ///
    /// # Errors
    /// As [`SqliteStore::backup`]; [`StoreError::Stopped`] if it was, [`StoreError::Outrun`] if so much was written
    /// meanwhile that the log would have taken too much memory.
    pub fn backup_until(&self, into: &Path, stop: &Arc<AtomicBool>) -> Result<(), StoreError> {
        let log_pages = |domain| self.file(domain).log_pages();
        let copied = copy::backup(&self.home, into, &self.config, stop, &log_pages);
        Domain::ALL.into_iter().for_each(|domain| self.file(domain).let_go()());
        copied
    }

    /// Writes what is waiting in a file, one group; says how many commits. Only for a store that
    /// the caller moves (`Drive::Caller`); otherwise there is nothing for the caller to do.
    pub fn drain(&self, domain: Domain) -> usize {
        self.file(domain).drain()
    }

    pub(crate) fn file(&self, domain: Domain) -> &DatabaseFile {
        match domain {
            Domain::Journal => &self.journal,
            Domain::Agent => &self.agent,
        }
    }
}

impl Store for SqliteStore {
    fn commit(&self, commit: Commit) -> Answer<Outcome> {
        match commit.check() {
            Ok(()) => self.file(commit.domain).commit(commit),
            Err(invalid) => Box::pin(std::future::ready(Err(invalid.into()))),
        }
    }

    fn foresee(&self, domain: Domain, bytes: &Hashed) {
        self.file(domain).foresee(bytes);
    }

    fn watch(&self, domain: Domain) -> watch::Receiver<Position> {
        self.file(domain).signals.grown()
    }

    fn stirred(&self) -> watch::Receiver<u64> {
        self.agent.signals.stirred()
    }

    fn fenced(&self) -> watch::Receiver<u64> {
        self.agent.signals.fenced()
    }

    fn host(&self) -> &HostId {
        &self.host
    }

    fn epoch(&self) -> Epoch {
        Epoch { boot: self.boot, attempt: 0 }
    }
}

impl ReadRecords for SqliteStore {
    fn record(&self, domain: Domain, id: RecordId) -> Answer<Option<Record>> {
        self.file(domain).read(move |connection| reads::record(connection, &id))
    }

    fn records_by_id(&self, domain: Domain, ids: Vec<RecordId>) -> Answer<Vec<Record>> {
        self.file(domain).read(move |connection| reads::records_by_id(connection, &ids))
    }

    fn records(&self, domain: Domain, listing: Listing) -> Answer<Vec<Record>> {
        self.file(domain).read(move |connection| reads::records_listed(connection, &listing))
    }

    fn records_of(
        &self,
        domain: Domain,
        owners: Vec<RecordId>,
        kind: BodyType,
        limit: usize,
    ) -> Answer<Vec<Record>> {
        self.file(domain)
            .read(move |connection| reads::records_of(connection, &owners, kind, limit))
    }

    fn marked(&self, domain: Domain, search: Marked) -> Answer<Vec<Record>> {
        self.file(domain).read(move |connection| reads::marked(connection, &search))
    }

    fn scan(&self, domain: Domain, after: u64, limit: usize) -> Answer<Vec<(u64, Record)>> {
        self.file(domain).read(move |connection| reads::scan(connection, after, limit))
    }

    fn scan_links(&self, domain: Domain, after: u64, limit: usize) -> Answer<Vec<(u64, Link)>> {
        self.file(domain).read(move |connection| reads::scan_links(connection, after, limit))
    }

    fn ids_ending(
        &self,
        domain: Domain,
        start: String,
        end: String,
        limit: usize,
    ) -> Answer<Vec<RecordId>> {
        self.file(domain).read(move |connection| match domain {
            Domain::Journal => reads::ids_ending(connection, &start, &end, limit),
            Domain::Agent => reads::agents_or_schedules_ending(connection, &start, &end, limit),
        })
    }

    fn dependents(&self, domain: Domain, id: RecordId, limit: usize) -> Answer<Vec<RecordId>> {
        self.file(domain).read(move |connection| reads::dependents(connection, &id, limit))
    }

    fn links_from(&self, domain: Domain, from: RecordId, relation: Relation) -> Answer<Vec<Link>> {
        self.file(domain).read(move |connection| reads::links_from(connection, &from, &relation))
    }

    fn links_to(&self, domain: Domain, to: RecordId, relation: Relation) -> Answer<Vec<Link>> {
        self.file(domain).read(move |connection| reads::links_to(connection, &to, &relation))
    }

    fn content(&self, domain: Domain, at: ContentRef) -> Answer<Option<Content>> {
        self.file(domain).read(move |connection| reads::content(connection, &at))
    }

    fn operation(&self, domain: Domain, id: OperationId) -> Answer<Option<Operation>> {
        self.file(domain).read(move |connection| reads::operation(connection, &id))
    }

    fn audit(&self, domain: Domain, after: u64, limit: usize) -> Answer<Vec<AuditEntry>> {
        self.file(domain).read(move |connection| reads::audit_after(connection, after, limit))
    }
}

impl ReadHistory for SqliteStore {
    fn operations(
        &self,
        domain: Domain,
        before: Option<Position>,
        limit: usize,
    ) -> Answer<Vec<Operation>> {
        self.file(domain).read(move |connection| reads::operations(connection, before, limit))
    }

    fn operations_at(&self, domain: Domain, positions: Vec<Position>) -> Answer<Vec<Operation>> {
        self.file(domain).read(move |connection| reads::operations_at(connection, &positions))
    }

    fn operations_of_run(&self, domain: Domain, run: RunKey) -> Answer<Vec<Operation>> {
        self.file(domain).read(move |connection| reads::operations_of_run(connection, &run))
    }

    fn operations_starting(
        &self,
        domain: Domain,
        digits: String,
        limit: usize,
    ) -> Answer<Vec<Operation>> {
        self.file(domain)
            .read(move |connection| reads::operations_starting(connection, &digits, limit))
    }

    fn newest_changes(
        &self,
        domain: Domain,
        token: Token,
        before: Option<Position>,
        limit: usize,
    ) -> Answer<Vec<ChangeRecord>> {
        self.file(domain)
            .read(move |connection| reads::newest_changes(connection, &token, before, limit))
    }
}

impl ReadChanges for SqliteStore {
    fn head(&self, domain: Domain) -> Answer<Position> {
        self.file(domain).read(reads::head)
    }

    fn changes(&self, domain: Domain, after: Position, limit: usize) -> Answer<Vec<ChangeRecord>> {
        self.file(domain).read(move |connection| reads::changes_after(connection, after, limit))
    }

    fn changes_about(
        &self,
        domain: Domain,
        tokens: Vec<Token>,
        after: Position,
        up_to: Position,
        limit: usize,
    ) -> Answer<Vec<ChangeRecord>> {
        self.file(domain)
            .read(move |connection| reads::changes_about(connection, &tokens, after, up_to, limit))
    }

    fn delta(
        &self,
        domain: Domain,
        tokens: Vec<Token>,
        after: Position,
        limit: usize,
    ) -> Answer<Delta> {
        self.file(domain).read(move |connection| reads::delta(connection, &tokens, after, limit))
    }

    fn cursor(&self, file: Domain, name: CursorName, log: Domain) -> Answer<Position> {
        self.file(file).read(move |connection| reads::cursor(connection, &name, log))
    }

    fn outbox(&self, domain: Domain, after: Position, limit: usize) -> Answer<Vec<Position>> {
        self.file(domain).read(move |connection| reads::outbox_after(connection, after, limit))
    }

    fn sequence(
        &self,
        domain: Domain,
        host: HostId,
        after: Counter,
        limit: usize,
    ) -> Answer<Vec<SequenceEntry>> {
        self.file(domain)
            .read(move |connection| reads::sequence_after(connection, &host, after, limit))
    }

    fn fence(&self, domain: Domain, scope: FenceScope) -> Answer<Fence> {
        self.file(domain).read(move |connection| reads::fence(connection, &scope))
    }

    fn fences_around(&self, domain: Domain, agent: AgentId) -> Answer<FencesAround> {
        self.file(domain).read(move |connection| reads::fences_around(connection, &agent))
    }

    fn closed_fences(&self, domain: Domain) -> Answer<Vec<(FenceScope, Fence)>> {
        self.file(domain).read(reads::closed_fences)
    }
}

impl ReadRuns for SqliteStore {
    fn run(&self, run_key: RunKey) -> Answer<Option<Run>> {
        self.agent.read(move |connection| reads::run(connection, &run_key))
    }

    fn runs(&self, agent: AgentId, limit: usize) -> Answer<Vec<Run>> {
        self.agent.read(move |connection| reads::runs_of(connection, &agent, limit))
    }

    fn open_runs(&self, agent: AgentId, limit: usize) -> Answer<Vec<Run>> {
        self.agent.read(move |connection| reads::open_runs(connection, &agent, limit))
    }

    fn queued_runs(&self, limit: usize) -> Answer<Vec<Run>> {
        self.agent.read(move |connection| reads::queued_runs(connection, limit))
    }

    fn begun_runs(&self, limit: usize) -> Answer<Vec<Run>> {
        self.agent.read(move |connection| reads::begun_runs(connection, limit))
    }

    fn briefing(&self, agent: AgentId, now: At) -> Answer<Briefing> {
        self.agent.read(move |connection| reads::briefing(connection, &agent, now))
    }

    fn subscribers(&self, tokens: Vec<Token>) -> Answer<Vec<(Token, Vec<Listener>)>> {
        self.agent.read(move |connection| reads::subscribers(connection, tokens))
    }

    fn events(&self, agent: AgentId, after: Option<u64>, limit: usize) -> Answer<Vec<Event>> {
        self.agent.read(move |connection| reads::events(connection, &agent, after, limit))
    }

    fn happenings(&self, after: Option<u64>, limit: usize) -> Answer<Vec<(u64, Event)>> {
        self.agent.read(move |connection| reads::happenings(connection, after, limit))
    }

    fn rest(&self, agent: AgentId) -> Answer<Option<Rest>> {
        self.agent.read(move |connection| reads::rest(connection, &agent))
    }

    fn hints(&self, agent: AgentId) -> Answer<Vec<Hint>> {
        self.agent.read(move |connection| reads::hints(connection, &agent))
    }

    fn tool_counts(
        &self,
        agent: AgentId,
        thread: ThreadId,
        tool: String,
        call: InvocationId,
        now: At,
    ) -> Answer<ToolCounts> {
        self.agent.read(move |connection| {
            reads::tool_counts(connection, &agent, &thread, &tool, &call, now)
        })
    }

    fn account(&self, agent: AgentId, day: Day) -> Answer<Account> {
        self.agent.read(move |connection| reads::account(connection, &agent, &day, None))
    }
}

impl ReadSight for SqliteStore {
    fn surroundings(&self, task: TaskId, reach: Reach) -> Answer<Surroundings> {
        self.journal.read(move |connection| reads::surroundings(connection, &task, reach))
    }

    fn origins(&self, ids: Vec<RecordId>) -> Answer<BTreeMap<RecordId, Label>> {
        self.journal.read(move |connection| reads::word_labels(connection, &ids))
    }

    fn background(&self, recall: Recall) -> Answer<Background> {
        self.agent.read(move |connection| reads::background(connection, &recall))
    }

    fn contents(&self, domain: Domain, at: Vec<ContentRef>) -> Answer<Vec<Content>> {
        self.file(domain).read(move |connection| reads::contents(connection, &at))
    }
}

impl ReadDue for SqliteStore {
    fn outlook(&self, now: At, limit: usize) -> Answer<Outlook> {
        self.agent.read(move |connection| reads::outlook(connection, now, limit))
    }

    fn any_gated(&self) -> Answer<bool> {
        self.agent.read(reads::any_gated)
    }

    fn due_schedules(&self, now: At, limit: usize) -> Answer<Vec<Arming>> {
        self.agent.read(move |connection| reads::due_schedules(connection, now, limit))
    }

    fn armed_elsewhere(&self, zone: String, limit: usize) -> Answer<Vec<Arming>> {
        self.agent.read(move |connection| reads::armed_elsewhere(connection, &zone, limit))
    }

    fn armed_later(
        &self,
        than: At,
        after: Option<ScheduleId>,
        limit: usize,
    ) -> Answer<Vec<(At, Arming)>> {
        let read =
            move |connection: &_| reads::armed_later(connection, than, after.as_ref(), limit);
        self.agent.read(read)
    }

    fn last_ticked(&self, schedule: ScheduleId, up_to: SlotName) -> Answer<Option<SlotName>> {
        self.agent.read(move |connection| reads::last_ticked(connection, &schedule, &up_to))
    }

    fn due_waits(&self, now: At, limit: usize) -> Answer<Vec<Record>> {
        self.agent.read(move |connection| reads::due_waits(connection, now, limit))
    }

    fn waits_on(&self, source: String, limit: usize) -> Answer<Vec<Record>> {
        self.agent.read(move |connection| reads::waits_on(connection, &source, limit))
    }

    fn open_waits(&self, agent: AgentId, limit: usize) -> Answer<Vec<Record>> {
        self.agent.read(move |connection| reads::open_waits(connection, &agent, limit))
    }

    fn arming(&self, schedule: ScheduleId) -> Answer<Option<Arming>> {
        self.agent.read(move |connection| reads::arming(connection, &schedule))
    }

    fn occurrences(&self, schedule: ScheduleId, limit: usize) -> Answer<Vec<Occurrence>> {
        self.agent.read(move |connection| reads::occurrences(connection, &schedule, limit))
    }

    fn in_flight(&self, schedule: ScheduleId) -> Answer<Vec<Occurrence>> {
        self.agent.read(move |connection| reads::in_flight(connection, &schedule))
    }

    fn occurrences_of(&self, run_key: RunKey) -> Answer<Vec<Occurrence>> {
        self.agent.read(move |connection| reads::occurrences_of(connection, &run_key))
    }
}
