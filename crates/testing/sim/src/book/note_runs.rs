//! Noting what happened to runs.

use types::{
    At, Author, Code, Commit, CursorName, Domain, FenceScope, Position, RunDraft, RunEnd, RunKey,
    WakeReason, Write,
};

use super::Book;
use super::entries::{EndKind, Range, RunBook};
use super::failures::FailedBook;

impl Book {
    pub(super) fn note_run(&mut self, commit: &Commit, write: &Write, _now: At) {
        match write {
            Write::QueueRun(draft) => self.note_queued(draft),
            Write::StartRun { run_key } => self.note_begun(run_key),
            Write::RetryRun { run_key, .. } => {
                self.figures.count("wakes_retried");
                if let Some(run) = self.runs.get_mut(run_key) {
                    run.begun = false;
                }
                let raised = commit.writes.iter().find_map(|write| match write {
                    Write::RaiseFence { scope: FenceScope::Agent(_), epoch } => Some(*epoch),
                    _ => None,
                });
                if let Some(epoch) = raised {
                    self.superseded.insert(*run_key, epoch);
                }
            }
            Write::GateRun { .. } => self.figures.count("wakes_gated"),
            _ => {}
        }
    }

    fn note_queued(&mut self, draft: &RunDraft) {
        if self.runs.contains_key(&draft.run_key) {
            return;
        }
        self.figures.count("wakes");
        if draft.envelope.is_some() {
            self.figures.count("envelopes");
        }
        let book = RunBook {
            draft: draft.clone(),
            begun: false,
            began_at: 0,
            ended: None,
            shown: None,
            missed: None,
            recorded: None,
        };
        self.runs.insert(draft.run_key, book);
    }

    fn note_begun(&mut self, run_key: &RunKey) {
        let Some(agent) = self.runs.get(run_key).map(|run| run.draft.agent.clone()) else {
            self.violate("nobody invents runs", format!("run {run_key} was never queued"));
            return;
        };
        let other = self.runs.values().find(|other| {
            let open = other.begun && other.ended.is_none();
            open && other.draft.agent == agent && other.draft.run_key != *run_key
        });
        if let Some(other) = other.map(|other| other.draft.run_key) {
            let what = format!("{} begins {run_key} while {other} has begun", self.name(&agent));
            self.violate("single flight", what);
        }
        let order = self.order;
        if let Some(run) = self.runs.get_mut(run_key) {
            run.begun = true;
            run.began_at = order;
        }
    }

    /// Ends are noted before the other writes of their commit: what that queues comes after.
    pub(super) fn note_ends(&mut self, commit: &Commit) {
        for write in &commit.writes {
            if let Write::EndRun { run_key, end, .. } = write {
                self.note_end(commit, run_key, end);
            }
        }
    }

    fn note_end(&mut self, commit: &Commit, run_key: &RunKey, end: &RunEnd) {
        let order = self.order;
        let Some(run) = self.runs.get_mut(run_key) else { return };
        let agent = run.draft.agent.clone();
        if run.ended.is_some() {
            self.violate("completes once", format!("run {run_key} ended a second time"));
            return;
        }
        let (kind, figure) = match end {
            RunEnd::Done => (EndKind::Completed, "wakes_completed"),
            // It was tried, and another look has seen what it was for.
            RunEnd::NothingToDo(_) if run.began_at > 0 && !run.begun => {
                (EndKind::Completed, "overtaken")
            }
            RunEnd::NothingToDo(_) => (EndKind::Completed, "receipts"),
            RunEnd::SkippedSleeping => (EndKind::Sleeping, "wakes_slept"),
            RunEnd::SkippedDestroyed => (EndKind::Destroyed, "wakes_destroyed"),
            RunEnd::Failed(failure) if failure.code == Code::RunCancelled => {
                (EndKind::Cancelled, "wakes_failed")
            }
            RunEnd::Failed(_) => (EndKind::Failed, "wakes_failed"),
        };
        run.ended = Some((order, kind));
        if let RunEnd::Failed(failure) = end {
            let tends = self.agents.get(&agent).is_some_and(|agent| agent.tends.is_some());
            let failed = FailedBook::of(run, failure, tends, commit, order);
            self.failed.entry(agent.clone()).or_default().push(failed);
        }
        let by_turn = run.begun;
        let shown = run.shown.clone().filter(|_| by_turn).unwrap_or_default();
        let told = run.recorded.clone().unwrap_or_else(|| shown.clone());
        let missed = run.missed.filter(|_| by_turn);
        let reason = (run.draft.reason, run.draft.reason_id.clone());
        self.figures.count(figure);
        match kind {
            EndKind::Completed => {}
            EndKind::Sleeping => return self.slept.push((agent, *run_key, order)),
            EndKind::Failed | EndKind::Cancelled | EndKind::Destroyed => return,
        }
        self.completed.entry(agent.clone()).or_default().push((order, by_turn));
        self.told.extend(told.into_iter().map(|position| (agent.clone(), position)));
        if let Some(up_to) = missed {
            let looked = self.looked_whole.entry(agent.clone()).or_default();
            *looked = up_to.max(*looked);
        }
        for position in shown {
            self.seen.entry((agent.clone(), position)).or_default().push(*run_key);
        }
        if let (WakeReason::JobResult, Some(job)) = reason {
            self.results.push((agent.clone(), job, order));
        }
        // What was thrown into a turn ends with a commit of that turn, which looks for itself.
        let own = !matches!(&commit.author, Author::Agent { run, .. } if run != run_key);
        if let Some((from, to)) = looked_through(commit, end).filter(|_| own) {
            self.ranges.push(Range { agent, run: *run_key, from, to, order });
        }
    }
}

/// What of the journal a completed run has looked through: by its receipt, or by its cursor.
fn looked_through(commit: &Commit, end: &RunEnd) -> Option<(Position, Position)> {
    if let RunEnd::NothingToDo(receipt) = end {
        return Some((receipt.journal_from, receipt.journal_to));
    }
    cursor_in_journal(commit)
}

/// From where to where an agent's place in the journal's log is moved.
pub(super) fn cursor_in_journal(commit: &Commit) -> Option<(Position, Position)> {
    commit.writes.iter().find_map(|write| match write {
        Write::Cursor(cursor)
            if cursor.log == Domain::Journal && cursor.name != CursorName::of_service("wake") =>
        {
            Some((cursor.from, cursor.to))
        }
        _ => None,
    })
}
