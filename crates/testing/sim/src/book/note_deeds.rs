//! Noting what was asked, recorded and done, and what must hold at each of these moments.

use model::{Exchange, Failure, Request, Response};
use types::{
    AgentId, AgentIdentity, Amounts, Author, Body, Commit, ContentRef, Day, Domain, DormantCause,
    InvocationState, Lifecycle, Message, MessageKind, OperationDraft, RecordDraft, RecordId, Round,
    RunEnd, RunKey, TurnKind, TurnState, Usage, Write,
};

use super::Book;
use super::deeds::{AskBook, OperationBook, RoundBook, sayings};
use super::entries::EndKind;
use super::meanings::is_about_words;

impl Book {
    /// A model is asked.
    pub(crate) fn asked(&mut self, number: u64, request: &Request, today: Day) {
        self.figures.count("model_calls");
        self.within_budget(request, today);
        if !self.in_turn.contains_key(&request.agent) {
            let what =
                format!("{} asks a model before its run has begun", self.name(&request.agent));
            self.violate("single flight", what);
        }
        let cancelled = |run: &RunKey| self.cancelled.contains(run);
        let cancelled = self.in_turn.get(&request.agent).is_some_and(cancelled);
        if self.killed || cancelled || self.stopped.contains(&request.agent) {
            let what = format!("{} asks a model after a stop", self.name(&request.agent));
            self.violate("fences", what);
        }
        let run = self.in_turn.get(&request.agent).copied();
        let about_words = is_about_words(request);
        match run.filter(|_| about_words) {
            Some(run) => self.asks_what_is_meant(run, request),
            None => self.as_chosen(&request.agent, &request.model),
        }
        if self.forbidden && self.usual.as_ref() == Some(&request.model) {
            let what = format!("{} asks a model that nobody agrees to", self.name(&request.agent));
            self.violate("without consent nobody is asked", what);
        }
        let prompt = request.prompt.iter().map(|block| block.text.as_str());
        let thrown_in = request.said.iter().filter_map(|exchange| match exchange {
            Exchange::Interjected { text } => Some(text.as_str()),
            _ => None,
        });
        // Whoever only says what is meant by something has not been told it.
        let told = prompt.chain(thrown_in).filter(|_| !about_words);
        let said = told.flat_map(sayings).collect();
        run.filter(|_| !about_words).into_iter().for_each(|run| self.told_of_hangs(run, request));
        let ask = AskBook { agent: request.agent.clone(), run, said, about_words, tokens: 0 };
        self.deeds.asks.insert(number, ask);
    }

    /// What it answered was heard.
    pub(crate) fn answered(&mut self, number: u64, reply: &Result<Response, Failure>) {
        match reply {
            Ok(response) => {
                self.says_what_is_meant(number, response);
                if let Some(ask) = self.deeds.asks.get_mut(&number) {
                    ask.tokens = response.usage.total_tokens;
                }
            }
            Err(_) => self.figures.count("model_calls_failed"),
        }
    }

    /// Notes what a commit says about turns.
    pub(super) fn note_deeds(&mut self, commit: &Commit) {
        if let (Domain::Journal, Author::Agent { .. }, Some(operation)) =
            (commit.domain, &commit.author, &commit.operation)
        {
            self.note_operation(commit, operation);
        }
        for write in &commit.writes {
            match write {
                Write::Record(draft) => self.note_deed(commit, draft),
                Write::Reserve { agent, day, run_key, amounts } => {
                    self.note_set_aside(agent, *day, run_key, *amounts);
                }
                Write::Settle { agent, day, run_key, amounts } => {
                    self.note_settled(agent, *day, run_key, *amounts);
                }
                Write::RetryRun { run_key, usage, .. } => self.note_counted(run_key, usage),
                Write::EndRun { run_key, end, usage } => {
                    self.note_counted(run_key, usage);
                    self.note_refused_for_budget(commit, run_key, end);
                    self.note_forfeit(run_key, end);
                    self.note_unseen(run_key, end);
                }
                _ => {}
            }
        }
    }

