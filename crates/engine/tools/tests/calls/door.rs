//! A store with a door at which a test can stand: commits are lost, answers are lost, and things happen
//! in between.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::Poll;

use sqlite::SqliteStore;
use store::{
    Answer, Background, Briefing, FencesAround, Listing, Marked, Outlook, Reach, ReadChanges,
    ReadDue, ReadHistory, ReadRecords, ReadRuns, ReadSight, Recall, Store, StoreError,
    Surroundings, wait_unless,
};
use tokio::sync::watch;
use types::*;

/// What happens at the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The process dies before the commit is written.
    DiesBefore,
    /// It dies after, before anybody is told.
    DiesAfter,
    /// The disk fails, and the commit is lost.
    DiskLoses,
    /// The disk fails, and the commit is there when the files are opened anew.
    DiskKeeps,
}

type Meanwhile = Box<dyn FnOnce(&SqliteStore) + Send>;

/// The store behind a door.
pub(crate) struct Door {
    pub(crate) inner: Arc<SqliteStore>,
    commits: AtomicUsize,
    fault: Mutex<Option<(usize, Fault)>>,
    meanwhile: Mutex<Option<(&'static str, Meanwhile)>>,
    dead: Arc<AtomicBool>,
    /// The journal's writer has stopped.
    stopped: AtomicBool,
    pub(crate) steps: Mutex<Vec<&'static str>>,
    /// Effects as they were handed in (`+`) and answered (`-`), by what they are about.
    pub(crate) effects: Arc<Mutex<Vec<String>>>,
    /// Effects about a record are answered only after so many about another.
    slow: Mutex<Option<(&'static str, &'static str, usize)>>,
    /// The next read of this name fails.
    refuses: Mutex<Option<&'static str>>,
    /// Whoever writes does not say what, and has to be asked.
    pub(crate) quiet: AtomicBool,
    /// How often anything was read.
    pub(crate) reads: AtomicUsize,
}

impl Door {
    pub(crate) fn before(inner: Arc<SqliteStore>) -> Door {
        let (commits, fault, meanwhile, dead, stopped, steps) = Default::default();
        let (effects, slow, refuses, quiet, reads) = Default::default();
        Door {
            inner,
            commits,
            fault,
            meanwhile,
            dead,
            stopped,
            steps,
            effects,
            slow,
            refuses,
            quiet,
            reads,
        }
    }

    /// The fault happens at the commit of this number, from zero.
    pub(crate) fn plan(&self, commit: usize, fault: Fault) {
        *self.fault.lock().unwrap() = Some((self.commits.load(Ordering::SeqCst) + commit, fault));
    }

    /// Something happens just before the next commit of a step is written.
    pub(crate) fn meanwhile(
        &self,
        step: &'static str,
        what: impl FnOnce(&SqliteStore) + Send + 'static,
    ) {
        *self.meanwhile.lock().unwrap() = Some((step, Box::new(what)));
    }

    /// Effects about a record are answered only after so many about another.
    pub(crate) fn slow(&self, record: &'static str, other: &'static str, times: usize) {
        *self.slow.lock().unwrap() = Some((record, other, times));
    }

    /// The next read of this name fails.
    pub(crate) fn refuse(&self, read: &'static str) {
        *self.refuses.lock().unwrap() = Some(read);
    }

    /// How many effects were under way at once, at most.
    pub(crate) fn most_at_once(&self) -> usize {
        let (mut now, mut most) = (0_usize, 0);
        for effect in self.effects.lock().unwrap().iter() {
            now = if effect.starts_with('+') { now + 1 } else { now - 1 };
            most = most.max(now);
        }
        most
    }

    /// An answer that is heard on the second look at the earliest, so that whoever could hand in more
    /// meanwhile has the time to.
    fn noted(&self, about: String, mut answer: Answer<Outcome>) -> Answer<Outcome> {
        let after = self.slow.lock().unwrap().filter(|(record, _, _)| *record == about);
        let (effects, mut seen) = (Arc::clone(&self.effects), false);
        let quiet = self.quiet.load(Ordering::SeqCst);
        effects.lock().unwrap().push(format!("+{about}"));
        Box::pin(std::future::poll_fn(move |context| {
            let over = after.is_none_or(|(_, other, times)| {
                let effects = effects.lock().unwrap();
                let answered = effects.iter().filter(|effect| effect[..] == *format!("-{other}"));
                answered.count() >= times
            });
            if !std::mem::replace(&mut seen, true) || !over {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            let mut answer = answer.as_mut().poll(context);
            if let Poll::Ready(Ok(Outcome::Applied(applied))) = &mut answer {
                applied.wrote = applied.wrote.take().filter(|_| !quiet);
            }
            if answer.is_ready() {
                effects.lock().unwrap().push(format!("-{about}"));
            }
            answer
        }))
    }

    /// Runs until there is an answer, or until the process is dead.
    pub(crate) fn run<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        wait_unless(future, || self.dead.load(Ordering::SeqCst))
    }

