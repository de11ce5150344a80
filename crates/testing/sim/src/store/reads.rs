//! Reads: they see what is written when they are asked, and now and then are heard of later.

use std::collections::BTreeMap;

use store::{
    Answer, Background, Briefing, FencesAround, Listing, Marked, Outlook, Reach, ReadChanges,
    ReadDue, ReadHistory, ReadRecords, ReadRuns, ReadSight, Recall, Surroundings,
};
use types::{
    Account, AgentId, Arming, At, AuditEntry, BodyType, ChangeRecord, Content, ContentRef, Counter,
    CursorName, Day, Delta, Domain, Event, Fence, FenceScope, Hint, HostId, InvocationId, Label,
    Link, Occurrence, Operation, OperationId, Position, Record, RecordId, Relation, Rest, Run,
    RunKey, ScheduleId, SequenceEntry, SlotName, TaskId, ThreadId, Token, ToolCounts,
};

use super::SimStore;

impl ReadRecords for SimStore {
    fn record(&self, domain: Domain, id: RecordId) -> Answer<Option<Record>> {
        self.heard(self.inner.record(domain, id))
    }

    fn records_by_id(&self, domain: Domain, ids: Vec<RecordId>) -> Answer<Vec<Record>> {
        self.heard(self.inner.records_by_id(domain, ids))
    }

    fn records(&self, domain: Domain, listing: Listing) -> Answer<Vec<Record>> {
        self.heard(self.inner.records(domain, listing))
    }

    fn records_of(
        &self,
        domain: Domain,
        owners: Vec<RecordId>,
        kind: BodyType,
        limit: usize,
    ) -> Answer<Vec<Record>> {
        self.heard(self.inner.records_of(domain, owners, kind, limit))
    }

    fn marked(&self, domain: Domain, search: Marked) -> Answer<Vec<Record>> {
        self.heard(self.inner.marked(domain, search))
    }

    fn scan(&self, domain: Domain, after: u64, limit: usize) -> Answer<Vec<(u64, Record)>> {
        self.heard(self.inner.scan(domain, after, limit))
    }

    fn scan_links(&self, domain: Domain, after: u64, limit: usize) -> Answer<Vec<(u64, Link)>> {
        self.heard(self.inner.scan_links(domain, after, limit))
    }

    fn ids_ending(
        &self,
        domain: Domain,
        start: String,
        end: String,
        limit: usize,
    ) -> Answer<Vec<RecordId>> {
        self.heard(self.inner.ids_ending(domain, start, end, limit))
    }

    fn dependents(&self, domain: Domain, id: RecordId, limit: usize) -> Answer<Vec<RecordId>> {
        self.heard(self.inner.dependents(domain, id, limit))
    }

    fn links_from(&self, domain: Domain, from: RecordId, relation: Relation) -> Answer<Vec<Link>> {
        self.heard(self.inner.links_from(domain, from, relation))
    }

    fn links_to(&self, domain: Domain, to: RecordId, relation: Relation) -> Answer<Vec<Link>> {
        self.heard(self.inner.links_to(domain, to, relation))
    }

    fn content(&self, domain: Domain, at: ContentRef) -> Answer<Option<Content>> {
        self.heard(self.inner.content(domain, at))
    }

    fn operation(&self, domain: Domain, id: OperationId) -> Answer<Option<Operation>> {
        self.heard(self.inner.operation(domain, id))
    }

    fn audit(&self, domain: Domain, after: u64, limit: usize) -> Answer<Vec<AuditEntry>> {
        self.heard(self.inner.audit(domain, after, limit))
    }
}

impl ReadHistory for SimStore {
    fn operations(
        &self,
        domain: Domain,
        before: Option<Position>,
        limit: usize,
    ) -> Answer<Vec<Operation>> {
        self.heard(self.inner.operations(domain, before, limit))
    }

