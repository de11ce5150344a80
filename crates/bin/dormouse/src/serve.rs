//! Serving a home: its lock, its dispatcher and its two doors, from start to stop.

use std::env;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use api_types::ServingReply;
use client::{Notice, SocketPlace};
use dispatch::Dispatch;
use embedded::Embedded;
use host::Machine;
use http_server::{LocalSocket, Server, Token};
use router::{Backup, Router};
use runtime::{Account, Runtime, Setup, Stay};
use sqlite::{Home, SqliteStore};
use store::Store;
use tokio::runtime::Handle;
use tokio::time::timeout;
use types::{Code, Problem, SchedulerPolicy};
use world::World;

use crate::backup;
use crate::local::open;
use crate::lock::lock;
use crate::setup;
use crate::stop::{Stop, Stops, given_up};
use crate::up::Up;
use crate::voice::Voice;

/// How long a stop waits for runs that have begun.
const RUNS_FINISH: Duration = Duration::from_secs(2);

/// How long it then waits for what does not listen.
const TASKS_END: Duration = Duration::from_secs(1);

/// Serves a home until the process is told to stop.
pub(crate) fn serve(
    home: &Home,
    listen: SocketAddr,
    ready: &dyn Fn(&ServingReply),
    up: Option<&Up<'_>>,
    notice: Notice<'_>,
) -> Result<(), Problem> {
    http_server::must_be_loopback(listen)?;
    let setup = setup::of_home(home.folder(), Stay::UntilStopped)?;
    let lock = lock(home, notice)?;
    // Before the files: a port that is taken is no reason to open them.
    let tcp = http_server::listen(listen)?;
    let executor = embedded::executor(host::tidy_after_work).map_err(|error| no_room(&error))?;
    let store = open(home, lock, notice)?;
    for rests in store.rests() {
        executor.spawn(embedded::at_rest(rests, host::come_to_rest));
    }
    let store = Arc::new(store);
    let stopping = Arc::default();
    let backup = backup::of_open(Arc::clone(&store), Arc::clone(&stopping));
    let kept: Arc<dyn Store> = Arc::<SqliteStore>::clone(&store);
    let (stops, voice) = (store.stops(), Arc::new(Voice::start()));
    let kept = (kept, stops, backup, stopping);
    let work = work(home.folder(), setup, kept, tcp, ready, (up, &voice), notice);
    let served = executor.block_on(work);
    // Everything that holds the store ends before it is closed, which is the last thing done.
    executor.shutdown_timeout(TASKS_END);
    drop(store);
    voice.end();
    served
}

async fn work(
    folder: &Path,
    setup: Setup,
    (store, stops, backup, stopping): (Arc<dyn Store>, Stops, Backup, Arc<AtomicBool>),
    tcp: TcpListener,
    ready: &dyn Fn(&ServingReply),
    (up, voice): (Option<&Up<'_>>, &Arc<Voice>),
    notice: Notice<'_>,
) -> Result<(), Problem> {
    let mut stop = Stop::listen().map_err(|error| no_room(&error))?;
    let world: Arc<dyn World> = Arc::new(Machine);
    let index = crate::local::index(folder, &*store);
    let runtime = Runtime::start(store, Arc::clone(&world), setup).await?;
    let folder = folder.canonicalize().map_err(|error| no_room(&error))?;
    let token_file = folder.join("server.token");
    let token = Token::keep(&token_file, secret())?;
    let place = SocketPlace::of(&folder, &elsewhere());
    let socket = LocalSocket::bind(&place.socket, place.link.as_deref())?;
    let router = Router::new(runtime.clone(), index).backed_up_by(backup);
    let server = Server::new(router, token, tcp, socket)?;
    let room = SchedulerPolicy::DEFAULT.global_max_concurrent_runs;
    let reports = Arc::clone(voice);
    let report = move |problem: &Problem| reports.report(problem);
    let dispatcher = Embedded::new(Handle::current(), world, room, report);
    // Before anybody is moved, so that nothing is missed.
    let (account, killed) = (runtime.account().await?, runtime.fleet.killed().await?);
    dispatcher.start(Arc::new(runtime.waker.clone()));
    ready(&ServingReply {
        listening: format!("http://{}", server.address()),
        token_file: token_file.display().to_string(),
    });
    if killed {
        notice("the kill switch is on: no agent runs; `dormouse kill off` lifts it");
    }
    if let Some(obstacle) = runtime.turns.obstacle() {
        notice(&format!("{obstacle}; runs will fail until that is mended"));
    }
    if let Some(obstacle) = runtime.turns.fast_obstacle().await? {
        notice(&format!("{obstacle}; until then rules say it"));
    }
    let mut served = Ok(());
    let until = async {
        tokio::select! {
            () = stop.told() => {}
            problem = given_up(stops) => served = Err(problem),
            problem = watched(up, &runtime, account, voice) => served = Err(problem),
        }
        // Whoever copies files hears of it in no other way.
        stopping.store(true, Ordering::Release);
    };
    // Also if somebody can no longer be told of it: the stop is the same.
    server.run(until).await;
    // What has begun and does not end in time is put back, and taken up at the next start.
    let _ = timeout(RUNS_FINISH, dispatcher.finish()).await;
    drop(dispatcher);
    runtime.waker.lay_down().await;
    served
}

/// Ends if whoever watches cannot be shown what they asked for; never, if nobody watches.
async fn watched(
    up: Option<&Up<'_>>,
    runtime: &Runtime,
    account: Account,
    voice: &Voice,
) -> Problem {
    match up {
        None => std::future::pending().await,
        Some(up) => up.tell(runtime, account, voice).await,
    }
}

fn secret() -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..16].copy_from_slice(&Machine.random().to_ne_bytes());
    bytes[16..].copy_from_slice(&Machine.random().to_ne_bytes());
    bytes
}

/// Where the socket of a home lies whose path is too long for one.
fn elsewhere() -> PathBuf {
    let runtime = env::var_os("XDG_RUNTIME_DIR").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    runtime.unwrap_or_else(env::temp_dir)
}

pub(crate) fn no_room(error: &io::Error) -> Problem {
    let message = format!("the system refuses what a server needs: {error}");
    Problem::new(Code::CannotListen, message, "try again when the machine has more room")
}
