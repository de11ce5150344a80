//! Bringing a file into the journal.

use serde_json::json;
use types::{
    AuditDraft, Author, BodyType, Commit, Digest, Domain, OperationDraft, OperationId, RecordId,
    Write,
};

use crate::error::is_moved;
use crate::service::TRIES;
use crate::{Error, Journal};

use super::check::check;
use super::format::Format;
use super::intake::{Here, Reading};
use super::meet::{Counts, Intended, Meeting, Step, commits, meet};
use super::merged::beside_their_tasks;
use super::rename::same_names;

/// The verb under which history knows it.
const VERB: &str = "import";

/// A file to bring in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// In which format it is.
    pub format: Format,
    /// What it says.
    pub text: String,
    /// Where things go that do not say where they belong.
    pub category: Option<String>,
    /// What to do where the journal says something else.
    pub meeting: Meeting,
    /// Only say what would come in.
    pub preview: bool,
}

/// What became of a file; numbers by the names of sections, such as `tasks`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// New here, or there again.
    pub added: Counts,
    /// Taken from the file in place of what was there.
    pub replaced: Counts,
    /// Here already, just so.
    pub unchanged: Counts,
    /// Kept as the journal has it.
    pub skipped: Counts,
    /// Passed over on purpose, in words.
    pub left_out: Counts,
    /// The operations, by which it can be undone: the last one first.
    pub operations: Vec<OperationId>,
}

impl Journal {
    /// Brings a file in. All of it is read and checked before anything is written. What is large comes
    /// in several commits, each an operation; if it is interrupted, the same file again goes on where
    /// it stopped and doubles nothing.
    ///
    /// # Errors
    /// If the file is not whole, does not hold together, or says something else than the journal.
    pub async fn import(&self, import: Import) -> Result<Imported, Error> {
        for _ in 1..TRIES {
            let mut done = vec![];
            match self.bring_in(&import, &mut done).await {
                // Somebody else was at it meanwhile, and nothing is written yet.
                Err(Error::Conflict(conflict)) if is_moved(&conflict) && done.is_empty() => {}
                other => return other,
            }
        }
        self.bring_in(&import, &mut vec![]).await
    }

    async fn bring_in(
        &self,
        import: &Import,
        done: &mut Vec<OperationId>,
    ) -> Result<Imported, Error> {
        let here = self.here(import.category.clone()).await?;
        let mut reading = import.format.read(&import.text, &here)?;
        let mut same = Counts::new();
        if import.meeting == Meeting::Skip {
            (reading, same) = self.meet_names(reading).await?;
        }
        let standing = self.standing(&reading.archive).await?;
        if import.meeting == Meeting::Skip {
            reading = beside_their_tasks(reading, &standing);
        }
        check(&reading, &standing, import.meeting)?;
        let mut intended = meet(&reading, &standing, import.meeting)?;
        for (name, count) in same {
            *intended.skipped.entry(name).or_default() += count;
        }
        let Intended { steps, added, replaced, unchanged, skipped } = intended;
        let left_out = reading.left_out;
        let mut imported =
            Imported { added, replaced, unchanged, skipped, left_out, operations: vec![] };
        if import.preview {
            return Ok(imported);
        }
        let file = rules::hash::bytes(import.text.as_bytes());
        let commits = commits(steps);
        let count = commits.len();
        for (number, steps) in commits.into_iter().enumerate() {
            let commit = self.commit_of(steps, import.format, &file, (number, count));
            done.extend(self.carry_out(commit).await?.operation);
        }
        imported.operations = done.iter().rev().copied().collect();
        Ok(imported)
    }

    /// What a reader knows besides the file.
    async fn here(&self, category: Option<String>) -> Result<Here, Error> {
        let (now_ms, zone) = (self.world.now().millis(), self.world.zone());
        let mut here = Here { now_ms, zone, category, ..Here::default() };
        for ((kind, mark), id) in self.unique_marks().await? {
            let id = id.as_str();
            match kind {
                BodyType::Category => here.categories.extend(id.parse().ok().map(|id| (mark, id))),
                BodyType::TaskLabel => here.labels.extend(id.parse().ok().map(|id| (mark, id))),
                _ => {}
            }
        }
        Ok(here)
    }

    /// The file with the journal's categories and labels where it has others of the same names. The
    /// categories of a new home are nobody's yet.
    async fn meet_names(&self, reading: Reading) -> Result<(Reading, Counts), Error> {
        let mut owners = self.unique_marks().await?;
        if reading.whole {
            let seeds = self.seeds().await?;
            owners.retain(|_, owner| !seeds.iter().any(|seed| seed.id == *owner));
        }
        Ok(same_names(reading, &owners))
    }

    /// One commit of an import. Its name comes from the file, its number, and what it is written over:
    /// the same again is the same operation, and after a removal it is another one.
    fn commit_of(
        &self,
        steps: Vec<Step>,
        format: Format,
        file: &Digest,
        (number, count): (usize, usize),
    ) -> Commit {
        let targets = rules::hash::set(steps.iter().map(|step| step.target.as_str()));
        let name = format!("{file} {number} {targets}");
        let id = rules::operation::id_of_request(VERB, &name);
        let subject = subject(&steps);
        let entry =
            AuditDraft { action: VERB, subject: subject.to_string(), detail: String::new() };
        let result = json!({
            "format": format.as_str(), "part": number + 1, "parts": count, "writes": steps.len()
        });
        let (mut writes, mut guards) = (Vec::new(), Vec::new());
        for step in steps {
            writes.push(step.write);
            guards.extend(step.guards);
        }
        let now = self.world.now();
        Commit {
            guards,
            operation: Some(OperationDraft { id, verb: VERB, subject, run_key: None, result }),
            audit: vec![entry],
            ..Commit::new(Domain::Journal, Author::Operator, now, writes).named("journal.import")
        }
    }
}

/// The record that a commit is about: the first that it writes.
fn subject(steps: &[Step]) -> RecordId {
    let first = steps.first().map(|step| &step.write);
    match first {
        Some(Write::Record(draft)) => draft.id.clone(),
        Some(Write::Link(link)) => link.from.clone(),
        _ => unreachable!("a commit of an import writes records or links"),
    }
}

#[cfg(test)]
#[path = "import_tests.rs"]
mod tests;
