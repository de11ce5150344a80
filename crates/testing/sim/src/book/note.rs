//! Noting what was applied.

use store::StoreError;
use types::{
    ArmMove, Arming, At, Author, Body, Capability, Commit, Domain, Invalid, Lifecycle, Outcome,
    Position, RecordDraft, RecordId, ScheduleStatus, SlotName, Subscription, Task, TriggerStatus,
    Wait, WaitState, Write,
};

use super::entries::{AgentBook, HintBook, Need, ScheduleBook, TaskBook, WaitBook};
use super::{Book, relevant, wants, worth_a_turn};

impl Book {
    /// Notes what became of a commit.
    pub(crate) fn note(&mut self, commit: &Commit, answer: &Result<Outcome, StoreError>, now: At) {
        match answer {
            Ok(Outcome::Applied(applied)) => {
                self.order += 1;
                self.figures.count("commits");
                let position = applied.change.map(|(position, _, _)| position);
                self.fences_held(commit);
                self.note_ends(commit);
                self.note_waived(commit);
                self.note_deeds(commit);
                self.note_step(commit, position.unwrap_or_default());
                self.note_standing(commit);
                for write in &commit.writes {
                    self.note_write(commit, write, position, now);
                }
            }
            Ok(Outcome::Idempotent(_)) => self.figures.count("repeated"),
            Ok(Outcome::Conflict(_)) => self.figures.count("conflicts"),
            Err(error) => {
                let what = format!("{} was not written: {error}", commit.step);
                self.violate("writable", what);
            }
        }
    }

    /// Notes a commit that breaks its own rules: nobody here makes one on purpose.
    pub(crate) fn refused(&mut self, commit: &Commit, invalid: &Invalid) {
        self.violate("valid commits", format!("{} was refused: {invalid}", commit.step));
    }

    fn note_write(&mut self, commit: &Commit, write: &Write, position: Option<Position>, now: At) {
        match write {
            Write::Record(draft) if commit.domain == Domain::Journal => {
                if let (Body::Task(task), Some(position)) = (&draft.body, position) {
                    self.note_task(commit, draft, task, position);
                }
            }
            Write::Record(draft) => self.note_record(commit, draft, position.unwrap_or_default()),
            Write::Trim { up_to } => {
                self.figures.count("logs_trimmed");
                if commit.domain == Domain::Journal {
                    self.let_go = self.let_go.max(*up_to);
                }
            }
            Write::Hint(hint) => {
                self.figures.count("hints");
                let (order, payload) = (self.order, hint.payload.is_some());
                self.hints.push(HintBook { agent: hint.agent.clone(), order, payload });
            }
            Write::Arm(ArmMove { from: Some(from), to }) if to.last_slot.as_ref() < Some(from) => {
                self.note_brought_back(from, to);
            }
            Write::Occur(occurrence) => self.figures.count(match occurrence.state.as_str() {
                "missed" => "slots_missed",
                "skipped" => "slots_skipped",
                _ => "slots_fired",
            }),
            other => self.note_run(commit, other, now),
        }
    }

    fn note_task(&mut self, commit: &Commit, draft: &RecordDraft, task: &Task, at: Position) {
        self.figures.count("changes");
        let known = self.tasks.get(&draft.id).filter(|known| known.live);
        let before = known.map(|known| known.task.clone());
        let after = (!draft.deleted).then_some(task);
        for (id, subscription) in &self.subscriptions {
            let agent = &subscription.agent_id;
            let own = commit.author.agent() == Some(agent);
            if own || !wants(subscription, &draft.id, before.as_ref(), after) {
                continue;
            }
            let decides = self.agents.get(agent).is_some_and(|agent| {
                agent.keeper && relevant(before.as_ref(), after)
                    || agent.tends.is_some() && worth_a_turn(before.as_ref(), after)
            });
            self.needs.push(Need {
                agent: agent.clone(),
                position: at,
                subscription: id.clone(),
                order: self.order,
                by_turn: decides,
            });
        }
        let live = !draft.deleted;
        let known = self.tasks.remove(&draft.id);
        let mut lay_in = known.map(|known| known.lay_in).unwrap_or_default();
        lay_in.insert(task.category_id.clone());
        self.tasks.insert(draft.id.clone(), TaskBook { task: task.clone(), live, lay_in });
    }