    fn operations_at(&self, domain: Domain, positions: Vec<Position>) -> Answer<Vec<Operation>> {
        self.heard(self.inner.operations_at(domain, positions))
    }

    fn operations_of_run(&self, domain: Domain, run: RunKey) -> Answer<Vec<Operation>> {
        self.heard(self.inner.operations_of_run(domain, run))
    }

    fn operations_starting(
        &self,
        domain: Domain,
        digits: String,
        limit: usize,
    ) -> Answer<Vec<Operation>> {
        self.heard(self.inner.operations_starting(domain, digits, limit))
    }

    fn newest_changes(
        &self,
        domain: Domain,
        token: Token,
        before: Option<Position>,
        limit: usize,
    ) -> Answer<Vec<ChangeRecord>> {
        self.heard(self.inner.newest_changes(domain, token, before, limit))
    }
}

impl ReadChanges for SimStore {
    fn head(&self, domain: Domain) -> Answer<Position> {
        self.heard(self.inner.head(domain))
    }

    fn changes(&self, domain: Domain, after: Position, limit: usize) -> Answer<Vec<ChangeRecord>> {
        self.heard(self.inner.changes(domain, after, limit))
    }

    fn changes_about(
        &self,
        domain: Domain,
        tokens: Vec<Token>,
        after: Position,
        up_to: Position,
        limit: usize,
    ) -> Answer<Vec<ChangeRecord>> {
        self.heard(self.inner.changes_about(domain, tokens, after, up_to, limit))
    }

    fn delta(
        &self,
        domain: Domain,
        tokens: Vec<Token>,
        after: Position,
        limit: usize,
    ) -> Answer<Delta> {
        self.heard(self.inner.delta(domain, tokens, after, limit))
    }

    fn cursor(&self, file: Domain, name: CursorName, log: Domain) -> Answer<Position> {
        self.heard(self.inner.cursor(file, name, log))
    }

    fn outbox(&self, domain: Domain, after: Position, limit: usize) -> Answer<Vec<Position>> {
        self.heard(self.inner.outbox(domain, after, limit))
    }

    fn sequence(
        &self,
        domain: Domain,
        host: HostId,
        after: Counter,
        limit: usize,
    ) -> Answer<Vec<SequenceEntry>> {
        self.heard(self.inner.sequence(domain, host, after, limit))
    }

    fn fence(&self, domain: Domain, scope: FenceScope) -> Answer<Fence> {
        self.heard(self.inner.fence(domain, scope))
    }

    fn fences_around(&self, domain: Domain, agent: AgentId) -> Answer<FencesAround> {
        self.heard(self.inner.fences_around(domain, agent))
    }

    fn closed_fences(&self, domain: Domain) -> Answer<Vec<(FenceScope, Fence)>> {
        self.heard(self.inner.closed_fences(domain))
    }
}

impl ReadRuns for SimStore {
    fn run(&self, run_key: RunKey) -> Answer<Option<Run>> {
        self.heard(self.inner.run(run_key))
    }

    fn runs(&self, agent: AgentId, limit: usize) -> Answer<Vec<Run>> {
        self.heard(self.inner.runs(agent, limit))
    }

    fn open_runs(&self, agent: AgentId, limit: usize) -> Answer<Vec<Run>> {
        self.heard(self.inner.open_runs(agent, limit))
    }

    fn queued_runs(&self, limit: usize) -> Answer<Vec<Run>> {
        self.heard(self.inner.queued_runs(limit))
    }

    fn begun_runs(&self, limit: usize) -> Answer<Vec<Run>> {
        self.heard(self.inner.begun_runs(limit))
    }

    fn briefing(&self, agent: AgentId, now: At) -> Answer<Briefing> {
        self.heard(self.inner.briefing(agent, now))
    }

    fn subscribers(&self, tokens: Vec<Token>) -> Answer<Vec<(Token, Vec<types::Listener>)>> {
        self.heard(self.inner.subscribers(tokens))
    }

