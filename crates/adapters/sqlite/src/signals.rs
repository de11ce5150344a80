//! What a file tells to whoever listens.

use store::StoreError;
use tokio::sync::watch;
use types::Position;

use crate::writer::Writer;

/// The end that tells.
pub(crate) struct Teller {
    grown: watch::Sender<Position>,
    stirred: watch::Sender<u64>,
    fenced: watch::Sender<u64>,
    rested: watch::Sender<u64>,
    stopped: watch::Sender<Option<StoreError>>,
}

/// The end that listens.
pub(crate) struct Listening {
    grown: watch::Receiver<Position>,
    stirred: watch::Receiver<u64>,
    fenced: watch::Receiver<u64>,
    rested: watch::Receiver<u64>,
    stopped: watch::Receiver<Option<StoreError>>,
}

/// Who has to be woken.
#[must_use]
pub(crate) struct News {
    grown: bool,
    stirred: bool,
    fenced: bool,
}

/// Both ends, for a file whose log goes up to here.
pub(crate) fn signals(position: Position) -> (Teller, Listening) {
    let (grows, grown) = watch::channel(position);
    let (stirs, stirred) = watch::channel(0);
    let (fences, fenced) = watch::channel(0);
    let (rests, rested) = watch::channel(0);
    let (stops, stopped) = watch::channel(None);
    let teller =
        Teller { grown: grows, stirred: stirs, fenced: fences, rested: rests, stopped: stops };
    (teller, Listening { grown, stirred, fenced, rested, stopped })
}

impl Teller {
    /// Whoever asks hears how far the writer is; nobody is woken yet.
    pub(crate) fn note(&self, writer: &Writer) -> News {
        News {
            grown: note(&self.grown, writer.position()),
            stirred: note(&self.stirred, writer.stirs),
            fenced: note(&self.fenced, writer.fences),
        }
    }

    /// Wakes those for whom there is something new.
    pub(crate) fn wake(&self, news: &News) {
        self.grown.send_if_modified(|_| news.grown);
        self.stirred.send_if_modified(|_| news.stirred);
        self.fenced.send_if_modified(|_| news.fenced);
    }

    /// The file has come to rest.
    pub(crate) fn rested(&self) {
        self.rested.send_modify(|rests| *rests += 1);
    }

    /// The file takes nothing more before it is opened anew. The first reason is the one that counts.
    pub(crate) fn stopped(&self, why: &StoreError) {
        self.stopped.send_if_modified(|stopped| {
            let is_first = stopped.is_none();
            stopped.get_or_insert_with(|| why.clone());
            is_first
        });
    }
}

fn note<T: PartialEq>(told: &watch::Sender<T>, number: T) -> bool {
    let mut is_new = false;
    told.send_if_modified(|told| {
        is_new = *told != number;
        *told = number;
        false
    });
    is_new
}

impl Listening {
    /// Tells when the change log has grown.
    pub(crate) fn grown(&self) -> watch::Receiver<Position> {
        self.grown.clone()
    }

    /// Tells when something may have become due.
    pub(crate) fn stirred(&self) -> watch::Receiver<u64> {
        self.stirred.clone()
    }

    /// Tells when a fence moves from now on.
    pub(crate) fn fenced(&self) -> watch::Receiver<u64> {
        let mut fenced = self.fenced.clone();
        fenced.mark_unchanged();
        fenced
    }

    /// Tells when the file has come to rest.
    pub(crate) fn rested(&self) -> watch::Receiver<u64> {
        self.rested.clone()
    }

    /// Tells when the file takes nothing more, and why.
    pub(crate) fn stopped(&self) -> watch::Receiver<Option<StoreError>> {
        self.stopped.clone()
    }
}
