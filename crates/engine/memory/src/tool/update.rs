//! Writing the report.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, json};
use tool::{Call, Capability, Contract, Failure, Planned, Planning, Target, Tool};
use types::{
    BodyType, Domain, Guard, MessageId, OperationId, RecordId, Report, ReportHeadId, ReportScope,
    limits,
};

use crate::Memory;

use super::claims::{self, Claimed};
use super::contract::{OWN, unread, wrong};
use super::sources::{self, Found};
use super::writes::writes;
use super::{private, schema};

/// Writes the report anew. The one before it stays as it is and stands no longer.
pub(crate) struct UpdateReport(pub(crate) Memory);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    content: String,
    #[serde(default = "current")]
    scope: ReportScope,
    #[serde(default)]
    confidence: Option<u8>,
    claims: Vec<Claimed>,
}

fn current() -> ReportScope {
    ReportScope::Current
}

/// The tool's name: whoever may not call it keeps no report.
pub const UPDATE_REPORT: &str = "update_report";

const CONTRACT: Contract = Contract {
    name: UPDATE_REPORT,
    description: "Write your report anew: the standing document that people read instead of asking \
                  you. Say in Markdown how things stand, what changed and what comes next, and list \
                  its claims, each with the ids of the records it rests on or marked as inferred. \
                  It takes the place of the report before it.",
    capabilities: &[Capability::ReportWrite],
    input: schema::input,
    output: schema::output,
    side_effects: &[BodyType::AgentReport, BodyType::AgentReportHead],
    ..OWN
};

impl Tool for UpdateReport {
    fn contract(&self) -> &Contract {
        &CONTRACT
    }

    /// It rests on the report that stands: the same words later are another report.
    fn plan<'a>(&'a self, call: &'a Call) -> Planning<'a> {
        Box::pin(async move {
            let given = match arguments(&call.arguments).and_then(|given| given.kept_by(call)) {
                Ok(given) => given,
                Err(failure) => return (BTreeSet::new(), Err(failure)),
            };
            let head = rules::report::head(&call.agent, given.scope);
            let known = match self.0.store.record(Domain::Agent, (&head).into()).await {
                Ok(known) => known,
                Err(error) => return (BTreeSet::new(), Err(unread(error))),
            };
            let revision = known.map_or(0, |record| record.revision);
            let target = Target { record: (&head).into(), revision, category: None };
            (BTreeSet::from([target]), self.planned(call, given, (&head, revision)).await)
        })
    }

    /// A note that is kept by the same answer is as private as one that is there already.
    fn objection(&self, call: &Call, answer: &[Call]) -> Option<Failure> {
        let given = arguments(&call.arguments).ok()?;
        notes_of(answer).any(|note| given.repeats(note)).then(repeats)
    }
}

/// The notes that the calls of an answer want kept.
fn notes_of(answer: &[Call]) -> impl Iterator<Item = &str> {
    let calls = answer.iter().filter(|call| call.tool == super::observe::NAME);
    let notes = calls.filter_map(|call| call.arguments.get("notes")?.as_array());
    notes.flatten().filter_map(Value::as_str)
}

fn arguments(arguments: &Value) -> Result<Arguments, Failure> {
    let given: Arguments = serde_json::from_value(arguments.clone())
        .map_err(|error| wrong("content", error.to_string(), "keep to the schema"))?;
    if given.content.trim().is_empty() {
        return Err(wrong("content", "the report is empty".to_owned(), "say how things stand"));
    }
    let (written, max) = (given.content_bytes(), limits::REPORT_BYTES_MAX);
    if written > max {
        let message = format!("the report has {written} bytes, at most {max} are read again");
        return Err(wrong("content", message, "say it in fewer words"));
    }
    Ok(given)
}