    fn note_record(&mut self, commit: &Commit, draft: &RecordDraft, position: Position) {
        match &draft.body {
            Body::Agent(identity) => {
                let book = AgentBook {
                    id: identity.agent_id.clone(),
                    tends: identity.task_id.as_ref().map(RecordId::from),
                    sees: identity.allowed_category_ids.clone(),
                    keeper: identity.display_name.starts_with("keeper"),
                    dormant: matches!(identity.lifecycle, Lifecycle::Dormant { .. }),
                    destroyed: matches!(identity.lifecycle, Lifecycle::Destroyed { .. }),
                };
                self.agents.insert(identity.agent_id.clone(), book);
            }
            Body::AgentSubscription(subscription) => {
                self.note_subscription(&draft.id, subscription);
            }
            Body::AgentTrigger(trigger) => {
                let active = trigger.status == TriggerStatus::Active;
                let id = draft.id.as_str().parse().expect("triggers have their ids");
                self.triggers.insert(id, (trigger.agent_id.clone(), active));
            }
            Body::AgentWait(wait) => self.note_wait(commit, &draft.id, wait, position),
            Body::AgentSchedule(body) if body.recurrence.label == "nap" => {
                let set = body.status == ScheduleStatus::Active;
                self.naps.extend(set.then(|| (body.agent_id.clone(), self.order)));
            }
            Body::AgentSchedule(body) => {
                let id = draft.id.as_str().parse().expect("schedules have their ids");
                let known = self.schedules.get(&id);
                let paused_once = body.status == ScheduleStatus::Paused
                    || known.is_some_and(|known| known.paused_once);
                let ended_early = !self.ending && body.status == ScheduleStatus::Disabled
                    || known.is_some_and(|known| known.ended_early);
                let brought_back = known.map(|known| known.brought_back.clone());
                let brought_back = brought_back.unwrap_or_default();
                let moved = known.is_some_and(|known| known.body.starts_at != body.starts_at);
                let begun_anew = moved || known.is_some_and(|known| known.begun_anew);
                let body = body.clone();
                let book =
                    ScheduleBook { body, paused_once, ended_early, brought_back, begun_anew };
                self.schedules.insert(id, book);
                if moved {
                    self.figures.count("schedules_begun_anew");
                }
            }
            _ => {}
        }
    }

    fn note_brought_back(&mut self, from: &SlotName, to: &Arming) {
        // The next nap has a clock of its own, and the schedules in the book are no naps.
        if let Some(known) = self.schedules.get_mut(&to.schedule) {
            self.figures.count("clocks_brought_back");
            known.brought_back.push((from.clone(), to.last_slot.clone()));
        }
    }

    fn note_wait(&mut self, commit: &Commit, id: &RecordId, wait: &Wait, position: Position) {
        let (order, open) = (self.order, wait.state == WaitState::Open);
        self.figures.count(if open { "waits" } else { "waits_ended" });
        let known = self.waits.get(id);
        let since = known.map_or(order, |known| known.since);
        let before = known.and_then(|known| known.ended);
        let ended = if open { None } else { Some(before.unwrap_or((order, position))) };
        let ends = commit.writes.iter().any(|write| matches!(write, Write::EndRun { .. }));
        let met_in_turn = ends && wait.state == WaitState::Met;
        let book = WaitBook { wait: wait.clone(), since, ended, met_in_turn };
        self.waits.insert(id.clone(), book);
    }

    /// What a subscription was to hear of before it was changed is looked at once more, but not
    /// necessarily shown: by then its agent listens for something else.
    fn note_subscription(&mut self, id: &RecordId, subscription: &Subscription) {
        let seen = &self.seen;
        for need in self.needs.iter_mut().filter(|need| need.subscription == *id) {
            if !seen.contains_key(&(need.agent.clone(), need.position)) {
                need.by_turn = false;
            }
        }
        self.subscriptions.insert(id.clone(), subscription.clone());
    }

    /// Nothing that an agent writes gets through while it is stopped, or after its run was put back.
    fn fences_held(&mut self, commit: &Commit) {
        let Author::Agent { agent, run, epoch } = &commit.author else { return };
        let late = self.superseded.get(run).is_some_and(|from| epoch < from);
        let why = match () {
            () if self.killed => "the kill switch was acknowledged",
            () if self.stopped.contains(agent) => "its stop was acknowledged",
            () if self.cancelled.contains(run) => "its cancel was acknowledged",
            () if late => "its run was put back",
            () if self.classes.iter().any(|class| uses(commit, *class)) => "that class was stopped",
            () => return,
        };
        let what = format!("a commit of {} got through after {why}", self.name(agent));
        self.violate("fences", what);
    }
}

/// Whether a commit does what only tools of a class do.
fn uses(commit: &Commit, class: Capability) -> bool {
    let verb = commit.operation.as_ref().map_or("", |operation| operation.verb);
    let reports = |write: &Write| match write {
        Write::Record(draft) => matches!(draft.body, Body::AgentReport(_)),
        _ => false,
    };
    match class {
        Capability::ReportWrite => commit.writes.iter().any(reports),
        Capability::ChecklistWrite => verb.contains("checklist"),
        _ => false,
    }
}
