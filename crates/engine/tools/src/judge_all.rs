//! Judging all calls of one answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use policy::Rights;
use rules::reserve::{Reservation, Touched};
use tool::{Call, Failure};
use types::{Code, Domain, limits};

use crate::abreast::{Went, abreast};
use crate::executor::Case;
use crate::in_time::is_given_up;
use crate::judge::Judged;
use crate::standing::Fences;
use crate::work::Work;
use crate::{Error, Executor};

/// How much one group may write among its agent's own records: with what is said of its calls it has to
/// fit into one commit.
const OWN_WRITES_MAX: usize = limits::COMMIT_WRITES_MAX / 4;

impl Executor {
    /// Judges every call, as many at once as may be: nothing is written meanwhile. Those that take from
    /// a quota leave less of it to those after them, which wait for that.
    pub(crate) async fn judge_all(
        &self,
        works: Vec<Work>,
        rights: &Rights,
    ) -> Result<Vec<Case>, Error> {
        let Some(first) = works.first() else { return Ok(vec![]) };
        let fences = self.fences(&first.call.agent).await?;
        let answer: Vec<Call> = works.iter().map(|work| work.call.clone()).collect();
        let mut known = BTreeSet::new();
        let calls: Vec<(Reservation, (Work, bool))> = works
            .into_iter()
            .map(|work| {
                let clash = !known.insert(work.invocation.clone());
                (counted(&work, rights), (work, clash))
            })
            .collect();
        let taken = Mutex::new(BTreeMap::<String, u32>::new());
        let go_on = |(work, clash), _| self.judge_one(work, clash, rights, &fences, &taken);
        let mut cases: Vec<Case> = abreast(calls, go_on).await?;
        let (mut own, mut changes) = (0, false);
        for case in &mut cases {
            let judged = std::mem::replace(&mut case.judged, Judged::Recorded);
            let judged = beside(judged, &case.work, &answer, &mut own);
            case.judged = if changes { behind(judged, &case.work) } else { judged };
            changes |= matches!(case.judged, Judged::Change(..));
        }
        Ok(cases)
    }

    async fn judge_one(
        &self,
        mut work: Work,
        clash: bool,
        rights: &Rights,
        fences: &Fences,
        taken: &Mutex<BTreeMap<String, u32>>,
    ) -> Result<Went<(Work, bool), Case>, Error> {
        let mut standing = self.standing(&work, rights).await?;
        // A call that is tried again stays with those it first came with.
        let first_came_with = standing.record.as_ref().and_then(|(_, record)| record.group.clone());
        work.group = first_came_with.or(work.group);
        standing.clash = clash;
        let before = lock(taken).get(&work.tool).copied().unwrap_or(0);
        standing.counts.session = standing.counts.session.saturating_add(before);
        standing.counts.day = standing.counts.day.saturating_add(before);
        let drafted = work.drafted.take();
        let judged = self.judge_call(&work, &standing, fences, rights, drafted).await;
        if judged.takes(&work) && !standing.counts.counted {
            *lock(taken).entry(work.tool.clone()).or_default() += 1;
        }
        Ok(Went::Over(Case { work, standing, judged }))
    }
}

/// What is looked at to judge a call, as far as another changes it: how often its tool may be called.
fn counted(work: &Work, rights: &Rights) -> Reservation {
    let quota = rights.quotas.contains_key(&work.tool);
    let writes = quota.then(|| Touched::Quota(work.tool.clone())).into_iter().collect();
    Reservation { writes, ..Reservation::default() }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same, held against what else the same answer asks for and has written so far.
fn beside(judged: Judged, work: &Work, answer: &[Call], own: &mut usize) -> Judged {
    let Judged::Own(admitted, planned) = judged else { return judged };
    let entry = work.entry.as_ref().expect("what was admitted has a tool");
    let room = *own + planned.writes.len() <= OWN_WRITES_MAX;
    let objection = if room { entry.tool.objection(&work.call, answer) } else { Some(too_much()) };
    match objection {
        Some(failure) => Judged::Answered(admitted, Err(failure)),
        None => {
            *own += planned.writes.len();
            Judged::Own(admitted, planned)
        }
    }
}

/// The same behind a change of the journal. What would change nothing there as it is now, or cannot be done, may come
/// to something else once that is done: priority 0 and then priority 1, where it was 1. Who was given up is not waited
/// for a second time.
fn behind(judged: Judged, work: &Work) -> Judged {
    let of_journal = work.entry.as_ref().map(|entry| entry.contract().domain());
    match judged {
        Judged::Answered(admitted, planned)
            if of_journal == Some(Domain::Journal)
                && admitted.operation().is_some()
                && !planned.as_ref().is_err_and(is_given_up) =>
        {
            Judged::Waits(admitted)
        }
        judged => judged,
    }
}

fn too_much() -> Failure {
    let message = "the calls of this answer would write too much at once";
    Failure::of(Code::LimitReached, message, "make this call again, in the next answer")
}
