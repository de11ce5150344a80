//! The executor: the one way from a call to its answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use policy::Rights;
use rules::hash;
use store::Store;
use tool::Call;
use types::{Conflict, limits};
use world::World;

use crate::intend::Intended;
use crate::judge::{Judged, judge_call};
use crate::record::Left;
use crate::standing::Standing;
use crate::work::{Work, author_of};
use crate::{Error, Receipt, Registry};

/// How often calls are judged anew because something moved while they were.
const TRIES: u32 = 4;

/// What carries out calls of tools.
#[derive(Clone)]
pub struct Executor {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) world: Arc<dyn World>,
    pub(crate) registry: Arc<Registry>,
}

/// A call with how things stood for it and what is to become of it.
pub(crate) struct Case {
    pub(crate) work: Work,
    pub(crate) standing: Standing,
    pub(crate) judged: Judged,
}

impl Executor {
    /// The executor of these tools in this store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, world: Arc<dyn World>, registry: Arc<Registry>) -> Executor {
        Executor { store, world, registry }
    }

    /// The tools there are.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Judges a call and carries it out. What it changes is changed once, however often it is called
    /// under the same name, and the answer is always that of the first time.
    ///
    /// # Errors
    /// If it could not be seen through: the claim is over, or the store cannot write.
    pub async fn execute(&self, call: Call, rights: &Rights) -> Result<Receipt, Error> {
        let work = Work::new(&self.registry, call, None);
        let author = work.author();
        let (mut receipts, left) = self.run(vec![work], rights).await?;
        self.write_left(author, left).await?;
        Ok(receipts.pop().expect("one call has one answer"))
    }

    /// The same for the calls of one answer of a model, in their order. What is about to be done is
    /// written down for all of them at once, before the first is. A call that asks for what another of
    /// them asked for already is that call, and its answer says so.
    ///
    /// # Errors
    /// The same, or if they are too many or not of one run.
    pub async fn execute_group(
        &self,
        calls: Vec<Call>,
        rights: &Rights,
    ) -> Result<Vec<Receipt>, Error> {
        let author = calls.first().map(author_of);
        let (receipts, left) = self.execute_unrecorded(calls, rights).await?;
        if let Some(author) = author {
            self.write_left(author, left).await?;
        }
        Ok(receipts)
    }

    /// The same, except that the caller writes down what came of it, in its own next commit and under
    /// the same claim: one wait for the disk less. Until then what was done is known to the journal
    /// alone, and a crash costs no more than settling it.
    ///
    /// # Errors
    /// The same.
    pub async fn execute_unrecorded(
        &self,
        calls: Vec<Call>,
        rights: &Rights,
    ) -> Result<(Vec<Receipt>, Left), Error> {
        if calls.len() > limits::TOOL_GROUP_MAX {
            return Err(Error::LargeGroup { found: calls.len() });
        }
        let group = group_of(&calls)?;
        let (mut works, mut places) = (Vec::<Work>::new(), Vec::new());
        for call in calls {
            let work = Work::new(&self.registry, call, group.as_deref());
            let known = works.iter().position(|other| other.is_same(&work));
            places.push((known.unwrap_or(works.len()), known.is_some()));
            if known.is_none() {
                works.push(work);
            }
        }
        let (receipts, left) = self.run(works, rights).await?;
        let again = |(place, repeated): (usize, bool)| {
            let receipt: Receipt = receipts[place].clone();
            Receipt { repeated: receipt.repeated || repeated, ..receipt }
        };
        Ok((places.into_iter().map(again).collect(), left))
    }

    /// Judges, writes down what is about to be done, and does it.
    async fn run(
        &self,
        mut works: Vec<Work>,
        rights: &Rights,
    ) -> Result<(Vec<Receipt>, Left), Error> {
        let mut moved = None;
        for _ in 0..TRIES {
            let cases = self.judge_all(works, rights).await?;
            match self.intend(&cases, rights).await? {
                Intended::Written => return self.see_through(cases, rights).await,
                // Somebody was faster: a stop, a neighbour that took the last of a quota, or the same
                // call once more. Judged anew, that is seen.
                Intended::Moved(conflict) => moved = Some(conflict),
            }
            works = cases.into_iter().map(|case| case.work).collect();
        }
        let moved: Conflict = moved.expect("a try ends written or moved");
        Err(moved.into())
    }

    /// Judges every call. Those that take from a quota leave less of it to those after them.
    async fn judge_all(&self, works: Vec<Work>, rights: &Rights) -> Result<Vec<Case>, Error> {
        let mut cases: Vec<Case> = Vec::new();
        let Some(first) = works.first() else { return Ok(cases) };
        let fences = self.fences(&first.call.agent).await?;
        let mut taken: BTreeMap<String, u32> = BTreeMap::new();
        for mut work in works {
            let mut standing = self.standing(&work, rights).await?;
            // A call that is tried again stays with those it first came with.
            let first_came_with =
                standing.record.as_ref().and_then(|(_, record)| record.group.clone());
            work.group = first_came_with.or(work.group);
            standing.clash = cases.iter().any(|case| case.work.invocation == work.invocation);
            let before = taken.get(&work.tool).copied().unwrap_or(0);
            standing.counts.session = standing.counts.session.saturating_add(before);
            standing.counts.day = standing.counts.day.saturating_add(before);
            let judged = judge_call(&work, &standing, fences, rights).await;
            if judged.takes(&work) && !standing.counts.counted {
                *taken.entry(work.tool.clone()).or_default() += 1;
            }
            cases.push(Case { work, standing, judged });
        }
        Ok(cases)
    }
}

impl Judged {
    /// Whether it counts against a quota: what was allowed does, whatever comes of it.
    pub(crate) fn takes(&self, work: &Work) -> bool {
        matches!(self, Judged::Answered(..) | Judged::Change(..)) && !work.call.preview
    }
}

/// The name of a group: the same calls again are the same group. None if it is empty.
fn group_of(calls: &[Call]) -> Result<Option<String>, Error> {
    let Some(first) = calls.first() else { return Ok(None) };
    let of_one_run = calls.iter().all(|call| {
        (&call.agent, call.run, call.epoch) == (&first.agent, first.run, first.epoch)
            && (&call.thread, call.wake_reason) == (&first.thread, first.wake_reason)
            && call.scope == first.scope
    });
    if !of_one_run {
        return Err(Error::MixedGroup);
    }
    let run = first.run.to_string();
    let ids = calls.iter().map(|call| call.id.as_str());
    let digest = hash::fields(["group", &run].into_iter().chain(ids)).to_string();
    Ok(Some(format!("group_{}", &digest[..32])))
}