    fn note_deed(&mut self, commit: &Commit, draft: &RecordDraft) {
        match &draft.body {
            Body::ChecklistItem(_) if draft.deleted => {
                self.deeds.items.remove(&draft.id);
            }
            Body::ChecklistItem(item) => {
                self.deeds.items.insert(draft.id.clone(), item.clone());
            }
            Body::AgentMessage(message) if message.kind == MessageKind::Thought => {
                let run = message.run_key.unwrap_or(RunKey(types::Digest::ZERO));
                self.note_round(commit, &draft.id, message, run);
            }
            Body::Agent(AgentIdentity { lifecycle: Lifecycle::Dormant { cause }, .. })
                if *cause == DormantCause::TaskMissing =>
            {
                let ends = commit.writes.iter().filter_map(|write| match write {
                    Write::EndRun { run_key, .. } => Some(*run_key),
                    _ => None,
                });
                self.deeds.bereft.extend(ends);
            }
            Body::AgentMessage(message) if message.kind == MessageKind::Observation => {
                self.figures.count("notes");
                let words = words(commit, &message.content).map(String::from_utf8_lossy);
                let words = words.unwrap_or_default().into_owned();
                *self.deeds.notes.entry(words).or_default() += 1;
            }
            Body::ModelConsent(consent) if !consent.revoked => self.agreed.push(self.order),
            Body::AgentReport(_) => self.figures.count("reports"),
            Body::AgentToolInvocation(invocation) => {
                self.figures.count("tool_calls");
                let invocation = types::ToolInvocation::clone(invocation);
                self.deeds.invocations.insert(draft.id.clone(), invocation);
            }
            Body::AgentTurn(turn) => {
                self.note_meaning(turn);
                match &turn.state {
                    TurnState::Settled { terminal, .. } => {
                        self.note_turn_over(commit, &turn.run_key, terminal.kind);
                    }
                    TurnState::Open => {
                        let run = self.runs.get_mut(&turn.run_key);
                        run.into_iter().for_each(|run| run.recorded.clone_from(&run.shown));
                    }
                }
                self.deeds.turns.insert(turn.run_key, types::Turn::clone(turn));
            }
            _ => {}
        }
    }

    /// What a model answered is recorded once, and whatever was thrown in before it ends with that.
    fn note_round(&mut self, commit: &Commit, id: &RecordId, message: &Message, run: RunKey) {
        self.figures.count("rounds");
        let agent = &message.agent_id;
        let content = words(commit, &message.content);
        let round: Option<Round> = content.and_then(|bytes| serde_json::from_slice(bytes).ok());
        let Some(round) = round else {
            let what = format!("the words of {id} are not in the commit that names them");
            return self.violate("answers are recorded once", what);
        };
        for words in &round.interjected {
            self.figures.count("interjections");
            let ended = self.runs.get(&words.run_key).and_then(|run| run.ended);
            // Its own run ends here, unless somebody has taken the words back while they were answered.
            let is_over = |(order, kind)| order == self.order || kind == EndKind::Cancelled;
            if !ended.is_some_and(is_over) {
                let what = format!("{} was taken up in {run} and its run goes on", words.envelope);
                self.violate("taken up once", what);
            }
            self.may_be_thrown_in(&words.run_key, &run);
        }
        self.recorded_as_chosen(&run, &round.model);
        let number = self.deeds.rounds.values().filter(|book| book.run == run).count();
        let book = RoundBook { run, number, round };
        if self.deeds.rounds.insert(id.clone(), book).is_some() {
            let what = format!("{} is told in {run} what it was told before", self.name(agent));
            self.violate("answers are recorded once", what);
        }
    }

    /// Nothing is done that was not asked for in an answer that is recorded, and meant to be done; and
    /// nothing twice.
    fn note_operation(&mut self, commit: &Commit, operation: &OperationDraft) {
        let Author::Agent { agent, run, .. } = &commit.author else { return };
        self.figures.count("operations");
        self.done_though_hung(run, operation.id);
        let name = format!("{} of {}", operation.verb, self.name(agent));
        let calls = self.deeds.calls();
        let asked =
            calls.filter(|(book, call)| book.run == *run && call.operation == Some(operation.id));
        let asked: Vec<String> = asked.map(|(_, call)| call.arguments.to_string()).collect();
        let meant = self.deeds.invocations.values().any(|invocation| {
            invocation.operation == Some(operation.id) && invocation.run_key == *run
        });
        let made = self.made(commit);
        if asked.is_empty() {
            let what = format!("{name} is in no answer that was recorded");
            self.violate("no effect without an intent", what);
        } else if !meant {
            let what = format!("that {name} was about to be done is not written down");
            self.violate("no effect without an intent", what);
        } else if !made.iter().all(|title| says(&asked, title)) {
            let what = format!("{name} made {made:?}, which nobody asked for");
            self.violate("no effect without an intent", what);
        }
        let (agent, verb) = (agent.clone(), operation.verb);
        let book = OperationBook { agent, verb, made };
        if self.deeds.operations.insert(operation.id, book).is_some() {
            self.violate("no effect twice", format!("{name} was done a second time"));
        }
    }

