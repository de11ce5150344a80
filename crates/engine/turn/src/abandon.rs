//! Ending a turn that nobody takes up again: all there is of it is what it has recorded.

use dispatch::Closing;
use rules::turn::Facts;
use serde_json::json;
use types::{
    AgentIdentity, AgentState, At, AuditDraft, Body, Brief, BriefKind, ClosureOutcome, ContentRef,
    Domain, EventDraft, EventKind, FailureArtifact, FailureCategory, Guard, Label, PromptRef,
    Record, RecordDraft, Run, RunFailure, Turn, TurnKind, TurnSpent, TurnState, TurnTerminal,
    Write,
};

use crate::broken::Broken;
use crate::record::keep_words;
use crate::steps::{VERSION, WORKFLOW};
use crate::{Part, Turns};

impl Turns {
    /// What is written with the end of a run that is not taken up again: that its turn is over, and a
    /// brief that says so. Nothing if its agent takes no turns, or the store cannot read.
    pub(crate) async fn abandon(&self, run: &Run, failure: &RunFailure) -> Closing {
        match self.remains(run, failure).await {
            Ok(Some(closing)) => closing,
            Ok(None) | Err(_) => Closing::default(),
        }
    }

    async fn remains(&self, run: &Run, failure: &RunFailure) -> Result<Option<Closing>, Broken> {
        let draft = &run.draft;
        let agent = self.store.record(Domain::Agent, (&draft.agent).into()).await?;
        let Some(Body::Agent(agent)) = agent.map(|record| record.body) else { return Ok(None) };
        if (self.settings.part)(&agent) == Part::Watches {
            return Ok(None);
        }
        let id = rules::turn::id(&draft.run_key);
        let known = self.store.record(Domain::Agent, id.into()).await?;
        let turn = match known.map(|record| record.body) {
            Some(Body::AgentTurn(turn)) => *turn,
            _ => self.unrecorded(&agent, run),
        };
        if turn.state != TurnState::Open {
            return Ok(None);
        }
        let state = self.store.record(Domain::Agent, (&agent.current_state_id).into()).await?;
        Ok(Some(self.given_up(turn, state.as_ref(), failure)))
    }

    /// A turn that had not come so far as to record anything.
    fn unrecorded(&self, agent: &AgentIdentity, run: &Run) -> Turn {
        let draft = &run.draft;
        Turn {
            agent_id: agent.agent_id.clone(),
            run_key: draft.run_key,
            thread: draft.thread.clone(),
            reason: draft.reason,
            workflow: WORKFLOW.to_owned(),
            version: VERSION,
            began_at: run.created_at,
            prompt: PromptRef::default(),
            model: self.model_of(agent),
            exposed: false,
            rounds: 0,
            state: TurnState::Open,
        }
    }

    fn given_up(&self, turn: Turn, state: Option<&Record>, failure: &RunFailure) -> Closing {
        let (now, id, run_key) = (self.world.now(), rules::turn::id(&turn.run_key), turn.run_key);
        let (kept, content) =
            keep_words((&id).into(), Label::runtime(), words(&turn, failure).into_bytes());
        let known = state.and_then(|record| match &record.body {
            Body::AgentState(known) => Some((record, known)),
            _ => None,
        });
        let turn_index = known.map_or(0, |(_, state)| state.wake_counter + 1);
        let terminal = terminal(&turn, turn_index, now);
        let turn = settled(turn, terminal, content, failure);
        let audit = AuditDraft {
            action: "runtime_error",
            subject: id.to_string(),
            detail: failure.code.to_string(),
        };
        let mut writes = vec![kept, told(&turn), Write::Record(RecordDraft::live(&id, turn))];
        if let Some((record, known)) = known {
            let counted = rules::failures::counted(known, &run_key, now);
            let next = AgentState { last_wake_at: Some(now), wake_counter: turn_index, ..counted };
            writes.push(Write::Record(RecordDraft::live(record.id.clone(), next)));
        }
        let guards = state.into_iter().map(Guard::unchanged).collect();
        Closing { writes, guards, audit: vec![audit], ..Closing::default() }
    }
}

fn terminal(turn: &Turn, turn_index: u64, now: At) -> TurnTerminal {
    let last = turn.rounds.checked_sub(1);
    let duration = now.millis().saturating_sub(turn.began_at.millis());
    TurnTerminal {
        turn_index,
        kind: TurnKind::Aborted,
        last_assistant_message: last.map(|last| rules::turn::round_id(&turn.run_key, last)),
        completed_at: now,
        duration_ms: u64::try_from(duration).unwrap_or(0),
    }
}

fn settled(turn: Turn, terminal: TurnTerminal, content: ContentRef, failure: &RunFailure) -> Turn {
    let facts = Facts { kind: terminal.kind, waits: &[], nap: false, more: false };
    let state = TurnState::Settled {
        terminal,
        closure: rules::turn::close(&facts),
        brief: Brief { kind: BriefKind::Failure, content },
        // What it has spent was counted when it was recorded; what nobody knows of is forfeited.
        spent: TurnSpent { model_calls: turn.rounds, ..TurnSpent::default() },
        failure: Some(artifact(&turn, failure)),
        timeline: None,
    };
    Turn { state, ..turn }
}

/// The word to whoever follows the agent.
fn told(turn: &Turn) -> Write {
    Write::Event(EventDraft {
        agent: turn.agent_id.clone(),
        kind: EventKind::TurnSettled,
        body: json!({
            "run_key": turn.run_key,
            "turn": rules::turn::id(&turn.run_key),
            "brief": BriefKind::Failure,
            "closure": ClosureOutcome::Failed,
            "model": turn.model,
        }),
    })
}

/// What the person is told.
fn words(turn: &Turn, failure: &RunFailure) -> String {
    let done = match turn.rounds {
        0 => "Nothing was done.",
        _ => "What I had done by then stays done.",
    };
    let RunFailure { code, message } = failure;
    format!("I could not finish this: {message}. {done} `dormouse runs` has the details. ({code})")
}

fn artifact(turn: &Turn, failure: &RunFailure) -> FailureArtifact {
    FailureArtifact {
        category: FailureCategory::Runtime,
        kind: failure.code.to_string(),
        summary: failure.message.clone(),
        provider: Some(turn.model.provider().to_owned()),
        model_ref: Some(turn.model.to_string()),
        status: None,
        source_chain: vec![],
        metadata: std::collections::BTreeMap::new(),
    }
}
