//! The executor: the one way from a call to its answer.

use std::sync::Arc;

use policy::Rights;
use rules::hash;
use store::Store;
use tool::Call;
use types::{Author, Conflict, limits};
use world::World;

use crate::intend::{Intended, to_say};
use crate::judge::Judged;
use crate::name::Drafted;
use crate::standing::Standing;
use crate::work::Work;
use crate::{Error, Left, Receipt, Registry, Rider};

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

/// Who writes down what is to be said of calls before any is carried out.
enum Sayer {
    /// Whoever called: nothing of it can be seen from outside before its next commit.
    Caller,
    /// The agent, at once.
    Agent(Author),
    /// The runtime, at once: the stopped cannot write, not even that they were stopped. What they wanted
    /// written besides is refused when they try.
    Runtime,
}

impl Sayer {
    fn of(cases: &[Case]) -> Sayer {
        let changing = cases.iter().find(|case| matches!(case.judged, Judged::Change(..)));
        match changing {
            _ if cases.iter().any(Case::is_stopped) => Sayer::Runtime,
            Some(case) => Sayer::Agent(case.work.call.author()),
            None => Sayer::Caller,
        }
    }
}

impl Case {
    fn is_stopped(&self) -> bool {
        matches!(&self.judged, Judged::Denied(denied) if denied.is_stop())
    }
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

    /// Judges the calls of one answer of a model and carries them out. What they change is changed once, however
    /// often they are made under the same names, and the answer is always that of the first time.
    ///
    /// What is about to be done to the journal is written down for all of them at once, before the first is, and the
    /// rider with it. Then calls that touch the same things are carried out in their order, the others side by side;
    /// answers stand in their order. A call that asks for what another of them asked for already is that call, and
    /// its answer says so.
    ///
    /// What came of them the caller writes down, in its own next commit and under the same claim: one wait for the
    /// disk less. Until then what was done is known to the journal alone, and a crash costs no more than settling
    /// it. If nothing is to be done to the journal, nothing can be seen from outside before that commit either: then
    /// nothing is written here at all, and the rider is part of what is left, before everything else.
    ///
    /// What was drafted when the calls were named need not be planned again.
    ///
    /// # Errors
    /// If they could not be seen through: they are too many or not of one run, the claim is over, or the store
    /// cannot write.
    pub async fn execute(
        &self,
        calls: Vec<Call>,
        mut drafts: Vec<Drafted>,
        rights: &Rights,
        rider: Rider,
    ) -> Result<(Vec<Receipt>, Left), Error> {
        if calls.len() > limits::TOOL_GROUP_MAX {
            return Err(Error::LargeGroup { found: calls.len() });
        }
        let group = group_of(&calls)?;
        let (mut works, mut places) = (Vec::<Work>::new(), Vec::new());
        for call in calls {
            let mut work = Work::new(&self.registry, call, group.as_deref());
            let drafted = drafts.iter().position(|it| Some(it.operation) == work.call.operation);
            work.drafted = drafted.map(|place| drafts.swap_remove(place));
            let known = works.iter().position(|other| other.is_same(&work));
            places.push((known.unwrap_or(works.len()), known.is_some()));
            if known.is_none() {
                works.push(work);
            }
        }
        let (receipts, left) = self.run(works, rights, &rider).await?;
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
        rider: &Rider,
    ) -> Result<(Vec<Receipt>, Left), Error> {
        let none = Rider::default();
        let mut moved = None;
        for _ in 0..TRIES {
            let cases = self.judge_all(works, rights).await?;
            let (author, along, later) = match Sayer::of(&cases) {
                Sayer::Caller => {
                    let said = Left::from(rider.clone()).and(to_say(&cases, rights));
                    let (receipts, left) = self.see_through(cases, rights).await?;
                    return Ok((receipts, said.and(left)));
                }
                Sayer::Agent(author) => (author, rider, &none),
                Sayer::Runtime => (Author::Runtime, &none, rider),
            };
            match self.intend(author, &cases, rights, along).await? {
                Intended::Written => {
                    let (receipts, left) = self.see_through(cases, rights).await?;
                    return Ok((receipts, Left::from(later.clone()).and(left)));
                }
                // Somebody was faster: a stop, a neighbour that took the last of a quota, or the same
                // call once more. Judged anew, that is seen.
                Intended::Moved(conflict) => moved = Some(conflict),
            }
            works = cases.into_iter().map(|case| case.work).collect();
        }
        let moved: Conflict = moved.expect("a try ends written or moved");
        Err(moved.into())
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
