//! The floor turn: two model calls to the same server and four durable SQLite commits, and nothing
//! else. The words sent are those of a turn of the product, made before the clock starts.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::Request;
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper_util::rt::TokioIo;
use rusqlite::{Connection, params};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::stopwatch;

/// The bytes of the row that each commit writes.
const ROW: [u8; 200] = [7; 200];

/// What it takes to run floor turns.
pub(super) struct Floor {
    address: String,
    calls: [Bytes; 2],
    waiting: mpsc::Sender<oneshot::Sender<()>>,
}

/// One who takes turns, with a connection of its own.
struct Walker {
    sender: SendRequest<Full<Bytes>>,
    address: String,
    calls: [Bytes; 2],
    waiting: mpsc::Sender<oneshot::Sender<()>>,
}

impl Floor {
    /// A floor over a new file in this folder, whose turns make these two calls.
    pub(super) fn new(folder: &Path, address: String, calls: [Vec<u8>; 2]) -> Floor {
        let connection = open(&folder.join("floor.db"));
        let (waiting, received) = mpsc::channel();
        thread::spawn(move || write(&connection, &received));
        Floor { address, calls: calls.map(Bytes::from), waiting }
    }

    /// The durations of some turns one after the other, in microseconds.
    pub(super) fn alone(&self, executor: &Runtime, turns: u64) -> Vec<f64> {
        executor.block_on(async {
            let mut walker = self.walker().await;
            let mut took = Vec::new();
            for _ in 0..turns {
                let began = stopwatch::start();
                walker.turn().await;
                took.push(began.elapsed().as_secs_f64() * 1e6);
            }
            took
        })
    }

    /// How long so many turns take with some in flight.
    pub(super) fn crowd(&self, executor: &Runtime, turns: u64, in_flight: usize) -> Duration {
        let left = Arc::new(AtomicU64::new(turns));
        executor.block_on(async {
            let mut walkers = Vec::new();
            for _ in 0..in_flight {
                walkers.push(self.walker().await);
            }
            let began = stopwatch::start();
            let walks: Vec<_> = walkers
                .into_iter()
                .map(|mut walker| {
                    let left = Arc::clone(&left);
                    tokio::spawn(async move {
                        while take_one(&left) {
                            walker.turn().await;
                        }
                    })
                })
                .collect();
            for walk in walks {
                walk.await.expect("a walker ends");
            }
            began.elapsed()
        })
    }

    #[expect(clippy::disallowed_methods, reason = "a measurement asks its own server")]
    async fn walker(&self) -> Walker {
        let stream = TcpStream::connect(&self.address).await.expect("the server listens");
        stream.set_nodelay(true).expect("the system takes it");
        let (sender, connection) = handshake(TokioIo::new(stream)).await.expect("it answers");
        tokio::spawn(connection);
        let (address, waiting) = (self.address.clone(), self.waiting.clone());
        Walker { sender, address, calls: self.calls.clone(), waiting }
    }
}

impl Walker {
    /// What was said is let in, the model asked, what is to be done written down and done, the model
    /// told, and the end written.
    async fn turn(&mut self) {
        self.commit().await;
        self.call(0).await;
        self.commit().await;
        self.commit().await;
        self.call(1).await;
        self.commit().await;
    }

    async fn commit(&self) {
        let (done, durable) = oneshot::channel();
        self.waiting.send(done).expect("the writer is there");
        durable.await.expect("the writer writes");
    }

    async fn call(&mut self, which: usize) {
        let request = Request::post("/v1/chat/completions")
            .header(HOST, &self.address)
            .header(CONTENT_TYPE, "application/json")
            .body(Full::new(self.calls[which].clone()))
            .expect("a request");
        // The connection takes a moment to see that the last answer was read to its end.
        self.sender.ready().await.expect("the server is there");
        let answer = self.sender.send_request(request).await.expect("the server answers");
        assert!(answer.status().is_success(), "{}", answer.status());
        answer.into_body().collect().await.expect("the whole answer");
    }
}

fn take_one(left: &AtomicU64) -> bool {
    let less = |left: u64| left.checked_sub(1);
    left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_ok()
}

#[expect(clippy::disallowed_methods, reason = "the measure of the store goes around it")]
fn open(path: &Path) -> Connection {
    let connection = Connection::open(path).expect("the file opens");
    let pragma = |name: &str, value: &str| {
        let taken = connection.pragma_update_and_check(None, name, value, |_| Ok(()));
        taken.or_else(|_| connection.pragma_update(None, name, value)).expect("it is taken");
    };
    pragma("journal_mode", "WAL");
    pragma("synchronous", "FULL");
    pragma("wal_autocheckpoint", "4000");
    let table = "CREATE TABLE rows (n INTEGER PRIMARY KEY, bytes BLOB NOT NULL)";
    connection.execute_batch(table).expect("a table");
    connection
}

/// Writes a row for each who waits, all who wait at once in one transaction.
fn write(connection: &Connection, received: &mpsc::Receiver<oneshot::Sender<()>>) {
    let group = |waiting: &[oneshot::Sender<()>]| -> rusqlite::Result<()> {
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        for _ in waiting {
            connection
                .prepare_cached("INSERT INTO rows (bytes) VALUES (?1)")?
                .execute(params![ROW])?;
        }
        connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    };
    while let Ok(first) = received.recv() {
        let waiting: Vec<_> = [first].into_iter().chain(received.try_iter()).collect();
        group(&waiting).expect("the rows are written");
        for done in waiting {
            // Whoever waited may have gone.
            let _ = done.send(());
        }
    }
}