impl UpdateReport {
    async fn planned(
        &self,
        call: &Call,
        given: Arguments,
        (head, revision): (&ReportHeadId, u64),
    ) -> Result<Planned, Failure> {
        let named = claims::named(&given.claims)?;
        let found = sources::visible(&*self.0.store, call, named).await.map_err(unread)?;
        self.keeps_private(call, &given, &found).await?;
        let now = self.0.world.now();
        // Before it has its name nothing is carried out, and any will do.
        let operation = call.operation.unwrap_or(OperationId(call.run.0));
        let id = rules::report::id(&call.run, &operation);
        let words = given.content.into_bytes();
        let (kept, content) = rules::content::keep((&id).into(), call.label(), words);
        let span = span(&found);
        let report = Report {
            agent_id: call.agent.clone(),
            scope: given.scope,
            run_key: call.run,
            content,
            confidence: given.confidence,
            model: call.model.clone(),
            journal_seen: call.journal_seen,
            written_at: now,
            claims: claims::sourced(given.claims, &found, call.looked_at)?,
            based_on: span.first().cloned(),
        };
        let answer = json!({
            "reportId": id, "scope": report.scope.as_str(), "claims": report.claims.len(),
            "changed": [RecordId::from(&id), RecordId::from(head)],
        });
        Ok(Planned {
            subject: (&id).into(),
            domain: Domain::Agent,
            destinations: BTreeSet::new(),
            writes: writes(head, &id, report, kept, &span),
            guards: vec![
                Guard::Revision { record: head.into(), expected: revision },
                Guard::Revision { record: (&id).into(), expected: 0 },
            ],
            answer,
            words_of: BTreeSet::new(),
        })
    }

    /// Refuses what repeats a private note. What a record says that the report rests on is no secret,
    /// whoever noted it as well: else one note would stop every report about that record.
    async fn keeps_private(
        &self,
        call: &Call,
        given: &Arguments,
        found: &BTreeMap<RecordId, Found>,
    ) -> Result<(), Failure> {
        let notes = self.0.private_words(&call.agent).await.map_err(unread)?;
        let is_public = |note: &str| {
            let mut said = found.values().filter_map(|one| one.public.as_deref());
            said.any(|words| private::holds(words, note))
        };
        match notes.iter().any(|note| given.repeats(note) && !is_public(note)) {
            true => Err(repeats()),
            false => Ok(()),
        }
    }
}

impl Arguments {
    /// The same, if the caller keeps such a report.
    fn kept_by(self, call: &Call) -> Result<Arguments, Failure> {
        if call.reports.contains(&self.scope) {
            return Ok(self);
        }
        let kept: Vec<&str> = call.reports.iter().map(|scope| scope.as_str()).collect();
        let hint = match kept.as_slice() {
            [] => "write no report".to_owned(),
            kept => format!("write one of scope {}", kept.join(" or ")),
        };
        let message = format!("you keep no {} report", self.scope.as_str());
        Err(wrong("scope", message, &hint))
    }

    /// Bytes of its words as they are written in a prompt.
    fn content_bytes(&self) -> usize {
        Value::from(self.content.as_str()).to_string().len() - "\"\"".len()
    }

    fn repeats(&self, note: &str) -> bool {
        let of_claims =
            self.claims.iter().flat_map(|claim| [Some(&claim.text), claim.section.as_ref()]);
        let mut texts = of_claims.flatten().chain([&self.content]);
        texts.any(|text| private::holds(text, note))
    }
}

fn repeats() -> Failure {
    let message = "the report repeats a private note word for word".to_owned();
    let hint = "leave it out, say in other words what everybody may know of it, or name as a source \
                the record of the journal that says it";
    wrong("content", message, hint)
}

/// The first and the last message that a report rests on, as far as its claims name messages.
fn span(found: &BTreeMap<RecordId, Found>) -> Vec<MessageId> {
    let mut messages: Vec<_> = found.values().filter_map(|one| one.message.clone()).collect();
    messages.sort_unstable();
    let ends = [messages.first(), messages.last().filter(|_| messages.len() > 1)];
    ends.into_iter().flatten().map(|(_, id)| id.clone()).collect()
}