    fn refused(domain: Domain) -> StoreError {
        let cause = "the disk failed".to_owned();
        StoreError::Io { file: domain.as_str().into(), doing: "writing", cause }
    }
}

impl Store for Door {
    fn commit(&self, commit: Commit) -> Answer<Outcome> {
        let number = self.commits.fetch_add(1, Ordering::SeqCst);
        self.steps.lock().unwrap().push(commit.step);
        let due = self.meanwhile.lock().unwrap().take_if(|(step, _)| *step == commit.step);
        if let Some((_, what)) = due {
            what(&self.inner);
        }
        let domain = commit.domain;
        if domain == Domain::Journal && self.stopped.load(Ordering::SeqCst) {
            return Box::pin(std::future::ready(Err(Door::refused(domain))));
        }
        let planned = self.fault.lock().unwrap().take_if(|(at, _)| *at == number);
        let dead = Arc::clone(&self.dead);
        match planned.map(|(_, fault)| fault) {
            None => {
                let effect = (commit.step == "tool.effect").then(|| commit.operation.clone());
                let about = effect.flatten().map(|operation| operation.subject.to_string());
                let answer = self.inner.commit(commit);
                match about {
                    Some(about) => self.noted(about, answer),
                    None => answer,
                }
            }
            Some(Fault::DiesBefore) => {
                dead.store(true, Ordering::SeqCst);
                Box::pin(std::future::pending())
            }
            Some(Fault::DiesAfter) => {
                let written = self.inner.commit(commit);
                Box::pin(async move {
                    written.await.unwrap();
                    dead.store(true, Ordering::SeqCst);
                    std::future::pending().await
                })
            }
            Some(fault) => {
                self.stopped.store(domain == Domain::Journal, Ordering::SeqCst);
                let written = (fault == Fault::DiskKeeps).then(|| self.inner.commit(commit));
                Box::pin(async move {
                    if let Some(written) = written {
                        written.await.unwrap();
                    }
                    Err(Door::refused(domain))
                })
            }
        }
    }

    fn watch(&self, domain: Domain) -> watch::Receiver<Position> {
        self.inner.watch(domain)
    }

    fn stirred(&self) -> watch::Receiver<u64> {
        self.inner.stirred()
    }

    fn foresee(&self, domain: Domain, bytes: &Hashed) {
        self.inner.foresee(domain, bytes);
    }

    fn fenced(&self) -> watch::Receiver<u64> {
        self.inner.fenced()
    }

    fn host(&self) -> &HostId {
        self.inner.host()
    }

