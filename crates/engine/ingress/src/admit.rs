//! Admitting an envelope.

use rules::admission::{self, Admission};
use rules::run_key::Cause;
use rules::session::id;
use rules::{hash, matching, thread};
use serde_json::json;
use types::{
    AdmissionContext, AuditDraft, Author, Commit, ContentDraft, ContentRef, Domain, Envelope,
    EnvelopeBody, EnvelopeContent, EnvelopeId, EnvelopeKind, EnvelopeOrigin, EventDraft, EventKind,
    Guard, Invalid, ModelRef, OperationDraft, OperationId, Outcome, RecordDraft, RunDraft, RunKey,
    WaitFor, Write, limits,
};

use crate::refuse::named;
use crate::steps::ADMIT;
use crate::{Delivery, Error, Ingress, session};

/// How often a prompt is let in anew because its session moved under it.
const TRIES: u32 = 4;

/// An envelope that was let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Admitted {
    /// Its id.
    pub envelope: EnvelopeId,
    /// The run that will read it.
    pub run_key: RunKey,
    /// It had been let in before, under the same name.
    pub again: bool,
}

impl Ingress {
    /// Lets an envelope in: its words, its provenance and the run that will read it are durable when
    /// this returns. The same delivery again gives the same answer and does nothing.
    ///
    /// # Errors
    /// Why it was not let in; then nothing of it is stored.
    pub async fn admit(&self, delivery: Delivery) -> Result<Admitted, Error> {
        Invalid::unless_request(&delivery.delivery)?;
        if session::name(&delivery).is_some_and(str::is_empty) {
            return Err(Invalid::new("session", "has no name").into());
        }
        let admission = admission::derive(delivery.surface, delivery.kind, &delivery.origin)?;
        let content = content(&delivery, &admission)?;
        let mut tries = 1;
        loop {
            match self.admit_once(&delivery, &admission, content.clone()).await {
                Err(Error::Conflict(conflict))
                    if tries < TRIES && session::moved(&delivery, &conflict) =>
                {
                    tries += 1;
                }
                other => return other,
            }
        }
    }

    async fn admit_once(
        &self,
        delivery: &Delivery,
        admission: &Admission,
        content: ContentDraft,
    ) -> Result<Admitted, Error> {
        let (commit, admitted) = self.plan(delivery, admission, content)?;
        let opened = self.opened(delivery, admission).await;
        let (guards, began) = match opened {
            Ok(opened) => opened,
            // Whoever asks again for what was let in before is told so, whatever has happened since.
            Err(refused) => return self.known(admitted).await?.ok_or(refused),
        };
        let mut commit = commit.named(ADMIT);
        commit.writes.extend(began);
        commit.writes.extend(self.met(delivery).await?);
        commit.guards = guards;
        let (agent, max) = (delivery.agent.clone(), self.room_for(admission));
        match self.store.commit(commit.guarded(Guard::Mailbox { agent, max })).await? {
            Outcome::Applied(_) => Ok(admitted),
            Outcome::Idempotent(first) => {
                let word = |name: &str| first.result[name].as_str().unwrap_or_default().to_owned();
                let envelope = word("envelope").parse().unwrap_or(admitted.envelope);
                let run_key = word("run_key").parse().unwrap_or(admitted.run_key);
                Ok(Admitted { envelope, run_key, again: true })
            }
            Outcome::Conflict(conflict) => Err(named(conflict)),
        }
    }

    /// The conditions on which something is let in, and the session that begins with it.
    async fn opened(
        &self,
        delivery: &Delivery,
        admission: &Admission,
    ) -> Result<(Vec<Guard>, Option<Write>), Error> {
        let session = session::name(delivery).map(|name| id(&delivery.agent, name));
        let open = self.open(&delivery.agent, admission.context, session.as_ref()).await?;
        let mut open = open.awake()?;
        let (began, guard) = self.joined(delivery, &open)?;
        open.guards.extend(guard);
        Ok((open.guards, began))
    }

