//! The door: commits wait here until the simulator decides what becomes of them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use sqlite::SqliteStore;
use store::{Answer, Store, StoreError};
use tokio::sync::{oneshot, watch};
use types::{Commit, Domain, Epoch, Hashed, HostId, Outcome, Position};

use crate::shared::Shared;

/// A commit on its way.
pub(crate) struct Handed {
    pub(crate) commit: Commit,
    reply: oneshot::Sender<Result<Outcome, StoreError>>,
}

impl Handed {
    /// Tells the caller; one that has gone away does not need it.
    pub(crate) fn answer(self, answer: Result<Outcome, StoreError>) {
        let _ = self.reply.send(answer);
    }
}

/// A store around real files. Reads see what is written; commits wait, first in first out for each
/// file, as they do in the real queue.
pub(crate) struct SimStore {
    pub(super) inner: SqliteStore,
    waiting: Mutex<[VecDeque<Handed>; 2]>,
    shared: Arc<Shared>,
}

impl SimStore {
    pub(crate) fn new(inner: SqliteStore, shared: Arc<Shared>) -> SimStore {
        SimStore { inner, waiting: Mutex::default(), shared }
    }

    /// How many commits wait for a file.
    pub(crate) fn waiting(&self, domain: Domain) -> usize {
        self.queue()[domain as usize].len()
    }

    /// The step of the commit that comes next in a file.
    pub(crate) fn next_step(&self, domain: Domain) -> Option<&'static str> {
        self.queue()[domain as usize].front().map(|handed| handed.commit.step)
    }

    /// Takes the commit that comes next in a file.
    pub(crate) fn take(&self, domain: Domain) -> Option<Handed> {
        self.queue()[domain as usize].pop_front()
    }

    /// Writes commits of one file as one group, notes in the book what was applied, and hands back
    /// what each is to be answered.
    pub(crate) fn write(
        &self,
        domain: Domain,
        group: Vec<Handed>,
    ) -> Vec<(Handed, Result<Outcome, StoreError>)> {
        let answers: Vec<Answer<Outcome>> =
            group.iter().map(|handed| self.inner.commit(handed.commit.clone())).collect();
        while self.inner.drain(domain) > 0 {}
        let mut written = Vec::new();
        for (handed, mut answer) in group.into_iter().zip(answers) {
            let mut context = Context::from_waker(Waker::noop());
            let Poll::Ready(answer) = answer.as_mut().poll(&mut context) else {
                unreachable!("what was drained is answered");
            };
            self.shared.book().note(&handed.commit, &answer, self.shared.now());
            written.push((handed, answer));
        }
        written
    }

    /// A read that has happened; if reads are slow, whoever asked hears of it when others have gone
    /// on.
    pub(super) fn heard<T: Send + 'static>(&self, mut answer: Answer<T>) -> Answer<T> {
        let Some(until) = self.shared.slow_read() else { return answer };
        let mut context = Context::from_waker(Waker::noop());
        let Poll::Ready(read) = answer.as_mut().poll(&mut context) else { return answer };
        let (shared, mut read) = (Arc::clone(&self.shared), Some(read));
        Box::pin(std::future::poll_fn(move |_| match shared.ticks() >= until {
            true => Poll::Ready(read.take().expect("an answer is heard once")),
            false => Poll::Pending,
        }))
    }

    fn queue(&self) -> MutexGuard<'_, [VecDeque<Handed>; 2]> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for SimStore {
    fn commit(&self, commit: Commit) -> Answer<Outcome> {
        if let Err(invalid) = commit.check() {
            self.shared.book().refused(&commit, &invalid);
            return Box::pin(std::future::ready(Err(invalid.into())));
        }
        let (reply, answer) = oneshot::channel();
        let domain = commit.domain as usize;
        self.queue()[domain].push_back(Handed { commit, reply });
        Box::pin(async move { answer.await.unwrap_or(Err(StoreError::Closed)) })
    }

    fn watch(&self, domain: Domain) -> watch::Receiver<Position> {
        self.inner.watch(domain)
    }

    fn stirred(&self) -> watch::Receiver<u64> {
        self.inner.stirred()
    }

    fn foresee(&self, domain: Domain, bytes: &Hashed) {
        self.inner.foresee(domain, bytes);
    }

    fn fenced(&self) -> watch::Receiver<u64> {
        self.inner.fenced()
    }

    fn host(&self) -> &HostId {
        self.inner.host()
    }

    fn epoch(&self) -> Epoch {
        self.inner.epoch()
    }
}