    fn events(&self, agent: AgentId, after: Option<u64>, limit: usize) -> Answer<Vec<Event>> {
        self.heard(self.inner.events(agent, after, limit))
    }

    fn happenings(&self, after: Option<u64>, limit: usize) -> Answer<Vec<(u64, Event)>> {
        self.heard(self.inner.happenings(after, limit))
    }

    fn rest(&self, agent: AgentId) -> Answer<Option<Rest>> {
        self.heard(self.inner.rest(agent))
    }

    fn hints(&self, agent: AgentId) -> Answer<Vec<Hint>> {
        self.heard(self.inner.hints(agent))
    }

    fn tool_counts(
        &self,
        agent: AgentId,
        thread: ThreadId,
        tool: String,
        call: InvocationId,
        now: At,
    ) -> Answer<ToolCounts> {
        self.heard(self.inner.tool_counts(agent, thread, tool, call, now))
    }

    fn account(&self, agent: AgentId, day: Day) -> Answer<Account> {
        self.heard(self.inner.account(agent, day))
    }
}

impl ReadSight for SimStore {
    fn surroundings(&self, task: TaskId, reach: Reach) -> Answer<Surroundings> {
        self.heard(self.inner.surroundings(task, reach))
    }

    fn origins(&self, ids: Vec<RecordId>) -> Answer<BTreeMap<RecordId, Label>> {
        self.heard(self.inner.origins(ids))
    }

    fn background(&self, recall: Recall) -> Answer<Background> {
        self.heard(self.inner.background(recall))
    }

    fn contents(&self, domain: Domain, at: Vec<ContentRef>) -> Answer<Vec<Content>> {
        self.heard(self.inner.contents(domain, at))
    }
}

impl ReadDue for SimStore {
    fn any_gated(&self) -> Answer<bool> {
        self.heard(self.inner.any_gated())
    }

    fn outlook(&self, now: At, limit: usize) -> Answer<Outlook> {
        self.heard(self.inner.outlook(now, limit))
    }

    fn due_schedules(&self, now: At, limit: usize) -> Answer<Vec<Arming>> {
        self.heard(self.inner.due_schedules(now, limit))
    }

    fn armed_elsewhere(&self, zone: String, limit: usize) -> Answer<Vec<Arming>> {
        self.heard(self.inner.armed_elsewhere(zone, limit))
    }

    fn armed_later(
        &self,
        than: At,
        after: Option<ScheduleId>,
        limit: usize,
    ) -> Answer<Vec<(At, Arming)>> {
        self.heard(self.inner.armed_later(than, after, limit))
    }

    fn last_ticked(&self, schedule: ScheduleId, up_to: SlotName) -> Answer<Option<SlotName>> {
        self.heard(self.inner.last_ticked(schedule, up_to))
    }

    fn due_waits(&self, now: At, limit: usize) -> Answer<Vec<Record>> {
        self.heard(self.inner.due_waits(now, limit))
    }

    fn waits_on(&self, source: String, limit: usize) -> Answer<Vec<Record>> {
        self.heard(self.inner.waits_on(source, limit))
    }

    fn open_waits(&self, agent: AgentId, limit: usize) -> Answer<Vec<Record>> {
        self.heard(self.inner.open_waits(agent, limit))
    }

    fn arming(&self, schedule: ScheduleId) -> Answer<Option<Arming>> {
        self.heard(self.inner.arming(schedule))
    }

    fn occurrences(&self, schedule: ScheduleId, limit: usize) -> Answer<Vec<Occurrence>> {
        self.heard(self.inner.occurrences(schedule, limit))
    }

    fn in_flight(&self, schedule: ScheduleId) -> Answer<Vec<Occurrence>> {
        self.heard(self.inner.in_flight(schedule))
    }

    fn occurrences_of(&self, run_key: RunKey) -> Answer<Vec<Occurrence>> {
        self.heard(self.inner.occurrences_of(run_key))
    }
}