    /// How many unread envelopes an agent may have for this one to be let in. What comes from anybody
    /// leaves half of the mailbox to those who are known.
    fn room_for(&self, admission: &Admission) -> usize {
        match admission.context {
            AdmissionContext::PublicUnauthenticated => self.policy.mailbox_max.div_ceil(2),
            _ => self.policy.mailbox_max,
        }
    }

    /// The same, if it was let in before.
    async fn known(&self, admitted: Admitted) -> Result<Option<Admitted>, Error> {
        let operation = admission_id(&admitted.run_key);
        let done = self.store.operation(Domain::Agent, operation).await?;
        Ok(done.map(|_| Admitted { again: true, ..admitted }))
    }

    fn plan(
        &self,
        delivery: &Delivery,
        admission: &Admission,
        content: ContentDraft,
    ) -> Result<(Commit, Admitted), Error> {
        let agent = &delivery.agent;
        let run = run_of(delivery)?;
        let run_key = run.run_key;
        let id =
            EnvelopeId::from_family(&run_key.0, &hash::fields(["envelope", &run_key.to_string()]));
        // Under the envelope itself: the same words from somebody else are not these words.
        let content = ContentDraft { subject: (&id).into(), ..content };
        let envelope = envelope(delivery, admission, content.at(), run_key);
        let run = RunDraft {
            priority: delivery.priority,
            envelope: Some(id.clone()),
            not_before: delivery.deliver_at,
            model: chosen(delivery),
            ..run
        };
        let event = EventDraft {
            agent: agent.clone(),
            kind: EventKind::MessageAdmitted,
            body: json!({
                "envelope": id,
                "kind": envelope.kind,
                "origin": envelope.origin,
                "trust": envelope.trust,
                "authority_class": envelope.authority_class,
                "delivery_surface": envelope.delivery_surface,
                "admission_context": envelope.admission_context,
                "priority": envelope.priority,
                "task_id": envelope.task_id,
                "run_key": run_key,
            }),
        };
        let audit = audit(&id, &envelope);
        let operation = OperationDraft {
            id: admission_id(&run_key),
            verb: "admit",
            subject: (&id).into(),
            run_key: None,
            result: json!({ "envelope": id, "run_key": run_key }),
        };
        let writes = vec![
            Write::Content(content),
            Write::Record(RecordDraft::live(&id, envelope)),
            Write::Event(event),
            Write::QueueRun(run),
        ];
        let commit = Commit {
            operation: Some(operation),
            audit: vec![audit],
            ..Commit::new(Domain::Agent, Author::Runtime, self.world.now(), writes)
        };
        Ok((commit, Admitted { envelope: id, run_key, again: false }))
    }

    /// The open waits of the agent that this is what they waited for.
    async fn met(&self, delivery: &Delivery) -> Result<Vec<Write>, Error> {
        let source = match (&delivery.origin, delivery.kind) {
            (EnvelopeOrigin::Task { task_id }, EnvelopeKind::TaskResult) => {
                WaitFor::Job { job: task_id.clone() }
            }
            (EnvelopeOrigin::Operator { .. }, _) => WaitFor::Operator,
            _ => return Ok(vec![]),
        };
        let open = self.store.open_waits(delivery.agent.clone(), limits::WAITS_MAX).await?;
        Ok(rules::wait::met(open, &delivery.agent, &source))
    }
}

/// The entry that something was let in: from what kind of sender, through which door, in which way, and
/// what it may claim. Never who or what: that can be erased, and this cannot.
fn audit(id: &EnvelopeId, envelope: &Envelope) -> AuditDraft {
    let detail = [
        envelope.origin.as_str(),
        envelope.delivery_surface.as_str(),
        envelope.admission_context.as_str(),
        envelope.authority_class.as_str(),
    ];
    AuditDraft { action: "envelope.admit", subject: id.to_string(), detail: detail.join(":") }
}

fn admission_id(run_key: &RunKey) -> OperationId {
    rules::operation::id_of_request("admit", &run_key.to_string())
}