    /// The titles of the items that a commit makes.
    fn made(&self, commit: &Commit) -> Vec<String> {
        let titles = commit.writes.iter().filter_map(|write| match write {
            Write::Record(RecordDraft { id, body: Body::ChecklistItem(item), .. }) => {
                (!self.deeds.items.contains_key(id)).then(|| item.title.clone())
            }
            _ => None,
        });
        titles.collect()
    }

    /// Whoever comes to a good end has said what came of everything that it set out to do.
    fn note_turn_over(&mut self, commit: &Commit, run: &RunKey, kind: TurnKind) {
        self.figures.count(match kind {
            TurnKind::Completed => "turns_completed",
            TurnKind::Aborted => "turns_aborted",
        });
        let said = |id: &RecordId| {
            commit.writes.iter().any(|write| match write {
                Write::Record(draft) => draft.id == *id,
                _ => false,
            })
        };
        let open = self.deeds.invocations.iter().find(|(id, invocation)| {
            let intended = invocation.state == InvocationState::Intended;
            intended && invocation.run_key == *run && !said(id)
        });
        if let (TurnKind::Completed, Some((id, call))) = (kind, open) {
            let what = format!("{run} is over and does not say what came of {}, {id}", call.tool);
            self.violate("every call has its end", what);
        }
    }

    fn note_set_aside(&mut self, agent: &AgentId, day: Day, run: &RunKey, amounts: Amounts) {
        let ledger = self.deeds.ledgers.entry(agent.clone()).or_default();
        // Nobody knows what came of what was set aside before: it counts as spent.
        if let Some((day, lost)) = ledger.aside.insert(*run, (day, amounts)) {
            ledger.spend(day, lost);
            self.figures.count("forfeits");
        }
    }

    /// What an ended run has set aside counts as spent; one that came to a good end has settled it.
    fn note_forfeit(&mut self, run: &RunKey, end: &RunEnd) {
        let Some(agent) = self.runs.get(run).map(|run| run.draft.agent.clone()) else { return };
        let ledger = self.deeds.ledgers.entry(agent.clone()).or_default();
        let Some((day, lost)) = ledger.aside.remove(run) else { return };
        ledger.spend(day, lost);
        self.figures.count("forfeits");
        if matches!(end, RunEnd::Done | RunEnd::NothingToDo(_)) {
            let what = format!("{} came to a good end and has not settled", self.name(&agent));
            self.violate("every token is counted", what);
        }
    }

    /// Who says that its task is out of its sight has a task that was.
    fn note_unseen(&mut self, run: &RunKey, end: &RunEnd) {
        let RunEnd::NothingToDo(receipt) = end else { return };
        if receipt.rule != "task_out_of_sight" {
            return;
        }
        let agent = self.runs.get(run).and_then(|run| self.agents.get(&run.draft.agent));
        let was_there = agent.is_some_and(|agent| {
            let task = agent.tends.as_ref().and_then(|task| self.tasks.get(task));
            task.is_some_and(|task| task.lay_in.iter().any(|place| !agent.sees.contains(place)))
        });
        self.deeds.out_of_sight.insert(*run);
        self.figures.count("out_of_sight");
        if !was_there {
            let what = format!("{run} says so of a task that never left its agent's categories");
            self.violate("out of sight is out of reach", what);
        }
    }

    fn note_counted(&mut self, run: &RunKey, usage: &Usage) {
        *self.deeds.counted.entry(*run).or_default() += u64::from(usage.model_calls);
    }

    /// The program dies, and with it what it knows of questions that are not written down.
    pub(crate) fn note_death(&mut self) {
        let begun = self.runs.iter().filter(|(_, run)| run.begun && run.ended.is_none());
        self.deeds.died_over.extend(begun.map(|(key, _)| *key));
        self.forget_hangs();
    }

    fn note_settled(&mut self, agent: &AgentId, day: Day, run: &RunKey, amounts: Amounts) {
        let ledger = self.deeds.ledgers.entry(agent.clone()).or_default();
        ledger.aside.remove(run);
        ledger.spend(day, amounts);
    }
}

impl super::deeds::LedgerBook {
    fn spend(&mut self, day: Day, amounts: Amounts) {
        let spent = self.spent.entry(day).or_default();
        *spent = spent.plus(amounts);
    }
}

/// The words of a record that are written with it.
fn words<'a>(commit: &'a Commit, at: &ContentRef) -> Option<&'a [u8]> {
    commit.writes.iter().find_map(|write| match write {
        Write::Content(content) if content.at() == *at => Some(&*content.bytes),
        _ => None,
    })
}

/// Whether a title is among these arguments.
fn says(arguments: &[String], title: &str) -> bool {
    let quoted = format!("\"{title}\"");
    arguments.iter().any(|text| text.contains(&quoted))
}