    fn epoch(&self) -> Epoch {
        self.inner.epoch()
    }
}

/// Reads go straight through, unless one is to fail.
macro_rules! reads {
    ($($port:ident { $(fn $name:ident($($arg:ident: $kind:ty),*) -> $answer:ty;)* })*) => {
        $(
            impl $port for Door {
                $(
                    fn $name(&self, $($arg: $kind),*) -> Answer<$answer> {
                        self.reads.fetch_add(1, Ordering::SeqCst);
                        let mut refuses = self.refuses.lock().unwrap();
                        if refuses.take_if(|read| *read == stringify!($name)).is_some() {
                            return Box::pin(std::future::ready(Err(StoreError::Closed)));
                        }
                        self.inner.$name($($arg),*)
                    }
                )*
            }
        )*
    };
}

reads! {
    ReadRecords {
        fn record(domain: Domain, id: RecordId) -> Option<Record>;
        fn records_by_id(domain: Domain, ids: Vec<RecordId>) -> Vec<Record>;
        fn records(domain: Domain, listing: Listing) -> Vec<Record>;
        fn records_of(d: Domain, owners: Vec<RecordId>, kind: BodyType, limit: usize) -> Vec<Record>;
        fn marked(domain: Domain, search: Marked) -> Vec<Record>;
        fn scan(domain: Domain, after: u64, limit: usize) -> Vec<(u64, Record)>;
        fn scan_links(domain: Domain, after: u64, limit: usize) -> Vec<(u64, Link)>;
        fn ids_ending(d: Domain, start: String, end: String, limit: usize) -> Vec<RecordId>;
        fn dependents(domain: Domain, id: RecordId, limit: usize) -> Vec<RecordId>;
        fn links_from(domain: Domain, from: RecordId, relation: Relation) -> Vec<Link>;
        fn links_to(domain: Domain, to: RecordId, relation: Relation) -> Vec<Link>;
        fn content(domain: Domain, at: ContentRef) -> Option<Content>;
        fn operation(domain: Domain, id: OperationId) -> Option<Operation>;
        fn audit(domain: Domain, after: u64, limit: usize) -> Vec<AuditEntry>;
    }
    ReadHistory {
        fn operations(d: Domain, before: Option<Position>, limit: usize) -> Vec<Operation>;
        fn operations_at(domain: Domain, positions: Vec<Position>) -> Vec<Operation>;
        fn operations_of_run(domain: Domain, run: RunKey) -> Vec<Operation>;
        fn operations_starting(domain: Domain, digits: String, limit: usize) -> Vec<Operation>;
        fn newest_changes(d: Domain, t: Token, b: Option<Position>, l: usize) -> Vec<ChangeRecord>;
    }
    ReadChanges {
        fn head(domain: Domain) -> Position;
        fn changes(domain: Domain, after: Position, limit: usize) -> Vec<ChangeRecord>;
        fn changes_about(d: Domain, t: Vec<Token>, a: Position, u: Position, l: usize)
            -> Vec<ChangeRecord>;
        fn delta(domain: Domain, tokens: Vec<Token>, after: Position, limit: usize) -> Delta;
        fn cursor(file: Domain, name: CursorName, log: Domain) -> Position;
        fn outbox(domain: Domain, after: Position, limit: usize) -> Vec<Position>;
        fn sequence(d: Domain, host: HostId, after: Counter, limit: usize) -> Vec<SequenceEntry>;
        fn fence(domain: Domain, scope: FenceScope) -> Fence;
        fn fences_around(domain: Domain, agent: AgentId) -> FencesAround;
        fn closed_fences(domain: Domain) -> Vec<(FenceScope, Fence)>;
    }
    ReadRuns {
        fn run(run_key: RunKey) -> Option<Run>;
        fn runs(agent: AgentId, limit: usize) -> Vec<Run>;
        fn open_runs(agent: AgentId, limit: usize) -> Vec<Run>;
        fn queued_runs(limit: usize) -> Vec<Run>;
        fn begun_runs(limit: usize) -> Vec<Run>;
        fn briefing(agent: AgentId, now: At) -> Briefing;
        fn subscribers(tokens: Vec<Token>) -> Vec<(Token, Vec<Listener>)>;
        fn events(agent: AgentId, after: Option<u64>, limit: usize) -> Vec<Event>;
        fn happenings(after: Option<u64>, limit: usize) -> Vec<(u64, Event)>;
        fn rest(agent: AgentId) -> Option<Rest>;
        fn hints(agent: AgentId) -> Vec<Hint>;
        fn tool_counts(a: AgentId, t: ThreadId, tool: String, c: InvocationId, now: At)
            -> ToolCounts;
        fn account(agent: AgentId, day: Day) -> Account;
    }
    ReadSight {
        fn surroundings(task: TaskId, reach: Reach) -> Surroundings;
        fn background(recall: Recall) -> Background;
        fn origins(ids: Vec<RecordId>) -> BTreeMap<RecordId, Label>;
        fn contents(domain: Domain, at: Vec<ContentRef>) -> Vec<Content>;
    }
    ReadDue {
        fn outlook(now: At, limit: usize) -> Outlook;
        fn any_gated() -> bool;
        fn due_schedules(now: At, limit: usize) -> Vec<Arming>;
        fn armed_elsewhere(zone: String, limit: usize) -> Vec<Arming>;
        fn armed_later(than: At, after: Option<ScheduleId>, limit: usize) -> Vec<(At, Arming)>;
        fn last_ticked(schedule: ScheduleId, up_to: SlotName) -> Option<SlotName>;
        fn due_waits(now: At, limit: usize) -> Vec<Record>;
        fn waits_on(source: String, limit: usize) -> Vec<Record>;
        fn open_waits(agent: AgentId, limit: usize) -> Vec<Record>;
        fn arming(schedule: ScheduleId) -> Option<Arming>;
        fn occurrences(schedule: ScheduleId, limit: usize) -> Vec<Occurrence>;
        fn in_flight(schedule: ScheduleId) -> Vec<Occurrence>;
        fn occurrences_of(run_key: RunKey) -> Vec<Occurrence>;
    }
}