/// The words with what the transport added, labelled by where they came from.
fn content(delivery: &Delivery, admission: &Admission) -> Result<ContentDraft, Error> {
    let content =
        EnvelopeContent { body: delivery.body.clone(), metadata: delivery.metadata.clone() };
    let bytes = serde_json::to_vec(&content).expect("envelopes are JSON");
    let max = limits::ENVELOPE_BYTES_MAX;
    if bytes.len() > max {
        return Err(Error::TooLarge { bytes: bytes.len(), max });
    }
    if let EnvelopeBody::Text { text } = &content.body {
        Invalid::unless_text("message", text, max)?;
    }
    let (subject, label) = ((&delivery.agent).into(), admission.label.clone());
    Ok(ContentDraft { subject, label, bytes: bytes.into() })
}

/// The model that the operator wants to be asked: nobody else has a say in that.
fn chosen(delivery: &Delivery) -> Option<ModelRef> {
    delivery.model.clone().filter(|_| delivery.is_the_operators())
}

/// The run that will read a delivery, in its thread. Each kind of sender has a space of names of its
/// own, so that none can take another's.
fn run_of(delivery: &Delivery) -> Result<RunDraft, Error> {
    let Delivery { agent, delivery: name, .. } = delivery;
    let named = |kind: &str, id: &str| format!("{kind}:{id}");
    let from = match &delivery.origin {
        EnvelopeOrigin::Operator { .. } => String::new(),
        EnvelopeOrigin::Channel { channel_id, .. } => named("channel", channel_id),
        EnvelopeOrigin::Webhook { source, .. } => named("webhook", source),
        EnvelopeOrigin::Callback { descriptor_id, .. } => named("callback", descriptor_id),
        EnvelopeOrigin::Timer { timer_id } => named("envelope:timer", timer_id),
        EnvelopeOrigin::System { subsystem } => named("envelope:system", subsystem),
        EnvelopeOrigin::Task { task_id } if delivery.kind == EnvelopeKind::TaskStatus => {
            named("status", task_id)
        }
        EnvelopeOrigin::Task { task_id } => task_id.clone(),
    };
    let session = session::name(delivery);
    let cause = match &delivery.origin {
        EnvelopeOrigin::Operator { .. } => {
            Cause::UserInitiated { session: session.unwrap_or_default(), turn: name }
        }
        EnvelopeOrigin::Channel { .. }
        | EnvelopeOrigin::Webhook { .. }
        | EnvelopeOrigin::Callback { .. } => Cause::Trigger { trigger: &from, delivery: name },
        EnvelopeOrigin::Task { .. } => {
            let number = name.parse().map_err(|_| Invalid::new("result number", "is no number"))?;
            Cause::JobResult { job: &from, result_seq: number }
        }
        EnvelopeOrigin::Timer { .. } | EnvelopeOrigin::System { .. } => {
            Cause::Tick { cause: &from, cause_id: name }
        }
    };
    let reason_id = match &delivery.origin {
        EnvelopeOrigin::Task { task_id } => task_id.clone(),
        _ => name.clone(),
    };
    let run = matching::draft(agent, &cause, Some(reason_id));
    Ok(match session {
        Some(session) => RunDraft { thread: thread::of_session(agent, session), ..run },
        None => run,
    })
}

fn envelope(
    delivery: &Delivery,
    admission: &Admission,
    content: ContentRef,
    run_key: RunKey,
) -> Envelope {
    // Only the runtime binds; whatever others say about it stays what the transport added.
    let binds = admission.context == AdmissionContext::RuntimeOwned;
    let mut source_refs = delivery.source_refs.clone();
    source_refs.insert("delivery".to_owned(), delivery.delivery.clone());
    Envelope {
        agent_id: delivery.agent.clone(),
        kind: delivery.kind,
        origin: delivery.origin.clone(),
        trust: admission.trust,
        authority_class: admission.authority,
        priority: delivery.priority,
        trigger_kind: admission.trigger,
        delivery_surface: delivery.surface,
        admission_context: admission.context,
        content,
        run_key,
        deliver_at: delivery.deliver_at,
        work_item_id: delivery.work_item_id.clone().filter(|_| binds),
        task_id: delivery.task_id.clone().filter(|_| binds),
        source_refs,
        correlation_id: delivery.correlation_id.clone(),
        causation_id: delivery.causation_id.clone(),
    }
}
